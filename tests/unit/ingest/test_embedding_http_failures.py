"""Endpoints over HTTP that fail: what is tried again, for how long, and that no secret is told."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from docgraph.errors import InvalidArgument
from docgraph.ingest.embedding import EmbedderUnavailable, OpenAIEmbedder, endpoint
from docgraph.ingest.embedding.endpoint import wait_asked_for
from tests.unit.ingest.embedding_server import (
    KEY,
    Answer,
    Server,
    embedder,
    error_of,
    good,
    serving,
    vector_of,
)

pytest.importorskip("httpx", reason="needs docgraph[http]")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving(monkeypatch) as server:
        yield server


# -------------------------------------------------------------------- tried again


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504])
def test_what_may_pass_is_tried_again(server: Server, status: int) -> None:
    server.answer_in_turn((status, {}, {}), (status, {}, {}))
    assert embedder(server).embed_query("a") == vector_of("a")
    assert len(server.requests) == 3


def test_it_gives_up_in_the_end(server: Server) -> None:
    server.answer = lambda _: (500, {}, {"error": KEY})
    error = error_of(lambda: embedder(server, retries=2).embed_query("a"))
    assert isinstance(error, EmbedderUnavailable)
    assert "openai:demo at 127.0.0.1 is not to be had, after 3 tries: status 500." in str(error)
    assert len(server.requests) == 3


def test_a_wait_that_is_asked_for_is_kept(server: Server) -> None:
    server.answer_in_turn((429, {"Retry-After": "1"}, {}))
    started = time.monotonic()
    assert embedder(server).embed_query("a") == vector_of("a")
    assert time.monotonic() - started >= 1


def test_a_wait_that_is_too_long_is_not(server: Server) -> None:
    server.answer = lambda _: (429, {"Retry-After": "86400"}, {})
    error = error_of(lambda: embedder(server).embed_query("a"))
    assert isinstance(error, EmbedderUnavailable)
    assert "at the first try: status 429. It asks to wait 86400 seconds." in str(error)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("header", "seconds"),
    [(None, None), ("7", 7), (" 0 ", 0), ("soon", None), ("-1", None), ("Wed, 21 Oct 2015 07:28:00 GMT", 0)],
)
def test_reading_retry_after(header: str | None, seconds: float | None) -> None:
    assert wait_asked_for(header) == seconds


@pytest.mark.parametrize("zone", ["GMT", "-0000"])
def test_reading_a_date_to_come(zone: str) -> None:
    header = format_datetime(datetime.now(UTC) + timedelta(seconds=50)).replace("+0000", zone)
    assert wait_asked_for(header) == pytest.approx(49, abs=2)


def test_backing_off_grows_and_has_a_limit() -> None:
    for attempt, most in ((0, 0.5), (3, 4.0), (50, 30.0)):
        waits = [endpoint.Endpoint._backoff(attempt) for _ in range(200)]
        assert 0 <= min(waits) < most / 2 < max(waits) <= most


def test_a_slow_server_is_not_waited_for(server: Server) -> None:
    released = threading.Event()

    def never(request: dict[str, Any]) -> Answer:
        released.wait(10)
        return good(request)

    server.answer = never
    error = error_of(lambda: embedder(server, timeout=0.1, retries=1).embed_query("a"))
    released.set()
    assert isinstance(error, EmbedderUnavailable)
    assert "no answer in time" in str(error)
    assert len(server.requests) == 2


def test_nobody_there(server: Server) -> None:
    url = server.url
    server.server_close()
    error = error_of(lambda: OpenAIEmbedder("demo", 3, url, api_key=KEY, retries=1).embed_query("a"))
    assert isinstance(error, EmbedderUnavailable)
    assert "127.0.0.1 is not to be had, after 2 tries: ConnectError" in str(error)


# -------------------------------------------------------------------- keys, passwords, proxies


def test_the_key_of_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\n")
    embedder(server, api_key=None).embed_query("a")
    embedder(server, api_key="").embed_query("a")
    assert [headers.get("Authorization") for headers in server.headers] == [f"Bearer {KEY}", None]


def test_a_password_in_the_address_is_used_and_not_shown(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    url = server.url.replace("://", "://me:hunter2@")
    model = OpenAIEmbedder("demo", 3, url, retries=0)
    assert model.embed_query("a") == vector_of("a")
    assert server.headers[0]["Authorization"].startswith("Basic ")
    server.answer = lambda _: (500, {}, {})
    error_of(lambda: model.embed_query("a"))
    error_of(lambda: OpenAIEmbedder("demo", 3, url, api_key=KEY))
    assert caplog.records
    assert "hunter2" not in caplog.text
    assert KEY not in caplog.text


def test_a_proxy_is_used_and_its_password_not_shown(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("HTTP_PROXY", f"http://me:hunter2@127.0.0.1:{server.server_port}")
    model = OpenAIEmbedder("demo", 3, "http://embeddings.test/v1", api_key=KEY, retries=0)
    assert model.embed_query("a") == vector_of("a")
    assert server.paths == ["http://embeddings.test/v1/embeddings"]
    assert "Proxy-Authorization" in server.headers[0]
    server.answer = lambda _: (502, {}, {})
    assert "embeddings.test" in str(error_of(lambda: model.embed_query("a")))
    assert caplog.records
    assert "hunter2" not in caplog.text
    assert KEY not in caplog.text


def test_a_proxy_that_cannot_be_used(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "gopher://me:hunter2@127.0.0.1:1")
    assert "HTTP_PROXY" in str(error_of(lambda: embedder(server)))


@pytest.mark.parametrize("key", ["sk-\u00e4", "sk-very-secret\nX-Other: 1", "sk\x00"])
def test_a_key_that_is_none(server: Server, key: str) -> None:
    assert "API key" in str(error_of(lambda: embedder(server, api_key=key)))


@pytest.mark.parametrize(
    "url",
    ["", "localhost:11434/v1", "ftp://me:hunter2@host/v1", "http://", "http://[hunter2/v1", None],
)
def test_an_address_that_is_none(server: Server, url: Any) -> None:
    assert "base_url" in str(error_of(lambda: OpenAIEmbedder("demo", 3, url)))


def test_openai_itself_needs_a_key(server: Server) -> None:
    assert "OPENAI_API_KEY" in str(error_of(lambda: OpenAIEmbedder("text-embedding-3-small", 1536)))


@pytest.mark.parametrize(
    ("option", "value"), [("batch_size", 0), ("concurrency", 0), ("retries", -1), ("dimensions", 0)]
)
def test_parameters_out_of_range(server: Server, option: str, value: int) -> None:
    with pytest.raises(InvalidArgument, match=option):
        embedder(server, **{option: value})


def test_half_a_character_is_refused(server: Server) -> None:
    assert "Unicode" in str(error_of(lambda: embedder(server).embed_documents(["a", "\ud83d"])))


def test_connections_are_closed_with_the_embedder(server: Server) -> None:
    """Else the garbage collector would warn, which is an error here."""
    model = embedder(server)
    model.embed_query("a")
    client = model._endpoint._client
    del model
    assert client.is_closed
