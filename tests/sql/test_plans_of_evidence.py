"""Which indexes execution reads, whatever a session sets: planned documents by their id, and nothing else.

The documents are those of `test_plans_of_planning`, with many more chunks in each. What is looked at is which
way the planner goes, before it knows the tables and after, and how many entries that gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import Cluster, Installed
from tests.servers import Server
from tests.sql.asking import Connection
from tests.sql.explained import Read, Statement, explained, read_by, settings
from tests.sql.test_plans_of_planning import (
    _LOAD,
    AFTER,
    ALWAYS_SMALL,
    BEFORE,
    CLASSES,
    EVERYTHING,
    IN_SESSIONS,
    LED_TO,
    SESSIONS,
    Databases,
    of_documents,
)

DOCUMENTS = 2000
CHUNKS = 10
"""Of each document of the tenant; in each of the planned ones, of the same ids elsewhere, and of the rest."""
NODES, PIECES = "document_nodes_pkey", "vector_chunks_pkey"
SEEDS = [f"d{number}" for number in range(1, 9)]

_MORE = """
SET session_replication_role = replica;
INSERT INTO docgraph.vector_chunks
    (tenant_id, document_id, ordinal, access_class, token_count, text, embedding)
SELECT c.tenant_id, c.document_id, n, c.access_class, 1, c.text, c.embedding
FROM docgraph.vector_chunks c, generate_series(1, {more}) AS n;
RESET session_replication_role;
"""

_PLAN = """
SELECT docgraph.plan_retrieval(
    'default', %(claim)s, seeds => %(seeds)s, expanded_per_seed => 0, max_documents => 200
)
"""
_ARGUMENTS = "'default', %(claim)s, %(plan)s, '{1, 0.5, 0, 0}'"
EXECUTING = {
    "execute_plan": f"SELECT * FROM docgraph.execute_plan({_ARGUMENTS})",
    "assemble_context": f"SELECT * FROM docgraph.assemble_context({_ARGUMENTS}, budget_tokens => 8000)",
    "retrieve_by_plan": f"SELECT docgraph.retrieve_by_plan({_ARGUMENTS})",
}
RETRIEVE = """
SELECT docgraph.retrieve(
    'default', %(claim)s, '{1, 0.5, 0, 0}', seeds => %(seeds)s, seed_limit => 0, expanded_per_seed => 0
)
"""


@pytest.fixture(scope="module")
def databases(server: Server, worker: str, template: str) -> Iterator[Databases]:
    """The same documents of two tenants, twice."""
    cluster = Cluster(server, f"{worker}_evidence")
    try:
        before = Installed(cluster, cluster.create(template))
        with before.connect() as superuser:
            superuser.execute(_LOAD.format(documents=DOCUMENTS, classes=CLASSES, led_to=LED_TO).encode())
            superuser.execute(_MORE.format(more=CHUNKS - 1).encode())
        after = Installed(cluster, cluster.create(before.name))
        with after.connect() as superuser:
            superuser.execute("ANALYZE")
        yield {BEFORE: before, AFTER: after}
    finally:
        cluster.clean()


@pytest.fixture(params=IN_SESSIONS)
def setting(request: pytest.FixtureRequest) -> dict[str, str]:
    return SESSIONS[request.param]


@pytest.fixture(params=[BEFORE, AFTER])
def session(
    request: pytest.FixtureRequest, databases: Databases, setting: dict[str, str]
) -> Iterator[Connection]:
    """The superuser in a session of its own settings, with nothing planned yet."""
    with databases[request.param].connect() as superuser, settings(superuser, **setting):
        yield superuser


def arguments(connection: Connection, seeds: list[str], claim: str = EVERYTHING) -> dict[str, Any]:
    """With the plan as the text of its JSON, which is what a client sends."""
    found: dict[str, Any] = {"claim": claim, "seeds": seeds}
    ((plan,),) = connection.execute(f"SELECT ({_PLAN})::text".encode(), found).fetchall()
    return {**found, "plan": plan}


def reads(superuser: Connection, statement: str, values: dict[str, Any]) -> Iterator[dict[str, Read]]:
    """What a call reads of documents: the first time, and when it has been planned for good."""
    yield of_documents(read_by(superuser, statement, values))
    for _ in range(7):
        superuser.execute(statement.encode(), values)
    yield of_documents(read_by(superuser, statement, values))


def check(read: dict[str, Read], documents: int, chunks: int, shown: int) -> None:
    """Each document is looked up once, its chunks are compared once, and what is shown is read once more."""
    assert read.keys() == {NODES, PIECES}
    assert read[NODES].rows == documents
    # Before PostgreSQL 17 there is a scan for each tenant that row security allows: there are two.
    assert read[PIECES].scans in {documents + shown, 2 * (documents + shown)}
    assert read[PIECES].rows == chunks + shown


@pytest.mark.parametrize("name", EXECUTING)
def test_chunks_of_planned_documents_are_read_by_their_key_and_no_others(
    session: Connection, name: str
) -> None:
    """Of 20,000 chunks of the tenant, and as many of another, 80; those that are shown once more."""
    values = arguments(session, SEEDS)
    for read in reads(session, EXECUTING[name], values):
        check(read, documents=8, chunks=80, shown=10)


def test_of_retrieve_the_second_half_is_the_same(session: Connection) -> None:
    """After planning, which looks up the seeds that are given as well."""
    for read in reads(session, RETRIEVE, {"claim": EVERYTHING, "seeds": SEEDS}):
        assert {name for name in read if name.startswith("vector_chunks")} == {PIECES}
        assert (read[NODES].rows, read[PIECES].rows) == (16, 90)


@pytest.mark.parametrize("name", EXECUTING)
def test_a_plan_of_two_hundred_documents(session: Connection, name: str) -> None:
    ids = [f"d{number}" for number in range(1, 201)]
    values = arguments(session, ids)
    for read in reads(session, EXECUTING[name], values):
        check(read, documents=200, chunks=2000, shown=10)


@pytest.mark.parametrize("name", EXECUTING)
def test_what_may_not_be_seen_is_not_compared(session: Connection, name: str) -> None:
    """Of the eight documents one is of the class that is claimed; unknown ids read nothing at all."""
    values = {**arguments(session, SEEDS), "claim": '{"tags": ["tag3"]}'}
    found = session.execute(
        f"SELECT count(*) FROM docgraph.execute_plan({_ARGUMENTS})".encode(), values
    ).fetchone()
    assert found == (3,)
    for read in reads(session, EXECUTING[name], values):
        assert read.keys() == {NODES, PIECES}
        assert read[PIECES].rows <= 80 + 3


@pytest.mark.parametrize("name", EXECUTING)
def test_an_empty_plan_reads_nothing(session: Connection, name: str) -> None:
    for read in reads(session, EXECUTING[name], arguments(session, [])):
        assert read == {}


def statements(superuser: Connection, statement: str, values: dict[str, Any]) -> list[Statement]:
    with explained(superuser) as found:
        superuser.execute(statement.encode(), values)
    return [
        each
        for each in found
        if any(node.table and node.table not in {*ALWAYS_SMALL, "access_classes"} for node in each.nodes())
    ]


@pytest.mark.parametrize("name", EXECUTING)
def test_the_shape_of_an_execution(session: Connection, name: str) -> None:
    """Index scans by id: nothing is gone through, and no worker is started."""
    found = statements(session, EXECUTING[name], arguments(session, SEEDS))
    assert found
    for each in found:
        for node in each.nodes():
            assert node.kind not in {"Gather", "Gather Merge", "Bitmap Heap Scan", "Bitmap Index Scan"}
            if node.table in {"document_nodes", "vector_chunks"}:
                assert node.kind in {"Index Scan", "Index Only Scan"}
                assert node.index in {NODES, PIECES}
                assert "tenant_id = " in node.condition
                assert "document_id >= " in node.condition
                assert "document_id <= " in node.condition


@pytest.mark.parametrize("name", EXECUTING)
def test_row_security_is_asked_once_for_each_table_that_a_statement_names(
    session: Connection, name: str
) -> None:
    for each in statements(session, EXECUTING[name], arguments(session, SEEDS)):
        for node in each.nodes():
            if node.fields.get("Parent Relationship") == "InitPlan" and node.kind == "Result":
                assert node.loops <= 1


def test_where_scans_are_made_to_look_dear_nothing_is_compiled(databases: Databases) -> None:
    """What is off costs very much before PostgreSQL 18, and what costs much is compiled by jit, each time."""
    with databases[AFTER].connect() as superuser:
        rows = superuser.execute(
            "SELECT proname, proconfig FROM pg_proc WHERE pronamespace = 'docgraph'::regnamespace"
            " AND proname IN ('nearest_chunks', 'assemble', 'execute_plan', 'visible_among')"
        ).fetchall()
    assert len(rows) == 4
    for _, pinned in rows:
        assert {"jit=off", "enable_sort=off", "plan_cache_mode=force_generic_plan"} <= set(pinned)
