"""Modes and reranking from Python, by either client: what is sent, what comes back, what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from docgraph import Access, DocGraph
from docgraph.documents import Chunk, Document, Link
from docgraph.errors import InvalidArgument
from tests.conftest import Installed
from tests.ingest.embedders import WordEmbedder
from tests.sql.api.planned import Ask, asking

EMBEDDER = WordEmbedder()
WIDE = Access(tags=["board"])
TEXTS = {
    "leave.md": "Parents take ninety days of leave.",
    "pay.md": "Salaries come on the last day.",
    "travel.md": "Trains before flights.",
    "board.md": "Leave of the board.",
}
QUESTION = "How many days of leave?"


def documents() -> Iterator[Document]:
    for name, text in TEXTS.items():
        vector = EMBEDDER.embed_query(text)
        yield Document(
            name,
            [Chunk(text, 5, vector)],
            title=name.removesuffix(".md"),
            summary=text,
            summary_embedding=vector,
            tags=["board"] if name == "board.md" else [],
            relationships=[Link("references", "travel.md")] if name == "leave.md" else [],
        )


@pytest.fixture(scope="module")
def filled(shared: Installed) -> Installed:
    with DocGraph(shared.conninfo) as client:
        client.put_documents(documents(), access=WIDE)
    return shared


@pytest.fixture(params=["sync", "async"])
def ask(request: pytest.FixtureRequest, filled: Installed) -> Ask:
    return asking(request.param, filled.conninfo)


def ids(found: Any) -> list[str]:
    return [hit.document_id for hit in found]


def no_embedder(texts: list[str]) -> list[list[float]]:
    raise AssertionError("nothing had to be embedded")


def by_length(question: str, texts: list[str]) -> list[float]:
    return [float(len(text)) for text in texts]


class TestModes:
    def test_words_need_no_embedder(self, ask: Ask) -> None:
        assert ids(ask("search", QUESTION, mode="bm25", embedder=no_embedder)) == ["leave.md", "pay.md"]
        found = ask("plan", QUESTION, mode="bm25", embedder=no_embedder)
        assert [seed.document_id for seed in found.seed_documents] == ["leave.md", "pay.md"]
        assert found.made_by.mode == "bm25"
        assert found.made_by.embedding_space is None

    def test_both(self, ask: Ask) -> None:
        found = ask("search", QUESTION, mode="hybrid", embedder=EMBEDDER, rrf_k=1)
        assert ids(found)[0] == "leave.md"
        assert sorted(ids(found)) == ["leave.md", "pay.md", "travel.md"]
        vector = EMBEDDER.embed_query(QUESTION)
        assert ask("search", QUESTION, embedding=vector, mode="hybrid", rrf_k=1) == found

    def test_titles(self, ask: Ask) -> None:
        how: dict[str, Any] = {"mode": "hybrid", "embedder": EMBEDDER, "title_hits": True}
        assert ids(ask("search", "travel", **how))[0] == "travel.md"

    def test_a_context_by_words_needs_no_embedder(self, ask: Ask) -> None:
        how: dict[str, Any] = {"mode": "bm25", "embedder": no_embedder, "seed_limit": 1}
        found = ask("retrieve", QUESTION, **how)
        assert [document.document_id for document in found] == ["leave.md", "travel.md"]
        assert [chunk.document_id for chunk in found.chunks] == ["leave.md"]
        assert (found.plan.made_by.mode, found.accounting.chunk_mode) == ("bm25", "bm25")
        assert found.notes == ("1 chunk without the words of the question",)
        assert ask("retrieve_all", [QUESTION], **how) == [found]
        assert ask("execute", found.plan, QUESTION, chunk_mode="bm25", embedder=no_embedder) == found

    @pytest.mark.parametrize(("mode", "chunk_mode"), [("bm25", "semantic"), ("semantic", "hybrid")])
    def test_seeds_in_one_mode_chunks_in_another(self, ask: Ask, mode: str, chunk_mode: str) -> None:
        how: dict[str, Any] = {"mode": mode, "chunk_mode": chunk_mode, "embedder": EMBEDDER}
        found = ask("retrieve", QUESTION, **how)
        assert (found.plan.made_by.mode, found.accounting.chunk_mode) == (mode, chunk_mode)
        assert ask("retrieve_all", [QUESTION], **how) == [found]
        assert ask("execute", found.plan, QUESTION, chunk_mode=chunk_mode, embedder=EMBEDDER) == found

    def test_a_plan_of_both_comes_back_as_it_was(self, ask: Ask) -> None:
        found = ask("plan", QUESTION, mode="hybrid", embedder=EMBEDDER, rrf_k=7, title_hits=True)
        assert (found.made_by.rrf_k, found.made_by.title_hits) == (7, True)
        assert type(found).from_json(found.to_json()) == found
        assert ask("verify_plan", found).ok

    def test_a_question_without_words_is_noted(self, ask: Ask) -> None:
        found = ask("retrieve", "the and of", mode="bm25")
        assert found.accounting.warnings == ("question_without_words",)
        noted = (
            "the question has no word that can be looked for: stop words and signs are not, nor is "
            "what a minus excludes"
        )
        assert noted in found.notes
        assert noted in ask("pipeline", "the and of", mode="bm25").notes
        assert noted in ask("pipeline", "-leave", mode="bm25").notes
        assert ask("pipeline", QUESTION, mode="bm25").warnings == ()

    def test_the_plan_is_that_of_the_context(self, ask: Ask) -> None:
        how: dict[str, Any] = {"mode": "hybrid", "embedder": EMBEDDER, "rrf_k": 2, "title_hits": True}
        assert ask("retrieve", QUESTION, **how).plan == ask("plan", QUESTION, **how)

    def test_seeds_alone(self, ask: Ask) -> None:
        for mode in ("bm25", "hybrid"):
            assert ask("plan", seeds=["pay.md"], mode=mode).made_by.mode == "ids"

    def test_keywords(self, ask: Ask) -> None:
        assert ids(ask("search", "flights", rerank="keyword", embedder=EMBEDDER))[0] == "travel.md"


class TestReranking:
    def test_the_same_ids_in_another_order(self, ask: Ask) -> None:
        plain = ask("search", QUESTION, embedder=EMBEDDER)
        found = ask("search", QUESTION, embedder=EMBEDDER, rerank=by_length)
        assert ids(found) == ["leave.md", "pay.md", "travel.md"]
        assert sorted(ids(found)) == sorted(ids(plain))
        assert [hit.rank for hit in found] == [1, 2, 3]
        assert {hit.found_by for hit in found} == {"exact"}

    def test_what_the_model_is_given(self, ask: Ask) -> None:
        given: list[Any] = []

        def model(question: str, texts: list[str]) -> list[float]:
            given.append((question, sorted(texts)))
            return [0.0] * len(texts)

        plain = ask("search", QUESTION, embedder=EMBEDDER, search_in="chunks")
        assert ask("search", QUESTION, embedder=EMBEDDER, search_in="chunks", rerank=model) == plain
        seen = sorted(text for name, text in TEXTS.items() if name != "board.md")
        assert given == [(QUESTION, seen)]
        ask("search", QUESTION, embedder=EMBEDDER, rerank=model)
        assert given[1][1] == sorted(
            f"{name.removesuffix('.md')}\n{text}" for name, text in TEXTS.items() if name != "board.md"
        )

    def test_candidates_are_six_times_as_many_or_as_said(self, ask: Ask) -> None:
        counts: list[int] = []

        def model(question: str, texts: list[str]) -> list[float]:
            counts.append(len(texts))
            return by_length(question, texts)

        how: dict[str, Any] = {"embedder": EMBEDDER, "rerank": model, "access": WIDE, "max_nodes": 1}
        assert ids(ask("search", QUESTION, **how)) == ["leave.md"]
        assert len(ask("search", QUESTION, widen=2, **how)) == 1
        assert counts == [4, 2]
        assert ask("search", QUESTION, **how | {"max_nodes": 0}) == []

    def test_a_coroutine_function_and_an_array(self, ask: Ask) -> None:
        import numpy as np

        async def later(question: str, texts: list[str]) -> Any:
            await asyncio.sleep(0)
            return np.array(by_length(question, texts), np.float32)

        assert ids(ask("search", QUESTION, embedder=EMBEDDER, rerank=later))[0] == "leave.md"

    def test_with_a_vector_of_ones_own(self, ask: Ask) -> None:
        vector = EMBEDDER.embed_query(QUESTION)
        assert ids(ask("search", QUESTION, embedding=vector, rerank=by_length))[0] == "leave.md"

    def test_of_words_where_it_is_said(self, ask: Ask) -> None:
        found = ask("search", QUESTION, mode="bm25", rerank=by_length, rerank_lexical=True)
        assert ids(found) == ["leave.md", "pay.md"]

    def test_nothing_found(self, ask: Ask) -> None:
        found = ask("search", "unheard", mode="bm25", rerank=no_embedder, rerank_lexical=True)
        assert found == []


def scores(*values: Any) -> Any:
    return lambda question, texts: list(values)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "of words": ({"mode": "bm25", "rerank": by_length}, "rerank must be none in mode bm25"),
    "of both": ({"mode": "hybrid", "rerank": by_length}, "rerank must be none in mode hybrid"),
    "keywords of words": ({"mode": "bm25", "rerank": "keyword"}, "rerank must be none in mode bm25"),
    "an unknown one": ({"rerank": "magic"}, "rerank must be none or keyword"),
    "neither name nor model": ({"rerank": 5}, "rerank must be a text, not int"),
    "too few scores": ({"rerank": scores(1.0)}, "rerank must give a list of 3 scores"),
    "no list": ({"rerank": lambda question, texts: 1.0}, "rerank must give a list of 3 scores"),
    "a text": ({"rerank": lambda question, texts: "abc"}, "rerank must give a list of 3 scores"),
    "NaN": ({"rerank": scores(1.0, float("nan"), 2.0)}, "rerank must give numbers, none of them NaN"),
    "a score in words": ({"rerank": scores(1.0, "high", 2.0)}, "rerank must give numbers"),
    "widen without a model": ({"widen": 3}, "widen is for a reranker of your own"),
    "widen of nothing": ({"rerank": by_length, "widen": 0}, "widen must be a whole number from 1"),
    "widen by a half": ({"rerank": by_length, "widen": 1.5}, "widen must be a whole number from 1"),
    "too many": ({"rerank": by_length, "max_nodes": 201}, "max_nodes must be from 0 to 200"),
    "no number of places": ({"rerank": by_length, "max_nodes": "3"}, "max_nodes must be a whole number"),
    "another mode": ({"mode": "magic"}, "mode must be semantic, bm25 or hybrid"),
    "titles as a number": ({"mode": "hybrid", "title_hits": 1}, "title_hits must be True or False, not int"),
    "a constant of 0": ({"mode": "hybrid", "rrf_k": 0}, "rrf_k must be from 1 to 200"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(ask: Ask, name: str) -> None:
    arguments, message = REFUSED[name]
    with pytest.raises(InvalidArgument, match=message) as caught:
        ask("search", QUESTION, embedder=EMBEDDER, **arguments)
    assert caught.value.hint


@pytest.mark.parametrize("rerank", ["neural", 5])
def test_ways_to_rerank_have_a_function_among_them(ask: Ask, rerank: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        ask("search", QUESTION, embedder=EMBEDDER, rerank=rerank)
    assert str(caught.value.hint).endswith(" In Python also a function that scores texts.")


@pytest.mark.parametrize("mode", ["bm25", "hybrid"])
def test_a_vector_alone_is_no_question_in_words(ask: Ask, mode: str) -> None:
    with pytest.raises(InvalidArgument, match=r"must (not )?be null in mode"):
        ask("search", embedding=[1, 0, 0, 0], mode=mode)
    with pytest.raises(InvalidArgument, match="rerank needs the question in words"):
        ask("search", embedding=[1, 0, 0, 0], rerank=by_length)
    with pytest.raises(InvalidArgument, match="query must not be blank"):
        ask("search", "  ", mode=mode)


def test_what_a_model_raises_comes_through(ask: Ask) -> None:
    def broken(question: str, texts: list[str]) -> list[float]:
        raise RuntimeError("the model is gone")

    with pytest.raises(RuntimeError, match="the model is gone"):
        ask("search", QUESTION, embedder=EMBEDDER, rerank=broken)


def test_a_mode_that_is_no_text(ask: Ask) -> None:
    for method in ("search", "plan", "retrieve", "pipeline"):
        with pytest.raises(InvalidArgument, match="mode must be a text, not list"):
            ask(method, QUESTION, mode=["bm25"], embedder=EMBEDDER)


def test_a_model_reranks_searches_only(ask: Ask) -> None:
    with pytest.raises(InvalidArgument, match='rerank must be "none" or "keyword" in a pipeline'):
        ask("pipeline", QUESTION, rerank=by_length, embedder=EMBEDDER)


def test_hints_are_in_python(ask: Ask) -> None:
    with pytest.raises(InvalidArgument) as caught:
        ask("search", QUESTION, mode="bm25", rerank="keyword")
    assert str(caught.value.hint).endswith("rerank_lexical=True.")
