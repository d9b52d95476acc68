"""The worlds notice every small mistake in the stages: each is made once, row security off."""

from __future__ import annotations

from random import Random

import pytest

from tests.properties.database import Asked
from tests.properties.plan_database import put
from tests.properties.plan_worlds import CALLERS, IDS, PlanWorld, plain_world
from tests.properties.stages_worlds import Asks, asks, dressed
from tests.properties.test_hidden_changes import Caller
from tests.properties.test_mutants import Mutant, mistaken
from tests.properties.test_stages import agree_on

pytestmark = pytest.mark.long

FROM = "core/links_from.sql"
TO = "core/links_to.sql"
FOLLOW = "core/follow_links.sql"
ON = "core/leads_on.sql"
TREE = "core/expand_tree.sql"
ORDER = "core/order_nodes.sql"
MEASURE = "core/measure_texts.sql"
READ = "core/read_text.sql"
TEXTS = "core/node_texts.sql"
ASKS = "core/sensitivity_of.sql"
REPEATED = "leaf/repeated_start.sql"
BETWEEN = "leaf/text_between.sql"
PIPELINE = "api/run_pipeline.sql"

_TYPES = "AND (relation_types IS NULL OR l.relation_type = ANY (relation_types))"
_VISIBLE = "(SELECT v.access_class FROM unnest(visible) AS v (access_class))"
_OF_TYPE = "AND e.relation_type BETWEEN t.relation_type AND t.relation_type"
_SIDES = ((FROM, "from_document", "to_document", "to"), (TO, "to_document", "from_document", "from"))

