"""The peers that retrieval is measured beside: those that are installed. Of the others it says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench.corpora.corpus import Corpus
from bench.peers import chroma as chroma_peer
from bench.peers import lance as lance_peer
from bench.peers import langchain as langchain_peer
from bench.peers.langchain import DRIVERS, Questions, Search
from bench.results import Say
from bench.timing import Contender

Within = Sequence[list[str]]
"""For each question the documents that its search is limited to."""


def load_langchain(database: str, documents: Corpus, say: Say) -> bool:
    """Whether it is there."""
    with say.peer("LangChain"):
        langchain_peer.load(database, documents)
        return True
    return False


def langchain(
    database: str, stack: ExitStack, questions: Questions, within: Within | None = None
) -> Iterator[Contender]:
    """By each of its drivers."""
    name = "LangChain" if within is None else "LangChain with $in"
    for driver in DRIVERS:
        search = stack.enter_context(langchain_peer.opened(database, questions, driver))
        yield _contender(f"{name}, {driver}", search, langchain_peer.keys, within)


def others(
    folder: Path, documents: Corpus, questions: Questions, within: Within, say: Say
) -> Iterator[Contender]:
    """Those with a store of their own."""
    stores: list[tuple[str, Callable[[], Search], Callable[[Any], list[str]]]] = [
        (
            "LanceDB, prefilter",
            lambda: lance_peer.opened(folder, documents, questions),
            lance_peer.keys,
        ),
        ("Chroma with $in", lambda: chroma_peer.opened(documents, questions), chroma_peer.keys),
    ]
    for name, opened, keys in stores:
        found = []
        with say.peer(name):
            search = opened()
            search(0, within[0])
            found.append(_contender(name, search, keys, within))
        yield from found


def _contender(
    name: str, search: Search, keys: Callable[[Any], list[str]], within: Within | None
) -> Contender:
    def call(number: int) -> Any:
        return search(number, None if within is None else within[number])

    def read(answer: Any) -> tuple[list[str], list[str]]:
        found = keys(answer)
        return found, list(dict.fromkeys(key.rpartition("#")[0] for key in found))

    return Contender(name, call, read)
