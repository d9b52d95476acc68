"""Text to pieces: all of it, in order, bounded, each with the titles it stands below."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.errors import InvalidArgument
from docgraph.ingest.parsing import DocumentParser
from docgraph.ingest.splitting import TextSplitter
from docgraph.ingest.types import Heading, Parsed, Piece, Raw


def parse(path: str, text: str) -> Parsed:
    return DocumentParser().parse(Raw(path, text.encode()))


def check(parsed: Parsed, pieces: list[Piece], size: int) -> None:
    end = parsed.body
    for piece in pieces:
        assert piece.text == parsed.text[piece.start : piece.end]
        assert piece.text.strip()
        assert len(piece.text) <= size
        assert not parsed.text[end : piece.start].strip()
        end = piece.end
    assert not parsed.text[end:].strip()


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.sampled_from(
            ["# A\n", "## B `x`\n", "word ", "\u00e9", "e\u0301", "\U0001f469\u200d\U0001f467", "\n", "\n\n",
             "- a\n", "  ", "```\n", "> ", "Title\n=====\n", "x" * 50, "\x1c", "\u3000", "| a | b |\n"]
        ),
        max_size=60,
    ).map("".join),
    st.sampled_from(["a.md", "a.rst", "a.txt", "a.go"]),
    st.integers(1, 80),
)  # fmt: skip
def test_everything_is_covered_once_and_bounded(text: str, path: str, size: int) -> None:
    parsed = parse(path, text)
    pieces = TextSplitter(size).split(parsed)
    check(parsed, pieces, size)
    assert pieces == TextSplitter(size).split(parsed)


def test_each_piece_knows_its_sections() -> None:
    text = "Before.\n\n# One\n\nText.\n\n## Two\n\nMore.\n\n### Deep\n\nx\n\n# Three\n\nEnd.\n"
    pieces = TextSplitter().split(parse("a.md", text))
    assert [(piece.section_path, piece.text.split("\n")[-1]) for piece in pieces] == [
        ((), "Before."),
        (("One",), "Text."),
        (("One", "Two"), "More."),
        (("One", "Two", "Deep"), "x"),
        (("Three",), "End."),
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", "# One `x`\n\n## Two\n\n### Three\n\ntext\n\n## Four\n"),
        ("a.rst", "======\nOne x\n======\n\nTwo\n---\n\nThree\n~~~~~\n\ntext\n\nFour\n----\n"),
    ],
)
def test_a_heading_alone_goes_with_the_section_below_it(path: str, text: str) -> None:
    pieces = TextSplitter().split(parse(path, text))
    assert [piece.section_path for piece in pieces] == [("One x", "Two", "Three"), ("One x", "Four")]
    assert pieces[0].text.endswith("text")


@pytest.mark.parametrize("count", [None, lambda text: len(text.split())])
def test_a_heading_stays_with_the_beginning_of_what_is_too_long_for_one_piece(
    count: Callable[[str], int] | None,
) -> None:
    table = "".join(f"| row {number} | {number} |\n" for number in range(60))
    text = f"## Figures\n\n### Of all of them\n\n{table}\n## Short\n\nEnd.\n"
    size, unit = (400, "characters") if count is None else (80, "tokens")
    parsed = parse("a.md", text)
    pieces = TextSplitter(size, unit, count).split(parsed)  # type: ignore[arg-type]  # one of two literals
    assert pieces[0].text.startswith("## Figures\n\n### Of all of them\n\n| row 0 | 0 |\n| row 1 |")
    assert [piece.section_path for piece in pieces[:2]] == [("Figures", "Of all of them")] * 2
    assert pieces[-1].text == "## Short\n\nEnd."
    assert all((count or len)(piece.text) <= size for piece in pieces)
    check(parsed, pieces, len(text))


def test_nothing_before_the_body_is_a_piece() -> None:
    pieces = TextSplitter().split(parse("a.md", "---\ntitle: secret\n---\n\nStatus: c\nD: e\n\nText.\n"))
    assert [piece.text for piece in pieces] == ["Text."]


def test_paths_are_bounded() -> None:
    text = "".join(f"{level:02}\nx\n" for level in range(30))
    headings = [Heading(level + 1, f"{level:02}", 5 * level) for level in range(30)]
    pieces = TextSplitter().split(Parsed("a.txt", "text", text, "t", headings=headings))
    assert len(pieces) == 30
    assert pieces[-1].section_path == tuple(f"{level:02}" for level in range(20))


@pytest.mark.parametrize("path", ["a.md", "a.txt", "a.js"])
def test_a_long_line_is_cut(path: str) -> None:
    parsed = parse(path, "x" * 1_000_000)
    pieces = TextSplitter().split(parsed)
    check(parsed, pieces, 1200)
    assert len(pieces) < 900


def test_a_long_text_is_cut_at_its_paragraphs() -> None:
    paragraph = "some words " * 20 + "end.\n\n"
    parsed = parse("a.txt", paragraph * 2000)
    pieces = TextSplitter(1200).split(parsed)
    check(parsed, pieces, 1200)
    assert all(piece.text.endswith("end.") for piece in pieces)


def test_tokens_are_counted_by_the_function_given() -> None:
    def count(text: str) -> int:
        return len(text.split())

    parsed = parse("a.md", "one two three four. " * 200)
    pieces = TextSplitter(10, "tokens", count).split(parsed)
    check(parsed, pieces, 10_000)
    assert max(count(piece.text) for piece in pieces) <= 10
    assert len(pieces) >= 80


def test_counting_is_bounded() -> None:
    asked = 0

    def count(text: str) -> int:
        nonlocal asked
        asked += len(text)
        return len(text) // 4

    TextSplitter(300, "tokens", count).split(parse("a.txt", "x" * 400_000))
    assert asked < 400_000 * 60


@pytest.mark.parametrize("size", [0, -1, True, 1.5, 10**7])
def test_sizes_that_are_none_are_refused(size: int) -> None:
    with pytest.raises(InvalidArgument, match="is not a size"):
        TextSplitter(size)


def test_unit_and_count_belong_together() -> None:
    for options in ({"unit": "tokens"}, {"count": len}):
        with pytest.raises(InvalidArgument, match="do not fit together"):
            TextSplitter(10, **options)
    with pytest.raises(InvalidArgument, match="unit 'words' is not known"):
        TextSplitter(10, "words")  # type: ignore[arg-type]  # what is refused


def test_the_fingerprint_tells_settings_apart() -> None:
    made = [TextSplitter(), TextSplitter(1000), TextSplitter(1000, "tokens", len)]
    assert len({splitter.fingerprint for splitter in made}) == 3
    assert TextSplitter().fingerprint == TextSplitter(1200).fingerprint
