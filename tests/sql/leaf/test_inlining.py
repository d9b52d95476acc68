"""Leaves become part of the query that calls them: in its plan there is no call of ours left."""

from __future__ import annotations

import pytest

from tests.sql.asking import Connection

VECTORS = "(VALUES ('[1,0]'::halfvec, '[0,1]'::halfvec), ('[1,1]', '[2,1]')) AS v (a, b)"
CALLS = {
    "distance": f"SELECT docgraph.distance(v.a, v.b, 'cosine') FROM {VECTORS}",
    "index_distance": f"SELECT docgraph.index_distance(v.a, v.b, 'l2') FROM {VECTORS}",
    "vector_norm": f"SELECT docgraph.vector_norm(v.a) FROM {VECTORS}",
    "query_vector": "SELECT docgraph.query_vector(ARRAY[n, 1], 'cosine') FROM generate_series(1, 2) AS n",
    "array_norm": "SELECT docgraph.array_norm(ARRAY[n, 1]) FROM generate_series(1, 2) AS n",
    "printable": "SELECT docgraph.printable(n::text) FROM generate_series(1, 2) AS n",
    "is_id": "SELECT docgraph.is_id(n::text) FROM generate_series(1, 2) AS n",
    "fits": "SELECT docgraph.fits(to_jsonb(n), 'whole') FROM generate_series(1, 2) AS n",
    "score": "SELECT docgraph.score(n, 'cosine') FROM generate_series(1, 2) AS n",
    "text_size": "SELECT docgraph.text_size(n::text, n > 1) FROM generate_series(1, 2) AS n",
    "bound": "SELECT docgraph.bound('seeds') + n FROM generate_series(1, 2) AS n",
}


@pytest.mark.parametrize("function", CALLS)
def test_no_call_is_left(boss: Connection, function: str) -> None:
    plan = "\n".join(line for (line,) in boss.execute(f"EXPLAIN VERBOSE {CALLS[function]}".encode()))
    assert "Output: " in plan
    assert "docgraph." not in plan


@pytest.mark.parametrize(("metric", "operator"), [("cosine", "<=>"), ("l2", "<->"), ("ip", "<#>")])
def test_of_the_metrics_only_one_is_left(boss: Connection, metric: str, operator: str) -> None:
    """Or an order by it could not be read from an index."""
    query = f"SELECT docgraph.index_distance(v.a, v.b, '{metric}') FROM {VECTORS}"
    plan = "\n".join(line for (line,) in boss.execute(f"EXPLAIN VERBOSE {query}".encode()))
    assert operator in plan
    assert "CASE" not in plan
