"""How a plan looks: everything is shown, and an id is never anything but text."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser

from hypothesis import given
from rich.console import Console

from docgraph.plain import plain
from docgraph.plan import RetrievalPlan
from tests.unit.plans import EXAMPLES, changed, plan, plans


def rendered(found: RetrievalPlan, *, terminal: bool = False) -> str:
    stream = io.StringIO()
    Console(
        file=stream, width=100_000, force_terminal=terminal, color_system="truecolor" if terminal else None
    ).print(found)
    return stream.getvalue()


def test_one_line() -> None:
    assert str(plan()) == (
        "Plan b07a84af6dd4: 2 seeds, 2 expanded (truncated by documents, 1 omitted, 2 dropped)"
    )
    shorter = plan().replace(truncated=[], omitted=0, dropped=0, expanded_documents=[])
    assert str(shorter) == f"Plan {shorter.plan_hash[:12]}: 2 seeds, 0 expanded (edited)"
    approximate = RetrievalPlan.from_dict(changed("made_by.method", "approximate"))
    assert "(approximate, truncated" in str(approximate)
    assert str(approximate).endswith(", changed after it was sealed)")


def test_a_tree_in_the_terminal() -> None:
    assert rendered(plan()) == (
        "Plan b07a84af6dd4: 2 seeds, 2 expanded (truncated by documents, 1 omitted, 2 dropped)\n"
        "├── 1 leave.md  given\n"
        "│   └── explains visa.md\n"
        "└── 2 travel.md  search\n"
        "    ├── explains visa.md\n"
        "    ├── references visa.md\n"
        "    └── references forms.md\n"
    )
    assert "\x1b[" in rendered(plan(), terminal=True)


def test_a_chart() -> None:
    assert plan().to_mermaid() == (
        "flowchart LR\n"
        '    d1("leave.md")\n'
        '    d2("travel.md")\n'
        '    d3["visa.md"]\n'
        '    d4["forms.md"]\n'
        '    d1 -->|"explains"| d3\n'
        '    d2 -->|"explains"| d3\n'
        '    d2 -->|"references"| d3\n'
        '    d2 -->|"references"| d4'
    )


def test_labels_of_a_chart_are_no_markdown() -> None:
    found = RetrievalPlan.from_dict(changed("expanded_documents.1.document_id", "1. _a_ **b** c_d"))
    assert found.to_mermaid().splitlines()[4] == ('    d4["1#46;#32;#95;a#95;#32;#42;#42;b#42;#42;#32;c_d"]')


class Table(HTMLParser):
    """The tags of a page, and the texts of its cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert attrs == ([("class", "tex2jax_ignore mathjax_ignore")] if tag == "table" else [])
        if tag in {"td", "br"}:
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


@EXAMPLES
@given(plans())
def test_a_table_in_a_notebook(found: RetrievalPlan) -> None:
    page = found._repr_html_()
    table = Table(page)
    assert table.cells == [
        text
        for document in found.documents
        for text in (
            str(document.position),
            plain(document.document_id),
            document.role,
            *(plain(str(why)) for why in document.reasons),
        )
    ]
    rows, reasons = len(found.documents), sum(len(document.reasons) for document in found.documents)
    for tag, times in (("tr", rows + 1), ("td", 4 * rows), ("code", rows), ("bdi", rows + reasons)):
        assert table.tags.count(tag) == table.tags.count(f"/{tag}") == times
    assert set(table.tags) <= {
        *("table", "caption", "thead", "tbody", "tr", "th", "td", "code", "bdi", "br"),
        *("/table", "/caption", "/thead", "/tbody", "/tr", "/th", "/td", "/code", "/bdi"),
    }
    assert plain(page) == page


@EXAMPLES
@given(plans())
def test_a_tree_of_any_ids(found: RetrievalPlan) -> None:
    lines = rendered(found).split("\n")
    assert lines.pop() == ""
    assert all(plain(line) == line for line in lines)
    reasons = [why for document in found.documents for why in document.reasons]
    assert len(lines) == 1 + len(reasons)
    # Nobody's text colours anything: what is left without our colours is the same.
    coloured = rendered(found, terminal=True).split("\n")
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in coloured[:-1]] == lines


_LABEL = r"(?:[^\W_]|#[0-9]+;|(?<=[^\W_])[ ./_-](?=[^\W_]))*"
_NODE = re.compile(rf'    d(\d+)(?:\("({_LABEL})"\)|\["({_LABEL})"\])')
_ARROW = re.compile(rf'    d(\d+) -->\|"({_LABEL})"\| d(\d+)')


def read_label(label: str) -> str:
    return re.sub(r"#(\d+);", lambda found: chr(int(found[1])), label)


@EXAMPLES
@given(plans())
def test_a_chart_of_any_ids(found: RetrievalPlan) -> None:
    first, *lines = found.to_mermaid().split("\n")
    assert first == "flowchart LR"
    documents = found.documents
    for document, line in zip(documents, lines, strict=False):
        node = _NODE.fullmatch(line)
        assert node
        assert int(node[1]) == document.position
        assert (node[3] is None) == (document.role == "seed")
        assert read_label(node[2] if node[3] is None else node[3]) == plain(document.document_id)
    positions = {document.document_id: document.position for document in documents}
    arrows = [_ARROW.fullmatch(line) for line in lines[len(documents) :]]
    assert [(int(a[1]), read_label(a[2]), int(a[3])) for a in arrows if a] == [
        (positions[why.seed.document_id], plain(why.relation_type), document.position)
        for document in documents
        for why in document.reasons
        if why.relation_type is not None
    ]
    assert None not in arrows
