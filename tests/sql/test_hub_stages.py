"""A hub in an expansion: what is read is what the limits let through, whichever way it is followed.

What is counted are entries of indexes, never time. DOCGRAPH_HUB says how many relationships the hub has.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from tests.servers import Server
from tests.sql.asking import Connection
from tests.sql.explained import Read, read_by
from tests.sql.scratch import scratch_database

SIZE = int(os.environ.get("DOCGRAPH_HUB", "100000"))
INDEX = {"outgoing": "document_relationships_out_idx", "incoming": "document_relationships_in_idx"}
HUB = {"outgoing": "hub", "incoming": "sink"}
SEEN: dict[str, dict[str, Any]] = {"none": {}, "ten": {"tags": ["few"]}, "all": {"tags": ["few", "many"]}}
FAN_OUT = 50

_LOAD = """
SET session_replication_role = replica;
ALTER TABLE docgraph.document_relationships SET (autovacuum_enabled = off);
CREATE TEMP TABLE found (tag, access_class) AS
WITH made AS (
    INSERT INTO docgraph.access_classes
        (tenant_id, access_class, repository, snapshot, tags, labels, clearance, fingerprint)
    SELECT 'default', t.number, '', '', array_remove(ARRAY[t.tag], ''), '{{}}', 0,
        docgraph.access_fingerprint('', '', array_remove(ARRAY[t.tag], ''), '{{}}', 0)
    FROM unnest(ARRAY['', 'few', 'many']) WITH ORDINALITY AS t (tag, number)
    RETURNING coalesce(tags[1], ''), access_class
)
SELECT * FROM made;
INSERT INTO docgraph.document_nodes (tenant_id, document_id, access_class, content_hash)
SELECT 'default', d.document_id, f.access_class, sha256('x')
FROM (
    SELECT unnest(ARRAY['hub', 'sink']), ''
    UNION ALL SELECT 't' || lpad(n::text, 7, '0'), CASE WHEN n % ({size} / 10) = 0 THEN 'few' ELSE 'many' END
        FROM generate_series(1, {size}) AS n
) AS d (document_id, tag)
JOIN found f USING (tag);
INSERT INTO docgraph.document_relationships
SELECT 'default', r.origin, 'cites', r.target, o.access_class, t.access_class, true, false, NULL
FROM (
    SELECT 'hub', 't' || lpad(n::text, 7, '0') FROM generate_series(1, {size}) AS n
    UNION ALL SELECT 't' || lpad(n::text, 7, '0'), 'sink' FROM generate_series(1, {size}) AS n
) AS r (origin, target)
JOIN docgraph.document_nodes o ON o.document_id = r.origin
JOIN docgraph.document_nodes t ON t.document_id = r.target;
RESET session_replication_role;
"""
_EXPAND = """
SELECT docgraph.expand_dependency_tree(
    'default', %(claim)s, %(seeds)s, max_depth => 1, direction => %(direction)s, edge_allowlist => %(types)s)
"""


@pytest.fixture(scope="module", params=["planned while empty", "analysed"])
def session(
    request: pytest.FixtureRequest, server: Server, worker: str, template: str
) -> Iterator[Connection]:
    """One that has kept its plans since nothing was there, and one that knows how much there is."""
    with ExitStack() as stack:
        found = stack.enter_context(scratch_database(server, worker, template))
        connection = stack.enter_context(found.connect())
        if request.param == "planned while empty":
            for direction in INDEX:
                for types in (None, ["cites"]):
                    for _ in range(7):
                        expand(connection, "none", direction, types)
        with found.connect() as loader:
            loader.execute(_LOAD.format(size=SIZE).encode())
            if request.param == "analysed":
                loader.execute("ANALYZE")
        yield connection


def arguments(seen: str, direction: str, types: list[str] | None) -> dict[str, Any]:
    return {"claim": Jsonb(SEEN[seen]), "seeds": [HUB[direction]], "direction": direction, "types": types}


def expand(connection: Connection, seen: str, direction: str, types: list[str] | None) -> dict[str, Any]:
    ((found,),) = connection.execute(_EXPAND.encode(), arguments(seen, direction, types)).fetchall()
    return dict(found)


@pytest.mark.parametrize("types", [None, ["cites"], ["absent"], ["absent", "cites"]], ids=repr)
@pytest.mark.parametrize("direction", INDEX)
@pytest.mark.parametrize("seen", SEEN)
def test_a_hub_costs_what_the_limits_let_through(
    session: Connection, seen: str, direction: str, types: list[str] | None
) -> None:
    step = SIZE // 10
    expected = {
        "none": [],
        "ten": [f"t{number * step:07}" for number in range(1, 11)],
        "all": [f"t{number:07}" for number in range(1, FAN_OUT + 1)],
    }[seen]
    if types == ["absent"]:
        expected = []
    found = expand(session, seen, direction, types)
    assert [node["id"] for node in found["nodes"][1:]] == expected
    # What lies behind them: the other hub, from each.
    beyond = {"fan_out"} if len(expected) == FAN_OUT else set()
    assert set(found["truncated"]) == beyond | ({"depth"} if expected else set())

    read = read_by(session, _EXPAND, arguments(seen, direction, types))
    found_in = {name: each for name, each in read.items() if name.startswith("document_relationships")}
    classes, kinds = {"none": 1, "ten": 2, "all": 3}[seen], len(types or [None])
    assert set(found_in) <= {INDEX[direction]}
    total = found_in.get(INDEX[direction], Read(0, 0)).rows
    # The first look, the classes, each class and type; and one entry for each of those that are found.
    assert total <= (FAN_OUT + 1) * (1 + classes * kinds) + classes + len(expected)
