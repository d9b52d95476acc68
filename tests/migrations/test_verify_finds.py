"""`docgraph db verify` finds what somebody changed by hand: by name, with a readable diff."""

from __future__ import annotations

import psycopg
import pytest

from docgraph import migrate
from docgraph.engine import Database
from docgraph.errors import NotInstalled
from docgraph.verify import Difference, verify
from tests.conftest import Installed
from tests.migrations.changes import BROKEN_SPACE, FUNCTIONS, INDEXES, ROLES, TABLES, WALL, Case
from tests.migrations.tools import drift


def assert_found(found: list[Difference], case: Case) -> None:
    by_name = {difference.object: difference for difference in found}
    assert case.object in by_name, by_name
    difference = by_name[case.object]
    assert difference.kind == case.kind
    assert case.line in difference.diff


@pytest.mark.parametrize("case", [*FUNCTIONS, *WALL, *TABLES, *INDEXES], ids=str)
def test_a_change_by_hand_is_found(database: Installed, case: Case) -> None:
    with database.connect() as connection:
        connection.execute(case.statement.encode())
    assert_found(drift(database.conninfo), case)


@pytest.mark.parametrize("case", ROLES, ids=str)
def test_a_changed_role_is_found(superuser: psycopg.Connection[object], case: Case) -> None:
    # Roles belong to the cluster, and other tests use them: nothing of this is ever committed.
    with superuser.transaction(force_rollback=True):
        superuser.execute(case.statement.encode())
        with Database(superuser) as borrowed:
            assert_found(verify(borrowed), case)


def test_a_membership_that_gives_nothing_is_found(superuser: psycopg.Connection[object]) -> None:
    if superuser.info.server_version < 160000:
        pytest.skip("before PostgreSQL 16 every member inherits")
    with superuser.transaction(force_rollback=True):
        superuser.execute("GRANT docgraph_reader TO docgraph_writer WITH INHERIT FALSE")
        with Database(superuser) as borrowed:
            found = verify(borrowed)
    assert_found(found, Case("", "", "role docgraph_writer", "+member of docgraph_reader without inheriting"))


def test_an_index_whose_concurrent_build_failed_is_found(database: Installed) -> None:
    """The real thing: PostgreSQL leaves it in the catalogue, and writes to it, but never reads it."""
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO docgraph.ingestion_requests (tenant_id, ingestion_id, login)"
            " VALUES ('t', 'a', 'x'), ('t', 'b', 'x')"
        )
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute(
                "CREATE UNIQUE INDEX CONCURRENTLY failed ON docgraph.ingestion_requests (tenant_id)"
            )
    assert_found(
        drift(database.conninfo),
        Case("", "", "index docgraph.failed", "+INVALID", "unexpected"),
    )


def test_a_changed_object_is_one_difference_and_its_diff_is_short(database: Installed) -> None:
    with database.connect() as connection:
        connection.execute("ALTER FUNCTION docgraph.check_tenant(text) STABLE")
    (difference,) = drift(database.conninfo)
    changed = [line for line in difference.diff.splitlines() if line[0] in "+-"]
    assert len(changed) == 2


def test_differences_come_in_the_order_of_their_names(database: Installed) -> None:
    with database.connect() as connection:
        for case in (TABLES[0], FUNCTIONS[1], INDEXES[0], WALL[0]):
            connection.execute(case.statement.encode())
    names = [difference.object for difference in drift(database.conninfo)]
    assert len(names) == 4
    assert names == sorted(names)


def test_a_database_without_docgraph_is_said_to_be_one(empty: str) -> None:
    with pytest.raises(NotInstalled) as caught:
        drift(empty)
    assert "docgraph init" in str(caught.value.hint)


@pytest.mark.parametrize("case", BROKEN_SPACE, ids=str)
def test_verification_goes_on_where_the_embedding_space_cannot_be_read(
    database: Installed, case: Case
) -> None:
    """And finds what was changed, not the vector columns in its place."""
    with database.connect() as connection:
        connection.execute(case.statement.encode())
    found = drift(database.conninfo)
    assert_found(found, case)
    assert "vector_chunks" not in "".join(difference.object for difference in found)


def test_a_database_at_an_older_revision_drifts(empty: str) -> None:
    migrate.upgrade(empty)
    migrate.downgrade(empty, migrate.history()[-2].number)
    assert {difference.kind for difference in drift(empty)} >= {"missing"}
