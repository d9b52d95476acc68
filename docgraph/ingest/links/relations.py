"""Relations that a document states outright: in its front matter, and in typed header fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from docgraph.documents import Link
from docgraph.ingest.keys import key_of, relation_of
from docgraph.ingest.links.found import Found, cut
from docgraph.ingest.links.names import entries, has_nameless, own_identifiers, words
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
            typed = [each for each in _typed(value) if each]
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


def misshapen(front_matter: Mapping[str, object]) -> Iterator[str]:
    """Keys of relations in which something is written in a shape that makes none."""
    for key, value in front_matter.items():
        if key_of(key) == "relations":
            wrong = any(each is None or has_nameless(each[1]) for each in _typed(value))
        else:
            wrong = relation_of(key) is not None and has_nameless(value)
        if wrong:
            yield key


def _typed(value: object) -> Iterator[tuple[str, object] | None]:
    """{type: targets} or [{type: ..., to: ...}], with any type. None stands for what is neither."""
    # One without the list around it is one.
    if isinstance(value, Mapping) and not {"type", "to"} <= value.keys():
        value = [{"type": str(key), "to": names} for key, names in value.items()]
    for entry in () if value is None else entries(value):
        match entry:
            case {"type": str(relation), "to": names}:
                yield relation_of(relation) or key_of(relation), names
            case _:
                yield None


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
        yield from _of_field(key, value, parsed.path, series, targets)


def beside_fields(parsed: Parsed, targets: Targets, found: Iterable[Found]) -> Iterator[Found]:
    """What is found in the text, but for what a field states with a type in the same lines. What overlaps
    such a reference is part of it: the words of a link and its target."""
    series = _series(parsed, targets)
    stated = [
        (place, to)
        for (key, value), place in zip(parsed.fields, parsed.places, strict=False)
        if (to := {link.to for link in _of_field(key, value, parsed.path, series, targets)})
    ]
    for together in _overlapping(found):
        if not any(
            start <= each.start and each.end <= end and each.to in to
            for each in together
            for (start, end), to in stated
        ):
            yield from together


def _overlapping(found: Iterable[Found]) -> Iterator[list[Found]]:
    """In groups; most have one member."""
    together: list[Found] = []
    end = 0
    for each in sorted(found, key=lambda each: each.start):
        if together and each.start >= end:
            yield together
            together = []
        together.append(each)
        end = max(end, each.end)
    yield together


def _of_field(key: str, value: str, path: str, series: str, targets: Targets) -> Iterator[Link]:
    if key_of(key) == "status":
        yield from _status_links(key, value, path, series, targets)
    elif relation := relation_of(key):
        evidence = cut(f"{key}: {value}")  # once: the value may be long
        yield from (Link(relation, to, evidence) for to in _named(value, path, series, targets))


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
