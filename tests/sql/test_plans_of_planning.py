"""Which indexes each step of a search and of a plan reads, whatever a session sets.

The sizes are small: what is looked at is which way the planner goes, before it knows the tables and after.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import Cluster, Installed
from tests.servers import Server
from tests.sql.asking import Connection
from tests.sql.explained import Node, Read, Statement, explained, read_by, settings

DOCUMENTS, CLASSES = 4000, 20
EACH = DOCUMENTS // CLASSES
FEW = '{"tags": ["tag3"]}'
EVERYTHING = '{"tags": [' + ", ".join(f'"tag{number}"' for number in range(CLASSES)) + "]}"

TABLES = {"summaries": "document_nodes", "chunks": "vector_chunks"}
BY_CLASS = {"summaries": "document_nodes_class_key", "chunks": "vector_chunks_class_idx"}
BY_VECTOR = {"summaries": "document_nodes_summary_embedding_idx", "chunks": "vector_chunks_embedding_idx"}
OUT, PAIR = "document_relationships_out_idx", "document_relationships_pkey"
ALWAYS_SMALL = {"access_grants", "embedding_space", "alembic_version"}
"""Tables without row security: one row for a login or for the database."""

SESSIONS: dict[str, dict[str, str]] = {
    "as it is": {},
    "generic plans": {"plan_cache_mode": "force_generic_plan"},
    "custom plans": {"plan_cache_mode": "force_custom_plan"},
    "cheap pages": {"random_page_cost": "1.1", "effective_cache_size": "64GB"},
    "little memory": {"work_mem": "64kB"},
    "jit": {"jit": "on", "jit_above_cost": "0", "jit_optimize_above_cost": "0"},
    "no index scans": {"enable_indexscan": "off", "enable_indexonlyscan": "off"},
    "no nested loops": {"enable_nestloop": "off"},
    "parallel": {
        "max_parallel_workers_per_gather": "4",
        "parallel_setup_cost": "0",
        "parallel_tuple_cost": "0",
        "min_parallel_table_scan_size": "0",
        "min_parallel_index_scan_size": "0",
    },
}
USUAL = {"as it is", "generic plans", "custom plans"}
IN_SESSIONS = [name if name in USUAL else pytest.param(name, marks=pytest.mark.long) for name in SESSIONS]

_LOAD = """
SET session_replication_role = replica;
SELECT docgraph.grant_access('elsewhere', session_user::text, NULL, NULL, NULL, NULL, NULL);
INSERT INTO docgraph.access_classes
    (tenant_id, access_class, repository, snapshot, tags, labels, clearance, fingerprint)
SELECT t, n + 1, '', '', ARRAY['tag' || n], '{{}}', 0,
    docgraph.access_fingerprint('', '', ARRAY['tag' || n], '{{}}', 0)
FROM unnest(ARRAY['default', 'elsewhere']) AS t, generate_series(0, {classes} - 1) AS n;
INSERT INTO docgraph.document_nodes
    (tenant_id, document_id, access_class, content_hash, summary, summary_embedding)
SELECT c.tenant_id, 'd' || n, c.access_class, sha256('x'), repeat('words ', 30),
    ARRAY[1 + n % 7, sin(n), cos(n * n), sin(3 * n)]::vector::halfvec
FROM generate_series(1, {documents}) AS n
JOIN docgraph.access_classes c ON c.tags = ARRAY['tag' || n % {classes}];
INSERT INTO docgraph.vector_chunks
    (tenant_id, document_id, ordinal, access_class, token_count, text, embedding)
SELECT d.tenant_id, d.document_id, 0, d.access_class, 1, d.summary, d.summary_embedding
FROM docgraph.document_nodes d;
INSERT INTO docgraph.document_relationships
SELECT o.tenant_id, o.document_id, (ARRAY['cites', 'explains', 'references'])[1 + k % 3], t.document_id,
    o.access_class, t.access_class, true, false, NULL
FROM docgraph.document_nodes o
CROSS JOIN generate_series(1, {led_to}) AS k
JOIN docgraph.document_nodes t ON t.tenant_id = o.tenant_id
    AND t.document_id = 'd' || 1 + (substr(o.document_id, 2)::integer + 17 * k) % {documents};
