"""A dump holds everything, and what is restored from it is what this release should be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import psycopg
import pytest

from docgraph import DocGraph, migrate
from docgraph.access import Ceiling
from docgraph.documents import Chunk, Document, Link
from tests.conftest import EVERYTHING, SPACE, Cluster, Installed
from tests.documents import put_document, put_relationship
from tests.migrations.tools import as_login, drift, program, psql
from tests.servers import Server, UnavailableError, start_server, temporary_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STORED = (
    "SELECT n.tenant_id, n.document_id, a.tags, c.text, c.embedding::text, r.to_document"
    " FROM docgraph.document_nodes n JOIN docgraph.access_classes a USING (tenant_id, access_class)"
    " JOIN docgraph.vector_chunks c USING (tenant_id, document_id)"
    " LEFT JOIN docgraph.document_relationships r"
    " ON r.tenant_id = n.tenant_id AND r.from_document = n.document_id"
    " ORDER BY 1, 2"
)


def everything(conninfo: str) -> list[tuple[object, ...]]:
    with psycopg.connect(conninfo) as connection:
        return connection.execute(STORED).fetchall()


@pytest.fixture
def filled(database: Installed) -> Installed:
    with database.connect() as connection:
        for tenant in ("default", "elsewhere"):
            put_document(connection, "a", tenant, tags=("hr",))
            put_document(connection, "b", tenant)
            put_relationship(connection, "a", "b", tenant=tenant)
    return database


def dump(server: Server, conninfo: str, to: Path) -> None:
    done = program(server, "pg_dump", "--format=custom", "--file", to, "--dbname", conninfo)
    assert done.returncode == 0, done.stderr


def restore(server: Server, conninfo: str, dumped: Path) -> None:
    done = program(server, "pg_restore", "--exit-on-error", "--dbname", conninfo, dumped)
    assert done.returncode == 0, done.stderr


def assert_works(conninfo: str, expected: list[tuple[object, ...]]) -> None:
    assert drift(conninfo) == []
    assert everything(conninfo) == expected
    with DocGraph(conninfo) as client:
        assert client.whoami().login == "postgres"
        assert client.embedding_space() is not None


def test_a_dump_by_a_role_that_bypasses_row_security_has_every_tenant(
    cluster: Cluster, filled: Installed, tmp_path: Path
) -> None:
    backup = cluster.login("backup", member_of="pg_read_all_data", options="BYPASSRLS")
    dump(cluster.server, as_login(filled.conninfo, backup), tmp_path / "dump")
    target = cluster.server.conninfo(cluster.create())
    restore(cluster.server, target, tmp_path / "dump")
    assert_works(target, everything(filled.conninfo))


@pytest.mark.parametrize("login", ["plain", "as_the_owner"])
def test_a_dump_that_row_security_would_narrow_is_refused(
    cluster: Cluster, filled: Installed, tmp_path: Path, login: str
) -> None:
    if login == "plain":
        cluster.login(login, member_of="pg_read_all_data")
    else:
        cluster.login(login, member_of="docgraph_owner")
    role = [] if login == "plain" else ["--role=docgraph_owner"]
    target = tmp_path / "dump"
    done = program(
        cluster.server, "pg_dump", *role, "--file", target, "--dbname", as_login(filled.conninfo, login)
    )
    assert done.returncode != 0
    assert "row-level security" in done.stderr


@pytest.fixture
def older_and_newer(server: Server) -> Iterator[tuple[Cluster, Cluster]]:
    """The server under test and one of another major, the older one first."""
    with temporary_home() as home:
        try:
            other = start_server("16" if server.major > 16 else "embedded", home)
        except UnavailableError as reason:
            pytest.skip(str(reason))
        older, newer = sorted((server, other), key=lambda each: each.major)
        clusters = Cluster(older, "older"), Cluster(newer, "newer")
        try:
            yield clusters
        finally:
            for cluster in clusters:
                cluster.clean()
            other.stop()


def answers(conninfo: str) -> list[str]:
    """What is found by words and vectors, along links, and as a tree: as JSON, byte for byte."""
    with DocGraph(conninfo) as client:
        return [
            client.retrieve(
                "who may approve leave", embedding=[0.9, 0.3, 0.1, 0.2], mode="hybrid", selection="bridge"
            ).to_json(),
            client.retrieve("leave", mode="bm25", search_in="chunks").to_json(),
            json.dumps(client.expand_dependency_tree(seeds=["d0"], max_depth=3).to_dict()),
        ]


def test_a_dump_moves_to_a_newer_postgresql(older_and_newer: tuple[Cluster, Cluster], tmp_path: Path) -> None:
    older, newer = older_and_newer
    source = older.server.conninfo(older.create())
    migrate.upgrade(source)
    with DocGraph(source) as client:
        client.configure_embedding_space(SPACE)
        client.grant_access(Ceiling("postgres", *EVERYTHING))
        client.put(
            Document(
                id=f"d{n}",
                title=f"Leave {n}",
                summary="Who may approve it.",
                summary_embedding=[1.0, n / 7, 0.0, 0.5],
                chunks=[Chunk(f"Leave is approved by manager {n}.", 7, [1.0, n / 3, 0.1, 0.0])],
                links=[Link("explains", f"d{(2 * n + 1) % 20}")],
            )
            for n in range(20)
        )
    with psycopg.connect(source) as connection:
        put_document(connection, "a", "elsewhere", tags=("hr",))

    # With the programs of the newer release, as PostgreSQL advises; the roles go first.
    roles = program(newer.server, "pg_dumpall", "--roles-only", "--dbname", older.server.conninfo())
    assert roles.returncode == 0, roles.stderr
    # Those that are there already, postgres at least, are errors of no weight.
    psql(newer.server, newer.server.conninfo(), "-v", "ON_ERROR_STOP=0", stdin=roles.stdout)
    dump(newer.server, source, tmp_path / "dump")
    target = newer.server.conninfo(newer.create())
    restore(newer.server, target, tmp_path / "dump")
    assert_works(target, everything(source))
    found = answers(source)
    assert '"d0"' in found[0]
    assert answers(target) == found
