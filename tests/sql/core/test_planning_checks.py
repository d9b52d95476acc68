"""check_limit, check_choice, check_query, check_search, check_plan: what they just accept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.sql.asking import PLAN, Connection
from tests.sql.planning import MISSING, changed


@pytest.mark.parametrize(
    ("value", "what"),
    [(0, "nodes"), (200, "nodes"), (200, "seeds"), (200, "expanded_per_seed"), (400, "documents")],
)
def test_limits(boss: Connection, value: int, what: str) -> None:
    boss.execute("SELECT docgraph.check_limit('a', %s, %s)", (value, what))


def test_choices(boss: Connection) -> None:
    boss.execute("SELECT docgraph.check_choice('a', 'x', '{w,x}'), docgraph.check_choice('a', '', ARRAY[''])")
    for search_in in ("summaries", "chunks"):
        for method in ("auto", "exact", "approximate"):
            boss.execute("SELECT docgraph.check_search(%s, %s)", (search_in, method))


def test_queries_and_the_metric_they_are_compared_in(boss: Connection) -> None:
    for vector in ([1, 0, 0, 0], [0.0011, 0.0, 0.0, 0.0], [60_000, 0, 0, 0], [-1, -1, -1, -1]):
        row = boss.execute(
            "SELECT docgraph.check_query('semantic', %s::float8[], NULL)", (vector,)
        ).fetchone()
        assert row == ("cosine",)
    assert boss.execute("SELECT docgraph.check_query('semantic', NULL, NULL)").fetchone() == (None,)


def test_a_query_whose_elements_are_counted_from_elsewhere(boss: Connection) -> None:
    """PostgreSQL lets an array begin anywhere."""
    row = boss.execute("SELECT docgraph.check_query('semantic', '[5:8]={1,0,0,0}', NULL)").fetchone()
    assert row == ("cosine",)


ACCEPTED: dict[str, Any] = {
    "scope.tenant": "x" * 512,
    "scope.repositories": ["x" * 512] * 1000,
    "scope.snapshots": [""],
    "seed_documents": [{"document_id": f"{n}", "rank": n, "origin": "given"} for n in range(1, 10_001)],
    "seed_documents.0.document_id": " ",
    "seed_documents.1.rank": 2147483647,
    "seed_documents.1.origin": "search",
    "expanded_documents": [],
    "expanded_documents.0.document_id": "é" * 256,
    "expanded_documents.0.via": [{"from": "a.md", "relation_type": f"{n}"} for n in range(10_000)],
    "expanded_documents.0.via.0.relation_type": "x" * 512,
    "constraints.relation_types": [],
    "constraints.seed_limit": 0,
    "constraints.expanded_per_seed": 2147483647,
    "constraints.max_documents": 0,
    "constraints.scope_distance": "not looked at",
    "made_by.search_in": None,
    "made_by.embedding_space": None,
    "made_by.embedding_space.dimensions": 0,
    "truncated": ["anything"],
    "omitted": 2147483647,
    "edited": True,
}


@pytest.mark.parametrize("path", ACCEPTED)
def test_plans(boss: Connection, path: str) -> None:
    made = changed(path, ACCEPTED[path])
    if path in {"seed_documents", "seed_documents.0.document_id"}:
        made["expanded_documents"] = []
    boss.execute("SELECT docgraph.check_plan(%s::jsonb)", (json.dumps(made),))


def test_a_plan_without_the_mark_of_an_edit(boss: Connection) -> None:
    made = changed("edited", MISSING, changed("edited", True))
    assert made == json.loads(PLAN)
    boss.execute("SELECT docgraph.check_sealed(%s::jsonb)", (json.dumps(made),))
