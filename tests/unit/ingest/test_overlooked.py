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


@pytest.mark.parametrize(
    ("key", "value", "asked"),
    [
        ("tags", ["secret"], ["x"]),
        ("tags", "secret", "x"),
        ("labels", ["x", "pii"], ["x"]),
        ("clearance", 3, 1),
    ],
)
def test_what_access_does_not_ask_for_is_said_beside_it(key: str, value: object, asked: object) -> None:
    (note,) = notes({"access": {key: asked}, key: value})
    assert note.startswith(f"`{key}` at the top of front matter is metadata, and restricts nobody.")
    assert notes({"access": {"tags": ["x", "y"]}, "tags": "x"}) == []


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("clearence", "clearance"), ("clearances", "clearance"), ("Clearance", "clearance"),
        ("claerance", "clearance"), ("tag", "tags"), ("Tags", "tags"), ("lables", "labels"),
        ("label", "labels"), ("respository", "repository"), ("snap-shot", "snapshot"),
    ],
)  # fmt: skip
def test_a_restriction_that_is_misspelt_restricts_nobody_either(key: str, meant: str) -> None:
    (note,) = notes({key: 3})
    assert note.startswith(f"`{key}` ")
    assert "is metadata, and restricts nobody." in note
    assert f"give the run --{meant}. (1 document, 0.md)" in note
    if meant not in {"repository", "snapshot"}:
        assert f"write `{meant}` under `access:`" in note


@pytest.mark.parametrize("key", ["stages", "targets", "repository_url", "clear", "levels", "tables", "page"])
def test_other_words_are_no_restrictions(key: str) -> None:
    assert notes({key: "x"}) == []


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


@pytest.mark.parametrize("value", [{"a": 1}, [1, {"a": "b"}], 1.5, [["a", "b"]], ["ADR-1", 2.0]])
def test_relations_of_a_shape_that_makes_none(value: object) -> None:
    (note,) = notes({"Supersedes": value}, {"Supersedes": value})
    assert note == (
        "`Supersedes` in front matter names a document by a text or a number, and several by a list of them. "
        "What has another shape there makes no relationship. (2 documents, 0.md for one)"
    )


@pytest.mark.parametrize(
    "value",
    [
        "foo",
        5,
        True,
        ["foo"],
        [{"requires": "a"}],
        [{"type": 5, "to": "a"}],
        [{"type": "x"}],
        {"x": {"y": "z"}},
    ],
)
def test_relations_without_types(value: object) -> None:
    (note,) = notes({"relations": value})
    assert note == (
        "`relations` in front matter holds `type: document`, and a list of documents where there are several."
        " What has another shape there makes no relationship. (1 document, 0.md)"
    )


def test_relations_that_are_read_and_those_that_say_nothing() -> None:
    listed = {"relations": [{"type": "x", "to": ["a", 1, ["Page"]]}], "requires": ["a", 1, ["Page"]]}
    assert notes(listed) == []
    assert notes({"relations": None, "requires": [], "extends": {}, "parent": [None, ""]}) == []
    assert notes({"relations": {"x": None}}, {"relations": []}) == []
    assert notes({"related": True}) == [], "a flag names no document, and is not meant to"


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
