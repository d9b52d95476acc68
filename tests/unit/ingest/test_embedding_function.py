"""Functions, and models of sentence-transformers, as embedders.

The weights of no such model can be had without a network, so that library is played here: what is tested is
which of its methods are called, and with what.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Sequence
from contextvars import ContextVar
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from docgraph.errors import InvalidArgument
from docgraph.ingest.embedding import CallableEmbedder, SentenceTransformerEmbedder
from docgraph.ingest.types import Embedder

TENANT: ContextVar[str] = ContextVar("tenant", default="nobody")


def lengths(texts: list[str]) -> list[list[float]]:
    return [[float(len(text)), 1.0] for text in texts]


async def lengths_later(texts: list[str]) -> list[list[float]]:
    await asyncio.sleep(0)
    return lengths(texts)


class Client:
    """An object whose call is a coroutine."""

    async def __call__(self, texts: list[str]) -> list[list[float]]:
        return lengths(texts)


@pytest.mark.parametrize(
    "function", [lengths, lengths_later, Client(), lambda texts: np.array(lengths(texts))]
)
def test_any_function_will_do(function: Any) -> None:
    model = CallableEmbedder(function, "demo", 2)
    assert isinstance(model, Embedder)
    assert model.embed_documents(["a", "bbb"]) == [[1.0, 1.0], [3.0, 1.0]]
    assert model.embed_query("cc") == [2.0, 1.0]
    assert model.embed_documents([]) == []


def test_a_coroutine_function_under_a_running_loop() -> None:
    """The loop is waiting meanwhile; context goes along."""
    threads: list[int] = []

    async def function(texts: list[str]) -> list[list[float]]:
        threads.append(threading.get_ident())
        assert TENANT.get() == "me"
        return await lengths_later(texts)

    async def main() -> list[list[float]]:
        TENANT.set("me")
        return CallableEmbedder(function, "demo", 2).embed_documents(["a"])

    assert asyncio.run(main()) == [[1.0, 1.0]]
    assert threads != [threading.get_ident()]


def test_batches() -> None:
    seen: list[list[str]] = []

    def function(texts: list[str]) -> list[list[float]]:
        seen.append(texts)
        return lengths(texts)

    found = CallableEmbedder(function, "demo", 2, batch_size=2).embed_documents(("a", "bb", "ccc"))
    assert found == [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]
    assert seen == [["a", "bb"], ["ccc"]]


async def reversed_later(text: str) -> Sequence[float]:
    return [1.0, float(len(text))]


@pytest.mark.parametrize("query", [lambda text: [1.0, float(len(text))], reversed_later])
def test_queries_of_their_own(query: Any) -> None:
    model = CallableEmbedder(lengths, "demo", 2, query=query)
    assert model.embed_query("aaa") == [1.0, 3.0]
    assert model.embed_documents(["aaa"]) == [[3.0, 1.0]]


def test_tokens() -> None:
    assert CallableEmbedder(lengths, "demo", 2).count_tokens("x" * 9) == 3
    assert CallableEmbedder(lengths, "demo", 2, count_tokens=len).count_tokens("x" * 9) == 9


def test_what_it_gives_is_checked_and_what_it_raises_is_not_hidden() -> None:
    with pytest.raises(InvalidArgument, match="demo gave 1 vector for 2 texts"):
        CallableEmbedder(lambda texts: [[1.0, 2.0]], "demo", 2).embed_documents(["a", "b"])
    with pytest.raises(InvalidArgument, match="demo gave nothing but zeros"):
        CallableEmbedder(lengths, "demo", 2, query=lambda text: [0.0, 0.0]).embed_query("a")
    with pytest.raises(ZeroDivisionError):
        CallableEmbedder(lambda texts: [[1 / 0]], "demo", 1).embed_documents(["a"])


@pytest.mark.parametrize("option", ["dimensions", "batch_size"])
def test_parameters_out_of_range(option: str) -> None:
    options: dict[str, Any] = {"dimensions": 2, "batch_size": 2, option: 0}
    with pytest.raises(InvalidArgument, match=option):
        CallableEmbedder(lengths, "demo", **options)


# -------------------------------------------------------------------- sentence-transformers


class Release4:
    """As sentence-transformers up to release 4."""

    tokenizer: Any = SimpleNamespace(tokenize=str.split)

    def __init__(self, model: str) -> None:
        if model == "none":
            raise OSError("none is not a local folder and is not a valid model identifier")

    def get_sentence_embedding_dimension(self) -> int | None:
        return 3

    def encode(self, sentences: list[str], *, batch_size: int, show_progress_bar: bool) -> Any:
        assert isinstance(sentences, list)
        assert (batch_size, show_progress_bar) == (32, False)
        return np.array([[1.0, len(text), 0.0] for text in sentences], dtype=np.float32)


class Release5(Release4):
    """With methods for documents and for queries."""

    def get_embedding_dimension(self) -> int:
        return 3

    def encode_document(self, sentences: list[str], **options: Any) -> Any:
        return np.add(self.encode(sentences, **options), [0, 0, 1])

    def encode_query(self, sentences: list[str], **options: Any) -> Any:
        return np.add(self.encode(sentences, **options), [0, 0, 2])


def play(monkeypatch: pytest.MonkeyPatch, model: type) -> None:
    library = ModuleType("sentence_transformers")
    library.SentenceTransformer = model  # type: ignore[attr-defined]  # a module made for the test
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)


def test_release_4(monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, Release4)
    model = SentenceTransformerEmbedder("demo")
    assert isinstance(model, Embedder)
    assert (model.name, model.dimensions) == ("sentence-transformers:demo", 3)
    assert model.embed_documents(("a", "bb")) == [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0]]
    assert model.embed_query("bb") == [1.0, 2.0, 0.0]
    assert model.count_tokens("three short words") == 3


def test_release_5(monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, Release5)
    model = SentenceTransformerEmbedder("demo", 3)
    assert model.embed_documents(["a"]) == [[1.0, 1.0, 1.0]]
    assert model.embed_query("a") == [1.0, 1.0, 2.0]


def test_without_a_tokenizer_tokens_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, type("Untold", (Release4,), {"tokenizer": None}))
    assert SentenceTransformerEmbedder("demo").count_tokens("x" * 9) == 3


def test_dimensions_are_those_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, Release4)
    with pytest.raises(InvalidArgument, match="demo has 3 dimensions, not 4"):
        SentenceTransformerEmbedder("demo", 4)
    play(monkeypatch, type("Silent", (Release4,), {"get_sentence_embedding_dimension": lambda self: None}))
    assert SentenceTransformerEmbedder("demo", 3).embed_query("a") == [1.0, 1.0, 0.0]
    with pytest.raises(InvalidArgument, match="does not say its dimensions"):
        SentenceTransformerEmbedder("demo")


def test_a_model_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, Release4)
    with pytest.raises(InvalidArgument, match="sentence-transformers:none cannot be loaded: none is not"):
        SentenceTransformerEmbedder("none")
