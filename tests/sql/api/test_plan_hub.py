"""A hub of 10,000 relationships in a plan: cut where it should be, whatever of it is hidden."""

from __future__ import annotations

import pytest

from tests.documents import put_class
from tests.sql.asking import Connection
from tests.sql.planning import by_ids, expanded_of, plan
from tests.sql.writing import put

BOARD = {"tags": ["board"]}
_SPOKES = """
WITH spokes AS (
    INSERT INTO docgraph.document_nodes (tenant_id, document_id, access_class, content_hash)
    SELECT 'default', to_char(n, 'FM00000'),
        CASE n %% 1000 WHEN 0 THEN %(open)s ELSE %(closed)s END, sha256('')
    FROM generate_series(1, 10000) AS n
    RETURNING document_id, access_class
)
INSERT INTO docgraph.document_relationships (
    tenant_id, from_document, relation_type, to_document,
    from_access_class, to_access_class, declared, inferred
)
SELECT 'default', hub, 'cites', s.document_id, %(open)s, s.access_class, true, false
FROM spokes s CROSS JOIN unnest('{hub,hub of hidden}'::text[]) AS hub
WHERE hub = 'hub' OR s.access_class = %(closed)s
"""


@pytest.fixture(scope="module", autouse=True)
def _hubs(boss: Connection) -> None:
    """Of the targets ten are for everybody, the others for the board; a second hub has those only."""
    put(boss, {"id": "hub"}, {"id": "hub of hidden"})
    boss.execute(
        _SPOKES,
        {"open": put_class(boss), "closed": put_class(boss, tags=("board",))},
    )
    boss.execute("ANALYZE docgraph.document_relationships")


@pytest.mark.parametrize(
    ("hub", "claim", "step"),
    [("hub", BOARD, 1), ("hub", {}, 1000), ("hub of hidden", {}, 10_001)],
    ids=["all visible", "ten visible", "none visible"],
)
@pytest.mark.parametrize("relation_types", [None, ["cites"]])
def test_a_hub(
    undone: Connection, hub: str, claim: dict[str, object], step: int, relation_types: list[str] | None
) -> None:
    visible = [f"{number:05}" for number in range(step, 10_001, step)]
    for cap in (0, 9, 10, 200):
        limits = {"expanded_per_seed": cap, "max_documents": 400, "relation_types": relation_types}
        expected = by_ids(
            undone,
            [(hub, "given")],
            {spoke: [(hub, "cites")] for spoke in visible[:cap]},
            constraints=limits,
            truncated=["expanded_per_seed"] if len(visible) > cap else [],
        )
        for cache in ("force_generic_plan", "force_custom_plan"):
            undone.execute(f"SET LOCAL plan_cache_mode = {cache}".encode())
            made = plan(undone, seeds=[hub], access=claim, **limits)
            assert made == expected
            assert [*expanded_of(made)] == visible[:cap]
