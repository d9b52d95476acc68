"""What a document may be called by others: paths, identifiers, pages of a wiki."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterator, Sequence

from docgraph.ingest.identifiers import Identifiers
from docgraph.ingest.links.targets import Targets, wiki_name, without_suffix
from docgraph.ingest.types import Parsed

MOST = 50
BYTES = 512

_INDEXES = frozenset({"readme", "index", "_index"})


def fits(name: str) -> bool:
    """Whether the database takes it as a name. One with control characters is a mistake."""
    return 0 < len(name.encode("utf-8", "replace")) <= BYTES and not re.search(
        r"[\x00-\x1f\x7f\ud800-\udfff]", name
    )


def own_id(parsed: Parsed) -> str:
    """The id of the document: that of its front matter, or else its path."""
    return next(words(parsed.front_matter.get("id")), parsed.path)


def words(value: object) -> Iterator[str]:
    """The texts and numbers of a value of front matter, or of a list of them."""
    return (word for entry in entries(value) if (word := _word(entry)))


def has_nameless(value: object) -> bool:
    """Whether `words` passes something over. Flags and what is empty are not meant as names."""
    return any(entry and not isinstance(entry, (bool, str)) and not _word(entry) for entry in entries(value))


def entries(value: object) -> Sequence[object]:
    """Of a list; anything else is a list of one."""
    return value if isinstance(value, (list, tuple)) else (value,)


def _word(entry: object) -> str:
    if isinstance(entry, str):
        return entry.strip()
    if isinstance(entry, list) and len(entry) == 1 and isinstance(entry[0], str):
        return f"[[{entry[0]}]]"  # which is how YAML reads [[Page]] without quotes
    return str(entry) if isinstance(entry, int) and not isinstance(entry, bool) else ""


def own_identifiers(parsed: Parsed, identifiers: Identifiers) -> list[str]:
    """The surest first: header fields, front matter, the name of the file, the title."""
    found = [identifiers.numbered(key, value) for key, value in parsed.fields]
    found += [identifiers.canonical(word) for word in _said(parsed)]
    found += [identifiers.of_path(parsed.path), identifiers.of_title(parsed.title, parsed.path)]
    return list(dict.fromkeys(name for name in found if name))


def all_names(parsed: Parsed, targets: Targets) -> list[str]:
    """At most 50; its identifiers before its paths before the pages, where there are more."""
    found = [*own_identifiers(parsed, targets.identifiers), *_paths(parsed.path)]
    found += words(parsed.front_matter.get("identifier"))
    aliases = words(parsed.front_matter.get("aliases"))
    found += [name for alias in aliases if (name := targets.named(alias, parsed.path))]
    found += _pages(parsed)
    distinct = dict.fromkeys(name for name in found if fits(name) and name != own_id(parsed))
    return sorted(list(distinct)[:MOST])


def _said(parsed: Parsed) -> list[str]:
    return [word for key in ("id", "identifier", "aliases") for word in words(parsed.front_matter.get(key))]


def _paths(path: str) -> Iterator[str]:
    path = unicodedata.normalize("NFC", path)
    bare = without_suffix(path)
    yield from (path, bare)
    if posixpath.basename(bare).casefold() in _INDEXES:
        yield posixpath.dirname(path) or "."


def _pages(parsed: Parsed) -> Iterator[str]:
    folder, stem = posixpath.split(without_suffix(parsed.path))
    # Every folder has a README: only the one at the root is meant by [[README]].
    pages = [stem, stem.replace("-", " ")] if not folder or stem.casefold() not in _INDEXES else []
    pages += [parsed.title, *words(parsed.front_matter.get("aliases"))]
    for page in pages:
        if (name := wiki_name(page)) != "[[]]":
            yield name
