"""The peers that retrieval is measured beside: those that are installed. Of the others it says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from bench.corpora.corpus import Corpus
from bench.peers import chroma as chroma_peer
from bench.peers import lance as lance_peer
from bench.peers import langchain as langchain_peer
from bench.peers.langchain import DRIVERS, Keys, Questions, Search
from bench.results import Say
from bench.timing import Contender, tried

Within = Sequence[list[str]]
"""For each question the documents that its search is limited to."""


def load_langchain(database: str, documents: Corpus, say: Say) -> dict[str, float]:
    """The seconds that each of its indexes took; none where it is not there."""
    with say.peer("LangChain"):
        return langchain_peer.load(database, documents)
    return {}


def langchain(
    database: str, stack: ExitStack, questions: Questions, say: Say, within: Within | None = None
) -> Iterator[Contender]:
    """By each of its drivers."""
    name = "LangChain" if within is None else "LangChain with $in"
    for driver in DRIVERS:
        opening = partial(stack.enter_context, langchain_peer.opened(database, questions, driver))
        yield from _tried(f"{name}, {driver}", opening, langchain_peer.keys, within, say)


def others(
    folder: Path, documents: Corpus, questions: Questions, within: Within, say: Say
) -> Iterator[Contender]:
    """Those with a store of their own."""
    lance = partial(lance_peer.opened, folder, documents, questions)
    yield from _tried("LanceDB, prefilter", lance, lance_peer.keys, within, say)
    chroma = partial(chroma_peer.opened, documents, questions)
    yield from _tried("Chroma with $in", chroma, chroma_peer.keys, within, say)


def _tried(
    name: str, opening: Callable[[], Search], keys: Keys, within: Within | None, say: Say
) -> Iterator[Contender]:
    return tried(name, lambda: _contender(name, opening(), keys, within), say)


def _contender(name: str, search: Search, keys: Keys, within: Within | None) -> Contender:
    def call(number: int) -> Any:
        return search(number, None if within is None else within[number])

    def read(answer: Any) -> tuple[list[str], list[str]]:
        found = keys(answer)
        return found, list(dict.fromkeys(key.rpartition("#")[0] for key in found))

    return Contender(name, call, read)
