"""The worlds notice every small mistake in the functions that execute: each made once, row security off."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import pytest

from tests.properties import plan_database
from tests.properties.database import Asked
from tests.properties.evidence_worlds import dressed, executor, sealed_plans, wanted
from tests.properties.executor import Executor, Wanted
from tests.properties.plan_worlds import CALLERS, IDS, PlanWorld, cut_question, plain_world, question
from tests.properties.planner import Plan, Planner, Question, Setting
from tests.properties.test_execution import agree_on_execution, agree_on_retrieval
from tests.properties.test_hidden_changes import Caller
from tests.properties.test_mutants import Mutant, mistaken
from tests.sql.mistakes import know_vectors

pytestmark = pytest.mark.long

PLANNED = "core/planned_documents.sql"
CHOOSE = "core/choose_chunks.sql"
NEAREST = "core/nearest_chunks.sql"
ORDER = "core/order_by_similarity.sql"
FIT = "core/fit_pieces.sql"
ASSEMBLE = "core/assemble.sql"
EXECUTE = "api/execute_plan.sql"
ROWS = "api/assemble_context.sql"
BY_PLAN = "api/retrieve_by_plan.sql"
RETRIEVE = "api/retrieve.sql"
MAKE = "core/make_plan.sql"
EXPAND = "core/expand_once.sql"

_AT_SEED = """PARTITION BY f.from_document
                    ORDER BY f.first_type COLLATE "C","""
_IN_PLAN = "ORDER BY d.place) FILTER (WHERE d.place <= total)"
_NEXT_RESERVED = "next_reserved := next_reserved + 1;"
_NEXT_FREE = f"LOOP {_NEXT_RESERVED} EXIT WHEN is_taken[reserved[next_reserved]] IS NOT TRUE; END LOOP;"

MUTANTS = [
    # The caps of a plan, once more.
    Mutant(PLANNED, "least((claimed -> 'seed_limit')::integer, docgraph.bound('seeds'))", "200"),
    Mutant(PLANNED, ", docgraph.bound('seeds'))", ")"),
    Mutant(PLANNED, ", docgraph.bound('expanded_per_seed'))", ")"),
    Mutant(PLANNED, "(claimed -> 'expanded_per_seed')::integer", "200"),
    Mutant(PLANNED, ", docgraph.bound('documents'))", ")"),
    Mutant(PLANNED, "WHEN 'given' THEN docgraph.bound('ids') ELSE", "WHEN 'given' THEN NULL ELSE"),
    Mutant(PLANNED, "WHEN 'given' THEN docgraph.bound('ids') ELSE", "WHEN 'given' THEN 1000 ELSE"),
    Mutant(PLANNED, "PARTITION BY e.entry ->> 'origin' = 'given' ORDER", "ORDER"),
    Mutant("leaf/reason_of_seed.sql", "THEN 'found by search'", "THEN 'search'"),
    Mutant(PLANNED, "coalesce(seed_ids[:total], '{}')", "coalesce(seed_ids, '{}')"),
    Mutant(PLANNED, "array_agg(listed_seeds + d.place", "array_agg(seeds + d.place"),
    Mutant(PLANNED, "r.from_document) ORDER BY r.nth", "r.from_document) ORDER BY r.relation_type"),
    Mutant(PLANNED, _AT_SEED, _AT_SEED.replace("PARTITION BY f.from_document", "")),
    Mutant(PLANNED, _AT_SEED, "PARTITION BY f.from_document ORDER BY"),
    Mutant(PLANNED, "dense_rank()", "rank()"),
    Mutant(PLANNED, "min(l.relation_type", "max(l.relation_type"),
    Mutant(PLANNED, "PARTITION BY l.place, l.from_document", "PARTITION BY l.place"),
    Mutant(
        PLANNED,
        "WHERE v.reason ->> 'from' IN (SELECT s.document_id FROM unnest(seed_ids) AS s (document_id))",
        "",
    ),
    Mutant(PLANNED, "HAVING min(", "HAVING max("),
    Mutant(PLANNED, "<= per_seed", "< per_seed"),
    Mutant(PLANNED, "LIMIT total - cardinality(seed_ids)", "LIMIT total"),
    # Which chunks there are to choose from.
    Mutant(NEAREST, "c.tenant_id = tenant AND ", ""),
    Mutant(NEAREST, "AND c.access_class = ANY (visible)", ""),
    Mutant(NEAREST, " AND v.distance IS NOT NULL", ""),
    Mutant(CHOOSE, "found.of_all - found.ranked", "0"),
    Mutant(NEAREST, "ORDER BY d.distance, d.ordinal", "ORDER BY d.ordinal"),
    Mutant(NEAREST, "ORDER BY d.distance, d.ordinal", "ORDER BY d.distance, d.ordinal DESC"),
    Mutant(NEAREST, "ORDER BY v.distance, p.document_id", "ORDER BY v.distance, p.position, p.document_id"),
    Mutant(
        NEAREST, 'v.distance, p.document_id COLLATE "C", v.ordinal', "v.distance, v.ordinal, p.document_id"
    ),
    Mutant(NEAREST, "sum(c.of_document)", "count(c.of_document)"),
    Mutant(CHOOSE, "found.ranked - cardinality(found.positions)", "found.ranked - cardinality(positions)"),
    Mutant(CHOOSE, "over_all := cardinality(found.positions)", "over_all := found.of_all"),
    # Which of them are chosen.
    Mutant(ORDER, "WHERE c.position > seeds", "WHERE c.position >= seeds"),
    Mutant(ORDER, "WHERE c.position > seeds", ""),
    Mutant(ORDER, "ORDER BY c.place, c.nth", "ORDER BY c.nth"),
    Mutant(ORDER, "floor(reserve * n) > floor(reserve * (n - 1))", "n <= floor(reserve * max_chunks)"),
    Mutant(ORDER, "floor(reserve * n) > floor", "ceil(reserve * n) > ceil"),
    Mutant(ORDER, "one IS NULL OR is_taken[one]", "one IS NULL"),
    Mutant(ORDER, _NEXT_RESERVED, _NEXT_FREE),
    Mutant(
        ORDER, "least(max_chunks, cardinality(positions))", "least(max_chunks, 5, cardinality(positions))"
    ),
    Mutant(ORDER, "'reserve'::text", "'similarity'::text || ''"),
    # What finds room.
    Mutant(FIT, "size <= room - used", "size < room - used"),
    Mutant(FIT, "size <= room - used", "size <= room"),
    Mutant(FIT, "passed_over := passed_over + 1;", "passed_over := passed_over + 1; EXIT;"),
    Mutant(FIT, "ELSIF size IS NOT NULL THEN", "ELSE"),
    Mutant("leaf/text_size.sql", "WHEN value = '' THEN NULL ", ""),
    Mutant("leaf/text_size.sql", "char_length", "octet_length"),
    Mutant("leaf/estimated_tokens.sql", "+ 3) / 4", ") / 4"),
    Mutant(ASSEMBLE, "floor(room * conceptual_share)", "ceil(room * conceptual_share)"),
    Mutant(ASSEMBLE, "p.position = ANY (chosen.positions) DESC, ", ""),
    Mutant(ASSEMBLE, "array_to_string(d.section_titles, E'\\n')", "array_to_string(d.section_titles, '')"),
    Mutant(ASSEMBLE, "THEN v.token_count ELSE char_length(v.text) END", "THEN v.token_count END"),
    Mutant(ASSEMBLE, "ELSE char_length(v.text)", "ELSE octet_length(v.text)"),
    Mutant(ASSEMBLE, "array_agg(c.size ORDER BY c.nth)", "array_agg(c.size ORDER BY c.place, c.nth)"),
    Mutant(ASSEMBLE, "room - s.used) AS f", "room) AS f"),
    Mutant(ASSEMBLE, "room - s.used) AS f", "room - conceptual_room) AS f"),
    # Whose texts they are.
    Mutant(ASSEMBLE, "n.tenant_id = tenant AND ", ""),
    Mutant(ASSEMBLE, "AND n.access_class = ANY (visible)", ""),
    Mutant(ASSEMBLE, "e.tenant_id = tenant\n                AND ", ""),
    Mutant(EXECUTE, "e.tenant_id = tenant\n            AND ", ""),
    # What is said of them.
    Mutant(ASSEMBLE, "ORDER BY c.place", "ORDER BY c.ordinal"),
    Mutant(ASSEMBLE, "c.position = t.position AND c.nth = ANY (e.kept)", "c.position = t.position"),
    Mutant(ASSEMBLE, "2 * t.nth = ANY (s.kept)", "2 * t.nth - 1 = ANY (s.kept)"),
    Mutant(ASSEMBLE, "ORDER BY l.position", "ORDER BY l.nth"),
    Mutant(ASSEMBLE, "l.has_summary OR l.has_sections OR ", ""),
    Mutant(ASSEMBLE, " OR l.chunks IS NOT NULL", ""),
    Mutant(ASSEMBLE, "coalesce(places[l.position], l.position)", "l.position"),
    Mutant(ASSEMBLE, "l.position <= seeds", "l.position < seeds"),
    Mutant(ASSEMBLE, "count(l.chunks)", "count(*) FILTER (WHERE l.chosen > 0)"),
    Mutant(ASSEMBLE, "(SELECT count(*) FROM layers)", "(SELECT count(l.chunks) FROM layers l)"),
    Mutant(ASSEMBLE, "'shown', cardinality(e.kept)", "'shown', cardinality(chosen.chunks)"),
    Mutant(ASSEMBLE, "'used', s.used + e.used", "'used', e.used"),
    Mutant(ASSEMBLE, "trim_scale(reserve)", "reserve"),
    Mutant(ASSEMBLE, "plan ? 'edited'", "false"),
    Mutant(EXECUTE, "SELECT planned.places[c.position]", "SELECT c.position"),
    Mutant(EXECUTE, "c.position <= planned.seeds", "c.position < planned.seeds"),
    Mutant(EXECUTE, "ORDER BY c.position, c.place", "ORDER BY c.place, c.position"),
    Mutant(EXECUTE, "ORDER BY c.position, c.place", "ORDER BY c.position, c.ordinal"),
    Mutant(EXECUTE, "visible_among(tenant, visible, planned.documents)", "canonical_list(planned.documents)"),
    Mutant(ROWS, "THEN p.tokens ELSE char_length(p.content)", "THEN p.tokens ELSE p.tokens"),
    Mutant(ROWS, "(d.document -> 'chosen_chunks' = '0')", "(d.document -> 'chunks' = '[]')"),
    Mutant(ROWS, "OVER (ORDER BY p.place)", "OVER ()"),
    Mutant(BY_PLAN, "docgraph.bound('usual_budget')", "10000000"),
    # What retrieve, which makes the plan itself, need not look up.
    Mutant(MAKE, "documents := all_seeds || expanded.ids", "documents := all_seeds"),
    Mutant(MAKE, "seed_count := cardinality(all_seeds)", "seed_count := cardinality(given)"),
    Mutant(MAKE, "ORDER BY s.rank), '{}')", "ORDER BY s.document_id), '{}')"),
    Mutant(EXPAND, "l.place, l.relation_type) AS reasons", "l.relation_type, l.place) AS reasons"),
    Mutant(EXPAND, f"d.to_document {_IN_PLAN}", "d.to_document ORDER BY d.place)"),
    Mutant(EXPAND, f"d.to_document {_IN_PLAN}", f"d.to_document {_IN_PLAN.replace('<=', '<')}"),
    Mutant(EXPAND, "d.to_document ORDER BY d.place", "d.to_document ORDER BY d.to_document"),
    Mutant(EXPAND, f"d.reason {_IN_PLAN}", f"d.reason {_IN_PLAN.replace('<=', '<')}"),
    Mutant(EXPAND, "d.reason ORDER BY d.place", "d.reason ORDER BY d.to_document"),
    Mutant(RETRIEVE, "made.seed_count, 0, ", "made.seed_count, 1, "),
    Mutant(RETRIEVE, "docgraph.bound('usual_budget')", "10000000"),
    Mutant("leaf/score.sql", "WHEN 'cosine' THEN 1000000", "WHEN 'cosine' THEN 0"),
]

WORLDS = [7, 13, 15, 1, 30]
"""Random worlds that notice all of them between them, those that notice most first."""


@dataclass(frozen=True)
class Known:
    """A world, and what is executed there."""

    world: PlanWorld
    executions: list[tuple[Caller, Executor, Plan, Wanted]]
    retrievals: list[tuple[Caller, Planner, Question, Wanted]]


@pytest.fixture(scope="module", autouse=True)
def _path(unguarded: Asked) -> None:
    know_vectors(unguarded.superuser)


@pytest.fixture(scope="module")
def known(unguarded: Asked) -> list[Known]:
    """The same worlds for every mistake."""
    setting = plan_database.setting(unguarded.superuser)
    return [make_known(number, setting) for number in WORLDS]


def make_known(number: int, setting: Setting) -> Known:
    """Each plan is made by one caller and executed by another one."""
    chance = Random(number)
    found = Known(dressed(plain_world(chance, IDS), chance), [], [])
    for maker in CALLERS:
        planner = found.world.planner(maker.login, maker.tenant, maker.claim, setting)
        assert planner is not None
        how = wanted(chance)
        what = replace(question(chance), query_embedding=how.query_embedding)
        found.retrievals.append((maker, planner, what, how))
        for plan in sealed_plans(planner, chance) + sealed_plans(planner, chance):
            user = chance.choice([each for each in CALLERS if each.tenant == maker.tenant])
            obeys = executor(found.world, user, setting)
            assert obeys is not None
            found.executions.append((user, obeys, plan, wanted(chance)))
    for maker, planner, _, how in found.retrievals[:]:
        what = replace(cut_question(chance), query_embedding=how.query_embedding)
        found.retrievals.append((maker, planner, what, how))
    return found


def look(asked: Asked, known: list[Known]) -> None:
    """Until the model does not agree."""
    for each in known:
        plan_database.put(asked.superuser, each.world)
        for caller, obeys, plan, how in each.executions:
            agree_on_execution(asked.logins[caller.login], obeys, caller, plan, how)
        for caller, planner, what, how in each.retrievals:
            agree_on_retrieval(asked.logins[caller.login], planner, caller, what, how)


def test_without_a_mistake_nothing_is_noticed(unguarded: Asked, known: list[Known]) -> None:
    look(unguarded, known)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.before} -> {mutant.after}")
def test_a_mistake_is_noticed(unguarded: Asked, known: list[Known], mutant: Mutant) -> None:
    with mistaken(unguarded, mutant), pytest.raises(Exception):  # noqa: B017, PT011 - an error notices, too
        look(unguarded, known)
