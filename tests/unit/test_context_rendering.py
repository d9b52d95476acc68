"""Contexts as Markdown and as messages: what a document says cannot pass for what we say about it."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from markdown_it import MarkdownIt

from docgraph.context import RetrievedContext
from docgraph.context.rendering import _TARGET, summary_to_show
from docgraph.plain import plain
from tests.unit.contexts import changed, context, contexts
from tests.unit.plans import EXAMPLES

MARKDOWN = """\
## [1] Leave

Document leave.md: seed 1, given.

> How much leave there is.
> And who approves it.

Section: Leave > Carry-over

```text
# Carry-over

Five days.
```

```text
Thirty days.
```

## [2] visa.md

Document visa.md: leave.md explains this; travel.md explains this; travel.md references this.

Section: Visa

````text
```
visa --apply
```
````
"""


def test_markdown() -> None:
    assert context().to_markdown() == MARKDOWN


def test_markdown_of_nothing() -> None:
    found = RetrievedContext.from_dict(changed("context.documents", []))
    assert found.to_markdown() == "No sources were found.\n"


def as_read(text: str) -> str:
    """A text as Markdown's readers have it: they end lines in one way, and know no null character."""
    return re.sub(r"\r\n?", "\n", text)


@EXAMPLES
@given(contexts())
def test_markdown_of_any_texts(found: RetrievedContext) -> None:
    tokens = MarkdownIt("commonmark").parse(found.to_markdown())
    outermost = [token for token in tokens if token.level == 0]
    headings = [
        tokens[place + 1].content
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and not token.level
    ]
    assert len(headings) == len(found)
    assert all(heading.startswith(f"[{number}]") for number, heading in enumerate(headings, 1))
    fences = [token for token in outermost if token.type == "fence"]
    assert [token.content for token in fences] == [as_read(f"{chunk.text}\n") for chunk in found.chunks]
    assert {token.type for token in outermost} <= {
        *("heading_open", "heading_close", "paragraph_open", "paragraph_close"),
        *("blockquote_open", "blockquote_close", "fence"),
    }
    quotes = [token for token in outermost if token.type == "blockquote_open"]
    assert len(quotes) == len([document for document in found if summary_to_show(document) is not None])


@EXAMPLES
@given(contexts())
def test_every_text_is_in_it_as_it_is(found: RetrievedContext) -> None:
    text = found.to_markdown()
    for document in found:
        assert plain(document.title or document.document_id) in text
        assert plain(document.why) in text
        if summary_to_show(document) is not None:
            for line in re.split(r"\r\n|\r|\n", document.summary or ""):
                # What others take for the end of a line is none here.
                shown = plain(line, keep="\t")
                assert f">{' ' if line else ''}{shown}\n" in f"{text}>\n"
        for chunk in document.chunks:
            assert f"text\n{chunk.text}\n```" in text


def _in_words(title: str) -> str:
    """Of a title of signs alone there is nothing to be read elsewhere."""
    found = " ".join(re.findall(r"\w+", title))
    return f" {found} " if found else title


@EXAMPLES
@given(contexts())
def test_what_is_not_said_twice_is_there_once(found: RetrievedContext) -> None:
    for document in found:
        text = RetrievedContext.to_markdown(replace(found, documents=(document,)))
        # A link is read without its target.
        words = " ".join(re.findall(r"\w+", f"{text} {_TARGET.sub(' ', text)}"))
        shown = summary_to_show(document)
        said = document.summary or "" if shown is None else plain(shown, keep="\r\n\t")
        assert " ".join(re.findall(r"\w+", said)) in words
        for title in document.section_titles or ():
            assert plain(title) in text or _in_words(title) in f" {words} "


@pytest.mark.parametrize(
    ("summary", "is_shown"),
    [
        ("Thirty days.", False),
        ("Carry-over\n\nFive days.", False),
        ("Five\tdays", False),
        ("Five day", True),
        ("Thirty days. Five days.", True),
        ("thirty days.", True),
        ("Thirty days each year.", True),
    ],
)
def test_a_summary_that_stands_in_a_shown_chunk_is_left_out(summary: str, is_shown: bool) -> None:
    found = RetrievedContext.from_dict(changed("context.documents.0.summary", summary))
    assert ("\n> " in found.to_markdown()) == is_shown
    without = RetrievedContext.from_dict(changed("context.documents.0.chunks", []))
    assert "> How much leave there is." in without.to_markdown()


