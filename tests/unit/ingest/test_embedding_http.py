"""Endpoints over HTTP, against a real server on this machine: what is sent, and what may come back."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from docgraph.errors import InvalidArgument
from docgraph.ingest.embedding import openai
from tests.unit.ingest.embedding_server import (
    KEY,
    Answer,
    Server,
    embedder,
    error_of,
    good,
    serving,
    vector_of,
    vectors,
)

pytest.importorskip("httpx", reason="needs docgraph[http]")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving(monkeypatch) as server:
        yield server


# -------------------------------------------------------------------- requests and answers


def test_what_is_sent(server: Server) -> None:
    model = embedder(server, document_prefix="passage: ", query_prefix="query: ")
    assert model.embed_documents(["a", ""]) == [vector_of("passage: a"), vector_of("passage: ")]
    assert model.embed_query("b") == vector_of("query: b")
    assert server.requests == [
        {"model": "demo", "input": ["passage: a", "passage: "]},
        {"model": "demo", "input": ["query: b"]},
    ]
    assert server.paths == ["/v1/embeddings"] * 2
    assert {headers["Authorization"] for headers in server.headers} == {f"Bearer {KEY}"}


def test_dimensions_are_sent_if_asked(server: Server) -> None:
    embedder(server, send_dimensions=True).embed_query("a")
    assert server.requests == [{"model": "demo", "input": ["a"], "dimensions": 3}]


def test_an_empty_text_is_sent_as_a_space(server: Server) -> None:
    embedder(server).embed_documents(["", "a"])
    assert server.requests[0]["input"] == [" ", "a"]


def test_no_texts_no_request(server: Server) -> None:
    assert embedder(server).embed_documents([]) == []
    assert server.requests == []


def test_the_order_is_that_of_the_texts(server: Server) -> None:
    server.answer = lambda request: (200, {}, {"data": vectors(request["input"])[::-1]})
    texts = ["x" * length for length in range(1, 50)]
    assert embedder(server, batch_size=7).embed_documents(texts) == [vector_of(text) for text in texts]


def test_batches_by_number_and_by_characters(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai, "MAX_CHARACTERS", 10)
    texts = ["1", "2", "3", "4", "x" * 8, "y" * 3, "z" * 30, "5"]
    embedder(server, batch_size=3, concurrency=1).embed_documents(texts)
    sent = [request["input"] for request in server.requests]
    assert sent == [["1", "2", "3"], ["4", "x" * 8], ["y" * 3], ["z" * 30], ["5"]]


def test_never_more_at_a_time_than_allowed(server: Server) -> None:
    """Of all threads together, that use the same embedder."""

    def slowly(request: dict[str, Any]) -> Answer:
        time.sleep(0.03)
        return good(request)

    server.answer = slowly
    model = embedder(server, batch_size=1, concurrency=3)
    threads = [threading.Thread(target=model.embed_documents, args=(["a"] * 10,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.requests) == 30
    assert server.most == 3


def test_a_batch_that_is_too_much_is_halved(server: Server) -> None:
    def picky(request: dict[str, Any]) -> Answer:
        if len(request["input"]) > 3:
            return 413, {}, {"error": "batch size 8 > maximum allowed batch size 3"}
        return good(request)

    server.answer = picky
    texts = ["x" * length for length in range(1, 9)]
    assert embedder(server).embed_documents(texts) == [vector_of(text) for text in texts]
    assert [len(request["input"]) for request in server.requests] == [8, 4, 2, 2, 4, 2, 2]


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "This model's maximum context length is 8192 tokens, however you requested 9000 tokens"),
        (400, "Requested 400000 tokens, max 300000 tokens per request"),
        (400, "the input length exceeds the context length"),
        (422, "`inputs` must have less than 512 tokens. Given: 600"),
        (413, "Payload Too Large"),
    ],
)
def test_a_text_that_is_too_long_is_an_error(server: Server, status: int, said: str) -> None:
    def picky(request: dict[str, Any]) -> Answer:
        return (status, {}, {"error": said}) if "long" in request["input"] else good(request)

    server.answer = picky
    error = error_of(lambda: embedder(server, concurrency=1).embed_documents(["a", "b", "c", "long"]))
    assert isinstance(error, InvalidArgument)
    assert "A text of 4 characters is too long for the model openai:demo" in str(error)
    assert said in str(error)
    assert [len(request["input"]) for request in server.requests] == [4, 2, 2, 1, 1]


# -------------------------------------------------------------------- wrong answers


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ({"data": [{"index": 0, "embedding": [1, 2]}]}, "3 dimensions, and gave a vector with 2"),
        ({"data": []}, "0 vectors for 1 texts"),
        ({"data": [{"index": 1, "embedding": [1, 2, 3]}]}, "1 vectors for 1 texts"),
        ({"data": [{"index": n, "embedding": [1, 2, 3]} for n in range(2)]}, "2 vectors for 1 texts"),
        ({"data": [{"index": 0, "embedding": [1, float("nan"), 3]}]}, "not finite"),
        ({"data": [{"index": 0, "embedding": [1, None, 3]}]}, "not finite"),
        ({"data": [{"index": 0, "embedding": [0, 0, 0]}]}, "nothing but zeros"),
        ({"data": [{"index": 0, "embedding": "AACAPw=="}]}, "no list of numbers"),
        ({"data": [{"index": 0}]}, "something else than vectors"),
        ({"data": None}, "something else than vectors"),
        ({"models": []}, "something else than vectors"),
        ([], "something else than vectors"),
        (b"<html>Log in</html>", "something else than JSON"),
        (b"", "something else than JSON"),
    ],
)
def test_a_wrong_answer_is_an_error(server: Server, payload: object, said: str) -> None:
    server.answer = lambda _: (200, {}, payload)
    error = error_of(lambda: embedder(server).embed_query("a"))
    assert isinstance(error, InvalidArgument)
    assert "openai:demo" in str(error)
    assert said in str(error)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (400, "name of the model"),
        (401, "OPENAI_API_KEY"),
        (403, "permissions"),
        (404, "ollama pull"),
        (302, "base_url"),
        (418, "base_url"),
    ],
)
def test_a_refusal_is_not_tried_again(server: Server, status: int, hint: str) -> None:
    server.answer = lambda _: (status, {"Location": "/elsewhere"}, {"error": f"no, {KEY} is not good"})
    error = error_of(lambda: embedder(server).embed_query("a"))
    assert isinstance(error, InvalidArgument)
    assert f"openai:demo at 127.0.0.1 was refused with status {status}" in str(error)
    assert hint in str(error)
    assert ("is not good" in str(error)) == (status not in {401, 403})
    assert len(server.requests) == 1


def test_one_failed_batch_ends_the_others(server: Server) -> None:
    """Those that wait for another try do not hold up the error."""

    def answer(request: dict[str, Any]) -> Answer:
        if request["input"] == ["bad"]:
            time.sleep(0.05)
            return 404, {}, {}
        return 503, {"Retry-After": "60"}, {}

    server.answer = answer
    started = time.monotonic()
    error = error_of(lambda: embedder(server, batch_size=1).embed_documents(["a", "b", "bad", "c", "d"]))
    assert "status 404" in str(error)
    assert time.monotonic() - started < 10
