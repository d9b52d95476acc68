"""A hub, a document with very many relationships: a plan reads what the limits let through, and no more.

Each seed is looked at once, up to the limit and one more; where one leads to more than that, visible or not,
all are looked at again, by class and type.
What is counted are entries of indexes and pages, never time. DOCGRAPH_HUB says how many relationships it has.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from tests.servers import Server
from tests.sql.asking import Connection
from tests.sql.explained import Read, buffers_of, read_by
from tests.sql.scratch import scratch_database

SIZE = int(os.environ.get("DOCGRAPH_HUB", "100000"))
CLASSES = 2000
EXACT_ROWS = 50000
OUT, PAIR = "document_relationships_out_idx", "document_relationships_pkey"
AMONG = 5 * 200 * 200
"""Pages: what leads from seed to seed is looked up pair by pair."""

NOTHING: dict[str, Any] = {}
TEN = {"tags": ["few"]}
ALL = {"tags": ["few", "many"]}
OWN = {"tags": [f"own{number}" for number in range(1, 1001)]}
SEEN = {"none": NOTHING, "ten": TEN, "all": ALL}

ORDINARY = [f"s{number:03d}" for number in range(1, 200)]
FIRST_TARGETS = [f"t{number:07d}" for number in range(1, 200)]

_LOAD = """
SET session_replication_role = replica;
ALTER TABLE docgraph.document_nodes SET (autovacuum_enabled = off);
ALTER TABLE docgraph.document_relationships SET (autovacuum_enabled = off);
CREATE TEMP TABLE found (tag, access_class) AS
WITH made AS (
    INSERT INTO docgraph.access_classes
        (tenant_id, access_class, repository, snapshot, tags, labels, clearance, fingerprint)
    SELECT 'default', row_number() OVER (), '', '', array_remove(ARRAY[t.tag], ''), '{{}}', 0,
        docgraph.access_fingerprint('', '', array_remove(ARRAY[t.tag], ''), '{{}}', 0)
    FROM (
        SELECT unnest(ARRAY['', 'few', 'many'])
        UNION ALL SELECT 'own' || n FROM generate_series(1, {classes}) AS n
    ) AS t (tag)
    RETURNING coalesce(tags[1], ''), access_class
)
SELECT * FROM made;
INSERT INTO docgraph.document_nodes (tenant_id, document_id, access_class, content_hash)
SELECT 'default', d.document_id, f.access_class, sha256('x')
FROM (
    SELECT unnest(ARRAY['hub', 'spread', 'typed']), ''
    UNION ALL SELECT 's' || lpad(n::text, 3, '0'), '' FROM generate_series(1, 199) AS n
    UNION ALL SELECT 't' || lpad(n::text, 7, '0'), CASE WHEN n % ({size} / 10) = 0 THEN 'few' ELSE 'many' END
        FROM generate_series(1, {size}) AS n
    UNION ALL SELECT 'o' || lpad(n::text, 4, '0'), 'own' || n FROM generate_series(1, {classes}) AS n
) AS d (document_id, tag)
JOIN found f USING (tag);
INSERT INTO docgraph.document_relationships
SELECT 'default', r.origin, r.relation_type, r.target, o.access_class, t.access_class, true, false, NULL
FROM (
    SELECT 'hub', 'cites', 't' || lpad(n::text, 7, '0') FROM generate_series(1, {size}) AS n
    UNION ALL SELECT 'hub', 'explains', 't' || lpad(n::text, 7, '0') FROM generate_series(2, {size}, 2) AS n
    UNION ALL SELECT 'spread', 'cites', 'o' || lpad(n::text, 4, '0') FROM generate_series(1, {classes}) AS n
    UNION ALL SELECT 'typed', 'type ' || lpad(n::text, 3, '0'), 's' || lpad(m::text, 3, '0')
        FROM generate_series(1, 300) AS n, generate_series(1, 3) AS m
    UNION ALL SELECT 's' || lpad(n::text, 3, '0'), 'cites', 't' || lpad((n * 5 + k)::text, 7, '0')
        FROM generate_series(1, 199) AS n, generate_series(1, 5) AS k
) AS r (origin, relation_type, target)
JOIN docgraph.document_nodes o ON o.document_id = r.origin
JOIN docgraph.document_nodes t ON t.document_id = r.target;
RESET session_replication_role;
"""

_PLAN = """
SELECT docgraph.plan_retrieval(
    'default', %(claim)s, seeds => %(seeds)s, relation_types => %(types)s,
    expanded_per_seed => %(per_seed)s::integer, max_documents => %(documents)s::integer
)
"""


@dataclass(frozen=True)
class Hub:
    """A session in which plans are made."""

    session: Connection

    def arguments(self, **asked: Any) -> dict[str, Any]:
        usual = {"claim": NOTHING, "seeds": ["hub"], "types": None, "per_seed": 10, "documents": 40}
        assert asked.keys() <= usual.keys()
        found = usual | asked
        return found | {"claim": Jsonb(found["claim"])}

    def plan(self, **asked: Any) -> dict[str, Any]:
        ((found,),) = self.session.execute(_PLAN.encode(), self.arguments(**asked)).fetchall()
        return dict(found)

    def read(self, **asked: Any) -> dict[str, Read]:
        """What was read of relationships."""
        found = read_by(self.session, _PLAN, self.arguments(**asked))
        return {name: read for name, read in found.items() if name.startswith("document_relationships")}

    def buffers(self, **asked: Any) -> int:
        return buffers_of(self.session, _PLAN, self.arguments(**asked))


@pytest.fixture(scope="module", params=["planned while empty", "analysed"])
def hub(request: pytest.FixtureRequest, server: Server, worker: str, template: str) -> Iterator[Hub]:
    """A session that has kept its plans since nothing was there, and one that knows how much there is."""
    with ExitStack() as stack:
        found = stack.enter_context(scratch_database(server, worker, template))
        session = stack.enter_context(found.connect())
        planner = Hub(session)
        if request.param == "planned while empty":
            for types in (None, ["cites"]):
                for _ in range(7):
                    planner.plan(types=types)
        with found.connect() as loader:
            loader.execute(_LOAD.format(size=SIZE, classes=CLASSES).encode())
            if request.param == "analysed":
                loader.execute("ANALYZE")
        yield planner


def ids(plan: dict[str, Any]) -> list[str]:
    return [entry["document_id"] for entry in plan["expanded_documents"]]


def target(number: int) -> str:
    return f"t{number:07d}"


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize(
    "types", [None, ["cites"], ["explains"], ["explains", "cites"], ["absent"], []], ids=repr
)
def test_a_hub_gives_its_first_neighbours_and_nothing_else_is_read(
    hub: Hub, seen: str, types: list[str] | None
) -> None:
    asked = {"claim": SEEN[seen], "types": types}
    step = 1 if types is None or "cites" in types else 2
    ten = [target(number * SIZE // 10) for number in range(1, 11)]
    expected = {"none": [], "ten": ten, "all": [target(number * step) for number in range(1, 11)]}[seen]
    if types in (["absent"], []):
        expected = []

    plan = hub.plan(**asked)
    assert ids(plan) == expected
    assert plan["truncated"] == (["expanded_per_seed"] if seen == "all" and expected else [])
    for entry in plan["expanded_documents"]:
        led = ["cites", "explains"] if int(entry["document_id"][1:]) % 2 == 0 else ["cites"]
        assert [reason["relation_type"] for reason in entry["via"]] == [
            kind for kind in led if types is None or kind in types
        ]

    classes = {"none": 1, "ten": 2, "all": 3}[seen]
    kinds = 1 if types is None else len(types)
    assert_read(
        hub.read(**asked), classes=classes, kinds=kinds, each=11, types=2, pairs=len(expected), looked_at=11
    )
    assert hub.buffers(**asked) < 500


def assert_read(
    read: dict[str, Read],
    *,
    seeds: int = 1,
    classes: int,
    kinds: int = 1,
    each: int,
    types: int,
    pairs: int,
    looked_at: int,
) -> None:
    """For a seed, a class and a type asked for: so many entries at most; and each pair by itself.

    To see which classes a seed leads to, as many entries as there are classes may be read. types: so many
    lead from one document to another at most. looked_at: what the first look at all seeds reads. What
    leads from seed to seed is looked up for each pair of them.
    """
    assert set(read) <= {OUT, PAIR}
    assert read[OUT].rows >= looked_at
    out, pair = Read(read[OUT].scans - seeds, read[OUT].rows - looked_at), read.get(PAIR, Read(0, 0))
    assert out.scans <= seeds + seeds * classes * kinds
    assert out.rows <= seeds * classes + seeds * classes * kinds * each * types
    assert pair.scans <= out.rows + pairs + seeds * (seeds + 1)
    assert pair.rows <= out.rows + pairs * types


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("per_seed", [0, 10, 200])
def test_a_hub_among_two_hundred_seeds(hub: Hub, seen: str, per_seed: int) -> None:
    asked = {"claim": SEEN[seen], "seeds": [*ORDINARY, "hub"], "per_seed": per_seed, "documents": 400}
    plan = hub.plan(**asked)
    if seen == "all" and per_seed:
        assert ids(plan) == [target(number) for number in range(6, 206)]
        assert plan["truncated"] == ["documents", "expanded_per_seed"]
    else:
        assert len(ids(plan)) == (10 if seen == "ten" and per_seed else 0)
        assert plan["truncated"] == (["expanded_per_seed"] if not per_seed and seen != "none" else [])
    expanded = len(ids(plan))
    classes = {"none": 1, "ten": 2, "all": 3}[seen]
    read = hub.read(**asked)
    looked_at = 199 * min(5, per_seed + 1) + per_seed + 1
    assert_read(
        read,
        seeds=200,
        classes=classes,
        each=per_seed + 1,
        types=2,
        pairs=200 * expanded,
        looked_at=looked_at,
    )
    assert read[OUT].rows <= looked_at + 200 * classes + 199 * 5 + 2 * classes * (per_seed + 1)
    assert hub.buffers(**asked) < AMONG + 2000 + 5 * (200 * classes + 200 * expanded + read[OUT].rows)


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("per_seed", [5, 200])
@pytest.mark.parametrize("types", [None, ["cites"], ["absent"]], ids=repr)
def test_without_the_hub_every_relationship_is_read_once(
    hub: Hub, seen: str, per_seed: int, types: list[str] | None
) -> None:
    """Whatever of it can be seen and is of these types."""
    asked = {"claim": SEEN[seen], "seeds": ORDINARY, "types": types, "per_seed": per_seed, "documents": 400}
    plan = hub.plan(**asked)
    assert len(ids(plan)) == (201 if seen == "all" and types != ["absent"] else 0)
    assert plan["truncated"] == (["documents"] if ids(plan) else [])
    read = hub.read(**asked)
    assert read.keys() == {OUT, PAIR}
    assert read[OUT] == Read(199, 199 * 5)
    assert read[PAIR].rows == 0  # no seed leads to a seed
    assert hub.buffers(**asked) < AMONG + 2000


@pytest.mark.parametrize("types", [None, ["cites"], ["explains", "cites"]], ids=repr)
def test_a_hub_whose_first_neighbours_are_seeds(hub: Hub, types: list[str] | None) -> None:
    asked = {"claim": ALL, "seeds": ["hub", *FIRST_TARGETS], "types": types, "documents": 400}
    plan = hub.plan(**asked)
    assert ids(plan) == [target(number) for number in range(200, 210)]
    assert plan["truncated"] == ["expanded_per_seed"]
    kinds = 1 if types is None else len(types)
    read = hub.read(**asked)
    assert set(read) == {OUT, PAIR}
    assert read[OUT].scans <= 200 + 200 + 200 * 3 * kinds
    assert read[OUT].rows <= 11 + 200 * 3 + kinds * 3 * (2 * 11 + 199 * 2)
    assert hub.buffers(**asked) < AMONG + 2000 + 5 * (200 * 3 * kinds + 200 * 10 + read[OUT].rows)


@pytest.mark.parametrize("types", [None, ["cites"], ["cites", "other"]], ids=repr)
def test_neighbours_each_in_a_class_of_its_own(hub: Hub, types: list[str] | None) -> None:
    """Each class that can be seen is looked at; what is hidden costs nothing."""
    asked = {"claim": OWN, "seeds": ["spread"], "types": types}
    plan = hub.plan(**asked)
    assert ids(plan) == [f"o{number:04d}" for number in range(1, 11)]
    assert plan["truncated"] == ["expanded_per_seed"]
    kinds = 1 if types is None else len(types)
    read = hub.read(**asked)
    assert_read(read, classes=1001, kinds=kinds, each=1, types=1, pairs=10, looked_at=11)
    assert hub.buffers(**asked) < 2000 + 5 * 1001 * (kinds + 1)
    assert ids(hub.plan(seeds=["spread"])) == []
    assert_read(hub.read(seeds=["spread"]), classes=1, each=0, types=1, pairs=0, looked_at=11)


def test_many_types_between_the_same_documents(hub: Hub) -> None:
    """Every one of them is a reason, and each is read for every document that the limits let through."""
    plan = hub.plan(seeds=["typed"], per_seed=2)
    assert ids(plan) == ["s001", "s002"]
    assert plan["truncated"] == ["expanded_per_seed"]
    assert [len(entry["via"]) for entry in plan["expanded_documents"]] == [300, 300]
    read = hub.read(seeds=["typed"], per_seed=2)
    assert_read(read, classes=1, each=3, types=300, pairs=2, looked_at=3)
    few = hub.read(seeds=["typed"], per_seed=2, types=["type 150", "type 007"])
    assert few[OUT].rows <= 3 + 1 + 2 * 3
    assert few[PAIR].rows <= 2 * 300


@pytest.mark.skipif(SIZE <= EXACT_ROWS, reason="the hub is too small")
def test_the_method_is_chosen_before_everything_is_counted(hub: Hub) -> None:
    """As the owner: who calls, calls a function of the API."""
    choose = """
        SELECT docgraph.choose_method('default', ARRAY(
            SELECT access_class FROM docgraph.access_classes WHERE tags <@ '{few,many}' ORDER BY access_class
        ), 'summaries', 'auto')
    """
    hub.session.execute("SET ROLE docgraph_owner")
    try:
        for _ in range(7):
            assert hub.session.execute(choose.encode()).fetchall() == [("approximate",)]
        read = read_by(hub.session, choose, {})
    finally:
        hub.session.execute("RESET ROLE")
    found = {way: each.rows for way, each in read.items() if way.startswith("document_nodes")}
    assert found.keys() == {"document_nodes_class_key"}
    assert found["document_nodes_class_key"] <= EXACT_ROWS + 1