MUTANTS = [
    # What may be followed.
    *(
        mutant
        for path, own, other, end in _SIDES
        for mutant in (
            Mutant(path, f"WHERE r.tenant_id = tenant AND r.{own}", f"WHERE r.{own}"),
            Mutant(path, f" AND r.{own} = n.id", ""),
            Mutant(path, f"AND (l.{end}_access_class IN {_VISIBLE}) IS TRUE", ""),
            Mutant(path, _TYPES, ""),
            Mutant(path, _TYPES, "AND l.relation_type = ANY (relation_types)"),
            Mutant(path, "LIMIT most + 1\n            ) AS f", "LIMIT most\n            ) AS f"),
            Mutant(path, "WHERE l.nth > most", "WHERE false"),
            Mutant(path, "WHERE l.looked_at <= most", "WHERE true"),
            Mutant(path, "WHERE l.looked_at <= most", "WHERE l.looked_at < most"),
            Mutant(path, "there.looked_at < cardinality(visible)", "true"),
            Mutant(path, "WHERE c.access_class = ANY (visible)", ""),
            Mutant(
                path,
                f"AND e.tenant_id = tenant AND e.{own} = h.id AND e.{end}_access_class = v.access_class",
                f"AND e.tenant_id = tenant AND e.{own} = h.id",
            ),
            Mutant(path, f"AND e.tenant_id = tenant AND e.{own} = h.id", f"AND e.{own} = h.id"),
            Mutant(path, _OF_TYPE, ""),
            Mutant(path, "LIMIT most + 1\n            )\n", "LIMIT most\n            )\n"),
            Mutant(path, "LIMIT most + 1\n            ) AS one", "LIMIT most\n            ) AS one"),
            Mutant(path, f"ORDER BY n.relation_type, n.{other}", f"ORDER BY n.{other}"),
            Mutant(path, "WHERE o.nth <= most + 1", "WHERE o.nth <= most"),
        )
    ),
    Mutant(FOLLOW, "direction = 'incoming' THEN", "direction = 'both' THEN"),
    Mutant(FOLLOW, "direction = 'outgoing' THEN", "direction = 'both' THEN"),
    Mutant(FOLLOW, "BY l.place ORDER BY l.relation_type, l.other", "BY l.place ORDER BY l.other"),
    Mutant(FOLLOW, "l.other, l.is_incoming)", "l.other, l.is_incoming DESC)"),
    Mutant(FOLLOW, "(f.other ORDER BY f.place, f.relation_type", "(f.other ORDER BY f.place"),
    Mutant(FOLLOW, "max(f.nth) > most", "max(f.nth) >= most"),
    Mutant(
        FOLLOW,
        "array_agg(f.other ORDER BY f.place, f.relation_type, f.other, f.is_incoming)\n"
        "            FILTER (WHERE f.nth <= most)",
        "array_agg(f.other ORDER BY f.place, f.relation_type, f.other, f.is_incoming)",
    ),
    # Step by step.
    Mutant(TREE, "ids text[] := starts[:max_nodes]", "ids text[] := starts"),
    Mutant(TREE, "cardinality(starts) > max_nodes", "cardinality(starts) >= max_nodes"),
    Mutant(TREE, "FOR depth IN 1 .. max_depth LOOP", "FOR depth IN 1 .. max_depth + 1 LOOP"),
    Mutant(TREE, "AND NOT EXISTS (SELECT FROM unnest(ids) AS k (id) WHERE k.id = l.other)", ""),
    Mutant(TREE, "'nodes' <> ALL (truncated)", "truncated = '{}'"),
    Mutant(TREE, "ORDER BY nth\n            LIMIT", "LIMIT"),
    Mutant(TREE, "max_nodes - cardinality(ids) + 1\n", "max_nodes - cardinality(ids)\n"),
    Mutant(TREE, "min(l.place) AS parent", "max(l.place) AS parent"),
    Mutant(TREE, "array_agg(n.id ORDER BY n.nth)", "array_agg(n.id ORDER BY n.id)"),
    Mutant(TREE, "cardinality(met.ids) > max_nodes - cardinality(ids)", "cardinality(met.ids) > max_nodes"),
    Mutant(TREE, "CASE WHEN links.is_cut", "CASE WHEN false"),
    Mutant(TREE, "met.ids[:max_nodes - cardinality(ids)]", "met.ids"),
    Mutant(TREE, "        JOIN unnest(ids) AS k (id) ON k.id = l.other;", ";"),
    Mutant(TREE, "CASE WHEN l.is_incoming THEN l.other ELSE step[l.place] END", "step[l.place]"),
    Mutant(TREE, "SELECT DISTINCT o.place", "SELECT o.place"),
    Mutant(
        TREE, "ORDER BY e.place, e.relation_type, e.target", "ORDER BY e.relation_type, e.place, e.target"
    ),
    Mutant(TREE, "ORDER BY n.place)\n            FROM nodes", "ORDER BY n.id)\n            FROM nodes"),
    Mutant(TREE, "'is_seed', n.depth = 0", "'is_seed', n.parent IS NOT NULL"),
    Mutant(TREE, "cardinality(docgraph.canonical_list(seeds))", "cardinality(seeds)"),
    Mutant(ON, "WHERE NOT EXISTS (SELECT FROM unnest(known) AS k (id) WHERE k.id = l.other)", ""),
    # Whose text comes first.
    Mutant(ORDER, "d.tenant_id = tenant AND ", ""),
    Mutant(ORDER, " AND d.access_class = ANY (visible)", ""),
    Mutant(ORDER, "WHERE coalesce(nodes, '[]') = '[]'", ""),
    Mutant(ORDER, "ORDER BY l.id, l.place", "ORDER BY l.id, l.place DESC"),
    Mutant(ORDER, "l.is_seed OR n.id IS NOT NULL AS", "l.is_seed AS"),
    Mutant(ORDER, "min(s.place) AS place", "max(s.place) AS place"),
    Mutant(ORDER, "NULLS LAST", "NULLS FIRST"),
    Mutant(ORDER, "CASE WHEN o.is_seed THEN o.place END,", ""),
    Mutant(ORDER, 'o.depth, o.id COLLATE "C"', 'o.id COLLATE "C"'),
    Mutant(ORDER, "s.turn, s.is_seed DESC", "s.turn, s.is_seed"),
    Mutant(
        ORDER,
        "WHEN 'graph_first' THEN s.is_seed::integer",
        "WHEN 'graph_first' THEN (NOT s.is_seed)::integer",
    ),
    Mutant(ORDER, "(SELECT count(*) FROM once)", "count(*)"),
    # How long it is, and what it says.
    Mutant(MEASURE, "e.tenant_id = tenant AND ", ""),
    Mutant(MEASURE, "d.tenant_id = tenant AND ", ""),
    Mutant(MEASURE, "p.token_count::bigint * p.repeated / char_length(p.text)", "p.repeated"),
    Mutant(MEASURE, "char_length(p.text) - p.repeated +", "char_length(p.text) +"),
    Mutant(MEASURE, " + char_length(p.between)", ""),
    Mutant(MEASURE, "(w.bytes + 3) / 4 - greatest(0, w.end_before - w.start_offset)", "w.bytes"),
    Mutant(MEASURE, "WHEN c.bytes IS NULL THEN docgraph.text_size(s.summary, count_tokens)", ""),
    Mutant(READ, "e.tenant_id = tenant AND ", ""),
    Mutant(READ, "WHERE d.tenant_id = tenant AND ", "WHERE "),
    Mutant(READ, "substr(o.text, o.repeated + 1)", "substr(o.text, o.repeated)"),
    Mutant(READ, "ORDER BY o.ordinal", "ORDER BY o.ordinal DESC"),
    Mutant(REPEATED, "start_before <= start_offset AND ", ""),
    Mutant(
        REPEATED,
        "AND left(value, end_before - start_offset) = right(text_before, end_before - start_offset)",
        "",
    ),
    Mutant(REPEATED, "WHEN char_length(value) >= end_before - start_offset\n            AND", "WHEN"),
    Mutant(BETWEEN, "has_before AND ", ""),
    Mutant(BETWEEN, "repeated = 0 AND ", ""),
    Mutant(BETWEEN, " AND (end_before = start_offset) IS NOT TRUE", ""),
    # The accounting.
    Mutant(TEXTS, "ordered.given - cardinality(ordered.ids)", "ordered.given - cardinality(fitted.kept)"),
    Mutant(TEXTS, "cardinality(array_positions(measured.sizes, NULL))", "0"),
    Mutant(TEXTS, "sum(n.size) OVER", "sum(n.tokens) OVER"),
    Mutant(ASKS, "o.tenant_id = tenant AND ", ""),
    Mutant(ASKS, "max(c.clearance)", "min(c.clearance)"),
    Mutant(ASKS, "SELECT unnest(c.labels)", "SELECT unnest(c.tags)"),
    # All at once.
    Mutant(PIPELINE, "max_depth => max_depth, ", ""),
    Mutant(PIPELINE, "ELSE starts END", "ELSE '{}' END"),
    Mutant(PIPELINE, "CASE WHEN tree -> 'nodes' = '[]' THEN '{}' ELSE starts END", "starts"),
    Mutant(PIPELINE, "'dependency_edges', tree -> 'edges'", "'dependency_edges', tree -> 'nodes'"),
    Mutant(PIPELINE, "prioritization => prioritization)", "prioritization => 'seed_first')"),
]


