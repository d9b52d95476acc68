"""One HTTP endpoint: sends a request until it is answered, refused for good, or enough is enough.

Nothing said here holds more of the address than the host: the rest of it, and the key, may be secret.
"""

from __future__ import annotations

import os
import random
import re
import threading
import weakref
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from docgraph.errors import InvalidArgument
from docgraph.ingest.embedding.errors import EmbedderUnavailable, no_unicode
from docgraph.ingest.embedding.packages import required

EXTRA = "http"
FIRST_WAIT = 0.5
LONGEST_BACKOFF = 30.0
LONGEST_WAIT = 120.0
"""Seconds. A server that asks for more is not waited for."""
_WORTH_A_RETRY = frozenset({408, 409, 425, 429})
_HINTS = {
    400: "The server does not take the request: look at the name of the model and at its dimensions.",
    401: "Give the key as api_key, or set OPENAI_API_KEY.",
    403: "The key is not allowed to use this model: look at its permissions.",
    404: "Is the model's name right, is it there (for Ollama: `ollama pull`), and does base_url end in /v1?",
}
# As OpenAI, vLLM, TEI and Ollama say it; there is no code for it.
_TOO_MUCH = re.compile(
    r"context length|tokens per request|less than \d+ tokens|maximum allowed batch|too (many|long|large)",
    re.I,
)


class TooMuch(Exception):
    """The request is too large for the server: fewer texts, or shorter ones, may do."""


class Endpoint:
    """POST to one address, with retries. Safe to use from several threads."""

    def __init__(
        self, url: str, path: str, *, key: str | None, timeout: float, retries: int, model: str
    ) -> None:
        httpx = self._httpx = required("httpx", EXTRA, f"The model {model}")
        self._model, self._retries = model, retries
        try:
            address = httpx.URL(url)
            # A host with other characters is no host but, who knows, a part of a password.
            readable = address.scheme in {"http", "https"} and re.fullmatch(r"[\w.:-]+", address.host)
        except (httpx.InvalidURL, TypeError):
            readable = None
        if not readable:
            raise InvalidArgument(
                "base_url is not an HTTP address.", hint="It looks like http://localhost:11434/v1"
            )
        login = (address.username, address.password) if address.userinfo else None
        if login and key:
            raise InvalidArgument(
                "There are two ways to log in: a password in base_url, and api_key.", hint="Leave one out."
            )
        self.host: str = address.host
        self._key = ("" if login else os.environ.get("OPENAI_API_KEY", "")) if key is None else key
        self._key = self._key.strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise InvalidArgument("The API key has characters in it that no key has.")
        if self.host == "api.openai.com" and not self._key and not login:
            raise InvalidArgument(f"The model {model} needs a key.", hint=_HINTS[401])
        # The password goes out of the address, which httpx writes to its log.
        self._url = address.copy_with(userinfo=b"", path=address.path.rstrip("/") + path)
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        try:
            self._client = httpx.Client(headers=headers, auth=login, timeout=timeout)
            weakref.finalize(self, self._client.close)
        except (ValueError, ImportError, httpx.InvalidURL):
            # The reason would quote the address of the proxy, which may hold a password.
            raise InvalidArgument(
                "The proxy that the environment names cannot be used.",
                hint="Look at HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY.",
            ) from None

    def post(self, body: dict[str, Any], stop: threading.Event) -> Any:
        """The answer, read as JSON. `stop` ends the waiting: another request has failed for good."""
        for attempt in range(self._retries + 1):
            response, reason, asked = self._attempt(body)
            if response is not None:
                return self._read(response)
            wait = self._backoff(attempt) if asked is None else asked
            if attempt == self._retries or wait > LONGEST_WAIT or stop.wait(wait):
                break
        more = f" It asks to wait {wait:.0f} seconds." if asked is not None and wait > LONGEST_WAIT else ""
        tries = f"after {attempt + 1} tries" if attempt else "at the first try"
        raise EmbedderUnavailable(
            f"The model {self._model} at {self.host} is not to be had, {tries}: {reason}.{more}",
            hint="Is the server running, and is the address right? Try again later.",
        )

    def _attempt(self, body: dict[str, Any]) -> tuple[Any, str, float | None]:
        """A response of which more tries would change nothing, or why to try again, and when."""
        try:
            response = self._client.post(self._url, json=body)
        except self._httpx.TimeoutException:
            return None, "no answer in time", None
        except UnicodeEncodeError:
            raise no_unicode(self._model) from None
        except self._httpx.RequestError as error:
            return None, self._without_key(f"{type(error).__name__}: {error}"), None
        status: int = response.status_code
        if status in _WORTH_A_RETRY or status >= 500:
            return None, f"status {status}", wait_asked_for(response.headers.get("Retry-After"))
        return response, "", None

    def _read(self, response: Any) -> Any:
        status: int = response.status_code
        # A key that is wrong is quoted in part by some servers.
        said = "" if status in {401, 403} else self._without_key(" ".join(response.text.split()))[:300]
        if status == 413 or (status in {400, 422} and _TOO_MUCH.search(said)):
            raise TooMuch(said)
        if status != 200:
            raise InvalidArgument(
                f"The model {self._model} at {self.host} was refused with status {status}"
                f"{f': {said}' if said else '.'}",
                hint=_HINTS.get(status, "Look at base_url: does it end in /v1?"),
            )
        try:
            return response.json()
        except ValueError:
            raise InvalidArgument(
                f"{self.host} answered for the model {self._model} with something else than JSON.",
                hint="Look at base_url: does it end in /v1?",
            ) from None

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text

    @staticmethod
    def _backoff(attempt: int) -> float:
        """Full jitter: many clients that failed together do not come back together."""
        return random.uniform(0, min(LONGEST_BACKOFF, FIRST_WAIT * 2**attempt))  # noqa: S311 - no secret


def wait_asked_for(header: str | None) -> float | None:
    """Seconds to wait by a Retry-After header: a number, or a date of HTTP. None if there is none to read."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        when = parsedate_to_datetime(header)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
