"""The worlds notice every small mistake in the planning functions: each is made once, with row security off."""

from __future__ import annotations

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.properties import plan_database
from tests.properties.database import Asked
from tests.properties.plan_worlds import PlanWorld, callers, plan_worlds, questions
from tests.properties.planner import Question
from tests.properties.test_hidden_changes import Caller
from tests.properties.test_mutants import Mutant, mistaken
from tests.properties.test_plans import agree

PLAN = "api/plan_retrieval.sql"
EXPAND = "core/expand_once.sql"
AMONG = "core/visible_among.sql"
NEAREST = "core/nearest_exactly.sql"
FOUND = "core/nearest_documents.sql"
SCOPE = "core/dominant_scope.sql"
ORIGIN = "core/plan_origin.sql"

_ALL_TYPES = "WHERE relation_types IS NULL\n                    AND e.tenant_id = tenant AND "
_OF_CLASS = "AND e.to_access_class = v.access_class"
_NO_SEED = "                    AND e.to_document <> ALL (seeds)\n"
_SMALLER = "AND f.relation_type < e.relation_type"

MUTANTS = [
    # Seeds.
    Mutant(AMONG, "d.tenant_id = tenant AND ", ""),
    Mutant(AMONG, " AND d.access_class = ANY (visible)", ""),
    Mutant(AMONG, "array_position(ids, d.document_id)", "d.document_id"),
    Mutant(PLAN, "seed_limit, given)", "seed_limit, '{}')"),
    Mutant(PLAN, "(given || in_scope)[", "(in_scope || given)["),
    Mutant(PLAN, "s.rank <= cardinality(given)", "s.rank < cardinality(given)"),
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
    Mutant("leaf/distance.sql", "round(1000000 *", "(1000000 *"),
    Mutant(FOUND, "f.document_id <> ALL (excluded)", "true"),
    Mutant(FOUND, "ORDER BY f.place)", "ORDER BY f.place DESC)"),
    Mutant(FOUND, "looked_at < places", "true"),
    Mutant(FOUND, "documents[:wanted]", "documents"),
    # Dominant scope.
    Mutant(SCOPE, "d.document_id = documents[1] OR ", ""),
    Mutant(SCOPE, "n.document_id = documents[1]", "n.document_id = documents[2]"),
    Mutant(SCOPE, "n.tenant_id = tenant AND ", ""),
    Mutant(SCOPE, "d.tenant_id = tenant AND ", ""),
    Mutant(SCOPE, "d.ingestion_id IS NOT DISTINCT FROM", "d.ingestion_id ="),
    Mutant(SCOPE, "scope_distance >= ", "scope_distance > "),
    Mutant(SCOPE, "array_position(documents, d.document_id)", "d.document_id"),
    Mutant(PLAN, "'dropped', cardinality(found)", "'dropped', cardinality(given || found)"),
    # The hop: what may be taken.
    Mutant(EXPAND, _ALL_TYPES, "WHERE relation_types IS NULL AND "),
    Mutant(EXPAND, _ALL_TYPES + "e.from_document", _ALL_TYPES + "e.to_document"),
    Mutant(
        EXPAND,
        _ALL_TYPES + f"e.from_document = s.document_id\n                    {_OF_CLASS}",
        _ALL_TYPES + "e.from_document = s.document_id",
    ),
    Mutant(EXPAND, f"{_OF_CLASS}\n{_NO_SEED}", f"{_OF_CLASS}\n"),
    Mutant(
        EXPAND,
        f"{_OF_CLASS} AND e.relation_type = t.relation_type\n{_NO_SEED}",
        f"{_OF_CLASS} AND e.relation_type = t.relation_type\n",
    ),
    Mutant(EXPAND, f"{_OF_CLASS} AND e.relation_type = t", "AND e.relation_type = t"),
    Mutant(EXPAND, f"{_OF_CLASS} AND e.relation_type = t.relation_type", _OF_CLASS),
    Mutant(
        EXPAND,
        f"{_SMALLER}\n                            AND f.relation_type = ANY (relation_types)",
        _SMALLER,
    ),
    Mutant(
        EXPAND,
        _SMALLER + "\n                    )\n                ORDER BY e.relation_type",
        "AND false) ORDER BY e.relation_type",
    ),
    Mutant(PLAN, "allowed_types, expanded_per_seed", "NULL, expanded_per_seed"),
    # Caps.
    Mutant(PLAN, "max_documents - cardinality(all_seeds)", "max_documents"),
    Mutant(PLAN, "cardinality(in_scope) > max_documents", "cardinality(in_scope) >= max_documents"),
    Mutant(EXPAND, "WHERE n.place <= per_seed", "WHERE n.place < per_seed"),
    Mutant(EXPAND, "n.place > per_seed", "n.place >= per_seed"),
    Mutant(
        EXPAND,
        "ORDER BY e.relation_type, e.to_document\n                LIMIT per_seed + 1",
        "LIMIT per_seed + 1",
    ),
    Mutant(
        EXPAND,
        "ORDER BY e.to_document\n                LIMIT per_seed + 1",
        "ORDER BY e.to_document LIMIT per_seed",
    ),
    Mutant(EXPAND, "ORDER BY n.relation_type, n.to_document) AS place", "ORDER BY n.to_document) AS place"),
    Mutant(EXPAND, "ORDER BY n.to_document, n.rank, n", "ORDER BY n.to_document, n.rank DESC, n"),
    Mutant(EXPAND, "f.to_document\n        LIMIT total + 1", "f.to_document\n        LIMIT total"),
    Mutant(EXPAND, "ORDER BY f.rank, f.relation_type, f.to_document", "ORDER BY f.rank, f.to_document"),
    Mutant(EXPAND, "taken := taken[:total];", ""),
    # Reasons.
    Mutant(EXPAND, "AND e.from_document = ANY (seeds) AND", "AND"),
    Mutant(EXPAND, "e.tenant_id = tenant AND e.from_document = ANY", "e.from_document = ANY"),
    Mutant(EXPAND, "AND (relation_types IS NULL OR e.relation_type = ANY (relation_types))", ""),
    Mutant(EXPAND, "ORDER BY r.rank, r.relation_type) AS via", "ORDER BY r.relation_type, r.rank) AS via"),
    Mutant(EXPAND, "ORDER BY d.rank, d.relation_type, d.to_document", "ORDER BY d.rank, d.to_document"),
    # What a plan says of itself.
    Mutant(PLAN, "to_jsonb(held.repositories)", "to_jsonb(held.snapshots)"),
    Mutant(PLAN, "to_jsonb(allowed_types)", "to_jsonb(relation_types)"),
    Mutant(ORIGIN, "CASE WHEN mode <> 'ids' THEN search_in END", "search_in"),
    Mutant("leaf/plan_hash.sql", "(plan - 'plan_hash')::text", "plan::text"),
    Mutant("api/plan_documents.sql", "ORDER BY d.i, v.i", "ORDER BY d.i, v.i DESC"),
    Mutant("api/seal_plan.sql", """plan || '{"edited": true}'""", "plan"),
]

Known = list[tuple[PlanWorld, list[tuple[Caller, Question]]]]


@pytest.fixture(scope="module")
def known() -> Known:
    """The same worlds for every mistake."""
    found: Known = []

    @settings(phases=[Phase.generate], max_examples=80)
    @given(world=plan_worlds(), asks=st.lists(st.tuples(callers(), questions()), min_size=6, max_size=6))
    def collect(world: PlanWorld, asks: list[tuple[Caller, Question]]) -> None:
        found.append((world, asks))

    collect()
    return found


def look(asked: Asked, known: Known) -> None:
    """Until the model does not agree."""
    for world, asks in known:
        agree(asked, world, asks)


def test_without_a_mistake_nothing_is_noticed(unguarded: Asked, known: Known) -> None:
    look(unguarded, known)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.before} -> {mutant.after}")
def test_a_mistake_is_noticed(unguarded: Asked, known: Known, mutant: Mutant) -> None:
    with mistaken(unguarded, mutant), pytest.raises(Exception):  # noqa: B017, PT011 - an error notices, too
        look(unguarded, known)
