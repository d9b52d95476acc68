"""Without relationships, and with chunks to search in, a retrieval is flat search: the same chunks."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.properties import evidence_database, plan_database
from tests.properties.database import Asked
from tests.properties.executor import Wanted
from tests.properties.plan_worlds import CALLERS, VECTORS, PlanWorld, chances, plain_world
from tests.properties.planner import Document, Question, Shelf
from tests.properties.test_hidden_changes import Caller

Place = tuple[str, int | None]
"""Document, chunk."""
NAMES = [*"abcdefgh", *(f"document {number}" for number in range(12))]


def corpus(chance: Random, *, related: bool) -> PlanWorld:
    """Documents with no chunk, a few, or more than any cap lets through; many equally near."""
    world = plain_world(chance, NAMES)

    def document(_: Document) -> Document:
        few = chance.choice([0, 1, 2, 3, 8, 8, 130 if not chance.randrange(8) else 1])
        return Document(chunks=tuple(chance.choices([*VECTORS, None], k=few)))

    shelves = {
        tenant: Shelf(
            {each: document(d) for each, d in found.documents.items()},
            found.edges if related else frozenset(),
        )
        for tenant, found in world.shelves.items()
    }
    return replace(world, shelves=shelves)


def ask(chance: Random, k: int) -> tuple[Question, Wanted]:
    """At least as many seeds as chunks, no limit but their number, and room for all."""
    query = chance.choice(VECTORS)
    question = Question(
        query, search_in="chunks", method="exact", seed_limit=chance.choice([k, 200]), max_documents=400
    )
    reserve = chance.choice(["0", "0.4", "1", "0.34"])
    wanted = Wanted(query, k, 100, reserve, budget_tokens=10_000_000, conceptual_share="0")
    return question, wanted


def flat(asked: Asked, caller: Caller, question: Question, k: int) -> list[Place]:
    """The k nearest chunks of all, nearest first."""
    found = plan_database.search(asked.logins[caller.login], caller, question, k)
    assert found is not None
    return [(document, chunk) for _, document, chunk, _ in found]


def chosen(asked: Asked, caller: Caller, question: Question, wanted: Wanted) -> list[Place]:
    """The chunks of a retrieval, in the order in which they were chosen."""
    text = evidence_database.retrieve(asked.logins[caller.login], caller, question, wanted)
    assert text is not None
    found = [
        (chunk["chosen"], document["document_id"], chunk["chunk"])
        for document in json.loads(text)["context"]["documents"]
        for chunk in document["chunks"]
    ]
    assert [place for place, _, _ in sorted(found)] == list(range(1, len(found) + 1))
    return [(document, chunk) for _, document, chunk in sorted(found)]


ks = st.sampled_from([0, 1, 2, 3, 5, 10, 20, 50, 100])


@given(chance=chances, caller=st.sampled_from(CALLERS), some=st.lists(ks, min_size=2, max_size=2))
def test_without_relationships_it_is_flat_search(
    guarded: Asked, chance: Random, caller: Caller, some: list[int]
) -> None:
    """Chunk for chunk, and in the same order of choice, whatever the reserve."""
    plan_database.put(guarded.superuser, corpus(chance, related=False))
    for k in some:
        question, wanted = ask(chance, k)
        assert chosen(guarded, caller, question, wanted) == flat(guarded, caller, question, k)


@given(chance=chances, caller=st.sampled_from(CALLERS), some=st.lists(ks, min_size=2, max_size=2))
def test_with_relationships_only_the_reserve_differs(
    guarded: Asked, chance: Random, caller: Caller, some: list[int]
) -> None:
    """Without a reserve nothing does; with one, no more gives way than it has places, the farthest first."""
    plan_database.put(guarded.superuser, corpus(chance, related=True))
    for k in some:
        question, wanted = ask(chance, k)
        nearest = flat(guarded, caller, question, k)
        assert chosen(guarded, caller, question, replace(wanted, reserve="0")) == nearest
        found = chosen(guarded, caller, question, wanted)
        assert len(set(found)) == len(found) >= len(nearest)
        assert set(found) >= set(nearest[: k - int(Decimal(wanted.reserve) * k)])
