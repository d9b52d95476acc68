"""put_documents: what is new, what is changed, and what is the same and therefore not written."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Any

import pytest

from tests.sql.asking import Connection
from tests.sql.writing import edges, get, put, relate, report, row_versions

FULL: dict[str, Any] = {
    "id": "handbook/leave.md",
    "title": "Leave",
    "doc_type": "policy",
    "source": "/srv/handbook/leave.md",
    "summary": "Thirty days.",
    "summary_embedding": [0, 1, 0, 0],
    "section_titles": ["Leave", "Annual leave"],
    "metadata": {"author": "me", "years": [2024, 2025]},
    "names": ["LEAVE-1", "leave"],
    "chunks": [
        {
            "text": "Thirty days a year.",
            "embedding": [1, 0, 0, 0],
            "token_count": 5,
            "section_path": ["Leave", "Annual leave"],
            "start": 0,
            "end": 19,
        },
        {"text": "Ask early."},
    ],
    "links": [{"relation_type": "references", "to": "travel.md", "evidence": "see travel"}],
    "relationships": [{"relation_type": "supersedes", "to": "old.md"}],
    "repository": "handbook",
    "snapshot": "main",
    "tags": ["hr", "all", "hr"],
    "labels": ["internal"],
    "clearance": 2,
}
HOLDER = {"tags": ["hr", "all"], "labels": ["internal"], "clearance": 2}


def test_everything_that_was_put_is_shown(undone: Connection) -> None:
    said = put(undone, FULL, access=HOLDER)
    assert said == {
        "added": ["handbook/leave.md"],
        "changed": [],
        "unchanged": [],
        "waiting": [
            {"from": "handbook/leave.md", "relation_type": "references", "to": "travel.md"},
            {"from": "handbook/leave.md", "relation_type": "supersedes", "to": "old.md"},
        ],
    }
    found = get(undone, "handbook/leave.md", access=HOLDER)
    assert len(found.pop("content_hash")) == 64
    assert found == {
        **{key: FULL[key] for key in ("id", "title", "doc_type", "source", "summary", "section_titles")},
        "summary_embedded": True,
        "metadata": FULL["metadata"],
        "names": ["LEAVE-1", "leave"],
        "ingestion": None,
        "repository": "handbook",
        "snapshot": "main",
        "tags": ["all", "hr"],
        "labels": ["internal"],
        "clearance": 2,
        "chunks": [
            {
                "ordinal": 0,
                "text": "Thirty days a year.",
                "token_count": 5,
                "section_path": ["Leave", "Annual leave"],
                "start": 0,
                "end": 19,
                "embedded": True,
            },
            {
                "ordinal": 1,
                "text": "Ask early.",
                "token_count": 3,
                "section_path": [],
                "start": None,
                "end": None,
                "embedded": False,
            },
        ],
    }


def test_an_id_alone_is_a_document(undone: Connection) -> None:
    assert put(undone, {"id": "a"})["added"] == ["a"]
    found = get(undone, "a")
    assert (found["title"], found["names"], found["chunks"], found["tags"]) == ("", [], [], [])
    assert (found["metadata"], found["summary_embedded"], found["clearance"]) == ({}, False, 0)


def test_no_document_is_no_error(undone: Connection) -> None:
    assert put(undone) == {"added": [], "changed": [], "unchanged": [], "waiting": []}


@pytest.mark.parametrize("given_hash", [None, "ab" * 32])
def test_the_same_again_writes_nothing(undone: Connection, given_hash: str | None) -> None:
    document = FULL if given_hash is None else {**FULL, "content_hash": given_hash}
    put(undone, document, {"id": "travel.md"}, access=HOLDER)
    before = row_versions(undone)
    said = put(undone, {"id": "travel.md"}, document, access=HOLDER)
    assert said["unchanged"] == ["travel.md", "handbook/leave.md"]
    assert (said["added"], said["changed"]) == ([], [])
    assert [w["to"] for w in said["waiting"]] == ["old.md"]
    assert row_versions(undone) == before


def test_the_order_of_keys_and_of_tags_is_no_change(undone: Connection) -> None:
    put(undone, FULL, access=HOLDER)
    turned = {key: FULL[key] for key in reversed(FULL)} | {"tags": ["all", "hr"]}
    before = row_versions(undone)
    assert put(undone, turned, access=HOLDER)["unchanged"] == ["handbook/leave.md"]
    assert row_versions(undone) == before


CHANGES: dict[str, Any] = {
    "title": "Holidays",
    "doc_type": "rule",
    "source": "elsewhere",
    "summary": "Twenty days.",
    "summary_embedding": [0, 0, 1, 0],
    "section_titles": ["Leave"],
    "metadata": {},
    "names": ["leave"],
    "chunks": [{"text": "Thirty days a year."}],
    "links": [],
    "relationships": [],
    "content_hash": "cd" * 32,
}


@pytest.mark.parametrize("key", CHANGES)
def test_whatever_changes_is_a_change(undone: Connection, key: str) -> None:
    put(undone, FULL, access=HOLDER)
    before = get(undone, FULL["id"], access=HOLDER)
    assert put(undone, {**FULL, key: CHANGES[key]}, access=HOLDER)["changed"] == [FULL["id"]]
    after = get(undone, FULL["id"], access=HOLDER)
    assert after["content_hash"] != before["content_hash"]
    if key in after and key not in {"chunks", "content_hash"}:
        assert after[key] == CHANGES[key]
    untouched = before.keys() - {key, "content_hash"}
    assert {k: after[k] for k in untouched} == {k: before[k] for k in untouched}


def test_a_key_that_is_left_out_is_emptied(undone: Connection) -> None:
    """A document is replaced, not patched: only declared relationships are kept."""
    put(undone, FULL, access=HOLDER)
    put(undone, {"id": FULL["id"]}, access=HOLDER)
    found = get(undone, FULL["id"])
    empty = ("title", "doc_type", "source", "summary", "repository", "snapshot")
    assert [found[key] for key in empty] == [""] * len(empty)
    assert [found[key] for key in ("names", "chunks", "tags", "labels")] == [[]] * 4
    rest = undone.execute("SELECT relation_type, to_name FROM docgraph.document_references").fetchall()
    assert rest == [("supersedes", "old.md")]


def test_a_content_hash_decides_alone(undone: Connection) -> None:
    """Of whatever the caller made it: other content under the same hash is not looked at."""
    put(undone, {"id": "a", "title": "one", "content_hash": "ab" * 32})
    before = row_versions(undone)
    assert put(undone, {"id": "a", "title": "two", "content_hash": "ab" * 32})["unchanged"] == ["a"]
    assert row_versions(undone) == before
    assert put(undone, {"id": "a", "title": "one", "content_hash": "cd" * 32})["changed"] == ["a"]
    assert get(undone, "a")["content_hash"] == "cd" * 32


def test_without_a_hash_the_database_takes_one_of_what_was_said(undone: Connection) -> None:
    put(undone, {"id": "a", "title": "one", "tags": []})
    (said,) = undone.execute("""SELECT '{"id": "a", "title": "one"}'::jsonb::text""").fetchall()[0]
    assert get(undone, "a")["content_hash"] == hashlib.sha256(said.encode()).hexdigest()


ACCESS_CHANGES: dict[str, Any] = {
    "repository": "other",
    "snapshot": "dev",
    "tags": ["hr"],
    "labels": [],
    "clearance": 1,
}


@pytest.mark.parametrize("key", ACCESS_CHANGES)
def test_other_access_attributes_are_a_change_and_nothing_else_is_written(
    undone: Connection, key: str
) -> None:
    put(undone, FULL, {"id": "travel.md"}, access=HOLDER)
    before = get(undone, FULL["id"], access=HOLDER)
    said = put(undone, {**FULL, key: ACCESS_CHANGES[key]}, access=HOLDER)
    assert (said["changed"], said["unchanged"]) == ([FULL["id"]], [])
    assert get(undone, FULL["id"], access=HOLDER) == {**before, key: ACCESS_CHANGES[key]}
    carried = undone.execute(
        """
        SELECT access_class FROM docgraph.vector_chunks WHERE document_id = %(id)s
        UNION SELECT from_access_class FROM docgraph.document_relationships WHERE from_document = %(id)s
        UNION SELECT access_class FROM docgraph.document_nodes WHERE document_id = %(id)s
        """,
        {"id": FULL["id"]},
    ).fetchall()
    assert len(carried) == 1


def test_a_changed_document_in_another_class_takes_all_of_it_along(undone: Connection) -> None:
    put(undone, FULL, {"id": "travel.md"}, access=HOLDER)
    put(undone, {**FULL, "title": "Other", "tags": ["hr"]}, access=HOLDER)
    assert len(get(undone, FULL["id"], access={**HOLDER, "tags": ["hr"]})["chunks"]) == 2
    assert get(undone, FULL["id"], access={**HOLDER, "tags": ["all"]}) is None
    classes = undone.execute(
        """
        SELECT n.access_class = c.access_class FROM docgraph.document_nodes n
        JOIN docgraph.vector_chunks c USING (tenant_id, document_id)
        """
    ).fetchall()
    assert classes == [(True,), (True,)]


def test_unchanged_documents_is_what_putting_would_leave(undone: Connection) -> None:
    hashed = {**FULL, "content_hash": "ab" * 32}
    put(undone, hashed, {"id": "b"}, {"id": "c"}, access=HOLDER)
    access = {key: FULL[key] for key in ACCESS_CHANGES}
    asked = [
        {"id": "d"},
        {"id": "c", "tags": ["hr"]},
        {"id": "b"},
        {"id": FULL["id"], "content_hash": "ab" * 32, **access},
        {"id": "e", "content_hash": "ab" * 32},
    ]
    before = row_versions(undone)
    found = report(undone, "unchanged_documents", documents=asked, access=HOLDER)
    assert found == ["b", FULL["id"]]
    assert row_versions(undone) == before
    declared = {"relationships": [{"relation_type": "supersedes", "to": "old.md"}]}
    asked = [{"id": FULL["id"], "content_hash": "ab" * 32, **access, **declared}]
    assert report(undone, "unchanged_documents", documents=asked, access=HOLDER) == [FULL["id"]]
    relate(undone, (FULL["id"], "explains", "b"), access=HOLDER)
    assert report(undone, "unchanged_documents", documents=asked, access=HOLDER) == []


NFD = unicodedata.normalize("NFD", "é")


def test_text_is_stored_in_nfc_and_ids_as_they_are(undone: Connection) -> None:
    document = {
        "id": NFD,
        "title": NFD,
        "doc_type": NFD,
        "source": NFD,
        "summary": NFD,
        "section_titles": [NFD],
        "metadata": {NFD: NFD},
        "names": ["x" + NFD],
        "chunks": [{"text": NFD, "section_path": [NFD]}],
        "links": [{"relation_type": NFD, "to": "y" + NFD, "evidence": NFD}],
        "repository": NFD,
        "tags": [NFD],
    }
    put(undone, document, {"id": "é"}, access={"tags": [NFD]})
    found = get(undone, NFD, access={"tags": [NFD]})
    assert (found["title"], found["summary"], found["section_titles"]) == ("é", "é", ["é"])
    assert (found["chunks"][0]["text"], found["chunks"][0]["section_path"]) == ("é", ["é"])
    assert (found["id"], found["doc_type"], found["source"]) == (NFD, NFD, NFD)
    assert (found["names"], found["metadata"]) == (["x" + NFD], {NFD: NFD})
    assert (found["repository"], found["tags"]) == (NFD, [NFD])
    rest = undone.execute("SELECT relation_type, to_name, evidence FROM docgraph.document_references")
    assert rest.fetchall() == [(NFD, "y" + NFD, "é")]
    assert get(undone, "é")["title"] == ""


def test_tenants_have_documents_of_their_own(undone: Connection) -> None:
    undone.execute("SELECT docgraph.grant_access('other', session_user::text, NULL, NULL, NULL, NULL, NULL)")
    for tenant in ("default", "other"):
        link = {"relation_type": "references", "to": "b"}
        assert put(undone, {"id": "a", "title": tenant, "links": [link]}, tenant=tenant)["added"] == ["a"]
    put(undone, {"id": "b"}, tenant="other")
    assert get(undone, "a")["title"] == "default"
    assert get(undone, "b") is None
    assert edges(undone) == []
    assert edges(undone, "other") == [("a", "references", "b", False, True, None)]