@pytest.fixture(scope="module")
def known() -> list[tuple[PlanWorld, list[tuple[Caller, Asks]]]]:
    """The same worlds for every mistake."""
    found = []
    for number in range(40):
        chance = Random(number)
        world = dressed(plain_world(chance, IDS), chance)
        found.append((world, [(caller, asks(chance)) for caller in CALLERS for _ in range(12)]))
    return found


def look(asked: Asked, known: list[tuple[PlanWorld, list[tuple[Caller, Asks]]]]) -> None:
    """Until the model does not agree."""
    for world, questions in known:
        put(asked.superuser, world)
        for caller, each in questions:
            agree_on(asked.logins[caller.login], world, caller, each)


def test_without_a_mistake_nothing_is_noticed(
    unguarded: Asked, known: list[tuple[PlanWorld, list[tuple[Caller, Asks]]]]
) -> None:
    look(unguarded, known)


@pytest.mark.parametrize(
    "mutant", MUTANTS, ids=lambda mutant: f"{mutant.path} {mutant.before} -> {mutant.after}"
)
def test_a_mistake_is_noticed(
    unguarded: Asked, known: list[tuple[PlanWorld, list[tuple[Caller, Asks]]]], mutant: Mutant
) -> None:
    with mistaken(unguarded, mutant), pytest.raises(Exception):  # noqa: B017, PT011 - an error notices, too
        look(unguarded, known)
