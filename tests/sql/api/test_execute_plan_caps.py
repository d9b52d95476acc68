"""A plan may claim anything: its own limits are applied anew, and so are the highest that there are."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.sql.api.evidenced import bytes_of, chosen, document, evidence, executed, pieces, put_library
from tests.sql.api.test_plan_functions import seal
from tests.sql.asking import Connection
from tests.sql.planning import Plan, plan, seeds_of
from tests.sql.writing import put, relate

RAISED = {"max_documents": 10**9, "expanded_per_seed": 10**9, "seed_limit": 10**9}


def claiming(connection: Connection, made: Plan, **changes: Any) -> Plan:
    """The plan with other constraints or other lists, sealed by the database."""
    found: Plan = json.loads(json.dumps(made))
    for key, value in changes.items():
        (found if key in found else found["constraints"])[key] = value
    return seal(connection, found)


def seeds(count: int, origin: str) -> list[dict[str, Any]]:
    return [
        {"document_id": f"d{number:04d}", "rank": number, "origin": origin} for number in range(1, count + 1)
    ]


def put_many(connection: Connection, count: int) -> Plan:
    """So many documents of one chunk, each nearer than the one before it; an empty plan."""
    for start in range(1, count + 1, 200):
        numbers = range(start, min(start + 200, count + 1))
        put(connection, *(document(f"d{number:04d}", 1 + (count - number) // 20) for number in numbers))
    return plan(connection, seeds=[])


def documents_of(connection: Connection, made: Plan) -> list[str]:
    return [row.document_id for row in evidence(connection, made, max_chunks=1000)]


def test_a_thousand_documents_where_a_billion_are_allowed(undone: Connection) -> None:
    """400 take part, as of every plan: the first of it."""
    empty = put_many(undone, 1000)
    mixed = seeds(200, "given") + [{**each, "origin": "search"} for each in seeds(1000, "given")[200:]]
    made = claiming(undone, empty, seed_documents=mixed, **RAISED)
    assert documents_of(undone, made) == [f"d{number:04d}" for number in range(1, 401)]
    assert executed(undone, made)["accounting"]["documents"] == {
        "planned": 1000,
        "over_caps": 600,
        "missing": 0,
        "with_evidence": 10,
    }


@pytest.mark.parametrize("origin", ["given", "search"])
def test_of_one_origin_two_hundred_seeds(undone: Connection, origin: str) -> None:
    made = claiming(undone, put_many(undone, 250), seed_documents=seeds(250, origin), **RAISED)
    assert documents_of(undone, made) == [f"d{number:04d}" for number in range(1, 201)]


def test_of_one_seed_two_hundred_documents(undone: Connection) -> None:
    empty = put_many(undone, 300)
    via = [{"from": "d0001", "relation_type": "explains"}]
    expanded = [{"document_id": f"d{number:04d}", "via": via} for number in range(300, 1, -1)]
    made = claiming(undone, empty, seed_documents=seeds(1, "given"), expanded_documents=expanded, **RAISED)
    expected = ["d0001", *(f"d{number:04d}" for number in range(201, 1, -1))]
    assert documents_of(undone, made) == expected
    assert executed(undone, made)["accounting"]["documents"]["over_caps"] == 99


@pytest.mark.parametrize(
    ("constraint", "left"),
    [
        ({"max_documents": 0}, ""),
        ({"max_documents": 1}, "a"),
        ({"max_documents": 3}, "abx"),
        ({"expanded_per_seed": 0}, "ab"),
        ({"expanded_per_seed": 1}, "abx"),
        ({"seed_limit": 0}, "axyz"),
    ],
)
def test_lowered_limits_are_kept(undone: Connection, constraint: dict[str, int], left: str) -> None:
    """In the plan as it was made both seeds bring in all of x, y and z."""
    made = put_library(undone, [document("a", 1), document("b", 2)], [document(name, 3) for name in "xyz"])
    made["seed_documents"][1]["origin"] = "search"
    found = claiming(undone, made, **constraint)
    rows = evidence(undone, found)
    assert "".join(row.document_id for row in rows) == left
    accounting = executed(undone, found)["accounting"]["documents"]
    assert (accounting["over_caps"], accounting["missing"]) == (5 - len(left), 0)
    assert [row.position for row in rows] == ["abxyz".index(name) + 1 for name in left]
    if left == "axyz":
        assert {row.why for row in rows[1:]} == {"a explains this"}


def test_what_is_over_the_limits_is_not_looked_for(undone: Connection) -> None:
    """Whether it is there, hidden or unknown: it is over the limits, and counts as nothing else."""
    made = put_library(undone, [document("a", 1)], [document("x", 3)])
    entries = [*made["expanded_documents"], {**made["expanded_documents"][0], "document_id": "zz"}]
    found = claiming(undone, made, expanded_documents=entries, max_documents=2)
    before = bytes_of(undone, found)
    assert executed(undone, found)["accounting"]["documents"]["over_caps"] == 1
    put(undone, document("zz", 0))
    assert bytes_of(undone, found) == before


def test_chunks_are_limited_by_the_call_and_not_by_the_plan(undone: Connection) -> None:
    made = put_library(undone, [document("a", *range(150))])
    raised = claiming(undone, made, **RAISED)
    assert len(chosen(undone, raised)) == 3
    assert len(chosen(undone, raised, max_chunks=1000, per_document=100)) == 100
    assert pieces(undone, raised)[1]["left_out"]["per_document"] == 147


def test_a_plan_as_large_as_planning_makes_it_is_executed_whole(undone: Connection) -> None:
    """200 given, 200 found; and 400 where two seeds bring in 199 each."""
    ids = [f"d{number:04d}" for number in range(1, 401)]
    put_many(undone, 400)
    undone.execute("UPDATE docgraph.document_nodes SET summary_embedding = '[1,0,0,0]'")
    limits = {"seed_limit": 200, "expanded_per_seed": 200, "max_documents": 400}
    made = plan(undone, seeds=ids[200:], query_embedding=[1.0, 0.0, 0.0, 0.0], **limits)
    assert len(seeds_of(made)) == 400
    assert documents_of(undone, made) == [*ids[200:], *ids[:200]]
    relate(undone, *(("d0001", "cites", each) for each in ids[2:201]))
    relate(undone, *(("d0002", "cites", each) for each in ids[201:]))
    made = plan(undone, seeds=ids[:2], **limits)
    found = executed(undone, made, max_chunks=1000, budget_tokens=400)
    assert found["accounting"]["documents"]["over_caps"] == 0
    assert [each["document_id"] for each in found["context"]["documents"]] == ids


def test_a_thousand_reasons_are_said_in_a_few_words(undone: Connection) -> None:
    """In the plan are all of them; text for a reader does not grow with them."""
    made = put_library(undone, [document("a", 1)], [document("x", 3)])
    (entry,) = made["expanded_documents"]
    many = [{"from": "a", "relation_type": f"kind {number:05}"} for number in range(1000)]
    found = claiming(undone, made, expanded_documents=[{**entry, "via": many}])
    (why,) = {row.why for row in evidence(undone, found) if row.document_id == "x"}
    assert why == f"{'; '.join(f'a kind {number:05} this' for number in range(5))}; and 995 more"
    assert executed(undone, found)["plan"]["expanded_documents"][0]["via"] == many


def test_room_on_disk_does_not_grow_with_the_reasons(undone: Connection) -> None:
    """Else whoever may read could fill the disk with a plan of a few kilobytes."""
    made = put_library(undone, [document("a", 1)], [document("x", 3)])
    (entry,) = made["expanded_documents"]
    reasons = [{"from": "a", "relation_type": f"t{number:05d}"} for number in range(10_000)]
    undone.execute("SET LOCAL temp_file_limit = '16MB'")
    many = claiming(undone, made, expanded_documents=[{**entry, "via": reasons}])
    assert documents_of(undone, many) == ["a", "x"]
