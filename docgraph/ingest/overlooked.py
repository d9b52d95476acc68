"""What front matter asks for in a way that nobody hears: said once for each key of a run."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache

from docgraph.ingest.attributes import KEYS
from docgraph.ingest.keys import RELATIONS, key_of
from docgraph.ingest.links.names import words
from docgraph.ingest.types import Parsed
from docgraph.plain import counted

_OF_A_RUN = frozenset({"repository", "snapshot"})
_MEANT = sorted({*RELATIONS, "access", "relations"})
_CLOSE = 0.9
"""How like a known key another must be, of 1: `superceded_by` is 0.92, `updated` for `updates` only 0.86."""
_MOST = 20


class Overlooked:
    """Counts the documents that say the same in vain."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def look(self, parsed: Parsed) -> None:
        """Of one document, once."""
        for said in (*_unguarded(parsed), *_misspelt(parsed)):
            number, first = self._found.get(said, (0, parsed.path))
            if number or len(self._found) < _MOST:
                self._found[said] = number + 1, first

    @property
    def notes(self) -> list[str]:
        """One for each key."""
        return [
            f"{said} ({counted(number, 'document')}, {first}{' for one' if number > 1 else ''})"
            for said, (number, first) in self._found.items()
        ]


def _unguarded(parsed: Parsed) -> Iterator[str]:
    """Whoever writes `clearance: 3` at the top may believe that it restricts the document."""
    access = parsed.front_matter.get("access")
    restricted = access if isinstance(access, dict) else {}
    for key in parsed.front_matter:
        if key in KEYS and key not in restricted:
            yield (
                f"`{key}` at the top of front matter is metadata, and restricts nobody. To restrict who may "
                f"see a document, write it under `access:`, or give the run --{key}."
            )
        elif key in _OF_A_RUN:
            yield (
                f"`{key}` in front matter is metadata, and restricts nobody. To give documents a {key}, "
                f"give the run --{key}."
            )


def _misspelt(parsed: Parsed) -> Iterator[str]:
    for key, value in {**dict(parsed.fields), **parsed.front_matter}.items():
        names_something = isinstance(value, dict) or any(words(value))
        if names_something and key != "access" and (meant := _meant(key_of(key))):
            yield f"`{key}` is metadata, and nothing else. Did you mean `{meant}`?"


@lru_cache(maxsize=1024)
def _meant(key: str) -> str:
    """The key that this one nearly is."""
    if key in RELATIONS or key == "relations":
        return ""
    return next(iter(get_close_matches(key, _MEANT, n=1, cutoff=_CLOSE)), "")
