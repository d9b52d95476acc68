"""Random worlds to plan in: few ids, few kinds and few vectors, so that ties, hubs and cycles are many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from hypothesis import strategies as st

from docgraph.access import Ceiling
from tests.conftest import EVERYTHING
from tests.properties.library import Triple
from tests.properties.model import Attributes, Claim, World
from tests.properties.planner import Document, Planner, Question, Setting, Shelf, Vector
from tests.properties.test_hidden_changes import Caller
from tests.properties.test_writing import wide
from tests.properties.worlds import LOGINS, TENANTS, attributes, ceilings, mostly

IDS = ["a", "A", "b", "ba", "é", "e\u0301", 'q"\\', "z\n", "\U0001f600", " a", "c", "d"]
NOBODY = "nobody"
KINDS = ["cites", "Cites", "explains", "é"]
VECTORS: list[Vector] = [
    (1, 0, 0, 0),
    (2, 0, 0, 0),
    # Nearly the first: rounded, as far from it as it is from itself.
    (2000, 1, 0, 0),
    (0, 0, 0, 1),
    (0, 0, 1, 0),
    (1, 1, 1, 1),
    (-1, 1, 1, 1),
    (-1, 0, 0, 0),
    (1, 2, 2, 0),
    (1, 1, 0, 0),
    (0, 1, 1, 0),
    (2, 3, 6, 0),
]
"""Between any two of them a distance is one that half precision and rounding leave no doubt about."""

OPEN = Attributes(repository="a", snapshot="b")


@dataclass(frozen=True)
class PlanWorld:
    """Who may see what, what there is, and references to what is not there."""

    access: World
    shelves: Mapping[str, Shelf]
    waiting: Mapping[str, frozenset[Triple]]

    def planner(self, login: str, tenant: str, claim: Claim, setting: Setting) -> Planner | None:
        """Who answers this caller; None is denied."""
        held = self.access.held(login, tenant, claim)
        visible = self.access.visible_documents(login, tenant, claim)
        if held is None or visible is None:
            return None
        return Planner(self.shelves[tenant].seen(visible), tenant, held, setting)


def document(chance: Random) -> Document:
    """Some with as many chunks of one vector as would fill every place of a search."""
    some_vector = [*VECTORS, *[None] * 5]
    return Document(
        chance.choice([None, "i", "j"]),
        chance.choice(["", "x", "X"]),
        chance.choice(some_vector),
        tuple(chance.choices(some_vector, k=chance.choice([0, 1, 1, 2, 3])))
        * chance.choice([1, 1, 1, 1, 12]),
    )


def shelf(chance: Random, names: list[str]) -> tuple[Shelf, frozenset[Triple]]:
    """Documents of some of these names, what leads from one to another, and references that wait."""
    ids = chance.sample(names, chance.choice([1, len(names) // 2, len(names) - 1, len(names)]))
    found = {each: document(chance) for each in ids}
    triples = {
        (chance.choice(ids), chance.choice(KINDS), chance.choice(names))
        for _ in range(len(ids) * chance.choice([0, 2, 5, 10]))
    }
    hub = chance.choice(ids)
    if chance.randrange(2):
        triples |= {(hub, kind, to) for kind in KINDS[:2] for to in names}
    there = frozenset(each for each in triples if each[0] != each[2])
    inside = frozenset(each for each in there if each[2] in found)
    return Shelf(found, inside), there - inside


def question(chance: Random) -> Question:
    """Every option of a plan but the approximate method, whose plans cannot be told beforehand."""
    by_vector, by_ids = chance.choice([(True, False), (True, False), (False, True), (True, True)])
    kinds = tuple(chance.choices([*KINDS, "no such kind"], k=chance.choice([0, 1, 2, 3, 4, 5])))
    return Question(
        query_embedding=chance.choice(VECTORS) if by_vector else None,
        seeds=tuple(chance.choices([*IDS, NOBODY], k=chance.randrange(6))) if by_ids else None,
        search_in=chance.choice(["summaries", "chunks"]),
        method=chance.choice(["auto", "exact"]),
        seed_limit=chance.choice([5, 5, 3, 3, 2, 2, 1, 1, 0, 200]),
        relation_types=chance.choice([None, kinds]),
        expanded_per_seed=chance.choice([10, 10, 10, 3, 3, 2, 2, 1, 1, 0, 200]),
        max_documents=chance.choice([40, 40, 40, 400, 8, 6, 5, 5, 4, 4, 4, 3, 3, 2, 1, 0]),
        dominant_scope=chance.choice(["none", "none", "none", "ingestion", "doc_type", "cluster"]),
        scope_distance=chance.choice(["0.35", "0", "0.5", "1.5"]),
    )


def cut_question(chance: Random) -> Question:
    """With every kind named, and limits so low that both are likely to leave something out."""
    return replace(
        question(chance),
        relation_types=tuple(chance.sample(KINDS, len(KINDS))),
        expanded_per_seed=chance.choice([1, 2, 3]),
        max_documents=chance.choice([2, 3, 4, 5]),
    )


CALLERS = [
    Caller(LOGINS[0], TENANTS[0], {"tags": ["x"], "clearance": 2}),
    Caller(LOGINS[0], TENANTS[0], {}),
    Caller(LOGINS[1], TENANTS[0], {"tags": ["x"], "clearance": 2}),
    Caller(LOGINS[0], TENANTS[1], {}),
]


def plain_world(chance: Random, names: list[str]) -> PlanWorld:
    """Four kinds of documents and two logins: some of each can be seen by any of the callers above."""
    needed = [OPEN, Attributes("a", "b", frozenset("x")), Attributes(clearance=2), Attributes("c")]
    access, found, waiting = World(), {}, {}
    for tenant in TENANTS:
        found[tenant], waiting[tenant] = shelf(chance, names)
        access.classes[tenant] = dict(enumerate(needed, start=1))
        access.documents[tenant] = {each: chance.randint(1, 4) for each in found[tenant].documents}
        access.ceilings[tenant, LOGINS[0]] = Ceiling(LOGINS[0], *EVERYTHING)
    access.ceilings[TENANTS[0], LOGINS[1]] = Ceiling(LOGINS[1], ("a",), None, None, None, 1)
    return PlanWorld(access, found, waiting)


chances = st.one_of([st.randoms(use_true_random=real) for real in (False, *[True] * 7)])
"""Where it can, Hypothesis makes a failure smaller; what it draws is slow, and too plain to find them all."""
questions = chances.map(question)
vectors = st.sampled_from(VECTORS)


@cache
def _generous(login: str) -> st.SearchStrategy[Ceiling]:
    return mostly(Ceiling(login, *EVERYTHING), ceilings(login))


@st.composite
def plan_worlds(draw: st.DrawFn) -> PlanWorld:
    """The first tenant has the most; the others have the same ids."""
    access, found, waiting = World(), {}, {}
    chance = draw(chances)
    for tenant in TENANTS:
        first = tenant == TENANTS[0]
        found[tenant], waiting[tenant] = shelf(chance, IDS if first else IDS[:6])
        others = draw(st.lists(attributes(), max_size=4, unique=True))
        needed = dict(enumerate(dict.fromkeys([OPEN, *others]), start=1))
        access.classes[tenant] = needed
        access.documents[tenant] = {each: chance.choice([1, 1, *needed]) for each in found[tenant].documents}
        for login in LOGINS:
            if draw(st.integers(0, 9 if first else 3)):
                access.ceilings[tenant, login] = draw(_generous(login))
    return PlanWorld(access, found, waiting)


def callers() -> st.SearchStrategy[Caller]:
    return st.builds(Caller, st.sampled_from(LOGINS), st.sampled_from([TENANTS[0]] * 5 + TENANTS), wide())


def asks(who: int, what: int) -> st.SearchStrategy[list[tuple[Caller, Question]]]:
    """So many callers, each with so many questions: putting a world in costs more than asking."""
    caller = st.tuples(callers(), chances)
    return st.lists(caller, min_size=who, max_size=who).map(
        lambda found: [
            (each, chance.choice([question, question, question, cut_question])(chance))
            for each, chance in found
            for _ in range(what)
        ]
    )
