"""One whole plan, byte for byte, as psql and Python get it: what is stored today must be read tomorrow."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from docgraph import Access, AsyncDocGraph, DocGraph, calls
from tests.conftest import Installed
from tests.migrations.tools import program
from tests.sql.asking import Connection, ask
from tests.sql.planning import plan_text
from tests.sql.writing import put, relate

GOLDEN = (
    '{"scope": {"tenant": "default", "snapshots": null, "repositories": ["handbook", "übersicht"]}, '
    '"format": 1, "dropped": 1, "made_by": {"mode": "semantic", "method": "exact", "revision": "0004", '
    '"search_in": "chunks", "embedding_space": {"model": "test-model", "metric": "cosine", "dimensions": 4}}'
    ', "omitted": 2, "plan_hash": "cd1f0ea94afa032f8a51a1b0d21506e191fa7dd6a1442fca4f7800d972598745", '
    '"truncated": ["documents", "expanded_per_seed"], "constraints": {"direction": "outgoing", '
    '"seed_limit": 3, "max_documents": 6, "dominant_scope": "cluster", "relation_types": ["Cites", "é"], '
    '"scope_distance": "0.5", "expanded_per_seed": 2, "traversal_enabled": false, '
    '"max_relationship_depth": 1}, "seed_documents": [{"rank": 1, "origin": "given", "document_id": '
    '"z \\"q\\".md"}, {"rank": 2, "origin": "search", "document_id": "a.md"}, {"rank": 3, "origin": '
    '"search", "document_id": "b.md"}], "expanded_documents": [{"via": '
    '[{"from": "z \\"q\\".md", "relation_type": "Cites"}, {"from": "b.md", "relation_type": "é"}], '
    '"document_id": "1\\n.md"}, {"via": [{"from": "z \\"q\\".md", "relation_type": "Cites"}], '
    '"document_id": "日本.md"}, {"via": [{"from": "a.md", '
    '"relation_type": "é"}], "document_id": "c.md"}]}'
)
EDGES = [
    ('z "q".md', "Cites", "1\n.md"),
    ('z "q".md', "Cites", "日本.md"),
    ('z "q".md', "é", "last.md"),
    ('z "q".md', "explains", "no.md"),
    ("a.md", "é", "c.md"),
    ("b.md", "é", "1\n.md"),
    ("b.md", "é", "d.md"),
]
VECTORS = {"a.md": [1, 0, 0, 0], "b.md": [1, 0.5, 0, 0], "far.md": [0.1, 1, 0, 0]}
QUERY = [1.0, 0.0, 0.0, 0.0]
ASKED: dict[str, Any] = {
    "query_embedding": QUERY,
    "seeds": ['z "q".md', "hidden.md", "nowhere.md", 'z "q".md'],
    "search_in": "chunks",
    "seed_limit": 3,
    "relation_types": ["é", "Cites", "é"],
    "expanded_per_seed": 2,
    "max_documents": 6,
    "dominant_scope": "cluster",
    "scope_distance": Decimal("0.500"),
}
CLAIM = {"repositories": ["übersicht", "handbook"]}


@pytest.fixture(scope="module")
def shelf(shared: Installed, boss: Connection) -> Installed:
    """The revision is pinned: the next one must give the same bytes but for its number."""
    ids = dict.fromkeys([*VECTORS, *(end for edge in EDGES for end in (edge[0], edge[2]))])
    for each in ids:
        found: dict[str, Any] = {"id": each, "repository": "handbook"}
        if each in VECTORS:
            chunk = {"text": "t", "embedding": VECTORS[each]}
            found |= {"chunks": [chunk], "summary_embedding": VECTORS[each]}
        put(boss, found)
    put(boss, {"id": "hidden.md", "repository": "elsewhere"})
    relate(boss, *EDGES)
    boss.execute("UPDATE docgraph.alembic_version SET version_num = '0004'")
    return shared


def test_in_sql(shelf: Installed, boss: Connection) -> None:
    assert plan_text(boss, access=CLAIM, **ASKED) == GOLDEN


@pytest.mark.parametrize("binary", [False, True])
def test_by_either_protocol(shelf: Installed, boss: Connection, binary: bool) -> None:
    with psycopg.ClientCursor(boss) as cursor:
        statement = calls.PLAN_RETRIEVAL.statement_with(["tenant", "access", *ASKED])
        values = {"tenant": "default", "access": json.dumps(CLAIM), **ASKED}
        text = f"SELECT plan_retrieval::text FROM ({statement}) AS p"
        answer = (
            boss.cursor(binary=True).execute(text.encode(), values)
            if binary
            else cursor.execute(text.encode(), values)
        )
        assert answer.fetchall() == [(GOLDEN,)]


def test_in_python(shelf: Installed) -> None:
    access = Access(repositories=CLAIM["repositories"])
    with DocGraph(shelf.conninfo) as client:
        assert client.plan_retrieval(access=access, **ASKED).to_json() == GOLDEN
        assert client.plan_retrieval(access=access, **ASKED).from_json(GOLDEN).to_json() == GOLDEN

    async def awaited() -> str:
        async with AsyncDocGraph(shelf.conninfo) as client:
            return (await client.plan_retrieval(access=access, **ASKED)).to_json()

    assert asyncio.run(awaited()) == GOLDEN


def test_in_psql(shelf: Installed) -> None:
    statement = """
        SELECT docgraph.plan_retrieval('default', '{"repositories": ["übersicht", "handbook"]}',
            '{1,0,0,0}', seeds => ARRAY['z "q".md', 'hidden.md', 'nowhere.md', 'z "q".md'],
            search_in => 'chunks', seed_limit => 3, relation_types => '{é,Cites,é}', expanded_per_seed => 2,
            max_documents => 6, dominant_scope => 'cluster', scope_distance => 0.500)
    """
    server = shelf.cluster.server
    if server.embedded is None:
        pytest.skip("needs the programs of the server")
    done = program(server, "psql", "-X", "-At", "-d", shelf.conninfo, "-c", statement)
    assert done.stdout.rstrip("\n") == GOLDEN


def test_as_another_login_and_after_a_rewrite(shelf: Installed, boss: Connection) -> None:
    shelf.reader("golden_reader")
    boss.execute(
        "VACUUM FULL docgraph.document_nodes, docgraph.document_relationships, docgraph.vector_chunks;"
    )
    with shelf.connect("golden_reader") as connection:
        assert plan_text(connection, access=CLAIM, **ASKED) == GOLDEN
        made = json.dumps(json.loads(GOLDEN))
        assert ask(connection, calls.VERIFY_PLAN, plan=made).ok
