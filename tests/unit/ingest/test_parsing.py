"""Bytes to text with title, headings and fields, for each markup."""

from __future__ import annotations

import sys
import tracemalloc

import pytest

from docgraph.errors import InvalidArgument
from docgraph.ingest.markup.front_matter import split_front_matter
from docgraph.ingest.parsing import DocumentParser
from docgraph.ingest.putting import reason_of
from docgraph.ingest.types import Parsed, Raw


def parse(path: str, text: str, markup: str | None = None) -> Parsed:
    return DocumentParser(markup).parse(Raw(path, text.encode()))


def outline(parsed: Parsed) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in parsed.headings]


def test_markdown_headings_are_where_they_say() -> None:
    parsed = parse(
        "a.md",
        "Intro\n\n# One `x` in [two](y.md) #\n\n```sh\n# no\n```\n\n    # no\n\n> # no\n\n- # no\n\n"
        "Setext\n*line*\n===\n\n### Deep {#anchor}\n\n#\n\n<!--\n# no\n-->\n#hash\n",
    )
    assert outline(parsed) == [(1, "One x in two"), (1, "Setext line"), (3, "Deep")]
    at = [parsed.text[heading.start :].split("\n")[0] for heading in parsed.headings]
    assert at == ["# One `x` in [two](y.md) #", "Setext", "### Deep {#anchor}"]


def test_offsets_are_those_of_the_whole_text() -> None:
    parsed = parse("a.md", "---\ntitle: T\n---\r\n\u00e9\r\n\r\n# H\u0301\r\n")
    assert parsed.text[parsed.headings[0].start :] == "# H\u0301\n"
    assert parsed.text[parsed.body :].startswith("\u00e9\n")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Front\n---\n# H\n", "Front"),
        ("Title: Field\nStatus: x\n\n# H\n", "Field"),
        ("## Second\n\n# First\n", "First"),
        ("## Second\n\ntext\n", "Second"),
        ("text\n", "stem"),
        ("---\ntitle: 7\n---\n", "7"),
    ],
)
def test_the_title(text: str, title: str) -> None:
    assert parse("d/stem.md", text).title == title


def test_rst_levels_follow_the_order_of_first_use() -> None:
    parsed = parse(
        "a.rst",
        "=====\n Top\n=====\n\nA ``b*c`` :pep:`8` `d <e>`_\n------------\n.. _here:\n\nSub\n~~~\n\ntext\n\n"
        "Again\n-----\nNext *one* [#n]_\n=================\n\n::\n\n   Not\n   ---\n\n----\n\n"
        "===== =====\na     b\n===== =====\n\nOne\nline two\n--------\n\n- item\n--------\n",
    )
    assert outline(parsed) == [
        (1, "Top"), (2, "A b*c 8 d"), (3, "Sub"), (2, "Again"), (4, "Next one"),
    ]  # fmt: skip
    assert parsed.text[parsed.headings[0].start :].startswith("=====\n Top")
    assert parsed.text[parsed.headings[1].start :].startswith("A ``b")


def test_python_sections_are_its_definitions() -> None:
    source = (
        '"""Doc."""\nimport x\n\n@x\nclass A:\n    """A."""\n    def f(self):\n        def inner(): ...\n'
        "    y = 1\n    class B:\n        async def g(self): ...\n\nCONSTANT = 1\n\ndef h(): ...\n"
    )
    parsed = parse("pkg/mod.py", source)
    assert outline(parsed) == [
        (1, "pkg.mod"), (2, "A"), (3, "A.f"), (2, "A"), (3, "A.B"), (4, "A.B.g"), (1, "pkg.mod"), (2, "h"),
    ]  # fmt: skip
    assert parsed.markup == "code:python"
    starts = [parsed.text[heading.start :].split("\n")[0].strip() for heading in parsed.headings]
    assert starts == [
        '"""Doc."""', "@x", "def f(self):", "y = 1", "class B:", "async def g(self): ...", "CONSTANT = 1",
        "def h(): ...",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "source", ["print 'two'\n", "(" * 20_000, "x = " + "-" * 20_000 + "1", "x" + ".a" * 20_000]
)
def test_python_that_cannot_be_parsed_has_no_sections(source: str) -> None:
    parsed = parse("a.py", source)
    assert outline(parsed) == []
    assert parsed.title == "a"


def test_html_is_read_as_markdown() -> None:
    parsed = parse(
        "a.html",
        "<html><head><title>Page</title><style>x{}</style></head><body><nav>menu</nav><h2>Two</h2>"
        "<p>See <a href='../b.md#c'>snake_case</a><script>alert()</script></p>"
        "<pre><code class='language-py'># no\n  x</code></pre></body></html>",
    )
    assert parsed.markup == "markdown"
    assert parsed.text == "## Two\n\nSee [snake_case](../b.md#c)\n\n```py\n# no\n  x\n```"
    assert parsed.title == "Page"
    assert outline(parsed) == [(2, "Two")]


