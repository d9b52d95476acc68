"""A summary without a model: title, lead and section titles, cut where a sentence or a word ends."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from docgraph.ingest.keys import is_field, key_of
from docgraph.ingest.links.prose import prose_of
from docgraph.ingest.types import Parsed

if TYPE_CHECKING:
    from markdown_it.token import Token

LONGEST = 1000
"""Characters of a summary."""

_LEAD = 600
_ENOUGH = 300
_LOOKED_AT = 20_000  # characters: a lead stands at the beginning, or nowhere

_FIELD = re.compile(r"([A-Za-z][\w -]{0,30}):\s.{0,60}$")
_LINE_OF_MARKS = re.compile(r"([^\w\s])\1+$|[-=+| ]{3,}$")
_RST_NO_PARAGRAPH = re.compile(
    r"\s|\.\.(\s|$)|__\s|:[\w -]{1,40}:(\s|$)|[-*+]\s|\(?(\d+|#|[a-z])[.)]\s|\||\+[-=]"
)
_RST_MARKUP = (
    (re.compile(r":(pep|rfc):`(\d{1,6})`", re.I), lambda found: f"{found[1].upper()} {found[2]}"),
    (re.compile(r"(?::[\w:.+-]{1,60}:)?`([^`<>]{1,400}?)\s*<[^`<>]{0,2000}>`_{0,2}"), lambda found: found[1]),
    (re.compile(r"(?::[\w:.+-]{1,60}:)?(`{1,2})([^`]{1,400})\1_{0,2}"), lambda found: found[2]),
    (re.compile(r"(\*{1,2}|\|)(?=\S)([^*|]{1,400})(?<=\S)\1_{0,2}"), lambda found: found[2]),
    (re.compile(r"\s?\[(?:\d+|#|\*|[#\w-]{1,40})\]_"), lambda _: ""),
    (re.compile(r"(?<=[A-Za-z0-9])__?(?=[\s.,;:!?)]|$)"), lambda _: ""),
    (re.compile(r"::$"), lambda _: ":"),
)
_CODE_COMMENT = re.compile(r"\s*(?:#(?!!|include)|//+|/\*+|\*+/?|--|;+|%+|<!--)[ \t]?(.*?)(?:\*/|-->)?\s*$")
_DOCSTRING = re.compile(r"(?:\s*#[^\n]*\n)*\s*[rRuU]?(\"\"\"|''')(.*?)\1", re.DOTALL)


def summarise(parsed: Parsed) -> str:
    """At most 1,000 characters; empty only if the document is."""
    title = _cut(_flat(parsed.title), LONGEST // 3)
    near = replace(parsed, text=parsed.text[: parsed.body + _LOOKED_AT])
    fields = {key_of(name) for name, _ in parsed.fields}
    lead = _lead(paragraph for paragraph in _paragraphs(near) if not _are_fields(paragraph, fields))
    sections = dict.fromkeys(_flat(heading.title) for heading in parsed.headings)
    parts = [part for part in (title, lead) if part]
    titles = _as_many_as_fit(
        [section for section in sections if section and section != title],
        LONGEST - sum(len(part) + 2 for part in parts),
    )
    summary = "\n\n".join([*parts, titles] if titles else parts)
    if lead or titles:
        return summary
    return _cut(f"{summary}\n\n{_flat(_all_words(near))}".strip() or _flat(near.text[near.body :]), LONGEST)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _lead(paragraphs: Iterable[str]) -> str:
    """The first paragraph, and those after it while they are short."""
    lead = ""
    for paragraph in paragraphs:
        if not any(c.isalnum() for c in paragraph):
            continue
        lead = f"{lead} {_flat(paragraph)}".strip()
        if len(lead) >= _ENOUGH:
            break
    return _cut(lead, _LEAD)


def _are_fields(paragraph: str, fields: Collection[str]) -> bool:
    """Those of the document, and what is known as one wherever it stands."""
    found = [_FIELD.match(line.strip()) for line in paragraph.split("\n") if line.strip()]
    return all(field and (key_of(field[1]) in fields or is_field(field[1])) for field in found)


def _cut(text: str, limit: int) -> str:
    """At the last end of a sentence in the second half, else at the last end of a word."""
    if len(text) <= limit:
        return text
    ends = [
        found.end() for found in re.finditer(r"[.!?][\"')\]]?(?=\s)|[\u3002\uff01\uff1f]", text[: limit + 1])
    ]
    if ends and limit // 2 <= ends[-1] <= limit:
        return text[: ends[-1]]
    spaces = [found.start() for found in re.finditer(r"\s", text[: limit + 1])]
    return text[: spaces[-1] if spaces else limit].rstrip()


def _as_many_as_fit(titles: Iterable[str], room: int) -> str:
    joined = ""
    for title in titles:
        longer = f"{joined}; {title}" if joined else title
        if len(longer) > room:
            break
        joined = longer
    return joined


# -------------------------------------------------------------------- paragraphs of a markup


def _paragraphs(parsed: Parsed) -> Iterator[str]:
    if parsed.markup == "markdown":
        return _markdown_paragraphs(parsed.text[parsed.body :])
    if parsed.markup.startswith("code"):
        return _comments(parsed.text[parsed.body :])
    return _plain_paragraphs(prose_of(parsed).text[parsed.body :], rst=parsed.markup == "rst")


def _markdown_paragraphs(text: str) -> Iterator[str]:
    """Those that stand in no list, quotation or table."""
    return (words for opening, words in _markdown_words(text) if opening == ("paragraph_open", 0))


def _all_words(parsed: Parsed) -> str:
    """Of a document without a paragraph: what stands in lists, tables and code, but no title again."""
    text = parsed.text[parsed.body :]
    if parsed.markup == "markdown":
        return "\n".join(words for (opening, _), words in _markdown_words(text) if opening != "heading_open")
    if parsed.markup == "rst":
        lines = (line.strip() for line in text.split("\n"))
        return "\n".join(line for line in lines if line != parsed.title and not _LINE_OF_MARKS.match(line))
    return text


def _markdown_words(text: str) -> Iterator[tuple[tuple[str, int], str]]:
    """What can be read, each with what opens it, and how deep that stands."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - slow to import

    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for opening, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "inline" and opening:
            yield (opening.type, opening.level), _plain_words(token)
        elif token.type in {"fence", "code_block"}:
            yield (token.type, token.level), token.content


