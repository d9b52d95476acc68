"""Random worlds to expand in and to fetch from: chunks that overlap, touch or claim to, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from tests.properties import evidence_worlds
from tests.properties.pages import Page, Piece
from tests.properties.plan_worlds import IDS, KINDS, NOBODY, PlanWorld, callers, chances, plan_worlds
from tests.properties.planner import Document, Shelf
from tests.properties.stages_model import Expansion, Fetch, Json
from tests.properties.test_hidden_changes import Caller

LETTERS = "abé \n"


@dataclass(frozen=True)
class Asks:
    """An expansion, and what is fetched afterwards: of its nodes, or of those of somebody's own making."""

    expansion: Expansion
    fetch: Fetch
    own_nodes: tuple[Json, ...] | None


def dressed(world: PlanWorld, chance: Random) -> PlanWorld:
    """The same with texts."""
    return replace(
        world,
        shelves={
            tenant: Shelf({name: page(each, chance) for name, each in found.documents.items()}, found.edges)
            for tenant, found in world.shelves.items()
        },
    )


def page(document: Document, chance: Random) -> Page:
    """Half of the pages are cut from one text, with what it takes to put that together again."""
    found = evidence_worlds.page(document, chance)
    if not chance.randrange(2):
        return found
    source = "".join(chance.choices(LETTERS, k=60))
    pieces, at = [], 0
    for _ in found.pieces:
        at = max(0, at + chance.choice([0, 0, -3, -1, 1, -20]))
        end = at + chance.randrange(1, 12)
        text = source[at:end]
        # Now and then offsets or texts that are not so.
        offsets = chance.choice([(at, end), (at, end), (at, end), None, (at, end + 2), (max(0, at - 2), end)])
        wrong = chance.choice([text, text, text, text, text.upper(), text[:2], ""])
        pieces.append(Piece(wrong, chance.choice(evidence_worlds.TOKENS), (), offsets))
        at = end
    return replace(found, pieces=tuple(pieces))


def asks(chance: Random) -> Asks:
    """Every option, and limits so low that they often bite."""
    seeds = tuple(chance.choices([*IDS, NOBODY], k=chance.choice([1, 1, 2, 3, 6])))
    kinds = tuple(chance.choices([*KINDS, "no such kind"], k=chance.choice([0, 1, 2, 3])))
    expansion = Expansion(
        seeds,
        max_depth=chance.choice([2, 2, 1, 1, 3, 4, 10, 0]),
        max_nodes=chance.choice([200, 200, 12, 8, 6, 5, 4, 3, 2, 1, 0]),
        fan_out=chance.choice([50, 50, 6, 4, 3, 2, 2, 1, 1, 0]),
        edge_allowlist=chance.choice([None, None, kinds]),
        direction=chance.choice(["outgoing", "outgoing", "incoming", "both"]),
    )
    budget: dict[str, Any] = {
        chance.choice(["max_chars", "budget_tokens"]): chance.choice(
            [1, 2, 5, 9, 20, 40, 80, 200, 10_000_000]
        )
    }
    named = chance.choice([None, seeds, seeds[::-1], tuple(chance.choices([*IDS, NOBODY], k=2))])
    own = None
    if not chance.randrange(3):
        own = tuple(node(chance) for _ in range(chance.randrange(9)))
    if own == () and named is None:
        named = seeds
    return Asks(
        expansion,
        Fetch(named, prioritization=chance.choice(["seed_first", "graph_first", "balanced"]), **budget),
        own,
    )


def node(chance: Random) -> Json:
    """As nobody has found it."""
    return {
        "id": chance.choice([*IDS, NOBODY]),
        "depth": chance.randrange(4),
        "parent": chance.choice([None, *IDS, NOBODY]),
        "is_seed": not chance.randrange(3),
    }


@st.composite
def stage_worlds(draw: st.DrawFn) -> PlanWorld:
    return dressed(draw(plan_worlds()), draw(chances))


def some_asks(who: int, what: int) -> st.SearchStrategy[list[tuple[Caller, Asks]]]:
    """So many callers, each with so many questions."""
    caller = st.tuples(callers(), chances)
    return st.lists(caller, min_size=who, max_size=who).map(
        lambda found: [(each, asks(chance)) for each, chance in found for _ in range(what)]
    )
