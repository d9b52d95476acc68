"""Every kind of link, one by one: what is found, and what must not be."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from docgraph.documents import Link
from docgraph.ingest.linking import DocumentLinker
from docgraph.ingest.links.mentions import Ids
from docgraph.ingest.parsing import DocumentParser
from docgraph.ingest.types import Parsed, Raw


def found(text: str, markup: str = "markdown", path: str = "docs/guide/a.md") -> list[str]:
    links = DocumentLinker().links(Parsed(path, markup, text, ""))
    assert {link.relation_type for link in links} <= {"references"}
    return [link.to for link in links]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[x](b.md)", ["docs/guide/b.md"]),
        ('[x](../adr/005.md#part "t")', ["docs/adr/005.md"]),
        ("[x](<b c.md> 't')", ["docs/guide/b c.md"]),
        ("[x](b_(1).md) [y](c\\_d.md)", ["docs/guide/b_(1).md", "docs/guide/c_d.md"]),
        ("[x](/b.md)", ["b.md"]),
        ("[x](./)", ["docs/guide"]),
        ("[x](e%CC%81.md)", ["docs/guide/\u00e9.md"]),
        ("<relative.md#x>", ["docs/guide/relative.md"]),
        ("[x][y], [Z], [z][]\n\n[y]: b.md 'title'\n[z]: <c.md>", ["docs/guide/b.md", "docs/guide/c.md"]),
        ("[![badge](i.png)](b.md)", ["docs/guide/b.md"]),
        ("[a [b] c](b.md)", ["docs/guide/b.md"]),
        ("- item\n\n      text [x](b.md) of the item", []),
        ("- item\n\n    text [x](b.md) of the item", ["docs/guide/b.md"]),
        ("[[Page]] [[Two#part|shown]] ![[Three.md]]", ["[[page]]", "[[three]]", "[[two]]"]),
        ("[[Node.js]] .github/x.yml", [".github/x.yml", "[[node.js]]"]),
        ("[[folder/Page.md]] [[./near]]", ["docs/guide/near", "folder/Page.md"]),
        ('<a class="x" href="b.md?a=1&amp;b">x</a> <A HREF=c.md>', ["docs/guide/b.md", "docs/guide/c.md"]),
        ("<https://www.rfc-editor.org/rfc/rfc2119.html>", ["RFC-2119"]),
        ("https://datatracker.ietf.org/doc/html/rfc2119#section-1", ["RFC-2119"]),
        ("https://www.python.org/dev/peps/pep-0008/", ["PEP-8"]),
        ("https://nvd.nist.gov/vuln/detail/CVE-2024-1234", ["CVE-2024-1234"]),
        ("[x](https://github.com/advisories/GHSA-abcd-1234-wxyz)", ["GHSA-abcd-1234-wxyz"]),
        ("`docs/plan.md` and src/app.py.", ["docs/plan.md", "src/app.py"]),
        ("see ../x/plan.md, ./y/z.md", ["docs/guide/y/z.md", "docs/x/plan.md"]),
        ("`ADR-005` in code of a line", ["ADR-5"]),
    ],
)  # fmt: skip
def test_markdown(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "![x](b.md)", "`[x](b.md)`", "``[x](b.md) ` [[Page]]``",
        "```\n[x](b.md) ADR-005 [[P]]\n```", "    [x](b.md)\n",
        "~~~md\n[x](b.md)", "<!-- [x](b.md) PEP 8 -->", "\\[x](b.md)", "[x](https://example.org/b.md)",
        "[x](mailto:a@b.md)", "[x](//host/b.md)", "[x](../../../b.md)", "[x](i.png) [y](d/e.zip) [[i.svg]]",
        "[x](#part)", "[x]()", "[x](my file.md)", "[x]({{ site }}/b.md)", "[ ] [x] [^1]",
        "[[]] [[#part]] [[ |x]]",
        "<b.example>", "https://example.org/RFC2119/docs/b.md", "example.org/docs/b.md", "and/or plan.md a/b",
        "<pre>[x](b.md)</pre>", "[[https://example.org]]", "lib/x.py/more *.md docs/*.md",
    ],
)  # fmt: skip
def test_no_link_in_markdown(text: str) -> None:
    assert found(text) == []


def test_code_in_a_line_ends_with_its_paragraph() -> None:
    assert found("a ` b\n\n[x](b.md) ` c") == ["docs/guide/b.md"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":pep:`8` :rfc:`words <2119#section-1>`", ["PEP-8", "RFC-2119"]),
        (":doc:`b` :doc:`/c` :doc:`words <../d>`", ["c", "docs/d", "docs/guide/b"]),
        ("`words\nmore <b.rst>`_ and `x <c.rst#y>`__", ["docs/guide/b.rst", "docs/guide/c.rst"]),
        (".. _name: b.rst\n.. _a:b c: https://peps.python.org/pep-0257/", ["PEP-257", "docs/guide/b.rst"]),
        (".. include:: ../b.txt", ["docs/b.txt"]),
        (
            ".. toctree::\n   :maxdepth: 2\n\n   b\n   Words <c>\n\nText",
            ["docs/guide/b", "docs/guide/c"],
        ),
        (".. note::\n\n   see :pep:`8`", ["PEP-8"]),
        ("a::\n\n  PEP 1\n\nafter PEP 2", ["PEP-2"]),
        (".. code-block:: python\n   :x:\n\n   PEP 1\n\nafter PEP 2", ["PEP-2"]),
        (".. a comment on PEP 1\n   and PEP 3\n\nafter PEP 2", ["PEP-2"]),
        (">>> PEP 1\nPEP 3\n\n... after PEP 2", ["PEP-2"]),
        (".. [1] PEP 8", ["PEP-8"]),
        ("``:pep:`8` `` ``PEP 9``", ["PEP-9"]),
        ("`x <https://example.org>`_ `y <z_>`_ :ref:`b.rst <c>` :doc:`other:index`", []),
    ],
)
def test_restructured_text(text: str, expected: list[str]) -> None:
    assert found(text, "rst") == expected


def test_text_and_code() -> None:
    text = "PEP 8 [[Page]] [x](b.md) docs/b.md"
    assert found(text, "text") == ["PEP-8", "[[page]]", "docs/b.md"]
    assert found(text, "code:python") == ["PEP-8", "docs/b.md"]


# -------------------------------------------------------------------- front matter and header fields


def stated(
    front_matter: Mapping[str, object] | None = None,
    fields: tuple[tuple[str, str], ...] = (),
    path: str = "adr/0012-x.md",
) -> list[tuple[str, str]]:
    document = Parsed(path, "markdown", "", "", front_matter=front_matter or {}, fields=fields)
    return [(link.relation_type, link.to) for link in DocumentLinker().links(document)]


@pytest.mark.parametrize(
    ("front_matter", "expected"),
    [
        ({"supersedes": "ADR-001"}, [("supersedes", "ADR-1")]),
        ({"Superseded By": ["adr-2", 3]}, [("superseded_by", "ADR-2"), ("superseded_by", "ADR-3")]),
        ({"depends-on": "ADR-1, ADR-2"}, [("depends_on", "ADR-1"), ("depends_on", "ADR-2")]),
        ({"see_also": "./b.md"}, [("see_also", "adr/b.md")]),
        ({"parent": "../b.md#x"}, [("parent", "b.md")]),
        ({"part_of": "some-id"}, [("part_of", "some-id")]),
        ({"related": "[[The Plan]]"}, [("relates_to", "[[the plan]]")]),
        ({"related": [["The Plan"]]}, [("relates_to", "[[the plan]]")]),
        ({"explains": "[words](../docs/b.md#x)"}, [("explains", "docs/b.md")]),
        ({"implements": "https://peps.python.org/pep-0008"}, [("implements", "PEP-8")]),
        ({"updates": "urn:isbn:1"}, [("updates", "urn:isbn:1")]),
        ({"relations": {"Blames": ["a", "b"]}}, [("blames", "a"), ("blames", "b")]),
        ({"relations": {"type": "requires", "to": ["a", "b"]}}, [("requires", "a"), ("requires", "b")]),
        ({"relations": [{"type": "requires", "to": "a"}, {"type": 5}, "x"]}, [("requires", "a")]),
        ({"status": "Superseded by ADR-0020"}, [("superseded_by", "ADR-20")]),
        ({"status": "accepted", "title": "PEP 8", "requires": None, "extends": {"a": 1}, 5: "x"}, []),
        ({"requires": "https://example.org/x"}, []),
    ],
)
def test_front_matter(front_matter: Mapping[str, object], expected: list[tuple[str, str]]) -> None:
    assert stated(front_matter) == expected


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (("Requires", "3107, 484"), [("requires", "PEP-3107"), ("requires", "PEP-484")]),
        (("Superseded-By", "12"), [("superseded_by", "PEP-12")]),
        (("REPLACES", "9 10 and 11 (in part)"), [("replaces", f"PEP-{n}") for n in (10, 11, 9)]),
        (("Obsoletes", "RFC 12; :pep:`9`"), [("obsoletes", "PEP-9"), ("obsoletes", "RFC-12")]),
        (("Amends", "[a, 3](../b.md), `x <c.md>`_"), [("amends", "b.md"), ("amends", "peps/c.md")]),
        (("See also", "notes/b.md"), [("see_also", "peps/notes/b.md")]),
        (("Status", "Superseded by 12"), [("superseded_by", "PEP-12")]),
        (("Requires", "Python 3, at least 3.8"), []),
        (("Resolution", "PEP 12"), []),
        (("Python-Version", "12"), []),
    ],
)
def test_header_fields(field: tuple[str, str], expected: list[tuple[str, str]]) -> None:
    assert stated(fields=(("PEP", "8"), field), path="peps/pep-0008.rst") == expected


def test_where_a_stated_relation_was_found() -> None:
    document = Parsed("pep-0001.rst", "rst", "", "", fields=[("PEP", "1"), ("Requires", "3107,\n 9")])
    assert DocumentLinker().links(document) == [
        Link("requires", "PEP-3107", "Requires: 3107, 9"),
        Link("requires", "PEP-9", "Requires: 3107, 9"),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Superseded-By: ADR-002", [("superseded_by", "ADR-2")]),
        ("- **Superseded by**: [ADR-002](002-b.md)", [("superseded_by", "adr/002-b.md")]),
        ("Superseded by: [ADR-002][next]\n\n[next]: 002-b.md", [("superseded_by", "ADR-2")]),
        ("Requires: ADR-2,\n  [[The Plan]]", [("requires", "ADR-2"), ("requires", "[[the plan]]")]),
        ("Status: superseded by ADR-2", [("superseded_by", "ADR-2")]),
        ("Requires: PEPs 1 and 2", [("requires", "PEP-1"), ("requires", "PEP-2")]),
        (
            "Status: accepted, see ADR-2\nSupersedes: ADR-2",
            [("references", "ADR-2"), ("supersedes", "ADR-2")],
        ),
        ("Status: see ADR-2\nDate: 2024-01-02", [("references", "ADR-2")]),
        ("Requires: https://peps.python.org/pep-0008/", [("references", "PEP-8")]),
        (
            "Requires: ADR-2 (by https://peps.python.org/pep-0008/)",
            [("references", "PEP-8"), ("requires", "ADR-2")],
        ),
        ("Requires: ADR-2\n\nNote: see ADR-2.", [("references", "ADR-2"), ("requires", "ADR-2")]),
    ],
)
def test_what_a_field_gives_a_type_is_no_reference_as_well(
    line: str, expected: list[tuple[str, str]]
) -> None:
    def links(text: str) -> list[tuple[str, str]]:
        parsed = DocumentParser().parse(Raw("adr/0001-a.md", text.encode()))
        return [(link.relation_type, link.to) for link in DocumentLinker().links(parsed)]

    assert links(f"# A plan\n\n{line}\n") == expected
    assert links(f"# A plan\n\n{line}\n\nWords.\n") == expected
    repeated = ("references", expected[-1][1])
    assert links(f"# A plan\n\n{line}\n\nAs {_written(repeated[1])} has it.\n") == sorted(
        {*expected, repeated}
    )


def _written(name: str) -> str:
    return name if "/" not in name else f"[it](/{name})"


def test_nor_is_it_a_mention() -> None:
    text = "# A\n\nExplains: [Graph Model](g.md)\n\nThe Query Planner.\n"
    parsed = DocumentParser().parse(Raw("a.md", text.encode()))
    linker = DocumentLinker(titles={"Graph Model": "g.md", "Query Planner": "q"})
    assert [(link.relation_type, link.to) for link in linker.links(parsed)] == [
        ("explains", "g.md"), ("mentions", "q"),
    ]  # fmt: skip


def test_a_number_without_a_series_is_no_name_in_a_field() -> None:
    assert stated(fields=(("Requires", "12"),), path="notes/x.md") == []
    assert stated({"requires": 12}, path="notes/x.md") == [("requires", "12")]


# -------------------------------------------------------------------- mentions


def mentioned(text: str, titles: Mapping[str, Ids], cap: int = 20, **frequency: int) -> list[str]:
    linker = DocumentLinker(titles=titles, frequency_cap=cap, document_frequency=frequency)
    links = linker.links(Parsed("a.md", "markdown", text, ""))
    assert all(link.relation_type == "mentions" for link in links)
    return [link.to for link in links]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the Graph Model.", ["g"]),
        ("the Graph Model Reference", ["r"]),
        ("the Graph\n  Model", ["g"]),
        ("Graph Model Reference, Graph Model", ["g", "r"]),
        ("Model Reference Guide then", ["m"]),
        ("Graph Model Reference Guide", ["r"]),
        ("graph model, Graph Models, XGraph Model, Graph - Model, Graph", []),
        ("`Graph Model`\n\n    Graph Model\n", []),
        ("C++ (the book) Indexing", ["c", "i"]),
    ],
)
def test_mentions(text: str, expected: list[str]) -> None:
    titles = {
        "Graph Model": "g", "Graph Model Reference": "r", "Model Reference Guide": "m", "C++ (the book)": "c",
        "Indexing": "i", "Map": "p", " ": "blank",
    }  # fmt: skip
    assert mentioned(f"{text} Map", titles) == expected


def test_what_stands_in_parentheses_sets_titles_apart_and_is_not_written() -> None:
    titles = {
        "Mercury (planet)": "m",
        "Venus (planet)": "v",
        "Venus": "goddess",
        "(x)": "x",
        "Go (game)": "g",
    }
    text = "Mercury (planet), Venus (planet), Venus, Go"
    assert mentioned(text, titles) == ["goddess", "m", "v"]
    assert mentioned("Mercury and Venus", titles) == ["goddess", "m"]


def test_a_title_that_several_documents_share_leads_to_each() -> None:
    shared = {"Graph Model": ["y", "x"], "Mercury (planet)": "m", "Mercury (metal)": ["n", "o"]}
    assert mentioned("the Graph Model", shared) == ["x", "y"]
    assert mentioned("of Mercury", shared) == ["m", "n", "o"]


def test_mentions_are_capped_in_order_of_occurrence() -> None:
    titles = {f"Title {letter}": letter for letter in "abcdef"}
    assert mentioned("Title f, Title b, Title f, Title e, Title a", titles, cap=3) == ["b", "e", "f"]
    assert mentioned("Indexing, Planning", {"Indexing": "i", "Planning": "p"}, cap=2, Planning=3) == ["i"]


def test_many_titles_in_a_long_text() -> None:
    """Ten thousand titles that begin alike: the work does not grow with their number."""
    titles = {f"The Common Part {n} of It": f"d{n}" for n in range(10_000)}
    text = " ".join(f"The Common Part {n} of" for n in range(20_000)) + " The Common Part 7 of It"
    assert mentioned(text, titles) == ["d7"]
