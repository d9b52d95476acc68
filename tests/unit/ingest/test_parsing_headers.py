"""Front matter and header fields: what a document says of itself."""

from __future__ import annotations

import pytest

from docgraph.ingest.parsing import DocumentParser
from docgraph.ingest.types import Parsed, Raw


def parse(path: str, text: str) -> Parsed:
    return DocumentParser().parse(Raw(path, text.encode()))


def test_yaml_is_read_as_version_1_2_has_it() -> None:
    parsed = parse(
        "a.md",
        "---\nid: 0012\nat: 12:30\nland: no\nday: 2024-01-02\ntime: 2024-01-02 10:00:00Z\nn: 7\nf: 1.5\n"
        "yes: true\nnothing:\nlist: [a, {b: c}]\n2: two\n---\n# Body\n",
    )
    assert parsed.front_matter == {
        "id": "0012",
        "at": "12:30",
        "land": "no",
        "day": "2024-01-02",
        "time": "2024-01-02T10:00:00+00:00",
        "n": 7,
        "f": 1.5,
        "yes": True,
        "nothing": None,
        "list": ["a", {"b": "c"}],
        "2": "two",
    }
    assert parsed.text[parsed.body :] == "# Body\n"


def test_toml() -> None:
    parsed = parse("a.md", "+++\ntitle = 'T'\nday = 2024-01-02\n[access]\nclearance = 2\n+++\nx\n")
    assert parsed.front_matter == {"title": "T", "day": "2024-01-02", "access": {"clearance": 2}}
    assert parsed.text[parsed.body :] == "x\n"


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("---\na: 1\nb: 2\na: 3\n---", "line 4: the key 'a' is there twice"),
        ("---\na: {b: 1, b: 2}\n---", "line 2: the key 'b' is there twice"),
        ("---\n- a\n---", "line 2: not of the form"),
        ("---\njust words\n---", "line 2: not of the form"),
        ("---\na: b: c\n---", "line 2: mapping values"),
        ("---\nok: 1\na: [1\n---", "line 4"),
        ("---\na: &x [1]\nb: *x\n---", "line 3: aliases"),
        ("---\na: 2024-13-45\n---", "line 2: '2024-13-45' cannot be read as timestamp"),
        ("---\na: !!timestamp x\n---", "line 2: 'x' cannot be read"),
        ("---\na: !!bool x\n---", "line 2: 'x' cannot be read"),
        ("---\na: " + "9" * 5000 + "\n---", "line 2: '999"),
        ("---\na: 99999999999999999999\n---", "'a' cannot be stored"),
        ('---\na: "\\0"\n---', "'a' cannot be stored"),
        ('---\na: "\\ud800"\n---', "'a' cannot be stored"),
        ("---\na: !!binary aGk=\n---", "'a' cannot be stored"),
        ("---\na: !!python/object:os.system x\n---", "line 2: could not determine a constructor"),
        ("---\na: \x07\n---", "special characters"),
        ("---\na: " + "[" * 20_000 + "\n---", "nested too deeply"),
        ("---\na: " + "x" * 70_000 + "\n---", "more than the limit"),
        ("---\naccess: secret\n\n# Title", "no line --- ends it"),
        ("+++\na = \n+++", "at line 2"),
        ("+++\na = 1\na = 2\n+++", "at line 3"),
        ("+++\na = nan\n+++", "'a' cannot be stored"),
        ("+++\na = " + "[" * 20_000 + "\n+++", "nested too deeply"),
    ],
)
def test_front_matter_that_cannot_be_read_is_refused(block: str, reason: str) -> None:
    with pytest.raises(ValueError, match="^front matter.*" + reason):
        parse("a.md", block + "\n\n# Body\n")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", "---\n\nA line across the page.\n"),
        ("a.md", "\n---\na: 1\n---\n"),
        ("a.md", "----\na: 1\n----\n"),
        ("a.rst", "---\nFAQ\n---\n\ntext\n"),
        ("a.txt", "---\nsome words\n---\n"),
    ],
)
def test_what_is_no_front_matter_is_content(path: str, text: str) -> None:
    parsed = parse(path, text)
    assert (parsed.front_matter, parsed.text[parsed.body :].strip()) == ({}, text.strip())


def test_empty_front_matter_is_dropped() -> None:
    assert parse("a.md", "---\n---\nx").body == 8


@pytest.mark.parametrize("path", ["a.rst", "a.txt", "a.md"])
def test_a_header_as_in_a_mail(path: str) -> None:
    text = "PEP: 8\nTitle: Style\nAuthor: A,\n        B\nSuperseded-By:\n  12\nEmpty:\n\nBody: text\n"
    parsed = parse(path, text)
    assert parsed.fields == (
        ("PEP", "8"), ("Title", "Style"), ("Author", "A, B"), ("Superseded-By", "12"), ("Empty", ""),
    )  # fmt: skip
    assert parsed.text[parsed.body :].strip() == "Body: text"


