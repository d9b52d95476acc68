"""In every world everybody sees what the rules say, with row security and without it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.database import Asked
from tests.properties.model import Claim, World
from tests.properties.worlds import claims, worlds


@given(world=worlds(), asked_for=st.lists(claims(), min_size=2, max_size=3))
def test_the_database_agrees_with_the_model(asked: Asked, world: World, asked_for: list[Claim]) -> None:
    asked.put(world)
    for claim in ({}, *asked_for):
        asked.compare(world, claim)
