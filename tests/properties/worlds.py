"""Random worlds: small alphabets, so that things meet, and spellings that look alike."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

from docgraph.access import Ceiling
from tests.properties.model import Attributes, Claim, World

T = TypeVar("T")

LOGINS = ["props", "Props", "props2"]
TENANTS = ["t", "T", "t "]
_NAMES = ["a", "A", "b", ""]
_WORDS = ["a", "A", "b", "é", "e\u0301", ""]

names = st.sampled_from(_NAMES)
words = st.lists(st.sampled_from(_WORDS), max_size=3, unique=True)
levels = st.integers(0, 3)


def mostly(usual: T, other: st.SearchStrategy[T]) -> st.SearchStrategy[T]:
    """Five kinds must agree before anything is seen: in each the usual case lets it through."""
    return st.one_of(st.just(usual), st.just(usual), other)


@cache
def claims() -> st.SearchStrategy[Claim]:
    """Any of the keys may be absent, which is not the same as empty."""
    many = st.lists(st.sampled_from(_WORDS), max_size=5)
    fixed: dict[str, st.SearchStrategy[Any]] = {}
    few = st.lists(names, max_size=3)
    narrowing = st.fixed_dictionaries(fixed, optional={"repositories": few, "snapshots": few})
    opening = st.fixed_dictionaries(fixed, optional={"tags": many, "labels": many, "clearance": levels})
    return st.builds(lambda a, b: {**a, **b}, mostly({}, narrowing), opening)


@cache
def attributes() -> st.SearchStrategy[Attributes]:
    return st.builds(
        Attributes,
        repository=mostly("a", names),
        snapshot=mostly("b", names),
        tags=st.builds(frozenset, st.just([]) | words),
        labels=st.builds(frozenset, mostly([], words)),
        clearance=mostly(0, levels),
    )


@cache
def ceilings(login: str) -> st.SearchStrategy[Ceiling]:
    some_names = mostly(None, st.lists(names, max_size=4).map(tuple))
    some_words = mostly(None, words.map(tuple))
    return st.builds(
        Ceiling, st.just(login), some_names, some_names, some_words, some_words, mostly(None, levels)
    )


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Class numbers repeat from tenant to tenant, so that a lost tenant would show."""
    world = World()
    for tenant in TENANTS:
        needed = draw(st.lists(attributes(), min_size=1, max_size=8, unique=True))
        numbers = draw(st.permutations(range(1, len(needed) + 1)))
        world.classes[tenant] = dict(zip(numbers, needed, strict=True))
        world.documents[tenant] = {f"d{number}": number for number in numbers}
        for login in LOGINS:
            if draw(st.integers(0, 3)):
                world.ceilings[tenant, login] = draw(ceilings(login))
    return world