def test_html_may_have_front_matter() -> None:
    parsed = parse("a.html", "---\naccess: {tags: [hr]}\n---\n<p>x</p>")
    assert (parsed.front_matter, parsed.text, parsed.body) == ({"access": {"tags": ["hr"]}}, "x", 0)


@pytest.mark.parametrize("path", ["a.txt", "README", "a.yaml", "a.xyz"])
def test_text_and_code_have_no_headings(path: str) -> None:
    assert parse(path, "# one\n\ntwo\n===\n").headings == ()


HEARD = ["a.md", "a.txt", "a.rst", "a.html"]


@pytest.mark.parametrize("path", HEARD)
@pytest.mark.parametrize(
    "block",
    [
        "---\ntitle: Pay\naccess: {tags: [hr]}\n---\n",
        "---\naccess:\n  tags: [hr]\n---\n",
        "---\n# of the board\n\nmy title: x\n  access: {tags: [hr]}\n---\n",
        "---\naccess: {tags: [hr]}\n",
        "+++\n[access]\nclearance=1\n+++\n",
        "+++\naccess.clearance = 1\n+++\n",
    ],
)
@pytest.mark.parametrize(
    "before",
    ["\n", " \t\n\n", "\u200b\n", "<!-- lint\noff -->\n", "<!-- x -->", "---\n", "---\ntitle: Pay\n---\n\n"],
)
def test_what_restricts_is_never_passed_over(path: str, block: str, before: str) -> None:
    """Out of place, front matter would be a part of the text, for all to read."""
    text = f"{before}{block}# Pay\n\nAll of it.\n"
    line = next(number for number, each in enumerate(text.split("\n"), 1) if "access" in each)
    with pytest.raises(ValueError, match=rf"front matter: (access in line {line} is not heard|.*[Nn]o )"):
        parse(path, text)


@pytest.mark.parametrize("path", HEARD)
@pytest.mark.parametrize(
    "before", ["# of the board\n", "\n", "# of\n\n# the board\n", "my title: x\n", "a.b: c\n"]
)
def test_in_the_first_line_it_is_heard_whatever_comes_before(path: str, before: str) -> None:
    assert parse(path, f"---\n{before}access: {{tags: [hr]}}\n---\nx\n").front_matter["access"] == {
        "tags": ["hr"]
    }


@pytest.mark.parametrize("path", HEARD)
@pytest.mark.parametrize(
    "text",
    [
        "# How to\n\n```yaml\n---\nid: x\naccess: {tags: [hr]}\n---\n```\n",
        "\n---\ntitle: Pay\n---\n",
        "\n---\n\nHow to write\n\naccess: {tags: [hr]}\n",
        "---\ntitle: Pay\n---\n\n---\n\naccess: is what this is about\n---\n",
        "---\ntitle: Pay\n---\n\nHow to write it:\n\naccess: {tags: [hr]}\n",
    ],
)
def test_what_only_looks_like_it_is_text(path: str, text: str) -> None:
    assert "access" not in parse(path, text).front_matter


@pytest.mark.parametrize("nothing", ["\n", " ", "<!--x-->"])
def test_much_of_nothing_is_soon_passed(nothing: str) -> None:
    tracemalloc.start()
    try:
        split_front_matter(nothing * 300_000)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_source_code_has_no_front_matter() -> None:
    parsed = parse("a.yaml", "---\na: 1\n---\nb: 2\n")
    assert (parsed.markup, parsed.body, parsed.front_matter) == ("code:yaml", 0, {})


def test_the_markup_may_be_said() -> None:
    assert outline(parse("a.txt", "# One\n", "markdown")) == [(1, "One")]
    with pytest.raises(InvalidArgument, match="markup 'word' is not known"):
        DocumentParser("word")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", ">" * 20_000 + "a"),
        ("a.md", "- " * 20_000 + "a"),
        ("a.md", "# " + "[" * 20_000 + "]" * 20_000),
        ("a.rst", "`a <" * 5000 + "\n" + "=" * 20_000),
        ("a.html", "<a " * 20_000),
        ("a.html", "<!--" * 20_000),
    ],
)
def test_nesting_is_survived(path: str, text: str) -> None:
    parsed = parse(path, text)
    assert all(len(heading.title) <= 500 for heading in parsed.headings)


@pytest.mark.parametrize("tag", ["div", "b", "ul><li", "table><tr><td"])
def test_deep_html_is_refused(tag: str) -> None:
    with pytest.raises(ValueError, match="nested more than 200 deep"):
        parse("a.html", f"<{tag}>" * 20_000 + "x")


def test_office_files_name_the_extra_once_and_clearly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "markitdown", None)
    with pytest.raises(InvalidArgument) as caught:
        DocumentParser().parse(Raw("a.pdf", b"x"))
    assert reason_of(caught.value) == (
        "Reading .pdf files needs markitdown, which is not installed. Run: pip install 'docgraph[office]'"
    )


def test_the_fingerprint_tells_settings_apart() -> None:
    assert DocumentParser().fingerprint == DocumentParser().fingerprint
    assert DocumentParser().fingerprint != DocumentParser("text").fingerprint
