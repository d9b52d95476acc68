"""Notes on front matter that has no effect: what restricts nobody, and keys that are nearly known."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.ingest.overlooked import Overlooked
from docgraph.ingest.types import Parsed


def notes(*front_matter: dict[str, Any], fields: tuple[tuple[str, str], ...] = ()) -> list[str]:
    overlooked = Overlooked()
    for number, said in enumerate(front_matter):
        overlooked.look(Parsed(f"{number}.md", "markdown", "", "", front_matter=said, fields=fields))
    return overlooked.notes


@pytest.mark.parametrize(("key", "value"), [("tags", ["hr"]), ("labels", "secret"), ("clearance", 3)])
def test_what_restricts_nobody_is_said_once_with_what_to_do(key: str, value: object) -> None:
    (note,) = notes({key: value}, {"title": "T"}, {key: value, "access": {}})
    assert note == (
        f"`{key}` at the top of front matter is metadata, and restricts nobody. To restrict who may see a "
        f"document, write it under `access:`, or give the run --{key}. (2 documents, 0.md for one)"
    )
    assert notes({key: value, "access": {key: value}}) == [], "its author knows where it belongs"


@pytest.mark.parametrize("key", ["repository", "snapshot"])
def test_what_only_a_run_can_give(key: str) -> None:
    (note,) = notes({key: "wiki"})
    assert note.endswith(f"To give documents a {key}, give the run --{key}. (1 document, 0.md)")


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("superceded_by", "superseded_by"), ("Superceded-By", "superseded_by"), ("supercedes", "supersedes"),
        ("supersede", "supersedes"), ("dependson", "depends_on"), ("reference", "references"),
        ("related_to", "relates_to"), ("require", "requires"), ("acess", "access"), ("Access", "access"),
        ("relation", "relations"),
    ],
)  # fmt: skip
def test_a_key_that_is_nearly_known(key: str, meant: str) -> None:
    said = f"`{key}` is metadata, and nothing else. Did you mean `{meant}`? (1 document, 0.md)"
    assert notes({key: ["ADR-3"]}) == [said]
    assert notes({}, fields=((key, "ADR-3"),)) == [said]


def test_what_is_understood_or_ordinary_is_no_matter() -> None:
    known = {"Superseded-By": "a", "see also": "b", "relations": {"x": "y"}, "related": "c", "access": {}}
    ordinary = (
        "id", "title", "doc_type", "date", "updated", "created", "author", "status", "description", "summary",
        "category", "required", "type", "version", "keywords", "layout", "permalink", "draft", "aliases",
        "owner", "reviewers", "sources", "links", "replaced",
    )  # fmt: skip
    assert notes({**known, **dict.fromkeys(ordinary, "2024-01-02")}) == []
    assert notes({"duplicate": True, "extend": None, "require": []}) == [], "these name no document"


def test_notes_do_not_grow_with_the_source() -> None:
    assert len(notes(*({f"supersedes{number}": "a"} for number in range(90)))) <= 20
