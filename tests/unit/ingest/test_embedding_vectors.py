"""What an embedder gives is checked: nothing wrong goes on in silence."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from docgraph.errors import InvalidArgument
from docgraph.ingest.embedding import CallableEmbedder, check_vectors, estimate_tokens
from docgraph.ingest.embedding.vectors import shorten

DEMO = CallableEmbedder(lambda texts: [[1.0, 0.0, 0.0] for _ in texts], "demo", 3)
ONE = [0.6, 0.0, 0.8]


@pytest.mark.parametrize(
    "given", [[ONE, ONE], (tuple(ONE), tuple(ONE)), np.array([ONE, ONE]), np.array([ONE, ONE], "float32")]
)
def test_lists_and_arrays_become_lists(given: Any) -> None:
    found = check_vectors(DEMO, given, 2)
    assert found == [ONE, ONE]
    assert {type(number) for vector in found for number in vector} == {float}


def test_no_texts_no_vectors() -> None:
    assert check_vectors(DEMO, [], 0) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([ONE], "gave 1 vector for 2 texts"),
        ([ONE] * 3, "gave 3 vectors for 2 texts"),
        (None, "gave no list of vectors for 2 texts"),
        ({0: ONE, 1: ONE}, "gave no list of vectors"),
        ([ONE, [1.0, 2.0]], "3 dimensions, and gave a vector with 2 dimensions for text 2 of 2"),
        ([[1.0], [2.0]], "a vector with 1 dimensions for text 1 of 2"),
        ([ONE, "abc"], "no list of numbers for text 2"),
        ([1.0, 2.0], "no list of numbers for text 1"),
        ([ONE, ["a", "b", "c"]], "something else than numbers"),
        ([ONE, [[1.0], [2.0], [3.0]]], "something else than numbers"),
        ([ONE, [math.nan, 0.0, 1.0]], "a number that is not finite for text 2 of 2"),
        ([ONE, [None, 0.0, 1.0]], "a number that is not finite for text 2 of 2"),
        ([[math.inf, 0.0, 1.0], ONE], "a number that is not finite for text 1 of 2"),
        ([[1e39, 0.0, 1.0], ONE], "a number that is not finite for text 1 of 2"),
        ([ONE, [0.0, -0.0, 0.0]], "nothing but zeros for text 2 of 2"),
        ([ONE, [1e-60, 0.0, 0.0]], "nothing but zeros for text 2 of 2"),
    ],
)
def test_what_is_wrong_is_said_with_the_model(given: Any, said: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_vectors(DEMO, given, 2)
    assert "The model demo " in str(caught.value)
    assert said in str(caught.value)


def test_short_vectors_are_short_and_close_enough() -> None:
    """Half precision, in which they are stored, has an error of one in 2,048."""
    given = np.random.default_rng(7).normal(size=(50, 64)) * np.logspace(-8, 3, 50)[:, np.newaxis]
    found = shorten(given)
    largest = np.abs(given).max(axis=1, keepdims=True)
    assert (np.abs(np.array(found) - given) <= largest * 5.1e-6).all()
    assert max(len(json.dumps(vector)) / 64 for vector in found) < 15
    assert len(json.dumps(found)) < 0.65 * len(json.dumps(given.tolist()))


def test_shortening_again_changes_nothing_nor_do_neighbours() -> None:
    given = np.random.default_rng(8).normal(size=(20, 16))
    found = shorten(given)
    assert shorten(np.array(found)) == found
    assert [shorten(row[np.newaxis])[0] for row in given] == found


def test_there_is_no_minus_zero() -> None:
    assert json.dumps(shorten(np.array([[-1e-12, 1.0, -0.0]]))) == "[[0.0, 1.0, 0.0]]"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 1), ("a", 1), ("abcd", 1), ("abcde", 2), ("\u00e4\u00f6", 1), ("\u65e5\u672c", 2)],
)
def test_tokens_are_estimated_from_bytes(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
