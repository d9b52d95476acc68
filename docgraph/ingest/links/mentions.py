"""Mentions of other documents by their titles."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from docgraph.ingest.links.found import Found

Ids = str | Collection[str]
"""Of the document that has a title, or of those that have it."""

_TOKEN = re.compile(r"\w+|[^\w\s]")
_IN_PARENTHESES = re.compile(r"\s+\([^()]*\)$")  # not those of a function: open()
_LONGEST = 60  # tokens
_SHORTEST = 4  # characters of a title of one word


@dataclass(slots=True)
class _Node:
    """A place in the tree of titles: the next words, and the title that ends here."""

    next: dict[str, _Node] = field(default_factory=dict)
    title: str | None = None


class Titles:
    """Finds titles in a text: case-sensitive, in whole words, the longest where several begin together.

    Nobody writes "Mercury (planet)" in a sentence: what stands in parentheses at the end of a title is left
    out, unless another title is just that. A title of one very short word, or one that stands in more
    documents than `cap`, is a common word and not looked for.
    """

    def __init__(self, titles: Mapping[str, Ids], frequency: Mapping[str, int], cap: int) -> None:
        self._ids: dict[str, list[str]] = {}
        self._root = _Node()
        known = {title: " ".join(title.split()) for title in titles}
        whole = set(known.values())
        for title, ids in titles.items():
            bare = _IN_PARENTHESES.sub("", known[title])
            for name in {known[title], known[title] if bare in whole else bare}:
                # Counted under either: whoever counts may do so by title, or by what stands in texts.
                if max(frequency.get(title, 0), frequency.get(name, 0)) <= cap:
                    self._add(name, [ids] if isinstance(ids, str) else ids)

    def _add(self, title: str, ids: Collection[str]) -> None:
        tokens = _TOKEN.findall(title)
        if not 0 < len(tokens) <= _LONGEST or (" " not in title and len(title) < _SHORTEST):
            return
        node = self._root
        for token in tokens:
            node = node.next.setdefault(token, _Node())
        node.title = title
        self._ids[title] = sorted({*self._ids.get(title, ()), *ids})

    def mentions(self, text: str) -> Iterator[Found]:
        """In order; none overlaps another."""
        done = 0
        for token in _TOKEN.finditer(text):
            if token.start() >= done and token[0] in self._root.next:
                title, end = self._longest(text, token.start())
                if title:
                    done = end
                    yield from (Found(to, token.start(), end) for to in self._ids[title])

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
