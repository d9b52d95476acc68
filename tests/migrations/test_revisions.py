"""Every revision goes up, down and up again, and leaves nothing behind."""

from __future__ import annotations

from itertools import pairwise

import psycopg
import pytest

from docgraph import calls, migrate
from docgraph.errors import InvalidArgument
from tests.conftest import SPACE, Cluster
from tests.documents import put_document, put_relationship
from tests.migrations.tools import REVISIONS, catalogue, drift, prepare

STEPS = list(pairwise(["base", *REVISIONS]))

VERSION_TABLE = {
    "index docgraph.alembic_version_pkc": "owner docgraph_owner\n"
    "CREATE UNIQUE INDEX alembic_version_pkc ON docgraph.alembic_version USING btree (version_num)",
    "table docgraph.alembic_version": "owner docgraph_owner\n"
    "privileges docgraph_owner: DELETE, INSERT, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE\n"
    "comment \n"
    "no row security\n"
    "column version_num character varying(32) not null\n"
    "constraint alembic_version_pkc PRIMARY KEY (version_num)",
}
BEFORE_REVISIONS = VERSION_TABLE.keys() | {
    "role docgraph_admin",
    "role docgraph_owner",
    "role docgraph_reader",
    "role docgraph_writer",
    "schema docgraph",
}


def put_data(conninfo: str) -> None:
    """Documents of two tenants; the installer has a ceiling in neither."""
    with psycopg.connect(conninfo) as connection:
        calls.fetch(connection, calls.configure_embedding_space(SPACE))
        for tenant in ("here", "elsewhere"):
            put_document(connection, "a", tenant, tags=("hr",), clearance=2)
            put_document(connection, "b", tenant)
            put_relationship(connection, "a", "b", tenant=tenant)


def data(conninfo: str) -> list[object]:
    """What is stored in the tables that every revision has."""
    tables = (
        "access_classes",
        "document_nodes",
        "vector_chunks",
        "document_relationships",
        "embedding_space",
    )
    with psycopg.connect(conninfo) as connection:
        return [
            connection.execute(f"SELECT * FROM docgraph.{table} ORDER BY 1, 2, 3, 4").fetchall()
            for table in tables
        ]


@pytest.mark.parametrize(("lower", "upper"), STEPS)
def test_going_back_gives_exactly_the_older_version(empty: str, lower: str, upper: str) -> None:
    if lower == "base":
        # Nothing but what precedes the revisions; Alembic makes its version table with the first of them.
        prepare(empty)
        before = catalogue(empty) | VERSION_TABLE
    else:
        migrate.upgrade(empty, lower)
        before = catalogue(empty)
    migrate.upgrade(empty, upper)
    above = catalogue(empty)
    assert above != before
    migrate.downgrade(empty, lower)
    assert catalogue(empty) == before
    migrate.upgrade(empty, upper)
    assert catalogue(empty) == above


def test_base_leaves_only_what_precedes_the_revisions(empty: str) -> None:
    migrate.upgrade(empty)
    put_data(empty)
    assert migrate.downgrade(empty, "base") == (REVISIONS[-1], None)
    assert catalogue(empty).keys() == BEFORE_REVISIONS
    assert migrate.current(empty) is None


def test_a_database_can_be_installed_again_after_base(empty: str) -> None:
    migrate.upgrade(empty)
    first = catalogue(empty)
    put_data(empty)
    migrate.downgrade(empty, "base")
    assert migrate.upgrade(empty) == (None, REVISIONS[-1])
    assert catalogue(empty) == first
    assert drift(empty) == []


def test_data_and_embedding_space_survive_every_step_down_and_up(empty: str) -> None:
    migrate.upgrade(empty)
    put_data(empty)
    before, stored = catalogue(empty), data(empty)
    assert all(stored)
    for revision in reversed(REVISIONS[:-1]):
        migrate.downgrade(empty, revision)
        assert data(empty) == stored
    for revision in REVISIONS[1:]:
        migrate.upgrade(empty, revision)
        assert data(empty) == stored
    assert catalogue(empty) == before
    assert drift(empty) == []


def test_an_upgrade_says_where_it_came_from_and_where_it_is(empty: str) -> None:
    assert migrate.upgrade(empty, REVISIONS[0]) == (None, REVISIONS[0])
    assert migrate.current(empty) == REVISIONS[0]
    assert migrate.upgrade(empty) == (REVISIONS[0], REVISIONS[-1])
    assert migrate.upgrade(empty) == (REVISIONS[-1], REVISIONS[-1])
    assert migrate.downgrade(empty, REVISIONS[0]) == (REVISIONS[-1], REVISIONS[0])


def test_a_database_without_docgraph_is_at_no_revision(empty: str) -> None:
    assert migrate.current(empty) is None


@pytest.mark.parametrize("revision", ["9999", "nonsense", "", "'; DROP TABLE x; --"])
def test_an_unknown_revision_is_refused(empty: str, revision: str) -> None:
    with pytest.raises(InvalidArgument):
        migrate.upgrade(empty, revision)
    assert "table docgraph.document_nodes" not in catalogue(empty)


def test_a_downgrade_does_not_go_up(empty: str) -> None:
    migrate.upgrade(empty, REVISIONS[0])
    with pytest.raises(InvalidArgument):
        migrate.downgrade(empty, REVISIONS[-1])
    assert migrate.current(empty) == REVISIONS[0]


def test_an_upgrade_does_not_go_down(empty: str) -> None:
    migrate.upgrade(empty)
    with pytest.raises(InvalidArgument) as caught:
        migrate.upgrade(empty, REVISIONS[0])
    assert f"docgraph db downgrade {REVISIONS[0]}" in str(caught.value.hint)
    assert drift(empty) == []


def test_a_downgrade_leaves_the_roles_to_other_databases(cluster: Cluster, empty: str) -> None:
    migrate.upgrade(empty)
    other = cluster.server.conninfo(cluster.create())
    migrate.upgrade(other)
    migrate.downgrade(empty, "base")
    assert drift(other) == []


def test_the_session_ends_as_it_began(empty: str) -> None:
    """The engine may be the caller's own, whose connections live on in a pool."""
    import sqlalchemy

    settings = (
        "SELECT current_user, current_setting('search_path'), current_setting('row_security'),"
        " current_setting('lock_timeout'),"
        " (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())"
    )
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(empty), pool_size=1, max_overflow=0
    )
    try:
        with engine.connect() as connection:
            before = connection.exec_driver_sql(settings).one()
        migrate.upgrade(engine)
        with engine.connect() as connection:
            assert connection.exec_driver_sql(settings).one() == before
        with pytest.raises(InvalidArgument):
            migrate.upgrade(engine, "9999")
        with engine.connect() as connection:
            assert connection.exec_driver_sql(settings).one() == before
    finally:
        engine.dispose()
