"""Row security alone: a function that forgets the predicate gives rows of the login's tenants only."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from psycopg import sql

from tests.conftest import Installed
from tests.servers import Server
from tests.sql.asking import Connection, refused
from tests.sql.layers import TENANT_TABLES
from tests.sql.scratch import scratch_database
from tests.sql.tables.rows import VALID, insertion, put_every_row, put_row

TENANTS = ["t", "t2", "t3"]
NOT_OF_A_TENANT = {"embedding_space", "next_embedding_space", "access_grants"}
LOGINS = {"layers_none": [], "layers_one": ["t2"], "layers_two": ["t", "t3"]}

BROKEN = """
CREATE FUNCTION broken.{name}() RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    {body};
END
$$;
ALTER FUNCTION broken.{name}() OWNER TO docgraph_owner;
"""


@pytest.fixture(scope="module")
def layered(server: Server, worker: str, template: str) -> Iterator[Installed]:
    """Every table with rows of three tenants, and functions that read or write all of it."""
    with scratch_database(server, worker, template) as found, found.connect() as superuser:
        superuser.execute("CREATE SCHEMA broken; GRANT ALL ON SCHEMA broken TO PUBLIC")
        with superuser.transaction():
            put_every_row(superuser)
            for tenant in TENANTS[1:]:
                for table in (name for name in VALID if name not in NOT_OF_A_TENANT):
                    if table == "document_relationships":
                        put_row(
                            superuser,
                            "document_nodes",
                            tenant_id=f"'{tenant}'",
                            document_id="'b'",
                            summary_embedding="NULL",
                        )
                    put_row(superuser, table, tenant_id=f"'{tenant}'")
        for table in TENANT_TABLES:
            bodies = {
                f"read_{table}": f"RETURN QUERY SELECT DISTINCT tenant_id FROM docgraph.{table}",
                f"change_{table}": f"RETURN QUERY UPDATE docgraph.{table} SET tenant_id = tenant_id"
                " RETURNING tenant_id",
                f"delete_{table}": f"RETURN QUERY DELETE FROM docgraph.{table} RETURNING tenant_id",
                f"move_{table}": f"UPDATE docgraph.{table} SET tenant_id = 't4'",
                f"write_{table}": insertion(table, tenant_id="'t4'"),
            }
            for name, body in bodies.items():
                superuser.execute(BROKEN.format(name=name, body=body))
        for login, tenants in LOGINS.items():
            found.cluster.login(login)
            for tenant in tenants:
                # No repository, no tag: the policy looks at the tenant alone.
                found.grant(login, tenant, repositories=[], snapshots=[], tags=[], labels=[], clearance=0)
        yield found


@pytest.fixture(params=LOGINS)
def login(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def connection(layered: Installed, login: str) -> Iterator[Connection]:
    with layered.connect(login) as found:
        yield found


def test_these_are_the_tables_of_tenants(layered: Installed) -> None:
    """Every table with a tenant, except the control tables."""
    with layered.connect() as superuser:
        rows = superuser.execute(
            """
            SELECT c.relname
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
            WHERE c.relnamespace = 'docgraph'::regnamespace AND c.relkind = 'r' ORDER BY 1
            """
        ).fetchall()
    assert sorted([*TENANT_TABLES, "access_grants", "lexical_index"]) == [name for (name,) in rows]


@pytest.mark.parametrize("table", TENANT_TABLES)
@pytest.mark.parametrize("verb", ["read", "change"])
def test_a_forgotten_predicate_shows_own_tenants_only(
    connection: Connection, login: str, table: str, verb: str
) -> None:
    with connection.transaction(force_rollback=True):
        rows = connection.execute(
            f"SELECT DISTINCT * FROM broken.{verb}_{table}() AS tenant ORDER BY 1".encode()
        )
        assert [tenant for (tenant,) in rows] == LOGINS[login]


@pytest.mark.parametrize(
    "table",
    [
        "document_names",
        "document_references",
        "document_relationships",
        "lexical_counts",
        "lexical_terms",
        "next_vectors",
        "vector_chunks",
        "write_turns",
    ],
)
def test_a_forgotten_predicate_deletes_in_own_tenants_only(
    connection: Connection, login: str, table: str
) -> None:
    with connection.transaction(force_rollback=True):
        rows = connection.execute(
            f"SELECT DISTINCT * FROM broken.delete_{table}() AS tenant ORDER BY 1".encode()
        )
        assert [tenant for (tenant,) in rows] == LOGINS[login]


@pytest.mark.parametrize("table", TENANT_TABLES)
def test_nothing_is_written_into_a_tenant_of_others(connection: Connection, login: str, table: str) -> None:
    error = refused(connection, f"SELECT broken.write_{table}()")
    assert "row-level security" in str(error.diag.message_primary)
    assert error.diag.sqlstate == "42501"
    if LOGINS[login]:
        assert refused(connection, f"SELECT broken.move_{table}()").diag.sqlstate == "42501"


@pytest.mark.parametrize("table", TENANT_TABLES)
def test_the_owner_is_bound_too(layered: Installed, table: str) -> None:
    """FORCE: without it the functions, which run as the owner, would see everything."""
    query = sql.SQL("SELECT DISTINCT tenant_id FROM docgraph.{} ORDER BY 1").format(sql.Identifier(table))
    with layered.connect() as superuser, superuser.transaction(force_rollback=True):
        superuser.execute("INSERT INTO docgraph.access_grants (tenant_id, login) VALUES ('t2', session_user)")
        superuser.execute("SET LOCAL ROLE docgraph_owner")
        assert superuser.execute(query).fetchall() == [("t2",)]
        superuser.execute("RESET ROLE")
        # As everywhere in PostgreSQL a superuser that reads a table directly is bound by nothing.
        assert superuser.execute(query).fetchall() == [("t",), ("t2",), ("t3",)]


@pytest.mark.parametrize("table", TENANT_TABLES)
def test_the_tenants_are_computed_once_per_statement(layered: Installed, table: str) -> None:
    """In the plan: an InitPlan. When run: one call of the function, whatever the number of rows."""
    with layered.connect() as superuser, superuser.transaction(force_rollback=True):
        superuser.execute("SET LOCAL track_functions = 'pl'; SET LOCAL ROLE docgraph_owner")
        query = f"SELECT * FROM docgraph.{table}"
        plan = [line for (line,) in superuser.execute(f"EXPLAIN (VERBOSE, COSTS OFF) {query}".encode())]
        assert [line for line in plan if re.search("InitPlan 1", line)]
        assert sum("allowed_tenants" in line for line in plan) == 1
        assert not [line for line in plan if "allowed_tenants" in line and re.search("Filter|Cond", line)]

        superuser.execute(query.encode())
        row = superuser.execute(
            "SELECT calls FROM pg_stat_xact_user_functions WHERE funcname = 'allowed_tenants'"
        ).fetchone()
        assert row == (1,)


def test_row_security_switched_off_is_an_error_and_not_more_rows(layered: Installed) -> None:
    with layered.connect("layers_one") as connection:
        connection.execute("SET row_security = off")
        for table in TENANT_TABLES:
            error = refused(connection, f"SELECT broken.read_{table}()")
            assert "row-level security" in str(error.diag.message_primary)
