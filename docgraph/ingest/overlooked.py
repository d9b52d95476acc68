"""What front matter asks for in a way that nobody hears: said once for each key of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache

from docgraph.ingest.attributes import KEYS
from docgraph.ingest.keys import RELATIONS, key_of
from docgraph.ingest.links.names import entries, words
from docgraph.ingest.links.relations import misshapen
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
        for said in (*_unguarded(parsed), *_misspelt(parsed), *_misshapen(parsed)):
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
    for key, value in parsed.front_matter.items():
        meant = _restriction(key_of(key))
        if meant in KEYS and not _asks_too(restricted, meant, value):
            it = "it" if key == meant else f"`{meant}`"
            yield (
                f"`{key}` at the top of front matter is metadata, and restricts nobody. To restrict who may "
                f"see a document, write {it} under `access:`, or give the run --{meant}."
            )
        elif meant in _OF_A_RUN:
            yield (
                f"`{key}` in front matter is metadata, and restricts nobody. To give documents a {meant}, "
                f"give the run --{meant}."
            )


def _asks_too(restricted: Mapping[str, object], key: str, value: object) -> bool:
    """Whether `access:` has all of it as well: then its author knows where it belongs."""
    asked = entries(restricted.get(key))
    return key in restricted and all(entry in asked for entry in entries(value))


def _restriction(key: str) -> str:
    """The restriction that this key is, or is but for one slip."""
    return next((known for known in (*KEYS, *_OF_A_RUN) if _is_a_slip(key, known)), "")


def _is_a_slip(key: str, known: str) -> bool:
    """One letter too many, too few or wrong, or two in the wrong order. How like two words are in all says
    too little where they are short: `stages` is about as like `tags` as `lables` is like `labels`."""
    shorter = min(len(key), len(known))
    same = next((at for at in range(shorter) if key[at] != known[at]), shorter)
    rest, due = key[same:], known[same:]
    return rest == due[1:] or rest[1:] in {due, due[1:]} or (rest[1::-1] == due[:2] and rest[2:] == due[2:])


def _misspelt(parsed: Parsed) -> Iterator[str]:
    for key, value in {**dict(parsed.fields), **parsed.front_matter}.items():
        names_something = isinstance(value, dict) or any(words(value))
        if names_something and key != "access" and (meant := _meant(key_of(key))):
            yield f"`{key}` is metadata, and nothing else. Did you mean `{meant}`?"


def _misshapen(parsed: Parsed) -> Iterator[str]:
    for key in misshapen(parsed.front_matter):
        shape = (
            "holds `type: document`, and a list of documents where there are several"
            if key_of(key) == "relations"
            else "names a document by a text or a number, and several by a list of them"
        )
        yield f"`{key}` in front matter {shape}. What has another shape there makes no relationship."


@lru_cache(maxsize=1024)
def _meant(key: str) -> str:
    """The key that this one nearly is."""
    if key in RELATIONS or key == "relations":
        return ""
    return next(iter(get_close_matches(key, _MEANT, n=1, cutoff=_CLOSE)), "")
