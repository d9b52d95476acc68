"""The wall for writers: nothing beyond the ceiling or the claim is written, nor is what is hidden touched."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Installed
from tests.sql.api.walled import CLAIM, HELD, HIDDEN, OUTSIDE, WIDE, Walled
from tests.sql.asking import ALL_CALLS, nothing_written, refusal, words
from tests.sql.writing import (
    get,
    listed,
    nothing_written_but_turns,
    put,
    related,
    report,
    rows,
    text_of,
    triples,
)


def test_what_may_be_written_is_written(walled: Walled) -> None:
    link = {"relation_type": "references", "to": "seen"}
    said = put(walled.writer, {"id": "mine", "links": [link], **HELD}, access=CLAIM)
    assert said == {"added": ["mine"], "changed": [], "unchanged": [], "waiting": []}
    assert listed(walled.writer, access=CLAIM) == ["mine", "one tag too many", "seen"]
    assert report(walled.writer, "delete_documents", documents=["mine", "seen"], access=CLAIM) == {
        "deleted": ["mine", "seen"],
        "absent": [],
    }


@pytest.mark.parametrize("why", OUTSIDE)
@pytest.mark.parametrize("function", ["put_documents", "unchanged_documents"])
def test_no_attribute_is_given_that_is_not_held(walled: Walled, function: str, why: str) -> None:
    fine = {"id": "fine", **HELD}
    for document in ({"id": "new", **HELD, **OUTSIDE[why]}, {"id": "seen", **HELD, **OUTSIDE[why]}):
        said = walled.refused(function, documents=[fine, document])
        assert said[:2] == ("42501", "documents[1] is outside what this call may write")
        assert said[2] is None
        assert str(said[3]).startswith("Claim in access all tags")


@pytest.mark.parametrize("key", ["tags", "labels", "clearance", "repositories", "snapshots"])
def test_the_claim_narrows_like_the_ceiling(walled: Walled, key: str) -> None:
    narrower = {k: v for k, v in CLAIM.items() if k != key}
    if key in {"repositories", "snapshots"}:
        narrower = {**CLAIM, key: ["another"]}
    for document in ("new", "seen"):
        said = walled.refused("put_documents", access=narrower, documents=[{"id": document, **HELD}])
        assert said[:2] == ("42501", "documents[0] is outside what this call may write")


def test_a_claim_beyond_the_ceiling_gives_nothing(walled: Walled) -> None:
    for attributes in OUTSIDE.values():
        document = {"id": "new", **HELD, **attributes}
        said = walled.refused("put_documents", access=WIDE, documents=[document])
        assert said[:2] == ("42501", "documents[0] is outside what this call may write")


@pytest.mark.parametrize("function", ["put_documents", "unchanged_documents"])
def test_a_hidden_id_is_refused_in_the_words_of_a_foreign_repository(walled: Walled, function: str) -> None:
    foreign = walled.refused(function, documents=[{"id": "unknown", **HELD, "repository": "theirs"}])
    for why, attributes in OUTSIDE.items():
        assert walled.refused(function, documents=[{"id": why, **HELD}]) == foreign
        assert walled.refused(function, documents=[{"id": why, **HELD, **attributes}]) == foreign
        # Nor does any other mistake tell: what is wrong with a document is said first, and of all alike.
        short = {**HELD, "chunks": [{"text": "t", "embedding": [1]}]}
        errors = [walled.refused(function, documents=[{"id": each, **short}]) for each in (why, "unknown")]
        assert errors[0] == errors[1]
        assert errors[0][0] == "22023"
        keep = {**HELD, "chunks": [{"text": "t", "embedding": "keep"}]}
        assert walled.refused(function, documents=[{"id": why, **keep}]) == foreign


def test_deleting_what_is_hidden_is_deleting_nothing(walled: Walled) -> None:
    for why in [*HIDDEN, "of another tenant"]:
        with nothing_written_but_turns(walled.superuser):
            found = [
                text_of(walled.writer, "delete_documents", documents=[document], access=CLAIM)
                for document in (why, "unknown")
            ]
        assert found[0].replace(why, "unknown") == found[1]
    said = report(walled.writer, "delete_documents", documents=["unknown"], access=CLAIM)
    assert said == {"deleted": [], "absent": ["unknown"]}


def test_what_is_seen_through_one_tag_is_not_deleted_or_changed(walled: Walled) -> None:
    document = "one tag too many"
    assert get(walled.writer, document, access=CLAIM)["tags"] == ["hr", "law"]
    given: dict[str, dict[str, Any]] = {
        "delete_documents": {"documents": ["seen", document]},
        "set_document_access": {"documents": [document], "attributes": {"tags": ["hr"]}},
        "put_documents": {"documents": [{"id": document, **HELD}]},
        "put_relationships": {"relationships": triples([(document, "explains", "seen")])},
        "delete_relationships": {"relationships": triples([(document, "explains", "seen")])},
    }
    for function, changes in given.items():
        said = walled.refused(function, **changes)
        assert said[0] == "42501"
        assert str(said[1]).endswith("is outside what this call may write")


def test_readers_may_not_write(half_walled: Installed, walled: Walled) -> None:
    writing = [
        name
        for name, call in ALL_CALLS.items()
        if "access" in call.parameters
        and not name.startswith(
            (
                *(
                    "get_",
                    "list_",
                    "plan_",
                    "search_",
                    "candidate_",
                    "whoami",
                    "execute_",
                    "assemble_",
                    "retrieve",
                ),
                *("expand_", "fetch_", "run_pipeline"),
            )
        )
    ]
    assert len(writing) == 8
    with half_walled.connect("wall_reading") as reader, nothing_written(walled.superuser):
        for name in writing:
            error = refusal(reader, ALL_CALLS[name])
            assert error.diag.sqlstate == "42501"
            assert error.diag.message_primary == f"permission denied for function {name}"
        assert get(reader, "seen", access=WIDE)["id"] == "seen"


def test_nothing_of_another_tenant(walled: Walled) -> None:
    document: dict[str, Any] = {"id": "of another tenant", **HELD}
    unknown = words(refusal(walled.writer, ALL_CALLS["put_documents"], tenant="nowhere"))
    for name, call in ALL_CALLS.items():
        if "access" in call.parameters:
            with nothing_written(walled.superuser):
                error = words(refusal(walled.writer, call, tenant="elsewhere"))
            assert error[:4] == unknown[:4], name
    put(walled.writer, {**document, "title": "ours"}, access=CLAIM)
    assert get(walled.superuser, document["id"], tenant="elsewhere", access=WIDE)["title"] == ""


def test_readers_see_nothing_hidden(walled: Walled) -> None:
    for why in [*HIDDEN, "of another tenant", "unknown"]:
        assert get(walled.writer, why, access=CLAIM) is None
        for direction in ("in", "out"):
            assert related(walled.writer, why, direction=direction, access=CLAIM) == []
    assert listed(walled.writer, access=CLAIM) == ["one tag too many", "seen"]
    assert rows(walled.writer, "list_documents", access=CLAIM, after="seen") == []
