"""pgvector may live in any schema: everything must work where only that schema holds it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docgraph import migrate
from docgraph.access import Access, Ceiling
from docgraph.client import DocGraph
from docgraph.engine import Database
from docgraph.errors import EmbeddingSpaceInUse
from docgraph.verify import verify
from tests.conftest import EVERYTHING, SPACE, Cluster, Installed
from tests.documents import put_document
from tests.sql.asking import refused
from tests.sql.layers import install_probes, visible_documents


@pytest.fixture
def elsewhere(cluster: Cluster, schema: str) -> Installed:
    found = Installed(cluster, cluster.create())
    with found.connect() as connection:
        connection.execute(f"CREATE SCHEMA {schema}; CREATE EXTENSION vector SCHEMA {schema}".encode())
    migrate.upgrade(found.conninfo)
    return found


@pytest.mark.parametrize("schema", ["extensions", '"Ext, ensions"'])
def test_everything_works(elsewhere: Installed) -> None:
    with DocGraph(elsewhere.conninfo) as client, elsewhere.connect() as superuser:
        assert client.configure_embedding_space(SPACE) is True
        assert client.configure_embedding_space(SPACE) is False
        client.grant_access(Ceiling(superuser.info.user, *EVERYTHING))
        assert client.whoami(access=Access(tags=["hr"])).tags == ("hr",)

        put_document(superuser, "public")
        put_document(superuser, "of hr", tags=("hr",))
        install_probes(superuser)
        assert visible_documents(superuser, "default", "{}") == ["public"]
        zero = refused(superuser, "UPDATE docgraph.vector_chunks SET embedding = '[0,0,0,0]'")
        assert zero.diag.sqlstate == "23514"

        with pytest.raises(EmbeddingSpaceInUse):
            client.configure_embedding_space(replace(SPACE, metric="l2"))
        superuser.execute("DELETE FROM docgraph.document_nodes; DROP SCHEMA probe CASCADE")
        assert client.configure_embedding_space(replace(SPACE, metric="l2")) is True


@pytest.mark.parametrize("schema", ["extensions", '"Ext, ensions"', '"é.$(x)*"'])
def test_verify_sees_no_difference(elsewhere: Installed) -> None:
    with Database(elsewhere.conninfo) as database:
        assert verify(database) == []
    with DocGraph(elsewhere.conninfo) as client:
        client.configure_embedding_space(SPACE)
    with Database(elsewhere.conninfo) as database:
        assert verify(database) == []


@pytest.mark.parametrize("schema", ["extensions"])
def test_a_role_may_read_without_any_right_on_the_schema_of_pgvector(elsewhere: Installed) -> None:
    login = elsewhere.reader("elsewhere_reader")
    with elsewhere.connect(login) as connection, DocGraph(connection) as client:
        assert client.whoami().login == login
        assert client.embedding_space() is None