def _plain_words(token: Token) -> str:
    words = ""
    for child in token.children or ():
        if child.type in {"text", "code_inline"}:
            words += child.content
        elif child.type in {"softbreak", "hardbreak"}:
            words += "\n"
    words = re.sub(r"\[\[(?:[^\[\]|]{0,400}\|)?([^\[\]|]{1,400})\]\]", r"\1", words)
    return re.sub(r"\[([^\[\]]{1,400})\]\[[^\[\]]{0,400}\]", r"\1", words)


def _plain_paragraphs(text: str, *, rst: bool) -> Iterator[str]:
    for block in re.split(r"\n(?:[ \t]*\n)+", text):
        lines = block.strip("\n").split("\n")
        # A title and the line below it, perhaps with one above.
        marks = [index for index, line in enumerate(lines) if _LINE_OF_MARKS.match(line.strip())]
        if marks and marks[-1] <= 2:
            lines = lines[marks[-1] + 1 :]
        if not lines or (rst and (_RST_NO_PARAGRAPH.match(lines[0]) or marks[2:])):
            continue
        paragraph = "\n".join(lines)
        if rst:
            for pattern, plain in _RST_MARKUP:
                paragraph = pattern.sub(plain, paragraph)
        yield paragraph


def _comments(text: str) -> Iterator[str]:
    """The docstring, or the comment at the beginning."""
    if found := _DOCSTRING.match(text):
        yield from found[2].split("\n\n")
        return
    words: list[str] = []
    for line in text.split("\n"):
        comment = _CODE_COMMENT.match(line)
        if line.strip() and not comment and (words or not line.startswith("#!")):
            break
        words.append(comment[1] if comment else "")
    yield from "\n".join(words).split("\n\n")
