"""may_see: true or false, never NULL. The truth table is in ../core/access_matrix.py."""

from __future__ import annotations

from tests.sql.asking import Connection

COMBINATIONS = """
WITH
lists (entries) AS (VALUES ('{}'::text[]), ('{x}'), ('{x,y}')),
limits (entries) AS (SELECT entries FROM lists UNION ALL SELECT NULL),
levels (level) AS (VALUES (0), (1))
SELECT count(*), count(docgraph.may_see(
    'x', 'y', tags.entries, labels.entries, clearance.level,
    repositories.entries, snapshots.entries, held_tags.entries, held_labels.entries, held_clearance.level
))
FROM lists tags, lists labels, levels clearance, limits repositories, limits snapshots,
    lists held_tags, lists held_labels, levels held_clearance
"""


def test_never_null_as_long_as_only_repositories_and_snapshots_are(boss: Connection) -> None:
    """A NULL would be dropped by WHERE, and turned into true by NOT: it must not come up at all."""
    row = boss.execute(COMBINATIONS).fetchone()
    assert row == (5184, 5184)
