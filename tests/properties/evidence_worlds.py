"""Random worlds to execute plans in: documents with texts, plans that somebody changed, and what is asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from tests.properties.executor import Executor, Wanted
from tests.properties.pages import Page, Piece
from tests.properties.plan_worlds import (
    IDS,
    KINDS,
    NOBODY,
    VECTORS,
    PlanWorld,
    chances,
    plan_worlds,
    question,
)
from tests.properties.planner import Document, Plan, Planner, Setting, Shelf, sealed
from tests.properties.test_hidden_changes import Caller

WORDS = ["x", "", "é", "two words", "\U0001f600\U0001f600", 'q"\\', "a\nb\t\x07", "x" * 37]
QUESTIONS = ["x", "two words", "two x é nobody", '"two words"', "x -words", "words or x", "nobody"]
TITLES = ["", "One", "é\n", "x" * 20]
STRANGERS = [*IDS, NOBODY]
CROWD = [f"nobody {number}" for number in range(450)]
"""More than any plan may have."""
TOKENS = [0, 1, 1, 2, 3, 7, 20]


def dressed(world: PlanWorld, chance: Random) -> PlanWorld:
    """The same with texts: of some lengths, in letters of one byte and of more."""
    return replace(
        world,
        shelves={
            tenant: Shelf({name: page(each, chance) for name, each in found.documents.items()}, found.edges)
            for tenant, found in world.shelves.items()
        },
    )


def page(document: Document, chance: Random) -> Page:
    return Page(
        **vars(document),
        title=chance.choice(TITLES),
        source=chance.choice(["", "a/é.md"]),
        about=chance.choice(["", *WORDS]) * chance.choice([1, 2]),
        section_titles=tuple(chance.choices(TITLES, k=chance.choice([0, 0, 1, 1, 3]))),
        pieces=tuple(piece(chance) for _ in document.chunks),
    )


def piece(chance: Random) -> Piece:
    begin = chance.randrange(100)
    return Piece(
        chance.choice(WORDS) * chance.choice([1, 1, 2]),
        chance.choice(TOKENS),
        tuple(chance.choices(TITLES, k=chance.randrange(3))),
        chance.choice([None, (begin, begin + chance.randrange(100))]),
    )


def wanted(chance: Random) -> Wanted:
    """Every option of execution; budgets from too small for anything to large enough for all."""
    budget = chance.choice([None, 1, 2, 5, 9, 15, 30, 50, 70, 100, 200, 10_000_000])
    unit = chance.choice(["max_chars", "budget_tokens"])
    budgets: dict[str, Any] = {} if budget is None else {unit: budget}
    return Wanted(
        query_embedding=chance.choice(VECTORS),
        max_chunks=chance.choice([10, 10, 10, 0, 1, 2, 3, 4, 5, 7, 20, 1000]),
        per_document=chance.choice([3, 3, 3, 1, 1, 2, 5, 100]),
        reserve=chance.choice(["0.4", "0.4", "0.4", "0", "0", "1", "0.50", "0.25", "0.34", "0.7", "0.999"]),
        conceptual_share=chance.choice(["0.25", "0.25", "0.25", "0", "1", "0.5", "0.1", "0.333"]),
        **budgets,
    )


def wanted_in_some_mode(chance: Random) -> Wanted:
    """By either selection, and by meaning, words or both; the model in executor knows meaning alone."""
    how = replace(wanted(chance), selection=chance.choice(["similarity", "bridge"]))
    mode = chance.choice(["semantic", "bm25", "hybrid"])
    if mode == "semantic":
        return how
    return replace(how, chunk_mode=mode, query_text=chance.choice(QUESTIONS))


def tampered(plan: Plan, chance: Random) -> Plan:
    """Still a plan, but one that nobody has made: other documents, caps and words. Its hash holds no more."""
    there = {each["document_id"] for each in (*plan["seed_documents"], *plan["expanded_documents"])}
    foreign = [each for each in chance.sample(STRANGERS, len(STRANGERS)) if each not in there]
    crowd = [each for each in CROWD if each not in there] if not chance.randrange(15) else []
    many = chance.randrange(2)
    seeds = _seeds(plan, foreign[:6] + crowd * many, chance)
    origins = [each["document_id"] for each in seeds]
    expanded = _expanded(plan, foreign[6:] + crowd * (1 - many), origins, chance) if seeds else []
    caps: Plan = {
        "seed_limit": chance.choice([5, 5, 0, 1, 2, 10_000]),
        "expanded_per_seed": chance.choice([10, 10, 10, 0, 1, 1, 2, 3, 200, 2**31 - 1]),
        "max_documents": chance.choice([40, 40, 40, 400, 2**31 - 1, 0, 1, 2, 3, 4, 5, 6, 8]),
        "relation_types": chance.choice([None, KINDS[:1]]),
    }
    if crowd and chance.randrange(2):
        caps = dict.fromkeys(("seed_limit", "expanded_per_seed", "max_documents"), 2**31 - 1)
    made_by = {
        "embedding_space": chance.choice([None, plan["made_by"]["embedding_space"]]),
        "revision": chance.choice(["0004", "0005", "x"]),
    }
    return plan | {
        "seed_documents": seeds,
        "expanded_documents": expanded,
        "constraints": plan["constraints"] | (caps if crowd or chance.randrange(4) else {}),
        "made_by": plan["made_by"] | made_by,
    }


def _seeds(plan: Plan, foreign: Sequence[str], chance: Random) -> list[Plan]:
    """Some of them, and others; some in another order, and with gaps between ranks."""
    kept = [each for each in plan["seed_documents"] if chance.randrange(5)]
    new = foreign if len(foreign) > len(STRANGERS) else foreign[: chance.choice([0, 0, 1, 2, 6])]
    origins = chance.choice([["given"], ["search"], ["given", "search", "search"]])
    kept += [{"document_id": each, "origin": chance.choice(origins)} for each in new]
    if not chance.randrange(3):
        chance.shuffle(kept)
    gap = chance.choice([1, 1, 7])
    inventions = Random(json.dumps(kept))
    return [_led_to(each, kept, inventions) | {"rank": 1 + gap * place} for place, each in enumerate(kept)]


def _led_to(seed: Plan, seeds: Sequence[Plan], chance: Random) -> Plan:
    """The seed with reasons of the other seeds that are left, and invented ones."""
    others = [each["document_id"] for each in seeds if each["document_id"] != seed["document_id"]]
    via = [reason for reason in seed.get("via", []) if reason["from"] in others]
    for other in chance.sample(others, min(len(others), chance.choice([0, 0, 1, 3, 8]))):
        invented = {"from": other, "relation_type": chance.choice([*KINDS, "no such kind"])}
        via += [invented] if invented not in via else []
    return {key: value for key, value in seed.items() if key != "via"} | ({"via": via} if via else {})


def _expanded(plan: Plan, foreign: Sequence[str], origins: list[str], chance: Random) -> list[Plan]:
    """Some of them, and others, with reasons that there may never have been."""
    few = chance.sample(origins, min(len(origins), chance.choice([1, 3])))
    new = foreign if len(foreign) > len(STRANGERS) else foreign[: chance.choice([0, 0, 1, 3, 6])]
    found = []
    for name, via in [(each["document_id"], each["via"]) for each in plan["expanded_documents"]] + [
        (each, []) for each in new
    ]:
        old = [(reason["from"], reason["relation_type"]) for reason in via if reason["from"] in origins]
        more = chance.choice([0, 0, 0, 1, 2, 4]) if via else chance.choice([1, 1, 2])
        invented = [(chance.choice(few), chance.choice([*KINDS, "no such kind"])) for _ in range(more)]
        reasons = list(dict.fromkeys([*old, *invented]))
        if not chance.randrange(4):
            chance.shuffle(reasons)
        if reasons and chance.randrange(8):
            listed = [{"from": origin, "relation_type": kind} for origin, kind in reasons]
            found.append({"document_id": name, "via": listed})
    if chance.randrange(2):
        chance.shuffle(found)
    return found


def sealed_plans(planner: Planner, chance: Random) -> list[Plan]:
    """One that planning makes, and what somebody has made of it who knows how to seal."""
    made = planner.plan(question(chance))
    return [made, sealed(tampered(made, chance)), sealed(tampered(made, chance) | {"edited": True})]


def executor(world: PlanWorld, caller: Caller, setting: Setting) -> Executor | None:
    """Who obeys for this caller; None is denied."""
    planner = world.planner(caller.login, caller.tenant, caller.claim, setting)
    return None if planner is None else Executor(planner.shelf, setting)


@st.composite
def evidence_worlds(draw: st.DrawFn) -> PlanWorld:
    return dressed(draw(plan_worlds()), draw(chances))
