"""set_document_access: what it changes, and what it may not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sql.api.walled import CLAIM, HELD, HIDDEN, OUTSIDE, WIDE, Walled
from tests.sql.writing import (
    get,
    nothing_written_but_turns,
    put,
    relate,
    related,
    report,
    text_of,
)


def test_it_changes_that_and_nothing_else(walled: Walled) -> None:
    before = get(walled.writer, "seen", access=CLAIM)
    asked: dict[str, Any] = {"documents": ["seen", "unknown", "seen"], "access": CLAIM}
    for attributes in ({"tags": ["all", "hr"]}, {"clearance": 1}, {"labels": [], "tags": ["all"]}):
        said = report(walled.writer, "set_document_access", attributes=attributes, **asked)
        assert said == {"changed": ["seen"], "unchanged": [], "absent": ["unknown"]}
        before |= attributes
        assert get(walled.writer, "seen", access=CLAIM) == before
        said = report(walled.writer, "set_document_access", attributes=attributes, **asked)
        assert said == {"changed": [], "unchanged": ["seen"], "absent": ["unknown"]}
    said = report(walled.writer, "set_document_access", attributes={}, **asked)
    assert said["unchanged"] == ["seen"]


@pytest.mark.parametrize("why", OUTSIDE)
def test_nothing_is_given_that_is_not_held(walled: Walled, why: str) -> None:
    said = walled.refused("set_document_access", documents=["seen"], attributes=OUTSIDE[why])
    assert said[:2] == ("42501", "attributes is outside what this call may write")


def test_what_is_hidden_is_absent(walled: Walled) -> None:
    for why in [*HIDDEN, "of another tenant"]:
        for attributes in ({"tags": ["hr"]}, {"tags": ["law"]}):
            with nothing_written_but_turns(walled.superuser):
                found = [
                    text_of(
                        walled.writer,
                        "set_document_access",
                        documents=[each],
                        attributes=attributes,
                        access=CLAIM,
                    )
                    for each in (why, "unknown")
                ]
            assert found[0].replace(why, "unknown") == found[1]


def test_it_holds_for_chunks_and_relationships(walled: Walled) -> None:
    put(walled.writer, {"id": "mine", **HELD}, access=CLAIM)
    relate(walled.writer, ("mine", "explains", "seen"), ("seen", "explains", "mine"), access=CLAIM)
    given: dict[str, Any] = {"documents": ["seen"], "attributes": {"tags": ["law"]}}
    report(walled.superuser, "set_document_access", access=WIDE, **given)
    assert get(walled.writer, "seen", access=CLAIM) is None
    assert related(walled.writer, "mine", access=CLAIM) == [("explains", "seen", True)]
    assert related(walled.writer, "mine", direction="in", access=CLAIM) == []
    assert get(walled.superuser, "seen", access=WIDE)["chunks"][0]["text"] == "seen"
