"""Summaries: title, lead and section titles in plain words, bounded; empty only if the document is."""

from __future__ import annotations

import pytest

from docgraph.ingest.parsing import DocumentParser
from docgraph.ingest.summarising import LONGEST, summarise
from docgraph.ingest.types import Heading, Parsed, Raw

README = """# Plan

[![build](b.svg)](ci.md) ![x](y.png)

Status: accepted
Date: 2024

| a | b |
| - | - |
| 1 | 2 |

```sh
make
```

- a list

The **plan** of `docgraph` is [simple](x.md) and
[old][y], says [[Page|the page]].

## Next

Then *more*.

[y]: y.md
"""

PEP = """Abstract
========

.. note::

   Not this.

:Author: Me

:pep:`3107` introduced ``syntax`` for `annotations <x.rst>`_ [1]_, see **below**::

    code()

+---+
| a |
+---+

* item

Second paragraph.
"""


def headings(*titles: str) -> list[Heading]:
    return [Heading(2, title, 0) for title in titles]


def test_markdown() -> None:
    document = Parsed("p.md", "markdown", README, "Plan", headings=headings("Plan", "Next", "Next", "Then"))
    lead = "The plan of docgraph is simple and old, says the page. Then more."
    assert summarise(document) == f"Plan\n\n{lead}\n\nNext; Then"


def test_restructured_text() -> None:
    document = Parsed("p.rst", "rst", PEP, "Hints", headings=headings("Abstract"))
    lead = "PEP 3107 introduced syntax for annotations, see below: Second paragraph."
    assert summarise(document) == f"Hints\n\n{lead}\n\nAbstract"


def test_plain_text_starts_at_its_body() -> None:
    document = Parsed("p.txt", "text", "From: me\n\nTitle\n-----\nHello there.\n\nBye.", "Title", 10)
    assert summarise(document) == "Title\n\nHello there. Bye."


@pytest.mark.parametrize(
    ("code", "lead"),
    [
        ('#!/bin/python\n"""Counts things.\n\nSlowly."""\nx = 1\n', "Counts things. Slowly."),
        ("/* Adds\n * two numbers. */\nint f();", "Adds two numbers."),
        ("-- A view of all.\nCREATE VIEW v;", "A view of all."),
    ],
)
def test_code_speaks_by_its_first_comment(code: str, lead: str) -> None:
    assert summarise(Parsed("p", "code:x", code, "p")) == f"p\n\n{lead}"


@pytest.mark.parametrize("markup", ["markdown", "rst", "text", "code:c"])
@pytest.mark.parametrize(
    "text", ["x = 1", "```\ncode\n```", "- a\n- b", "| a |\n|---|", "Status: x", ".. x", "****"]
)
def test_never_empty_for_a_document_that_is_not(text: str, markup: str) -> None:
    assert summarise(Parsed("p", markup, text, ""))
    assert summarise(Parsed("p", markup, f"---\n{text}", "", 4))


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.md", "# Beta\n\nWarning: do not use it.\n", "Beta\n\nWarning: do not use it."),
        ("a.md", "# Beta\n\nNote: this is important.\n\nMore.\n", "Beta\n\nNote: this is important. More."),
        ("a.md", "# Beta\n\nStatus: old\nTeam: us\n\nMore.\n", "Beta\n\nMore."),
        ("a.md", "# Beta\n\nStatus: old\n", "Beta\n\nStatus: old"),
        ("a.md", "# Beta\n\n- **one**\n- [two](x.md)\n\n| a |\n|---|\n| b |\n", "Beta\n\none two a b"),
        ("a.md", "# Beta\n", "Beta"),
        ("a.rst", "Beta\n====\n\n* one\n* two\n", "Beta\n\n* one * two"),
        ("a.rst", "Beta\n====\n\nWarning: do not use it.\n", "Beta\n\nWarning: do not use it."),
        ("a.txt", "Note: this is important.\n\nMore.\n", "a\n\nNote: this is important. More."),
    ],
)
def test_a_sentence_like_a_field_is_a_sentence_and_markup_is_no_word(
    path: str, text: str, expected: str
) -> None:
    assert summarise(DocumentParser().parse(Raw(path, text.encode()))) == expected


def test_empty_for_an_empty_one() -> None:
    assert summarise(Parsed("p", "markdown", " \n", "")) == ""


@pytest.mark.parametrize("markup", ["markdown", "rst", "text"])
@pytest.mark.parametrize(
    "text", ["word " * 1000, "A sentence here. " * 200, "x" * 5000, "\u6587\u3002" * 3000]
)
def test_bounded_and_cut_between_words(text: str, markup: str) -> None:
    many = headings(*(f"Section {n}" for n in range(500)))
    summary = summarise(Parsed("p", markup, text, "T " * 600, headings=many))
    assert len(summary) <= LONGEST
    first, lead, *sections = summary.split("\n\n")
    assert first == ("T " * 167).strip()
    assert text.startswith(lead)
    assert all(title in {each.title for each in many} for title in sections[-1].split("; "))


def test_cut_at_the_end_of_a_sentence() -> None:
    summary = summarise(Parsed("p", "text", "One short sentence. " * 100, "T"))
    assert summary.endswith("One short sentence.")
    assert 300 <= len(summary) <= 610


def test_markup_does_not_take_long() -> None:
    for text in (
        "*" * 100_000,
        "`" * 100_000,
        "[" * 100_000,
        "#\n" * 50_000,
        "\n \n" * 30_000,
        "a_ " * 40_000,
    ):
        for markup in ("markdown", "rst", "text", "code:c"):
            assert len(summarise(Parsed("p", markup, text, "T"))) <= LONGEST
