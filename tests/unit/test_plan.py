"""A plan as a value: from JSON and from rows, one to one; and back, byte for byte."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given

from docgraph.errors import InvalidArgument
from docgraph.plan import Constraints, PlannedDocument, Reason, RetrievalPlan, Seed, Via
from docgraph.plan.rows import PlanCheck, PlanRow
from tests.unit.plans import EXAMPLES, ROWS, canonical, plan, plans, written_out

LEAVE, TRAVEL = Seed("leave.md", 1, "given"), Seed("travel.md", 2, "search")


def test_it_needs_no_driver() -> None:
    code = "import sys, docgraph.plan; sys.exit('psycopg' in sys.modules or 'rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_value_is_that_of_the_json() -> None:
    found = plan()
    assert found.to_dict() == written_out()
    assert found.seed_documents == (LEAVE, TRAVEL)
    assert found.scope.snapshots == ("main",)
    assert found.constraints == Constraints(
        1, False, "outgoing", ("explains", "references"), 5, 10, 40, "cluster", "0.35"
    )
    assert found.made_by.embedding_space is not None
    assert found.made_by.embedding_space.dimensions == 4
    assert (found.truncated, found.omitted, found.dropped, found.edited) == (("documents",), 1, 2, False)


def test_what_execution_takes() -> None:
    found = plan()
    assert found.seed_document_ids == ("leave.md", "travel.md")
    assert found.expanded_document_ids == ("visa.md", "forms.md")
    assert found.constraints.max_relationship_depth == 1
    assert found.expansion_metadata == {
        "visa.md": (
            Via("leave.md", "explains"),
            Via("travel.md", "explains"),
            Via("travel.md", "references"),
        ),
        "forms.md": (Via("travel.md", "references"),),
    }


def test_documents_and_why() -> None:
    found = plan()
    assert found.documents == (
        PlannedDocument(1, "leave.md", "seed", (Reason(LEAVE),)),
        PlannedDocument(2, "travel.md", "seed", (Reason(TRAVEL),)),
        PlannedDocument(
            3,
            "visa.md",
            "expanded",
            (Reason(LEAVE, "explains"), Reason(TRAVEL, "explains"), Reason(TRAVEL, "references")),
        ),
        PlannedDocument(4, "forms.md", "expanded", (Reason(TRAVEL, "references"),)),
    )
    assert found.why("forms.md") == (Reason(TRAVEL, "references"),)
    said = [(d.position, d.document_id, d.role, str(why)) for d in found.documents for why in d.reasons]
    assert said == [(row[0], row[1], row[2], row[5]) for row in ROWS]


def test_why_of_what_is_not_in_it() -> None:
    with pytest.raises(InvalidArgument, match="not in this plan") as caught:
        plan().why("elsewhere.md")
    assert caught.value.hint == "Give one of plan.seed_document_ids or plan.expanded_document_ids."


def test_a_plan_is_compared_with_plans() -> None:
    with pytest.raises(InvalidArgument, match="other must be of type RetrievalPlan, not str") as caught:
        plan().diff(plan().to_json())  # type: ignore[arg-type]  # what is refused
    assert "RetrievalPlan.from_json" in str(caught.value.hint)


def test_frozen_hashable_and_without_a_dictionary() -> None:
    found = plan()
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.omitted = 0  # type: ignore[misc]  # what is refused
    assert not hasattr(found, "__dict__")
    assert len({found, plan(), RetrievalPlan.from_json(found.to_json())}) == 1
    assert found != plan().replace()


@EXAMPLES
@given(plans())
def test_json_and_back(found: RetrievalPlan) -> None:
    text = found.to_json()
    assert text == canonical(found.to_dict())
    assert json.loads(text) == found.to_dict()
    for again in (RetrievalPlan.from_json(text), RetrievalPlan.from_json(text.encode())):
        assert again == found
        assert hash(again) == hash(found)
        assert again.to_json() == text
    # In whatever order and spacing.
    shuffled = dict(reversed(found.to_dict().items()))
    assert RetrievalPlan.from_json(json.dumps(shuffled, indent=1)).to_json() == text


@EXAMPLES
@given(plans(), plans())
def test_equal_if_and_only_if_the_json_is(one: RetrievalPlan, other: RetrievalPlan) -> None:
    assert (one == other) == (one.to_json() == other.to_json())


def _rows(found: RetrievalPlan) -> list[tuple[Any, ...]]:
    """As the database gives them."""
    return [
        (
            document.position,
            document.document_id,
            document.role,
            why.relation_type,
            None if why.relation_type is None else why.seed.document_id,
            str(why),
        )
        for document in found.documents
        for why in document.reasons
    ]


@EXAMPLES
@given(plans())
def test_rows_and_back(found: RetrievalPlan) -> None:
    about = found.to_dict()
    del about["expanded_documents"]
    rows = _rows(found)
    assert RetrievalPlan.from_rows(rows, about) == found
    assert RetrievalPlan.from_rows((PlanRow(*row) for row in rows), about) == found


def test_the_rows_decide_what_is_expanded() -> None:
    assert RetrievalPlan.from_rows(ROWS[:3], written_out()).expansion_metadata == {
        "visa.md": (Via("leave.md", "explains"),)
    }


@EXAMPLES
@given(plans())
def test_replace_seals(found: RetrievalPlan) -> None:
    edited = found.replace(omitted=found.omitted + 1)
    expected = found.to_dict() | {"omitted": found.omitted + 1, "edited": True}
    del expected["plan_hash"]
    digest = hashlib.sha256(canonical(expected).encode()).hexdigest()
    assert edited.to_dict() == expected | {"plan_hash": digest}
    assert edited.replace() == edited


def test_replace_takes_values_and_json() -> None:
    found = plan()
    fewer = dataclasses.replace(found.constraints, max_documents=3)
    assert found.replace(constraints=fewer) == found.replace(constraints=fewer.to_dict())
    assert found.replace(expanded_documents=[]).documents == found.documents[:2]
    only = found.replace(
        seed_documents=found.seed_documents[1:], expanded_documents=found.expanded_documents[1:]
    )
    assert only == found.replace(
        seed_documents=[{"document_id": "travel.md", "rank": 2, "origin": "search"}],
        expanded_documents=[written_out()["expanded_documents"][1]],
    )
    assert found == plan()


@pytest.mark.parametrize("name", ["plan_hash", "edited", "format", "documents", "seeds"])
def test_replace_refuses_what_is_no_part_of_a_plan_or_not_to_be_chosen(name: str) -> None:
    with pytest.raises(InvalidArgument, match=f"replace does not take {name}") as caught:
        plan().replace(**{name: plan().plan_hash})
    assert "seed_documents" in str(caught.value.hint)


def test_replace_refuses_what_breaks_an_invariant() -> None:
    with pytest.raises(InvalidArgument, match="via must come from other seed_documents"):
        plan().replace(seed_documents=plan().seed_documents[:1])
    with pytest.raises(InvalidArgument, match="max_relationship_depth"):
        plan().replace(constraints=dataclasses.replace(plan().constraints, max_relationship_depth=2))


@pytest.mark.parametrize(
    ("values", "ok"),
    [
        ((True, True, True, True, False, None), True),
        ((True, True, True, False, True, None), True),
        ((True, False, True, True, False, None), False),
        ((True, True, False, True, False, None), False),
        ((False, None, None, None, None, "plan must be an object"), False),
    ],
)
def test_a_check_is_ok_whatever_the_revision(values: tuple[Any, ...], ok: bool) -> None:
    assert PlanCheck(*values).ok is ok
