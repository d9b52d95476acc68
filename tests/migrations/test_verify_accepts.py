"""`docgraph db verify` finds nothing where nothing was changed, asks for no rights and writes nothing."""

from __future__ import annotations

import psycopg
import pytest

from docgraph import calls, migrate
from docgraph.access import EmbeddingSpace
from docgraph.engine import Database
from docgraph.errors import AccessDenied
from docgraph.verify import verify
from tests.conftest import SPACE, Cluster, Installed
from tests.documents import put_document
from tests.migrations.tools import as_login, drift


def test_a_fresh_install(database: Installed) -> None:
    assert drift(database.conninfo) == []


def test_before_the_embedding_space_is_configured(empty: str) -> None:
    migrate.upgrade(empty)
    assert drift(empty) == []


@pytest.mark.parametrize("schema", ["extensions", 'Qu"oted Schéma.*', "zz"])
def test_pgvector_in_another_schema(empty: str, schema: str) -> None:
    name = psycopg.sql.Identifier(schema)
    with psycopg.connect(empty) as connection:
        connection.execute(psycopg.sql.SQL("CREATE SCHEMA {}").format(name))
        connection.execute(psycopg.sql.SQL("CREATE EXTENSION vector SCHEMA {}").format(name))
    migrate.upgrade(empty)
    assert drift(empty) == []
    with psycopg.connect(empty) as connection:
        calls.fetch(connection, calls.configure_embedding_space(SPACE))
    assert drift(empty) == []


def test_pgvector_moved_afterwards(database: Installed) -> None:
    with database.connect() as connection:
        connection.execute("CREATE SCHEMA elsewhere")
        connection.execute("ALTER EXTENSION vector SET SCHEMA elsewhere")
    assert drift(database.conninfo) == []


def test_a_space_that_was_changed(database: Installed) -> None:
    with database.connect() as connection:
        for space in (
            EmbeddingSpace("a", 12, "l2", "simple", 7.5),
            EmbeddingSpace("b", 4000, "ip", "german", 1),
        ):
            assert calls.fetch(connection, calls.configure_embedding_space(space))
            assert drift(database.conninfo) == []


def test_data_of_many_tenants(database: Installed) -> None:
    with database.connect() as connection:
        for tenant in ("default", "other", "third"):
            put_document(connection, "a", tenant, tags=("hr",))
        connection.execute("ANALYZE")
    assert drift(database.conninfo) == []


def test_logins_ceilings_and_other_schemas_are_no_drift(database: Installed) -> None:
    database.reader("accepted", tags=("hr",))
    database.cluster.login("accepted_owner", member_of="docgraph_owner")
    with database.connect() as connection:
        connection.execute("CREATE TABLE public.notes (a integer)")
        connection.execute("ALTER ROLE accepted SET statement_timeout = '1min'")
    assert drift(database.conninfo) == []


@pytest.mark.parametrize(
    "options",
    [
        "LOCALE_PROVIDER icu ICU_LOCALE 'de' LOCALE 'C'",
        "LOCALE_PROVIDER libc LOCALE 'C'",
    ],
)
def test_another_locale(cluster: Cluster, options: str) -> None:
    name = f"locale_{cluster.worker}"
    with cluster.superuser() as connection:
        try:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 {options}".encode())
        except psycopg.errors.FeatureNotSupported as reason:
            pytest.skip(str(reason))
    cluster.databases.append(name)
    migrate.upgrade(cluster.server.conninfo(name))
    assert drift(cluster.server.conninfo(name)) == []


@pytest.mark.parametrize(
    "setting",
    [
        "quote_all_identifiers = on",
        "search_path = docgraph, public",
        "standard_conforming_strings = off",
        "DateStyle = 'German'",
        "extra_float_digits = -3",
        "row_security = off",
        "default_transaction_read_only = on",
        "default_transaction_isolation = serializable",
        "escape_string_warning = off",
    ],
)
def test_a_setting_of_the_database(database: Installed, setting: str) -> None:
    with database.connect() as connection:
        name = psycopg.sql.Identifier(database.name).as_string()
        connection.execute(f"ALTER DATABASE {name} SET {setting}".encode())
    assert drift(database.conninfo) == []


def test_a_reader_without_any_other_right_may_verify_and_nothing_is_written(database: Installed) -> None:
    login = database.cluster.login("only_reads", member_of="docgraph_reader")
    with database.connect() as connection:
        name = psycopg.sql.Identifier(database.name)
        connection.execute(psycopg.sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name))
        connection.execute(
            psycopg.sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(name, psycopg.sql.Identifier(login))
        )
    with psycopg.connect(as_login(database.conninfo, login)) as connection, Database(connection) as borrowed:
        connection.execute("SELECT 1")  # a transaction of the caller's, to look at afterwards
        assert verify(borrowed) == []
        # A transaction that has written something has a number.
        assert connection.execute("SELECT pg_current_xact_id_if_assigned()").fetchone() == (None,)


def test_a_login_without_the_reading_role_is_told_so(database: Installed) -> None:
    login = database.cluster.login("stranger")
    with pytest.raises(AccessDenied) as caught:
        drift(as_login(database.conninfo, login))
    assert "docgraph_reader" in str(caught.value.hint)


def test_nothing_can_be_written_while_it_runs(database: Installed) -> None:
    """Not even by a function put in the place of one that it calls, and not what outlives a rollback."""
    with database.connect() as connection:
        connection.execute("CREATE SEQUENCE public.trace")
        connection.execute("GRANT ALL ON SEQUENCE public.trace TO PUBLIC")
        row = connection.execute(
            "SELECT pg_get_functiondef('docgraph.embedding_space()'::regprocedure)"
        ).fetchone()
        assert row
        changed = str(row[0]).replace("BEGIN\n", "BEGIN\n    PERFORM nextval('public.trace');\n", 1)
        connection.execute(changed.encode())
        found = drift(database.conninfo)
        assert [difference.object for difference in found] == ["function docgraph.embedding_space()"]
        assert connection.execute("SELECT is_called FROM public.trace").fetchone() == (False,)


def test_a_borrowed_transaction_goes_on_as_it_was(superuser: psycopg.Connection[object]) -> None:
    settings = "SELECT current_setting('search_path'), current_setting('transaction_read_only')"
    with superuser.transaction(), Database(superuser) as borrowed:
        superuser.execute("SET LOCAL search_path = public")
        before = superuser.execute(settings).fetchone()
        assert verify(borrowed) == []
        assert superuser.execute(settings).fetchone() == before
        superuser.execute("CREATE TABLE still_writes ()")


def test_two_databases_of_a_cluster_do_not_disturb_each_other(cluster: Cluster, database: Installed) -> None:
    other = cluster.server.conninfo(cluster.create())
    migrate.upgrade(other)
    with psycopg.connect(other) as connection:
        connection.execute("DROP TABLE docgraph.document_references")
    assert drift(database.conninfo) == []
    assert drift(other) != []