@pytest.mark.parametrize(
    "link",
    [
        "[the plan](../b.md)",
        '[the plan](<b c.md> "Title (old)")',
        "[the plan](b_(c).md)",
        "[the plan][b]",
        "[[b/c|the plan]]",
        "[[the plan]]",
        "`the plan <b.rst>`_",
        "![a picture](b.png) the **plan**",
    ],
)
def test_a_link_does_not_hide_that_the_summary_is_there(link: str) -> None:
    value = changed("context.documents.0.summary", "Leave\n\nSee the plan for how.")
    value["context"]["documents"][0]["chunks"][0]["text"] = f"# Leave\n\nSee {link} for\nhow. More."
    assert "\n> " not in RetrievedContext.from_dict(value).to_markdown()
    value["context"]["documents"][0]["summary"] = "See the plan, too, for how."
    assert "\n> See the plan, too," in RetrievedContext.from_dict(value).to_markdown(), "nothing is lost"


@pytest.mark.parametrize(
    "text", ["](" * 50_000, "![" * 50_000, "][" * 50_000, "[[a|" * 50_000, "<`" * 50_000]
)
def test_comparing_does_not_take_long(text: str) -> None:
    value = changed("context.documents.0.chunks.0.text", text)
    assert RetrievedContext.from_dict(value).to_markdown()


@pytest.mark.parametrize(
    ("titles", "is_shown"),
    [
        (["Leave"], False),
        (["Carry-over", "Leave"], False),
        ([], False),
        (["Leave", "Carry-over", "Who approves"], True),
        (["carry-over"], True),
        (["leave", "Leave", "How much"], False),
        (["How many"], True),
        (["..."], True),
    ],
)
def test_section_titles_that_are_read_anyway_are_left_out(titles: list[str], is_shown: bool) -> None:
    found = RetrievedContext.from_dict(changed("context.documents.0.section_titles", titles))
    # All of them or none: half of a list would look like a whole one.
    line = f"\nSections: {'; '.join(titles)}\n"
    assert ((line in found.to_markdown()), ("Sections:" in found.to_markdown())) == (is_shown, is_shown)


def test_what_is_all_there_is_to_show_is_shown() -> None:
    """A source that is numbered, and is in the budget, is never an empty one."""
    found = changed("context.documents.0.section_titles", ["Leave"])
    found["context"]["documents"][0] |= {"summary": None, "chunks": []}
    context = RetrievedContext.from_dict(found)
    assert "\nSections: Leave\n" in context.to_markdown()
    assert context.sources()[0].title == "Leave"


@pytest.mark.parametrize(
    ("source", "is_shown"),
    [
        ("https://example.org/handbook/leave.html", True),
        ("http://wiki/leave", True),
        ("/home/me/handbook/leave.md", False),
        ("file:///home/me/handbook/leave.md", False),
        ("handbook/leave.md", False),
        ("C:\\Users\\me\\leave.md", False),
        ("s3://bucket/leave.md", False),
        ("https://me:secret@example.org/leave", False),
        ("https:///leave.md", False),
        ("https://[leave", False),
        ("javascript:https://example.org", False),
    ],
)
def test_only_a_public_address_is_shown_as_the_source(source: str, is_shown: bool) -> None:
    found = RetrievedContext.from_dict(changed("context.documents.0.source", source))
    for text in (found.to_markdown(), found.to_messages("What?")[1]["content"]):
        assert (f" Source: {source}." in text, "Source:" in text) == (is_shown, is_shown)
        assert (source in text) == is_shown
    assert found.sources()[0].source == source
    assert source in json.loads(found.to_json())["context"]["documents"][0]["source"]


def test_messages() -> None:
    system, user = context().to_messages("How many days?")
    assert (system["role"], user["role"]) == ("system", "user")
    assert "[1]" in system["content"]
    assert "If the sources do not contain the answer, say so." in system["content"]
    assert user["content"] == f"# Sources\n\n{MARKDOWN}\n# Question\n\nHow many days?\n"


def test_messages_without_a_question_and_with_another_instruction() -> None:
    system, user = context().to_messages(system="Be brief.")
    assert system == {"role": "system", "content": "Be brief."}
    assert user == {"role": "user", "content": f"# Sources\n\n{MARKDOWN}"}


@EXAMPLES
@given(contexts())
def test_sources_have_the_numbers_of_the_messages(found: RetrievedContext) -> None:
    system, user = found.to_messages("What?")
    # What documents say never stands in the instruction.
    assert system == context().to_messages()[0]
    places = [
        user["content"].index(f"## [{each.number}] {plain(each.title or each.document_id)}\n")
        for each in found.sources()
    ]
    assert places == sorted(places)
    assert [(each.document_id, each.source) for each in found.sources()] == [
        (document.document_id, document.source) for document in found
    ]
