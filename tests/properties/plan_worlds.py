"""Random worlds to plan in: few ids, few kinds and few vectors, so that ties, hubs and cycles are many."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

from docgraph.access import Ceiling
from tests.conftest import EVERYTHING
from tests.properties.library import Triple
from tests.properties.model import Attributes, Claim, World
from tests.properties.planner import Document, Planner, Question, Setting, Shelf, Vector
from tests.properties.test_hidden_changes import Caller
from tests.properties.test_writing import wide
from tests.properties.worlds import LOGINS, TENANTS, attributes, ceilings, mostly

IDS = ["a", "A", "b", "ba", "é", "e\u0301", 'q"\\', "z\n", "\U0001f600", " a"]
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


def _pool(size: int) -> list[Document]:
    """Documents to draw from: one draw for each is much faster than one for each part of it."""
    drawn = random.Random(size)
    some_vector = [*VECTORS, *VECTORS, None, None, None]
    return [Document()] + [
        Document(
            drawn.choice([None, "i", "j"]),
            drawn.choice(["", "x", "X"]),
            drawn.choice(some_vector),
            tuple(drawn.choices(some_vector, k=drawn.randrange(4))) * drawn.choice([1, 1, 5]),
        )
        for _ in range(size)
    ]


vectors = st.sampled_from(VECTORS)
_documents = st.sampled_from(_pool(1000))
_TRIPLES = [(a, kind, b) for a in IDS for kind in KINDS for b in IDS if a != b]
_triples = st.sampled_from(_TRIPLES)
_edges = st.lists(_triples, max_size=8) | st.lists(_triples, min_size=20, max_size=50)


@st.composite
def shelves(draw: st.DrawFn, most: int) -> tuple[Shelf, frozenset[Triple]]:
    """A tenant's documents and relationships, and its references that wait."""
    ids = draw(
        st.lists(st.sampled_from(IDS), min_size=draw(st.integers(1, most)), max_size=most, unique=True)
    )
    found = {each: draw(_documents) for each in ids}
    triples = set(draw(_edges))
    hub = draw(st.none() | st.sampled_from(ids))
    triples |= {(hub, kind, to) for a, kind, to in _TRIPLES if hub and hub == a and kind in KINDS[:2]}
    inside = frozenset(each for each in triples if each[0] in found and each[2] in found)
    outside = frozenset(each for each in triples - inside if each[0] in found)
    return Shelf(found, inside), outside


@st.composite
def plan_worlds(draw: st.DrawFn) -> PlanWorld:
    """The first tenant has the most; the others have the same ids."""
    access, found, waiting = World(), {}, {}
    for tenant in TENANTS:
        most = len(IDS) if tenant == TENANTS[0] else 3
        found[tenant], waiting[tenant] = draw(shelves(most))
        others = draw(st.lists(attributes(), max_size=4, unique=True))
        needed = dict(enumerate(dict.fromkeys([OPEN, *others]), start=1))
        access.classes[tenant] = needed
        classes = st.sampled_from([1, 1, *needed])
        access.documents[tenant] = {each: draw(classes) for each in found[tenant].documents}
        for login in LOGINS:
            if draw(st.integers(0, 9 if tenant == TENANTS[0] else 3)):
                free = Ceiling(login, *EVERYTHING)
                access.ceilings[tenant, login] = draw(mostly(free, ceilings(login)))
    return PlanWorld(access, found, waiting)


def callers() -> st.SearchStrategy[Caller]:
    return st.builds(
        Caller,
        st.sampled_from(LOGINS),
        st.sampled_from([TENANTS[0], TENANTS[0], TENANTS[0], *TENANTS]),
        wide(),
    )


_limits = [3, 2, 1, 0]
_kinds = st.lists(st.sampled_from([*KINDS, "no such kind"]), max_size=3).map(tuple)
_ids = st.lists(st.sampled_from([*IDS, NOBODY]), max_size=5).map(tuple)


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Every option of a plan but the approximate method, whose plans cannot be told beforehand."""
    by_vector, by_ids = draw(st.sampled_from([(True, False), (True, False), (False, True), (True, True)]))
    return Question(
        query_embedding=draw(vectors) if by_vector else None,
        seeds=draw(_ids) if by_ids else None,
        search_in=draw(st.sampled_from(["summaries", "chunks"])),
        method=draw(st.sampled_from(["auto", "exact"])),
        seed_limit=draw(st.sampled_from([5, 5, *_limits, 200])),
        relation_types=draw(mostly(None, _kinds)),
        expanded_per_seed=draw(st.sampled_from([10, 10, *_limits, 200])),
        max_documents=draw(st.sampled_from([40, 40, 40, *_limits, 5, 8, 400])),
        dominant_scope=draw(st.sampled_from(["none", "none", "ingestion", "doc_type", "cluster"])),
        scope_distance=draw(st.sampled_from(["0.35", "0", "0.5", "1.5"])),
    )
