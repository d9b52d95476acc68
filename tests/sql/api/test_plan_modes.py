"""plan_retrieval and retrieve in modes that compare words: seeds, and what a plan says of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docgraph import calls
from tests.sql.api.evidenced import retrieved_text
from tests.sql.asking import Connection, ask, refusal
from tests.sql.planning import NORTH, asked, expanded_of, plan, plan_text, seeds_of
from tests.sql.writing import put, relate

TEXTS = {
    "leave.md": "ninety days of leave",
    "pay.md": "the last day of the month",
    "travel.md": "trains and hotels",
    "visa.md": "embassies",
}
WORDS: dict[str, Any] = {"mode": "bm25", "query_text": "days of leave"}
BOTH: dict[str, Any] = {"mode": "hybrid", "query_text": "days of leave", "query_embedding": NORTH}


@pytest.fixture
def pages(undone: Connection) -> Connection:
    put(
        undone,
        *(
            {
                "id": name,
                "title": name.removesuffix(".md"),
                "summary": text,
                "summary_embedding": [9, 4 - number, 0, 0],
                "chunks": [{"text": text, "embedding": [9, number, 0, 0]}, {"text": text}],
            }
            for number, (name, text) in enumerate(TEXTS.items())
        ),
    )
    relate(undone, ("leave.md", "references", "visa.md"))
    return undone


def origin(made: dict[str, Any]) -> tuple[Any, ...]:
    by = made["made_by"]
    space = by["embedding_space"]
    return by["mode"], by["search_in"], by["method"], space and space["model"]


def test_seeds_by_words(pages: Connection) -> None:
    made = plan(pages, **WORDS)
    assert seeds_of(made) == ["leave.md", "pay.md"]
    assert expanded_of(made) == {"visa.md": [("leave.md", "references")]}
    assert origin(made) == ("bm25", "summaries", "exact", None)


def test_seeds_by_both(pages: Connection) -> None:
    """By meaning visa.md, travel.md, pay.md, leave.md; by words leave.md, pay.md."""
    made = plan(pages, **BOTH, seed_limit=2, rrf_k=1)
    assert seeds_of(made) == ["leave.md", "pay.md"]
    assert origin(made) == ("hybrid", "summaries", "exact", "test-model")
    assert seeds_of(plan(pages, **BOTH, rrf_k=1)) == ["leave.md", "pay.md", "visa.md", "travel.md"]
    with_titles = {**BOTH, "query_text": "days of travel", "title_hits": True}
    assert seeds_of(plan(pages, **with_titles))[0] == "travel.md"


@pytest.mark.parametrize("how", [WORDS, BOTH], ids=["bm25", "hybrid"])
def test_by_chunks_a_document_has_the_place_of_its_first(pages: Connection, how: dict[str, Any]) -> None:
    made = plan(pages, **how, search_in="chunks", seed_limit=2)
    assert seeds_of(made) == ["leave.md", "pay.md"]
    assert origin(made)[1] == "chunks"


@pytest.mark.parametrize("how", [WORDS, BOTH], ids=["bm25", "hybrid"])
@pytest.mark.parametrize("search_in", ["summaries", "chunks"])
def test_given_seeds_are_not_looked_for(pages: Connection, how: dict[str, Any], search_in: str) -> None:
    made = plan(pages, **how, search_in=search_in, seeds=["leave.md"], seed_limit=1)
    assert seeds_of(made) == ["leave.md", "pay.md"]
    assert [seed["origin"] for seed in made["seed_documents"]] == ["given", "search"]


def test_seeds_alone_search_nothing(pages: Connection) -> None:
    for mode in ("bm25", "hybrid"):
        assert origin(plan(pages, mode=mode, seeds=["pay.md"])) == ("ids", None, "exact", None)


def test_many_chunks_of_one_document(undone: Connection) -> None:
    """More places are looked at until enough documents are among them."""
    put(
        undone,
        {"id": "long", "chunks": [{"text": "word"} for _ in range(300)]},
        {
            "id": "short",
            "chunks": [{"text": "word in a text that is longer than all of the others"}],
        },
    )
    made = plan(undone, mode="bm25", query_text="word", search_in="chunks", seed_limit=2)
    assert seeds_of(made) == ["long", "short"]


def test_a_blank_question_finds_nothing(pages: Connection) -> None:
    made = plan(pages, mode="bm25", query_text=" the ")
    assert seeds_of(made) == []
    assert origin(made)[0] == "bm25"


def test_the_same_bytes(pages: Connection) -> None:
    for how in (WORDS, BOTH):
        assert len({plan_text(pages, **how) for _ in range(5)}) == 1


def test_a_plan_by_words_is_shown_verified_and_executed(pages: Connection) -> None:
    made = plan(pages, **WORDS)
    assert "exact, bm25 search in summaries, revision" in ask(
        pages, calls.EXPLAIN_PLAN, plan=json.dumps(made)
    )
    assert ask(pages, calls.VERIFY_PLAN, plan=json.dumps(made)).ok
    rows = asked(pages, calls.EXECUTE_PLAN, {"plan": made, "query_embedding": NORTH})
    assert {row[1] for row in rows} == {"leave.md", "pay.md", "visa.md"}


@pytest.mark.parametrize("chunk_mode", ["semantic", "bm25", "hybrid", None])
@pytest.mark.parametrize("how", [WORDS, BOTH], ids=["bm25", "hybrid"])
def test_a_context_is_that_of_its_plan(
    pages: Connection, how: dict[str, Any], chunk_mode: str | None
) -> None:
    """Seeds in one mode, chunks in the same or in another."""
    chunks_by = chunk_mode or how["mode"]
    words_alone = (how["mode"], chunks_by) == ("bm25", "bm25")
    vector = {"query_embedding": None if words_alone else NORTH}
    made = plan(pages, **how)
    found = retrieved_text(pages, **how | vector, chunk_mode=chunk_mode)
    arguments = {"plan": made, "chunk_mode": chunks_by}
    arguments |= {} if chunks_by == "bm25" else {"query_embedding": NORTH}
    arguments |= {} if chunks_by == "semantic" else {"query_text": how["query_text"]}
    ((same,),) = asked(pages, calls.RETRIEVE_BY_PLAN, arguments, "retrieve_by_plan::text")
    assert same == found
    assert json.loads(found)["accounting"]["chunk_mode"] == chunks_by


def test_a_plan_says_how_ranks_were_fused(pages: Connection) -> None:
    for more in ({"rrf_k": 7}, {"title_hits": True}):
        made = plan(pages, **BOTH, **more)
        assert made["made_by"] == plan(pages, **BOTH)["made_by"] | more
        (again,) = ask(pages, calls.SEAL_PLAN, plan=json.dumps(made)).documents[:1]
        assert again.document_id == "leave.md"
    assert "rrf_k" not in plan(pages, **WORDS)["made_by"]
    assert "title_hits" not in plan(pages, **BOTH)["made_by"]


def test_many_questions_each_with_its_words(pages: Connection) -> None:
    rows = asked(
        pages,
        calls.RETRIEVE_MANY,
        {"query_texts": ["leave", "hotels"], "mode": "bm25"},
    )
    for (number, found), text in zip(rows, ["leave", "hotels"], strict=True):
        arguments = {"query_text": text, "mode": "bm25"}
        assert [(found,)] == asked(pages, calls.RETRIEVE, arguments)
        assert number in {1, 2}
    empty = {"query_embeddings": [], "query_texts": [], "mode": "bm25"}
    assert asked(pages, calls.RETRIEVE_MANY, empty) == []


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no words": ({"mode": "bm25"}, "query_text and seeds must not both be null"),
    "no query at all": ({"mode": "hybrid"}, "query_embedding and seeds must not both be null"),
    "half of both": (
        {"mode": "hybrid", "query_embedding": NORTH, "seeds": ["a"]},
        "query_text must not be null in mode hybrid",
    ),
    "a vector for words": ({**WORDS, "query_embedding": NORTH}, "query_embedding must be null in mode bm25"),
    "words for a vector": (
        {"query_text": "x", "query_embedding": NORTH},
        "query_text must be null in mode semantic",
    ),
    "titles by words": (
        {**WORDS, "title_hits": True},
        "title_hits must be false but for mode hybrid in summaries",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(undone: Connection, case: str) -> None:
    arguments, message = REFUSED[case]
    changes = {"query_embedding": None, "seeds": None, **arguments}
    error = refusal(undone, calls.PLAN_RETRIEVAL, **changes)
    assert error.diag.sqlstate == "22023"
    assert error.diag.message_primary == message
    assert error.diag.message_hint


def test_chunks_by_meaning_need_a_vector(undone: Connection) -> None:
    words = {"mode": "bm25", "query_text": "x"}
    error = refusal(undone, calls.RETRIEVE, **words, chunk_mode="semantic", query_embedding=None)
    assert error.diag.message_primary == "query_embedding must not be null"
    assert ask(undone, calls.RETRIEVE, **words, chunk_mode="semantic") is not None
