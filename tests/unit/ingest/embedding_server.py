"""An endpoint for embeddings on this machine, that answers as it is told."""

from __future__ import annotations

import json
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from docgraph.errors import DocgraphError
from docgraph.ingest.embedding import OpenAIEmbedder, endpoint

KEY = "sk-very-secret"
Answer = tuple[int, dict[str, str], object]


def vector_of(text: str) -> list[float]:
    return [float(len(text)), 1.0, 0.5]


def vectors(texts: list[str]) -> list[dict[str, Any]]:
    return [{"index": place, "embedding": vector_of(text)} for place, text in enumerate(texts)]


def good(request: dict[str, Any]) -> Answer:
    return 200, {}, {"data": vectors(request["input"])}


class Server(ThreadingHTTPServer):
    """`answer` says what comes back; `requests` and `headers` are what came in, `most` how many at a time."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer: Callable[[dict[str, Any]], Answer] = good
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.lock = threading.Lock()
        self.now = self.most = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def answer_in_turn(self, *answers: Answer | None) -> None:
        """One after the other; None and whatever comes after the last is a good one."""
        left = iter(answers)
        self.answer = lambda request: next(left, None) or good(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is not worth a traceback."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.requests.append(request)
            self.server.headers.append(dict(self.headers))
            self.server.paths.append(self.path)
            self.server.now += 1
            self.server.most = max(self.server.most, self.server.now)
        try:
            status, headers, payload = self.server.answer(request)
        finally:
            with self.server.lock:
                self.server.now -= 1
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@contextmanager
def serving(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server, in an environment without keys and proxies, whose clients are quick to try again."""
    for scheme in ("http", "https", "all", "no"):
        for name in (f"{scheme}_proxy", f"{scheme}_proxy".upper()):
            monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(endpoint, "FIRST_WAIT", 0.001)
    with Server() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


def embedder(server: Server, **options: Any) -> OpenAIEmbedder:
    return OpenAIEmbedder(
        **{"model": "demo", "dimensions": 3, "base_url": server.url, "api_key": KEY, **options}
    )


def error_of(call: Callable[[], object]) -> DocgraphError:
    """The error, which has nothing secret anywhere in it."""
    with pytest.raises(DocgraphError) as caught:
        call()
    error = caught.value
    everything = [repr(error), str(error), error.detail or "", *traceback.format_exception(error)]
    assert not any(KEY in text or "hunter2" in text for text in everything)
    return error