RESET session_replication_role;
ALTER TABLE docgraph.document_nodes SET (autovacuum_enabled = off);
ALTER TABLE docgraph.vector_chunks SET (autovacuum_enabled = off);
ALTER TABLE docgraph.document_relationships SET (autovacuum_enabled = off);
"""

_SEARCH = """
SELECT * FROM docgraph.search_nodes(
    'default', %(claim)s, '{1, 0.5, 0, 0}', search_in => %(search_in)s, method => %(method)s
)
"""
_PLAN = """
SELECT docgraph.plan_retrieval(
    'default', %(claim)s, %(query)s, seeds => %(seeds)s, search_in => %(search_in)s, method => %(method)s,
    relation_types => %(types)s, expanded_per_seed => %(per_seed)s::integer, dominant_scope => 'doc_type'
)
"""
LED_TO = 5
"""Each document leads to so many."""
FEW_LED_TO, MORE_THAN_FEW = 10, 2
"""Of expanded_per_seed: no seed leads to more; each of them does."""


Databases = dict[str, Installed]
BEFORE, AFTER = "before ANALYZE", "after ANALYZE"


@pytest.fixture(scope="module")
def databases(server: Server, worker: str, template: str) -> Iterator[Databases]:
    """The same documents of two tenants, twice."""
    cluster = Cluster(server, f"{worker}_planning")
    try:
        before = Installed(cluster, cluster.create(template))
        with before.connect() as superuser:
            superuser.execute(_LOAD.format(documents=DOCUMENTS, classes=CLASSES, led_to=LED_TO).encode())
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


@pytest.fixture
def analysed(databases: Databases, setting: dict[str, str]) -> Iterator[Connection]:
    """As session, where the planner knows the tables."""
    with databases[AFTER].connect() as superuser, settings(superuser, **setting):
        yield superuser


def arguments(**asked: Any) -> dict[str, Any]:
    usual = {
        "claim": EVERYTHING,
        "search_in": "summaries",
        "method": "exact",
        "query": [1.0, 0.5, 0.0, 0.0],
        "seeds": None,
        "types": None,
        "per_seed": FEW_LED_TO,
    }
    return usual | asked


def reads(superuser: Connection, statement: str, **asked: Any) -> Iterator[dict[str, Read]]:
    """What a call reads: the first time, and when it has been planned for good."""
    values = arguments(**asked)
    yield read_by(superuser, statement, values)
    for _ in range(10):
        superuser.execute(statement.encode(), values)
    yield read_by(superuser, statement, values)


def of_documents(read: dict[str, Read]) -> dict[str, Read]:
    """Without what every call reads first: ceilings, classes, the embedding space."""
    return {name: each for name, each in read.items() if name.startswith(("document_", "vector_"))}


@pytest.mark.parametrize("search_in", TABLES)
def test_exact_search_reads_what_can_be_seen_once_and_no_vector_index(
    session: Connection, search_in: str
) -> None:
    for read in reads(session, _SEARCH, search_in=search_in):
        ((way, each),) = of_documents(read).items()
        assert way not in BY_VECTOR.values()
        assert each.rows in (DOCUMENTS, 2 * DOCUMENTS)  # of both tenants, where it is the table


@pytest.mark.parametrize("search_in", TABLES)
def test_exact_search_of_few_classes_reads_them_alone(analysed: Connection, search_in: str) -> None:
    """Once the database has been analysed; before that the planner may take the whole tenant."""
    for read in reads(analysed, _SEARCH, search_in=search_in, claim=FEW):
        assert {way: each.rows for way, each in of_documents(read).items()} == {BY_CLASS[search_in]: EACH}


@pytest.mark.parametrize("search_in", TABLES)
def test_approximate_search_reads_the_vector_index_and_nothing_else(
    session: Connection, search_in: str
) -> None:
    for read in reads(session, _SEARCH, search_in=search_in, method="approximate"):
        ((way, each),) = of_documents(read).items()
        assert (way, each.scans) == (BY_VECTOR[search_in], 1)
        assert each.rows < DOCUMENTS / 2


def of_relationships(read: dict[str, Read]) -> dict[str, Read]:
    return {name: each for name, each in read.items() if name.startswith("document_relationships")}


some_types = pytest.mark.parametrize("types", [None, ["cites", "references"]], ids=["all types", "two types"])


@pytest.mark.parametrize("search_in", TABLES)
@some_types
def test_a_plan_reads_the_relationships_of_seeds_that_lead_to_few_once(
    session: Connection, search_in: str, types: list[str] | None
) -> None:
    """Four seeds are given and five are found."""
    for read in reads(session, _PLAN, search_in=search_in, seeds=["d5", "d6", "d7", "d8"], types=types):
        found = of_relationships(read)
        assert found.keys() == {OUT, PAIR}
        assert found[OUT].rows == 9 * LED_TO
        # Before PostgreSQL 17 row security has the index gone through for each of the two tenants.
        assert found[OUT].scans in (9, 2 * 9)
        # What leads from seed to seed.
        assert found[PAIR].rows <= 9 * LED_TO


@pytest.mark.parametrize("search_in", TABLES)
@some_types
def test_a_plan_reads_relationships_by_seed_class_and_pair(
    session: Connection, search_in: str, types: list[str] | None
) -> None:
    """Where seeds lead to more than a plan takes, after one look at the first of them."""
    asked = {"search_in": search_in, "seeds": ["d5", "d6", "d7", "d8"], "types": types}
    for read in reads(session, _PLAN, **asked, per_seed=MORE_THAN_FEW):
        found = of_relationships(read)
        assert found.keys() == {OUT, PAIR}
        first = 9 * (MORE_THAN_FEW + 1)
        assert all(each.rows <= first + 2 * 9 * LED_TO for each in found.values())


def of_nodes(read: dict[str, Read]) -> dict[str, int]:
    return {way: each.rows for way, each in read.items() if way.startswith("document_nodes")}


def test_given_seeds_are_looked_up_by_id(session: Connection) -> None:
    for read in reads(session, _PLAN, query=None, seeds=[f"d{number}" for number in range(1, 201)]):
        assert of_nodes(read) == {"document_nodes_pkey": 200}


def test_the_scope_of_what_was_found_is_looked_up_by_id(session: Connection) -> None:
    for read in reads(session, _PLAN, method="approximate", search_in="chunks"):
        assert of_nodes(read) == {"document_nodes_pkey": 1 + 5}


@pytest.mark.parametrize("search_in", TABLES)
def test_the_method_is_chosen_by_the_index_of_classes(session: Connection, search_in: str) -> None:
    """What can be seen is counted in an index; rows are read to compare vectors alone."""
    by_class = BY_CLASS[search_in]
    exact, auto = (
        [
            of_documents(read)
            for read in reads(session, _SEARCH, search_in=search_in, claim=FEW, method=method)
        ]
        for method in ("exact", "auto")
    )
    for searched, both in zip(exact, auto, strict=True):
        before = searched.get(by_class, Read(0, 0))
        assert both == searched | {by_class: Read(both[by_class].scans, before.rows + EACH)}


def statements(superuser: Connection, statement: str, **asked: Any) -> list[Statement]:
    with explained(superuser) as found:
        superuser.execute(statement.encode(), arguments(**asked))
    assert found
    return found


def guarded(statement: Statement) -> list[Node]:
    """Where it reads a table that row security guards."""
    return [node for node in statement.nodes() if node.table and node.table not in ALWAYS_SMALL]


@pytest.mark.parametrize("search_in", TABLES)
def test_nothing_but_the_best_candidates_is_sorted(session: Connection, search_in: str) -> None:
    found = statements(session, _SEARCH, search_in=search_in, method="approximate")
    (searching,) = [each for each in found if each.reads(TABLES[search_in])]
    # An arm for each metric, of which one is executed.
    assert len(searching.reads(TABLES[search_in])) == 3
    (scan,) = [each for each in searching.reads(TABLES[search_in]) if each.loops]
    assert (scan.kind, scan.index) == ("Index Scan", BY_VECTOR[search_in])
    assert {"Limit", "Result"} >= {*scan.above[:2]}
    assert all(node.rows <= 40 for node in searching.nodes() if "Sort" in node.kind and node.loops)


def expansion(superuser: Connection, **asked: Any) -> list[Statement]:
    """What is read of relationships: a first look at three seeds, a second if need be, and between seeds."""
    found = statements(superuser, _PLAN, query=None, seeds=["d5", "d6", "d7"], **asked)
    expanding = [each for each in found if each.reads("document_relationships")]
    for node in (node for each in expanding for node in each.nodes()):
        assert node.kind not in {"Seq Scan", "Merge Join", "Materialize"}
        assert "Bitmap" not in node.kind
    return expanding


@pytest.mark.parametrize("per_seed", [FEW_LED_TO, LED_TO, MORE_THAN_FEW, 0])
@some_types
def test_the_first_look_of_an_expansion(session: Connection, types: list[str] | None, per_seed: int) -> None:
    """In the order of one index, up to the limit and one more; it is all, unless seeds lead to more."""
    look, *others, _ = expansion(session, types=types, per_seed=per_seed)
    assert len(others) == (per_seed < LED_TO)
    (scan,) = look.reads("document_relationships")
    assert scan.kind in {"Index Scan", "Index Only Scan"}
    assert scan.index == OUT
    assert "from_document = " in scan.condition
    assert scan.loops == 3
    assert scan.rows == 3 * min(LED_TO, per_seed + 1)
    assert scan.above[:2] == ("WindowAgg", "Limit")
    assert not [node for node in look.nodes() if "Sort" in node.kind or "Hash" in node.kind]


@some_types
def test_the_second_look_of_an_expansion(session: Connection, types: list[str] | None) -> None:
    _, look, _ = expansion(session, types=types, per_seed=MORE_THAN_FEW)
    for node in look.nodes():
        if node.table:
            assert node.kind in {"Index Scan", "Index Only Scan"}
            assert node.index in {OUT, PAIR}
            assert "from_document = " in node.condition
            # Hashed is only what has been read already.
            assert not {"Hash", "Hash Join"} & set(node.above)
            assert node.index == OUT or "to_document = " in node.condition
            assert node.index == PAIR or "Limit" in node.above


@some_types
def test_what_leads_from_seed_to_seed_is_looked_up_by_pair(
    session: Connection, types: list[str] | None
) -> None:
    *_, look = expansion(session, types=types, per_seed=FEW_LED_TO)
    (scan,) = look.reads("document_relationships")
    assert (scan.index, scan.loops) == (PAIR, 3 * 3)
    assert "from_document = " in scan.condition
    assert "to_document >= " in scan.condition
    assert not [node for node in look.nodes() if "Sort" in node.kind or "Hash" in node.kind]


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_row_security_is_asked_once_for_each_table_that_a_statement_names(
    session: Connection, method: str
) -> None:
    found = statements(session, _PLAN, method=method, seeds=["d5", "d6", "d7"])
    walls = [each for each in found if "g.login = session_user" in each.text and "ORDER BY" in each.text]
    assert 0 < len(walls) <= sum(len(guarded(each)) for each in found)
    for each in found:
        for node in each.nodes():
            if node.fields.get("Parent Relationship") == "InitPlan" and node.kind == "Result":
                assert node.loops <= 1


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_no_worker_is_started(session: Connection, method: str) -> None:
    for search_in in TABLES:
        for statement in (_SEARCH, _PLAN):
            found = statements(session, statement, method=method, search_in=search_in)
            asked = [each for each in found if guarded(each)]
            assert asked
            kinds = {node.kind for each in asked for node in each.nodes()}
            assert not kinds & {"Gather", "Gather Merge"}


def test_where_sorting_is_made_to_look_dear_nothing_is_compiled(analysed: Connection) -> None:
    """Before PostgreSQL 18 what is off costs very much, and what costs much is compiled by jit, each time."""
    found = analysed.execute(
        """
        SELECT proname, proconfig FROM pg_proc
        WHERE pronamespace = 'docgraph'::regnamespace AND 'enable_sort=off' = ANY (proconfig)
        """
    ).fetchall()
    assert {"all_links", "first_links", "nearest_approximately"} <= {name for name, _ in found}
    assert [name for name, pinned in found if "jit=off" not in pinned] == []
