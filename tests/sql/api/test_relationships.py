"""put_relationships and delete_relationships: declared beside the documents."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sql.asking import Connection
from tests.sql.writing import edges, put, relate, related, report, row_versions, triples


def unrelate(connection: Connection, *relationships: tuple[str, str, str]) -> Any:
    return report(connection, "delete_relationships", relationships=triples(relationships))


def said(**outcomes: list[tuple[str, str, str]]) -> dict[str, Any]:
    """A report of put_relationships with nothing but this."""
    empty: dict[str, Any] = {"added": [], "changed": [], "unchanged": [], "absent": [], "waiting": []}
    return empty | {outcome: triples(found) for outcome, found in outcomes.items()}


AB, AZ, BA = ("a", "explains", "b"), ("a", "explains", "z"), ("b", "explains", "a")


@pytest.fixture(autouse=True)
def _two_documents(undone: Connection) -> None:
    link = {"relation_type": "references", "to": "b", "evidence": "see b"}
    put(undone, {"id": "a", "links": [link]}, {"id": "b", "names": ["B-1"]})


def test_added_connected_and_waiting(undone: Connection) -> None:
    assert relate(undone, AZ, AB, BA) == said(added=[AB, AZ, BA], waiting=[AZ])
    assert related(undone, "a") == [
        ("explains", "b", False),
        ("explains", "z", True),
        ("references", "b", False),
    ]
    put(undone, {"id": "z"})
    assert related(undone, "z", direction="in") == [("explains", "a", False)]


def test_what_waits_is_sorted_however_it_was_given(undone: Connection) -> None:
    waiting = [("a", "explains", name) for name in ("B", "c", "d", "e", "z", "\u00e9")]
    assert relate(undone, *reversed(waiting)) == said(added=waiting, waiting=waiting)


def test_the_same_again_writes_nothing(undone: Connection) -> None:
    relate(undone, AB, AZ)
    before = row_versions(undone)
    assert relate(undone, AZ, AB, AB) == said(unchanged=[AB, AZ], waiting=[AZ])
    assert row_versions(undone) == before


def test_what_was_inferred_becomes_declared_as_well(undone: Connection) -> None:
    inferred = ("a", "references", "b")
    assert relate(undone, inferred) == said(changed=[inferred])
    # The words of the link are its text's: they would outlive it.
    assert edges(undone) == [("a", "references", "b", True, True, None)]
    assert relate(undone, inferred) == said(unchanged=[inferred])
    put(undone, {"id": "a", "title": "without the link"})
    assert [edge[:5] for edge in edges(undone)] == [("a", "references", "b", True, False)]


def test_other_evidence_is_a_change(undone: Connection) -> None:
    def with_evidence(*evidence: str) -> Any:
        given = [{**triples([AB])[0], "evidence": each} for each in evidence]
        return report(undone, "put_relationships", relationships=given)

    assert with_evidence("e\u0301") == said(added=[AB])
    assert with_evidence("é") == said(unchanged=[AB])
    assert with_evidence("y", "x") == said(changed=[AB])
    assert ("a", "explains", "b", True, False, "x") in edges(undone)
    # None given: the old words stay.
    assert relate(undone, AB) == said(unchanged=[AB])


def test_of_a_document_that_is_not_there(undone: Connection) -> None:
    before = row_versions(undone)
    unknown = ("unknown", "explains", "a")
    assert relate(undone, unknown) == said(absent=[unknown])
    assert row_versions(undone) == before
    assert relate(undone, unknown, AB) == said(absent=[unknown], added=[AB])


def test_by_a_name(undone: Connection) -> None:
    named = ("a", "explains", "B-1")
    assert relate(undone, named) == said(added=[named])
    assert ("a", "explains", "b", True, False, None) in edges(undone)


def test_deleted_and_absent(undone: Connection) -> None:
    relate(undone, AB, AZ)
    unknown = ("unknown", "explains", "a")
    found = unrelate(undone, AZ, unknown, AB, BA, AB)
    assert found == {"deleted": triples([AB, AZ]), "absent": triples([BA, unknown])}
    assert related(undone, "a") == [("references", "b", False)]
    assert unrelate(undone, AB) == {"deleted": [], "absent": triples([AB])}


def test_deleted_by_the_id_that_a_name_led_to(undone: Connection) -> None:
    """And by the name itself; both ways the relationship is gone with all references that made it."""
    for given in (AB, ("a", "explains", "B-1")):
        relate(undone, ("a", "explains", "B-1"))
        assert unrelate(undone, given) == {"deleted": triples([given]), "absent": []}
        assert related(undone, "a") == [("references", "b", False)]
    relate(undone, ("a", "explains", "B-1"), AB)
    unrelate(undone, AB)
    assert related(undone, "a") == [("references", "b", False)]
    relate(undone, ("a", "explains", "B-1"))
    both = [("a", "explains", "B-1"), AB]
    assert unrelate(undone, *both) == {"deleted": triples(both), "absent": []}


def test_an_inferred_one_comes_back_with_a_changed_document(undone: Connection) -> None:
    link = {"relation_type": "references", "to": "b", "evidence": "see b"}
    unrelate(undone, ("a", "references", "b"))
    assert edges(undone) == []
    assert put(undone, {"id": "a", "links": [link]})["unchanged"] == ["a"]
    assert edges(undone) == []
    put(undone, {"id": "a", "links": [link], "title": "changed"})
    assert edges(undone) == [("a", "references", "b", False, True, "see b")]


def test_nothing_is_no_error(undone: Connection) -> None:
    before = row_versions(undone)
    assert relate(undone) == said()
    assert unrelate(undone) == {"deleted": [], "absent": []}
    assert row_versions(undone) == before


def test_5000_in_one_call(undone: Connection) -> None:
    many = [("a", "explains", f"{number:05}") for number in range(5000)]
    assert len(relate(undone, *many)["waiting"]) == 5000
    assert len(unrelate(undone, *many)["deleted"]) == 5000
