"""candidate_texts: what candidates say, to whoever may see them."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import calls
from tests.conftest import Installed
from tests.sql.asking import Connection, ask, refusal
from tests.sql.writing import put


@pytest.fixture
def pages(undone: Connection) -> Connection:
    put(
        undone,
        {"id": "a", "title": "A", "summary": "Of a.", "chunks": [{"text": "a 0"}, {"text": "a 1"}]},
        {"id": "b", "summary": "Of b.", "chunks": [{"text": "b 0"}]},
        {"id": "bare"},
        {"id": "hidden", "title": "H", "tags": ["hr"], "chunks": [{"text": "h 0"}]},
        access={"tags": ["hr"]},
    )
    return undone


def texts(connection: Connection, documents: list[str], chunks: list[int] | None, **more: Any) -> Any:
    return ask(connection, calls.CANDIDATE_TEXTS, documents=documents, chunks=chunks, **more)


def test_of_chunks(pages: Connection) -> None:
    assert texts(pages, ["b", "a", "a", "b"], [0, 1, 0, 0]) == {1: "b 0", 2: "a 1", 3: "a 0", 4: "b 0"}


def test_of_documents(pages: Connection) -> None:
    assert texts(pages, ["b", "a", "bare"], None) == {1: "Of b.", 2: "A\nOf a.", 3: ""}


def test_hidden_and_unknown_ones_are_left_out_alike(pages: Connection) -> None:
    assert texts(pages, ["hidden", "a", "unknown"], [0, 0, 0]) == {2: "a 0"}
    assert texts(pages, ["a", "a"], [0, 7]) == {1: "a 0"}
    assert texts(pages, ["hidden", "unknown"], None) == {}
    assert texts(pages, ["hidden"], [0], access='{"tags": ["hr"]}') == {1: "h 0"}


def test_none(pages: Connection) -> None:
    assert texts(pages, [], None) == texts(pages, [], []) == {}


def test_as_many_as_a_search_gives(pages: Connection) -> None:
    assert len(texts(pages, ["a"] * 200, [0] * 200)) == 200
    error = refusal(pages, calls.CANDIDATE_TEXTS, documents=["a"] * 201, chunks=None)
    assert error.diag.sqlstate == "22023"
    assert error.diag.message_primary == "documents may have 200 places at most"


def test_without_a_ceiling(shared: Installed) -> None:
    shared.reader("texts_stranger", "elsewhere")
    with shared.connect("texts_stranger") as connection:
        assert refusal(connection, calls.CANDIDATE_TEXTS).diag.sqlstate == "42501"
