"""Reranking by a function of the caller's: what it repeats of the database, and what refusals say."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from docgraph.errors import InvalidArgument
from docgraph.reranking import MOST, PLACES, WIDEN, naming_rerankers


def test_its_limits_are_those_of_the_database(superuser: psycopg.Connection[Any]) -> None:
    row = superuser.execute(
        "SELECT docgraph.bound('nodes'), docgraph.bound('widening'),"
        " pg_get_function_arguments('docgraph.search_nodes'::regproc)"
    ).fetchone()
    assert row is not None
    assert row[:2] == (MOST, WIDEN)
    assert f"max_nodes integer DEFAULT {PLACES}," in row[2]


@pytest.mark.parametrize(
    ("message", "is_named"),
    [
        ("rerank must be none or keyword", True),
        ("rerank must be a text, not int", True),
        # What is refused here is not the way, but that there is one.
        ("rerank must be none in mode bm25", False),
        ("max_nodes must be from 0 to 200", False),
    ],
)
def test_where_ways_are_listed_the_callers_own_is_among_them(message: str, is_named: bool) -> None:
    with pytest.raises(InvalidArgument) as caught, naming_rerankers():
        raise InvalidArgument(message, hint="Hint.")
    assert caught.value.message == message
    assert ("a function that scores texts" in str(caught.value.hint)) is is_named
