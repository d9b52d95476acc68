"""Mentions of other documents by their exact titles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from docgraph.ingest.links.found import Found

_TOKEN = re.compile(r"\w+|[^\w\s]")
_LONGEST = 60  # tokens


@dataclass(slots=True)
class _Node:
    """A place in the tree of titles: the next words, and the title that ends here."""

    next: dict[str, _Node] = field(default_factory=dict)
    title: str | None = None


class Titles:
    """Finds titles in a text: case-sensitive, in whole words, the longest where several begin together.

    A title of one short word, or in more documents than `cap`, is a common word and not looked for.
    """

    def __init__(self, titles: Mapping[str, str], frequency: Mapping[str, int], cap: int) -> None:
        self._ids: dict[str, str] = {}
        self._root = _Node()
        for title, to in titles.items():
            known = " ".join(title.split())
            common = frequency.get(title, 0) > cap or (" " not in known and len(known) < 8)
            tokens = _TOKEN.findall(known)
            if common or not 0 < len(tokens) <= _LONGEST:
                continue
            node = self._root
            for token in tokens:
                node = node.next.setdefault(token, _Node())
            node.title = known
            self._ids[known] = to

    def mentions(self, text: str) -> Iterator[Found]:
        """In order; none overlaps another."""
        done = 0
        for token in _TOKEN.finditer(text):
            if token.start() >= done and token[0] in self._root.next:
                title, end = self._longest(text, token.start())
                if title:
                    done = end
                    yield Found(self._ids[title], token.start(), end)

    def _longest(self, text: str, start: int) -> tuple[str | None, int]:
        node, title, end = self._root, None, start
        for token in _TOKEN.finditer(text, start):
            following = node.next.get(token[0])
            if following is None:
                break
            node = following
            # The same words with other blanks between them are something else: "A-B" and "A - B".
            if node.title and " ".join(text[start : token.end()].split()) == node.title:
                title, end = node.title, token.end()
        return title, end
