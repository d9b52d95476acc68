"""Relations that a document states outright: in its front matter, and in typed header fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from docgraph.documents import Link
from docgraph.ingest.keys import key_of, relation_of
from docgraph.ingest.links.found import cut
from docgraph.ingest.links.names import own_identifiers, words
from docgraph.ingest.links.prose import blanked
from docgraph.ingest.links.targets import DOCUMENT_SUFFIXES, Targets
from docgraph.ingest.markup.suffixes import suffix_of
from docgraph.ingest.types import Parsed

_STATUS = re.compile(r"(superseded|replaced|obsoleted|amended)[ -]by\b[ :]*(.+)", re.IGNORECASE | re.DOTALL)
_WITHIN = re.compile(
    r"\[\[[^\[\]\n]{1,400}\]\]|\[[^\[\]\n]{0,400}\]\([^()\s]{1,2000}\)|:(pep|rfc):`([0-9]{1,9})`|`[^`\n]{1,500}`_{0,2}"
)
_SEPARATOR = re.compile(r"[,;]|\band\b|&")


# -------------------------------------------------------------------- front matter


def front_matter_links(parsed: Parsed, targets: Targets) -> Iterator[Link]:
    """Of the keys that are relations, of `relations` for any type, and of "superseded by" in a status."""
    series = _series(parsed, targets)
    for key, value in parsed.front_matter.items():
        if key_of(key) == "relations":
            typed = list(_typed(value))
        elif key_of(key) == "status":
            yield from _status_links(f"front matter: {key}", str(value), parsed.path, series, targets)
            continue
        elif relation := relation_of(key):
            typed = [(relation, value)]
        else:
            continue
        for relation, names in typed:
            for name in _listed(words(names), targets):
                if to := _numbered(name, series, targets) or targets.named(name, parsed.path):
                    yield Link(relation, to, cut(f"front matter: {relation}: {name}"))


def _typed(value: object) -> Iterator[tuple[str, object]]:
    """{type: targets} or [{type: ..., to: ...}], with any type."""
    if isinstance(value, Mapping):
        for key, names in value.items():
            yield relation_of(key) or key_of(key), names
    elif isinstance(value, (list, tuple)):
        for entry in value:
            if isinstance(entry, Mapping) and isinstance(entry.get("type"), str):
                yield relation_of(entry["type"]) or key_of(entry["type"]), entry.get("to")


def _listed(names: Iterable[str], targets: Targets) -> Iterator[str]:
    """`ADR-1, ADR-2` is a list as well; a name with a comma is one name."""
    for name in names:
        parts = [part.strip() for part in _SEPARATOR.split(name)]
        several = all(part.isdecimal() or targets.identifiers.canonical(part) for part in parts)
        yield from parts if several else [name]


# -------------------------------------------------------------------- header fields


def field_links(parsed: Parsed, targets: Targets) -> Iterator[Link]:
    """`Requires: 3107, 484`: bare numbers are of the series that the document itself is of."""
    series = _series(parsed, targets)
    for key, value in parsed.fields:
        if key_of(key) == "status":
            yield from _status_links(key, value, parsed.path, series, targets)
        elif relation := relation_of(key):
            for to in _named(value, parsed.path, series, targets):
                yield Link(relation, to, cut(f"{key}: {value}"))


def _status_links(key: str, value: str, path: str, series: str, targets: Targets) -> Iterator[Link]:
    """`Status: Superseded by ADR-12`"""
    if found := _STATUS.match(value.strip()):
        for to in _named(found[2], path, series, targets):
            yield Link(f"{found[1].casefold()}_by", to, cut(f"{key}: {value}"))


def _named(value: str, path: str, series: str, targets: Targets) -> Iterator[str]:
    """Links, identifiers, numbers and paths in a value; other words are commentary."""
    found: list[str | None] = []
    for marked in _WITHIN.finditer(value):
        if marked[1]:
            found.append(targets.numbered(marked[1], marked[2]))
        else:
            found.append(targets.named(_unquoted(marked[0]), path))
    rest = _WITHIN.sub(",", value)
    citations = [*targets.identifiers.cited(rest)]
    found += [citation.identifier for citation in citations]
    for part in _SEPARATOR.split(blanked(rest, ((each.start, each.end) for each in citations))):
        plain = part.partition("(")[0].split()
        if all(word.isdecimal() for word in plain):
            found += [_numbered(number, series, targets) for number in plain]
        found += [targets.named(word, path) for word in plain if suffix_of(word) in DOCUMENT_SUFFIXES]
    yield from (to for to in found if to)


def _series(parsed: Parsed, targets: Targets) -> str:
    """The prefix of the document's own identifier."""
    return next(iter(own_identifiers(parsed, targets.identifiers)), "").partition("-")[0]


def _numbered(name: str, series: str, targets: Targets) -> str | None:
    """A bare number is one of the series that the document itself is of."""
    return targets.numbered(series, name) if name.isdecimal() else None


def _unquoted(marked: str) -> str:
    """`words <target>`_ and `name` as what they name."""
    if not marked.startswith("`"):
        return marked
    inside = marked.strip("`_")
    return re.sub(r"^[^<>]*(<[^<>]+>)$", r"\1", inside)
