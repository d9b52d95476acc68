"""The worlds notice every small mistake in the functions that plan: each is made once, row security off."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from tests.properties import plan_database
from tests.properties.database import Asked
from tests.properties.plan_worlds import CALLERS, IDS, PlanWorld, cut_question, plain_world, question
from tests.properties.planner import Question, canonical
from tests.properties.test_hidden_changes import Caller
from tests.properties.test_mutants import Mutant, mistaken
from tests.properties.test_plans import agree
from tests.sql.mistakes import know_vectors

pytestmark = pytest.mark.long

PLAN = "core/make_plan.sql"
ALL = "core/all_links.sql"
FIRST = "core/first_links.sql"
EXPAND = "core/expand_once.sql"
AMONG = "core/visible_among.sql"
NEAREST = "core/nearest_exactly.sql"
FOUND = "core/nearest_documents.sql"
SCOPE = "core/dominant_scope.sql"
ORIGIN = "core/plan_origin.sql"

_ALL_TYPES = "WHERE relation_types IS NULL\n                    AND e.tenant_id = tenant AND "
_OF_CLASS = "AND e.to_access_class = v.access_class"
_OF_TYPE = "AND e.relation_type BETWEEN t.relation_type AND t.relation_type"
_NO_SEED = "                    AND e.to_document <> ALL (seeds)\n"
_TYPES = "AND (relation_types IS NULL OR r.relation_type = ANY (relation_types))"
_OF_FIRSTS = "OVER (ORDER BY r.first_place, r.first_type, r.to_document)"

MUTANTS = [
    # Seeds.
    Mutant(AMONG, "d.tenant_id = tenant AND ", ""),
    Mutant(AMONG, " AND d.access_class = ANY (visible)", ""),
    Mutant(AMONG, "ORDER BY i.place", "ORDER BY d.document_id DESC"),
    Mutant(PLAN, "seed_limit, given)", "seed_limit, '{}')"),
    Mutant(PLAN, "(given || in_scope)[", "(in_scope || given)["),
    Mutant(PLAN, "a.rank <= cardinality(given)", "s.rank < cardinality(given)"),
    Mutant(PLAN, "cardinality(docgraph.canonical_list(seeds))", "cardinality(seeds)"),
    Mutant(NEAREST, "d.tenant_id = tenant AND ", ""),
    Mutant(NEAREST, "d.access_class = ANY (visible) AND ", ""),
    Mutant(NEAREST, " AND d.summary_embedding IS NOT NULL", ""),
    Mutant(NEAREST, "metric), d.document_id", "metric), d.document_id DESC"),
    Mutant(NEAREST, "v.tenant_id = tenant AND ", ""),
    Mutant(NEAREST, "v.access_class = ANY (visible) AND ", ""),
    Mutant(NEAREST, " AND v.embedding IS NOT NULL", ""),
    Mutant(
        NEAREST, "v.document_id, v.ordinal\n            LIMIT", "v.ordinal, v.document_id\n            LIMIT"
    ),
    Mutant("leaf/distance.sql", "round(1000000::double precision *", "(1000000::double precision *"),
    Mutant(FOUND, "WHERE d.document_id <> ALL (excluded)", ""),
    Mutant(FOUND, "ORDER BY min(d.place)", "ORDER BY max(d.place)"),
    Mutant(FOUND, "cardinality(looked_at) < places", "true"),
    Mutant(FOUND, "LIMIT wanted", ""),
    # Dominant scope.
    Mutant(SCOPE, "d.document_id = documents[1] OR ", ""),
    Mutant(SCOPE, "BETWEEN documents[1] AND documents[1]", "BETWEEN documents[2] AND documents[2]"),
    Mutant(SCOPE, "n.tenant_id = tenant AND n.document_id BETWEEN d", "n.document_id BETWEEN d"),
    Mutant(SCOPE, "n.tenant_id = tenant AND n.document_id BETWEEN f", "n.document_id BETWEEN f"),
    Mutant(SCOPE, "d.ingestion_id IS NOT DISTINCT FROM", "d.ingestion_id ="),
    Mutant(SCOPE, "scope_distance >= ", "scope_distance > "),
    Mutant(SCOPE, "ORDER BY f.rank", "ORDER BY f.document_id"),
    Mutant(PLAN, "'dropped', cardinality(found)", "'dropped', cardinality(given || found)"),
    # The hop: what may be taken.
    Mutant(FIRST, _ALL_TYPES, "WHERE relation_types IS NULL AND "),
    Mutant(FIRST, _ALL_TYPES + "e.from_document", _ALL_TYPES + "e.to_document"),
    Mutant(
        FIRST,
        _ALL_TYPES + f"e.from_document = s.document_id\n                    {_OF_CLASS}",
        _ALL_TYPES + "e.from_document = s.document_id",
    ),
    Mutant(FIRST, f"{_OF_CLASS}\n{_NO_SEED}", f"{_OF_CLASS}\n"),
    Mutant(
        FIRST,
        f"{_OF_TYPE}\n{_NO_SEED}",
        f"{_OF_TYPE}\n",
    ),
    Mutant(FIRST, f"{_OF_CLASS}\n                    {_OF_TYPE}", _OF_TYPE),
    Mutant(FIRST, _OF_TYPE, ""),
    Mutant(FIRST, "min(n.relation_type) AS", "max(n.relation_type) AS"),
    Mutant(
        FIRST,
        "ORDER BY f.relation_type\n                        LIMIT 1",
        "ORDER BY f.relation_type DESC LIMIT 1",
    ),
    Mutant(PLAN, "allowed_types, expanded_per_seed", "NULL, expanded_per_seed"),
    # Caps.
    Mutant(PLAN, "max_documents - cardinality(all_seeds)", "max_documents"),
    Mutant(PLAN, "cardinality(in_scope) > max_documents", "cardinality(in_scope) >= max_documents"),
    Mutant(FIRST, "WHERE n.place <= per_seed", "WHERE n.place < per_seed"),
    Mutant(FIRST, "n.place > per_seed", "n.place >= per_seed"),
    Mutant(FIRST, "LIMIT per_seed + 1\n            )\n", "LIMIT per_seed\n            )\n"),
    Mutant(FIRST, "LIMIT per_seed + 1\n            ) AS one", "LIMIT per_seed\n            ) AS one"),
    Mutant(FIRST, "there.looked_at < cardinality(visible)", "true"),
    Mutant(FIRST, "WHERE c.access_class = ANY (visible)", ""),
    Mutant(
        FIRST, "ORDER BY min(n.relation_type), n.to_document) AS place", "ORDER BY n.to_document) AS place"
    ),
    Mutant(FIRST, "ORDER BY n.to_document, n.rank, n", "ORDER BY n.to_document, n.rank DESC, n"),
    Mutant(FIRST, "f.to_document\n        LIMIT total + 1", "f.to_document\n        LIMIT total"),
    Mutant(FIRST, "(ORDER BY f.rank, f.relation_type, f.to_document)", "(ORDER BY f.rank, f.to_document)"),
    Mutant(FIRST, "t.to_document = n.to_document AND t.place <= total", "t.to_document = n.to_document"),
    Mutant(FIRST, "n.place = per_seed + 1 AND t.place <= total", "n.place = per_seed + 1"),
    Mutant(EXPAND, "WHERE d.place <= total), '[]')", "WHERE d.place < total), '[]')"),
    Mutant(EXPAND, "FILTER (WHERE d.place <= total), '[]')", ", '[]')"),
    Mutant(EXPAND, "max(d.place) > total", "max(d.place) >= total"),
    Mutant(EXPAND, "max(d.place) > total", "false"),
    Mutant(EXPAND, "ELSE truncated END", "ELSE '{}' END"),
    Mutant(EXPAND, "truncated := links.truncated", "truncated := '{}'"),
    # The hop where the limits leave nothing out, and whether it is so.
    Mutant(ALL, "e.tenant_id = tenant AND ", ""),
    Mutant(ALL, " AND e.from_document = s.document_id", ""),
    Mutant(ALL, "r.to_access_class = ANY (visible) AND ", ""),
    Mutant(ALL, " AND r.to_document <> ALL (seeds)", ""),
    Mutant(ALL, _TYPES, ""),
    Mutant(ALL, _TYPES, "AND r.relation_type = ANY (relation_types)"),
    Mutant(ALL, "LIMIT per_seed + 1", "LIMIT per_seed"),
    Mutant(ALL, "l.nth > per_seed", "l.nth > per_seed + 1"),
    Mutant(ALL, "bool_or(l.nth > per_seed)", "bool_and(l.nth > per_seed)"),
    Mutant(ALL, "IF has_more THEN", "IF false THEN"),
    Mutant(EXPAND, "IF links.documents IS NOT NULL THEN", "IF true THEN"),
    # Reasons.
    Mutant(FIRST, "n.place = per_seed + 1 AND", "false AND"),
    Mutant(FIRST, "r.from_document = seeds[p.rank] AND", ""),
    Mutant(FIRST, "r.tenant_id = tenant AND r.from_document", "r.from_document"),
    Mutant(FIRST, _TYPES, ""),
    Mutant(EXPAND, "l.place, l.relation_type) AS via", "l.relation_type, l.place) AS via"),
    Mutant(EXPAND, "l.place, l.relation_type) AS via", "l.place DESC, l.relation_type) AS via"),
    Mutant(EXPAND, "l.place, l.relation_type) AS via", "l.place, l.relation_type DESC) AS via"),
    Mutant(EXPAND, _OF_FIRSTS, "OVER (ORDER BY r.first_place, r.to_document)"),
    Mutant(EXPAND, _OF_FIRSTS, "OVER (ORDER BY r.first_type, r.first_place, r.to_document)"),
    Mutant(EXPAND, _OF_FIRSTS, "OVER (ORDER BY r.first_place, r.first_type, r.to_document DESC)"),
    Mutant(EXPAND, "min(l.place) AS", "max(l.place) AS"),
    Mutant(EXPAND, "(array_agg(l.relation_type ORDER BY l.place, ", "(array_agg(l.relation_type ORDER BY "),
    Mutant(EXPAND, "d.document ORDER BY d.place", "d.document ORDER BY d.to_document"),
    # What a plan says of itself.
    Mutant(PLAN, "to_jsonb(held.repositories)", "to_jsonb(held.snapshots)"),
    Mutant(PLAN, "to_jsonb(allowed_types)", "to_jsonb(relation_types)"),
    Mutant(ORIGIN, "CASE WHEN mode <> 'ids' THEN search_in END", "search_in"),
    Mutant("leaf/plan_hash.sql", "(plan - 'plan_hash')::text", "plan::text"),
    Mutant("api/plan_documents.sql", "ORDER BY r.place, r.nth", "ORDER BY r.place, r.nth DESC"),
    Mutant("api/seal_plan.sql", """plan || '{"edited": true}'""", "plan"),
]


@dataclass(frozen=True)
class Known:
    """A world, what is asked there, and what the model says to it."""

    world: PlanWorld
    asks: list[tuple[Caller, Question]]
    plans: list[str]


@pytest.fixture(scope="module", autouse=True)
def _path(unguarded: Asked) -> None:
    know_vectors(unguarded.superuser)


@pytest.fixture(scope="module")
def known(unguarded: Asked) -> list[Known]:
    """The same worlds for every mistake."""
    setting = plan_database.setting(unguarded.superuser)
    found = []
    for number in range(60):
        chance = Random(number)
        world = plain_world(chance, IDS)
        asks = [(caller, question(chance)) for caller in CALLERS for _ in range(8)]
        asks += [(caller, cut_question(chance)) for caller in CALLERS for _ in range(3)]
        plans = []
        for caller, each in asks:
            planner = world.planner(caller.login, caller.tenant, caller.claim, setting)
            assert planner is not None
            plans.append(canonical(planner.plan(each)))
        found.append(Known(world, asks, plans))
    return sorted(found, key=lambda each: -sum(map(len, each.plans)))


def look(asked: Asked, known: list[Known]) -> None:
    """Until the model does not agree."""
    for each in known[:3]:
        agree(asked, each.world, each.asks)
    for each in known[3:]:
        plan_database.put(asked.superuser, each.world)
        for (caller, asks), expected in zip(each.asks, each.plans, strict=True):
            assert plan_database.plan(asked.logins[caller.login], caller, asks) == expected


def test_without_a_mistake_nothing_is_noticed(unguarded: Asked, known: list[Known]) -> None:
    look(unguarded, known)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.before} -> {mutant.after}")
def test_a_mistake_is_noticed(unguarded: Asked, known: list[Known], mutant: Mutant) -> None:
    with mistaken(unguarded, mutant), pytest.raises(Exception):  # noqa: B017, PT011 - an error notices, too
        look(unguarded, known)
