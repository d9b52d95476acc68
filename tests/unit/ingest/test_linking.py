"""The linker as a whole: names, one link for each type and target, bounds, the same every time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import permutations

import pytest

from docgraph.documents import Link
from docgraph.errors import InvalidArgument
from docgraph.ingest.linking import MOST, DocumentLinker
from docgraph.ingest.types import Linker, Parsed


def parsed(
    text: str = "",
    *,
    path: str = "docs/a.md",
    markup: str = "markdown",
    title: str = "",
    front_matter: Mapping[str, object] | None = None,
    fields: tuple[tuple[str, str], ...] = (),
) -> Parsed:
    return Parsed(path, markup, text, title, front_matter=front_matter or {}, fields=fields)


def names(document: Parsed) -> list[str]:
    return list(DocumentLinker().names(document))


def test_it_is_a_linker() -> None:
    linker: Linker = DocumentLinker()
    assert linker.names(parsed()) == ["[[a]]", "docs/a"]


# -------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (
            parsed(path="peps/pep-0008.rst", title="Style Guide", fields=(("PEP", "8"),)),
            ["PEP-8", "[[pep 0008]]", "[[pep-0008]]", "[[style guide]]", "peps/pep-0008"],
        ),
        (parsed(path="adr/README.md", title="Decisions"), ["[[decisions]]", "adr", "adr/README"]),
        (parsed(path="index.md"), [".", "[[index]]", "index"]),
        (
            parsed(path="x.md", front_matter={"id": "ADR-007", "aliases": ["Old_Plan", "rfc 12"]}),
            ["ADR-7", "Old_Plan", "RFC-12", "[[old plan]]", "[[rfc 12]]", "[[x]]", "x", "x.md"],
        ),
        (parsed(path="v/v1.2", front_matter={"identifier": 12}), ["12", "[[v1.2]]"]),
        (parsed(path="adr/1-\u00c4.md", title="\u00c4 \U0001f600"), [
            "ADR-1", "[[1 \u00e4]]", "[[1-\u00e4]]", "[[\u00e4 \U0001f600]]", "adr/1-\u00c4",
        ]),
    ],
)  # fmt: skip
def test_what_a_document_is_called(document: Parsed, expected: list[str]) -> None:
    assert names(document) == expected


def test_names_are_bounded() -> None:
    many = names(parsed(path="adr/1-x.md", front_matter={"aliases": [f"n{i}" for i in range(200)]}))
    assert len(many) == 50
    assert {"ADR-1", "adr/1-x"} <= set(many)
    assert many == sorted(set(many))
    assert names(parsed(path="x.md", title="\u20ac" * 200)) == ["[[x]]", "x"]


@pytest.mark.parametrize(
    ("written", "called"),
    [
        ("[[Old plan|shown]]", parsed(path="Old-plan.md")),
        ("[[OLD_PLAN#part]]", parsed(path="x.md", title="Old  Plan")),
        ("[x](../adr/)", parsed(path="adr/index.rst")),
        ("[x](plan)", parsed(path="docs/plan.rst")),
        ("[x](plan%20b.md?q=1#top)", parsed(path="docs/plan b.md")),
        ("as ADR 5 says", parsed(path="doc/adr/0005-x.md")),
        ("[x](https://peps.python.org/pep-0008/#intro)", parsed(path="pep-0008.rst")),
        ("[[adr-5]]", parsed(path="adr-005-x.md")),
    ],
)
def test_a_link_and_the_document_it_goes_to_agree(written: str, called: Parsed) -> None:
    linker = DocumentLinker()
    targets = {link.to for link in linker.links(parsed(written))}
    assert len(targets) == 1
    assert targets <= {called.path, *linker.names(called)}


# -------------------------------------------------------------------- all links together


def test_one_link_for_each_type_and_target() -> None:
    text = "First PEP 8 here. [x](b.md) and PEP 8, [y](b.md#two) again."
    document = parsed(text, front_matter={"references": "PEP-8", "requires": "PEP 8"})
    assert DocumentLinker().links(document) == [
        Link("references", "PEP-8", "front matter: references: PEP-8"),
        Link("references", "docs/b.md", text),
        Link("requires", "PEP-8", "front matter: requires: PEP 8"),
    ]


def test_no_link_to_itself() -> None:
    text = "[a](a.md) [a](./a) [[A]] [top](#top) ADR-5 [[Plan]] docs/a.md"
    document = parsed(text, title="ADR-5: Plan", front_matter={"aliases": "Plan", "related": "a.md"})
    assert DocumentLinker(titles={"ADR-5: Plan": "docs/a.md"}).links(document) == []


def test_what_is_before_the_body_is_not_read() -> None:
    head = "Resolution: PEP 99\n\n"
    document = Parsed("a.rst", "rst", f"{head}See PEP 8.", "", len(head), fields=[("Resolution", "PEP 99")])
    assert DocumentLinker().links(document) == [Link("references", "PEP-8", "See PEP 8.")]


def test_bounds() -> None:
    long = "x" * 600
    document = parsed(
        f"[x]({long}.md)", front_matter={"relations": {long: "b", "": "c", "near": ["d", "e\0"]}}
    )
    assert [(link.relation_type, link.to) for link in DocumentLinker().links(document)] == [("near", "d")]
    document = parsed(" ".join(f"[x]({i}.md)" for i in range(MOST + 10)))
    assert len(DocumentLinker().links(document)) == MOST


def test_evidence_is_cut_at_a_character() -> None:
    value = "8, " + "\U0001f600" * 400
    (link,) = DocumentLinker().links(parsed(path="pep-1.md", fields=(("Requires", value),)))
    assert link.evidence is not None
    assert f"Requires: {value}".startswith(link.evidence)
    assert 990 < len(link.evidence.encode()) <= 1000


def test_evidence_is_true_and_short() -> None:
    text = "word " * 100 + "see\n  [the   plan](b.md)\tnow " + "more " * 100
    (link,) = DocumentLinker().links(parsed(text))
    assert link.evidence is not None
    assert "word see [the plan](b.md) now more" in link.evidence
    assert link.evidence in " ".join(text.split())
    assert set(link.evidence.split()) == {"word", "see", "[the", "plan](b.md)", "now", "more"}


def test_the_same_whatever_the_order_of_what_is_given() -> None:
    titles = {"Graph Model": "g", "Query Planner": "q", "Graph Model Two": "h"}
    text = "Graph Model Two, Query Planner, Graph Model, PEP 8, [x](y.md)"
    given = [dict(order) for order in permutations(titles.items())]
    series = [["A", "B"], ["B", "A"]] * 3
    linkers = [DocumentLinker(titles=t, identifiers=i) for t, i in zip(given, series, strict=True)]
    assert len({linker.fingerprint for linker in linkers}) == 1
    assert len({tuple(linker.links(parsed(text))) for linker in linkers}) == 1


def test_the_fingerprint_tells_settings_apart() -> None:
    linkers = [
        DocumentLinker(),
        DocumentLinker(identifiers=["JIRA"]),
        DocumentLinker(titles={"A Title": "a"}),
        DocumentLinker(titles={"A Title": "b"}),
        DocumentLinker(titles={"A Title": "a"}, frequency_cap=2),
        DocumentLinker(titles={"A Title": "a"}, document_frequency={"A Title": 3}),
    ]
    assert len({linker.fingerprint for linker in linkers}) == len(linkers)
    assert all(len(linker.fingerprint) < 64 for linker in linkers)


def test_a_cap_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="frequency_cap is 0"):
        DocumentLinker(frequency_cap=0)


# -------------------------------------------------------------------- time


@pytest.mark.parametrize(
    "pattern",
    [
        "[", "PEP ", "PEPs 1, ", "<a ", "`", "`` ` ", "](", "[x](", "[[a", "<!--", "a/",
        "<a href=", "\n.. _a:", "`a <",
        "[a]", "https://", ":pep:`", "\n  ", "![", "CVE-1111-", "[a](b 'c ", "a a ",
        "::\n ", ".. toctree::\n  a\n",
    ],
)  # fmt: skip
@pytest.mark.parametrize("markup", ["markdown", "rst"])
def test_twice_the_text_takes_about_twice_the_time(pattern: str, markup: str) -> None:
    """Quadratic time would make it sixteen times as long for four times the text."""
    linker = DocumentLinker(titles={"a a a b": "x"})

    def seconds(size: int) -> float:
        document = parsed(pattern * (size // len(pattern)), markup=markup)
        took = []
        for _ in range(2):
            start = time.process_time()
            linker.links(document)
            took.append(time.process_time() - start)
        return min(took)

    seconds(1000)  # what is compiled or imported once
    assert seconds(80_000) < 10 * max(seconds(20_000), 0.01)
