"""A document's bytes to its text, title, headings and what it says of itself, by the kind of its markup."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping
from pathlib import PurePosixPath

from docgraph.errors import InvalidArgument
from docgraph.ingest.decoding import decode, normalise
from docgraph.ingest.markup import html, markdown, office, python, rst
from docgraph.ingest.markup.front_matter import split_front_matter
from docgraph.ingest.markup.header import NO_HEADER, Header, header_at_top, header_below_title
from docgraph.ingest.markup.lines import Found, tidy_title
from docgraph.ingest.markup.suffixes import NAMES, markup_of, suffix_of
from docgraph.ingest.types import Parsed, Raw

VERSION = 3
"""To be raised whenever the same bytes would be read differently."""

_LIBRARIES = ("markdown-it-py", "markdownify")


class DocumentParser:
    """Reads every document by the suffix of its name, or all of them as one `markup`."""

    def __init__(self, markup: str | None = None) -> None:
        if markup is not None and markup not in NAMES and not markup.startswith("code:"):
            raise InvalidArgument(
                f"markup {markup!r} is not known.",
                hint=f"Give one of {', '.join(sorted(NAMES))}, or code:python and the like.",
            )
        self._markup = markup

    @property
    def fingerprint(self) -> str:
        """What decides how the same bytes are read."""
        libraries = ",".join(f"{name}={importlib.metadata.version(name)}" for name in _LIBRARIES)
        return f"parser={VERSION},markup={self._markup or 'by suffix'},{libraries}"

    def parse(self, raw: Raw) -> Parsed:
        """ValueError says why it cannot be read; InvalidArgument which library is missing for it."""
        markup = self._markup or markup_of(raw.path) or "text"
        try:
            if markup == "office":
                converted, own_title = office.to_markdown(raw.data, suffix_of(raw.path))
                return _parsed(raw.path, "markdown", normalise(converted), own_title=own_title)
            text = decode(raw.data, raw.path)
            if markup == "html":
                front_matter, body = split_front_matter(text, strict=False)
                converted, own_title = html.to_markdown(text[body:])
                converted = normalise(converted.strip("\n"))
                return _parsed(
                    raw.path, "markdown", converted, front_matter=front_matter, own_title=own_title
                )
            if markup.startswith("code:"):
                return _parsed(raw.path, markup, text)
            front_matter, body = split_front_matter(text, strict=markup == "markdown")
            header, body = header_at_top(text, body)
            return _parsed(raw.path, markup, text, front_matter=front_matter, header=header, body=body)
        except RecursionError:
            raise ValueError("nested too deeply to be read") from None


def _parsed(
    path: str,
    markup: str,
    text: str,
    *,
    front_matter: Mapping[str, object] | None = None,
    header: Header = NO_HEADER,
    body: int = 0,
    own_title: str = "",
) -> Parsed:
    found = _headings(text, body, markup, path)
    front_matter = front_matter or {}
    if (
        found
        and not header.fields
        and markup in {"markdown", "rst"}
        and not text[body : found[0].heading.start].strip()
    ):
        header = header_below_title(text, found[0].end, markup)
    headings = tuple(each.heading for each in found)
    candidates = [
        str(front_matter.get("title") or ""),
        *(value for name, value in header.fields if name.lower() == "title"),
        *[heading.title for heading in headings if heading.level == 1][:1],
        own_title,
        *[heading.title for heading in headings][:1],
        PurePosixPath(path).stem,
    ]
    title = next((tidy for each in candidates if (tidy := tidy_title(each))), path)
    return Parsed(path, markup, text, title, body, headings, front_matter, *header)


def _headings(text: str, body: int, markup: str, path: str) -> list[Found]:
    match markup:
        case "markdown":
            return markdown.headings(text, body)
        case "rst":
            return rst.headings(text, body)
        case "code:python":
            return python.headings(text, path)
        case _:
            return []