@pytest.mark.parametrize(
    "text",
    [
        "Note: this is a sentence.\n\nMore.\n",
        "Note:\n  this is one.\n\nMore.\n",
        "Beta-Warning: this is a sentence.\n\nMore.\n",
        "Note: this\nTip: that\nand a paragraph.\n\nMore.\n",
        "https://example.org\nhttp://example.org\n\nMore.\n",
        "k: v\n" * 101 + "\nMore.\n",
    ],
)
def test_sentences_are_no_header(text: str) -> None:
    parsed = parse("a.txt", text)
    assert (parsed.fields, parsed.body) == ((), 0)


@pytest.mark.parametrize("key", ["Superseded-By", "Status", "Date", "Author", "authors", "PEP", "Supersedes"])
def test_one_field_alone_counts_if_it_is_known_and_stays_in_the_text(key: str) -> None:
    for path, above in (("a.txt", ""), ("a.md", "# Title\n\n"), ("a.md", "# Title\n\nNote: a sentence.\n\n")):
        parsed = parse(path, f"{above}{key}: 12\n\nText.\n")
        assert (parsed.fields, parsed.body) == (((key, "12"),), 0)


@pytest.mark.parametrize("key", ["Note", "Warning", "Important", "Beta warning", "Example"])
def test_other_words_need_another_field_beside_them(key: str) -> None:
    assert parse("a.md", f"# Title\n\n{key}: this is important.\n\nText.\n").fields == ()
    assert parse("a.md", f"# Title\n\n{key}: this.\n\n**Tip:** that.\n").fields == ()
    assert parse("a.md", f"# Title\n\n{key}: this\nTeam: that\n").fields == ((key, "this"), ("Team", "that"))
    alone = parse("a.txt", f"{key.replace(' ', '-')}: this\nTeam: that\n\nText.\n")
    assert (len(alone.fields), alone.body) == (2, 0), "they may be sentences: they stay in the text"


def test_nothing_but_fields_is_content_too() -> None:
    parsed = parse("a.txt", "Name: a\nValue: b\n")
    assert (parsed.fields, parsed.body) == ((("Name", "a"), ("Value", "b")), 0)


def test_a_field_list_in_rst() -> None:
    parsed = parse("a.rst", ":orphan:\n:Superseded-By: 12,\n   13\n\nTitle\n=====\n")
    assert parsed.fields == (("orphan", ""), ("Superseded-By", "12, 13"))
    assert parsed.text[parsed.body :].strip() == "Title\n====="
    below = parse("a.rst", "Title\n=====\n\n:Requires: 3\n\nText.\n")
    assert (below.fields, below.body) == ((("Requires", "3"),), 0)
    assert parse("a.rst", ":pep:`8` is good.\n\nText.\n").fields == ()


@pytest.mark.parametrize(
    "lines",
    [
        "- Status: accepted\n- Supersedes: [ADR-001](001.md)\n",
        "* Status: accepted\n\n* Supersedes:\n  [ADR-001](001.md)\n",
        "**Status:** accepted  \n**Supersedes**: [ADR-001](001.md)\n",
        "- **Status**: accepted\n- **Supersedes:** [ADR-001](001.md)\n",
        "Status: accepted\\\nSupersedes: [ADR-001](001.md)\n",
    ],
)
def test_fields_below_the_title_of_a_decision_record(lines: str) -> None:
    text = f"# ADR-002: A\n\n{lines}\nWords follow.\n- Later: no\n"
    parsed = parse("a.md", text)
    assert parsed.fields == (("Status", "accepted"), ("Supersedes", "[ADR-001](001.md)"))
    assert (parsed.body, parsed.title) == (0, "ADR-002: A")


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.txt", "\nRequires: 1,\n  2\n\nText.\n", ["Requires: 1,\n  2"]),
        ("a.rst", ":orphan:\n:Requires: 1\n\nText.\n", [":orphan:", ":Requires: 1"]),
        (
            "a.md",
            "---\nid: x\n---\n# T\n\n- Status: done  \n\nNote: no.\n\n- Requires: 1\nText.\n",
            ["- Status: done  ", "- Requires: 1"],
        ),
        ("a.md", "# T\nStatus: done", ["Status: done"]),
        ("a.txt", "Text.\n", []),
    ],
)
def test_where_fields_stand(path: str, text: str, expected: list[str]) -> None:
    parsed = parse(path, text)
    assert [parsed.text[start:end] for start, end in parsed.places] == expected
    assert len(parsed.fields) == len(parsed.places)


def test_lists_elsewhere_are_no_fields() -> None:
    assert parse("a.md", "# T\n\nWords.\n\n- Status: accepted\n").fields == ()
    assert parse("a.md", "Words.\n\n# T\n\n- Status: accepted\n").fields == ()
