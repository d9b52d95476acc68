"""How a context looks: everything is shown, and a text is never anything but text."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser

from hypothesis import given
from rich.console import Console

from docgraph.context import RetrievedContext
from docgraph.context.jsonb import text_of
from docgraph.plain import plain
from tests.unit.contexts import changed, context, contexts
from tests.unit.plans import EXAMPLES

LINE = (
    "Context of plan b07a84af6dd4: 3 chunks, 2 documents, 28 of 40 tokens "
    "(1 id given as seeds is not there, or not to be seen; "
    "2 documents found, and dropped by the scope of the plan; "
    "the plan was cut short by its limit of documents; "
    "1 document is no longer there, or not to be seen; 31 chunks over the limit of 3 for a document; "
    "12 chunks over the limit of 4; 1 chunk without room in 40 tokens; "
    "2 summaries or lists of section titles without room in 20 tokens; "
    "made by revision 0004, executed by 0005)"
)


def rendered(found: RetrievedContext, *, terminal: bool = False) -> str:
    stream = io.StringIO()
    Console(
        file=stream, width=100_000, force_terminal=terminal, color_system="truecolor" if terminal else None
    ).print(found)
    return stream.getvalue()


def test_one_line() -> None:
    assert str(context()) == LINE


def test_a_tree_in_the_terminal() -> None:
    assert rendered(context()) == (
        f"{LINE}\n"
        "├── [1] leave.md  seed 1, given\n"
        "│   ├── 0.5  # Carry-over Five days.\n"
        "│   └── 0.000001  Thirty days.\n"
        "└── [2] visa.md  leave.md explains this; travel.md explains this; travel.md references this\n"
        "    └── 1  ``` visa --apply ```\n"
    )
    assert "\x1b[" in rendered(context(), terminal=True)


def test_only_the_beginning_of_a_long_chunk() -> None:
    found = RetrievedContext.from_dict(changed("context.documents.1.chunks.0.text", "word\n" * 1000))
    line = rendered(found).splitlines()[-1]
    assert line == f"    └── 1  {('word ' * 16)}..."


class Table(HTMLParser):
    """The tags of a page, and its texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert attrs == ([("class", "tex2jax_ignore mathjax_ignore")] if tag == "table" else [])
        if tag == "bdi":
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_data(self, data: str) -> None:
        # Every text of somebody else's stands in an element of its own for the direction of writing.
        if self.tags[-1] == "bdi":
            self.texts[-1] += data


@EXAMPLES
@given(contexts())
def test_a_table_in_a_notebook(found: RetrievedContext) -> None:
    page = found._repr_html_()
    table = Table(page)
    expected: list[str] = []
    for document in found:
        expected += [
            *([plain(document.title)] if document.title else []),
            plain(document.document_id),
            plain(document.why),
            *([] if document.summary is None else [plain(" ".join(document.summary.split()))]),
            *([] if document.section_titles is None else [plain("; ".join(document.section_titles))]),
        ]
        for chunk in document.chunks:
            expected += [
                plain(", ".join([text_of(chunk.score), *filter(None, [" > ".join(chunk.section_path)])])),
                plain(chunk.text, keep="\n\t"),
            ]
    assert table.texts == expected
    assert [
        tag
        for tag in table.tags
        if tag.startswith("/") and table.tags.count(tag[1:]) != table.tags.count(tag)
    ] == []
    assert table.tags.count("tr") == len(found) + 1
    assert {tag.removeprefix("/") for tag in table.tags} <= {
        *("table", "caption", "thead", "tbody", "tr", "th", "td"),
        *("code", "bdi", "br", "p", "em", "small", "pre"),
    }
    assert plain(page, keep="\n\t") == page


@EXAMPLES
@given(contexts())
def test_a_tree_of_any_texts(found: RetrievedContext) -> None:
    lines = rendered(found).split("\n")
    assert lines.pop() == ""
    assert all(plain(line) == line for line in lines)
    assert len(lines) == 1 + len(found) + len(found.chunks)
    # Nobody's text colours anything: what is left without our colours is the same.
    coloured = rendered(found, terminal=True).split("\n")
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in coloured[:-1]] == lines
