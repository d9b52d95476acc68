"""The wall for writers: links to and from what is hidden, and names of it."""

from __future__ import annotations

from tests.sql.api.walled import CLAIM, HELD, HIDDEN, WIDE, Walled
from tests.sql.writing import (
    edges,
    nothing_written_but_turns,
    put,
    relate,
    related,
    report,
    text_of,
    triples,
)


def test_a_relationship_to_what_is_hidden_waits_as_far_as_is_told(walled: Walled) -> None:
    put(walled.writer, {"id": "mine", **HELD}, access=CLAIM)
    for target in [*HIDDEN, "unknown", "of another tenant"]:
        wanted = triples([("mine", "explains", target)])
        said = relate(walled.writer, ("mine", "explains", target), access=CLAIM)
        assert said == {"added": wanted, "changed": [], "unchanged": [], "absent": [], "waiting": wanted}
    expected = sorted(("explains", target, True) for target in [*HIDDEN, "unknown", "of another tenant"])
    assert related(walled.writer, "mine", access=CLAIM) == expected
    assert len(edges(walled.superuser)) == len(HIDDEN)
    for target in HIDDEN:
        assert related(walled.superuser, "mine", access=WIDE).count(("explains", target, False)) == 1
    # Gone or there: the writer is told the same.
    report(walled.superuser, "delete_documents", documents=HIDDEN, access=WIDE)
    assert related(walled.writer, "mine", access=CLAIM) == expected


def test_a_relationship_from_what_is_hidden_is_absent(walled: Walled) -> None:
    for function in ("put_relationships", "delete_relationships"):
        for why in [*HIDDEN, "of another tenant"]:
            with nothing_written_but_turns(walled.superuser):
                found = [
                    text_of(
                        walled.writer,
                        function,
                        relationships=triples([(each, "explains", "seen")]),
                        access=CLAIM,
                    )
                    for each in (why, "unknown")
                ]
            assert found[0].replace(why, "unknown") == found[1]


def test_a_name_of_what_is_hidden_is_not_known(walled: Walled) -> None:
    """Deleting by the id of a hidden document does not find the reference that uses its name."""
    put(walled.superuser, {"id": "theirs", "names": ["N-1"], **HELD, "tags": ["law"]}, access=WIDE)
    put(walled.writer, {"id": "mine", **HELD}, access=CLAIM)
    relate(walled.writer, ("mine", "explains", "N-1"), access=CLAIM)
    given = triples([("mine", "explains", "theirs")])
    said = report(walled.writer, "delete_relationships", relationships=given, access=CLAIM)
    assert said == {"deleted": [], "absent": given}
    assert edges(walled.superuser) == [("mine", "explains", "theirs", True, False, None)]
    # By its own words it can be taken back.
    given = triples([("mine", "explains", "N-1")])
    said = report(walled.writer, "delete_relationships", relationships=given, access=CLAIM)
    assert said == {"deleted": given, "absent": []}
    assert edges(walled.superuser) == []
