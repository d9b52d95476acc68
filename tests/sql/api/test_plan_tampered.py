"""A plan that was changed is noticed; sealed anew it is accepted and marked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docgraph import DocGraph, calls
from docgraph.errors import InvalidArgument
from tests.sql.api.test_plan_functions import HASH, said, seal, tree
from tests.sql.asking import ALL_CALLS, PLAN, Connection, refusal
from tests.sql.planning import MISSING, Plan, changed, expanded_of, sealed, seeds_of

CHANGES: dict[str, Any] = {
    "scope.tenant": "other",
    "scope.repositories": [],
    "scope.snapshots": None,
    "seed_documents": [],
    "seed_documents.0.document_id": "b.MD",
    "seed_documents.1.rank": 3,
    "seed_documents.1.origin": "given",
    "expanded_documents": [],
    "expanded_documents.0.document_id": "e.md",
    "expanded_documents.0.via.0.from": "b.md",
    "expanded_documents.0.via.1.relation_type": "Cites",
    "constraints.relation_types": ["cites", "explains"],
    "constraints.seed_limit": 6,
    "constraints.expanded_per_seed": 200,
    "constraints.max_documents": 2147483647,
    "constraints.dominant_scope": "cluster",
    "constraints.scope_distance": "0.35",
    "made_by.mode": "ids",
    "made_by.search_in": None,
    "made_by.method": "approximate",
    "made_by.revision": "0005",
    "made_by.embedding_space": None,
    "made_by.embedding_space.model": "test-mode1",
    "made_by.embedding_space.dimensions": 5,
    "made_by.embedding_space.metric": "ip",
    "truncated": ["documents"],
    "omitted": 1,
    "dropped": 1,
    "edited": True,
    "plan_hash": HASH[:-1] + ("0" if HASH[-1] != "0" else "1"),
}
"""Every kind of change after which it is still a plan."""
NOT_ITS_HASH = "plan.plan_hash must be the hash of the plan"


def change(path: str) -> Plan:
    found = changed(path, CHANGES[path])
    if path.startswith("seed_documents") and "rank" not in path and "origin" not in path:
        # What comes from the seed that is no longer there must go, or it is no plan.
        seeds = seeds_of(found)
        found["expanded_documents"] = [
            each for each in found["expanded_documents"] if all(via["from"] in seeds for via in each["via"])
        ]
    return found


def test_these_are_all_the_fields() -> None:
    """But the constants: with other ones it is no plan."""

    def fields(value: Any, path: str = "") -> set[str]:
        if isinstance(value, dict):
            return {each for key, inner in value.items() for each in fields(inner, f"{path}.{key}")}
        if isinstance(value, list):
            return {each for inner in value for each in fields(inner, path)}
        return {path}

    constant = {"format", "constraints.max_relationship_depth"}
    constant |= {"constraints.traversal_enabled", "constraints.direction"}
    found = {each.lstrip(".") for each in fields(json.loads(PLAN))} - constant
    assert found <= {path.replace(".0", "").replace(".1", "") for path in CHANGES}


@pytest.mark.parametrize("path", CHANGES)
def test_a_change_is_noticed(boss: Connection, path: str) -> None:
    text = json.dumps(change(path))
    for function in ("plan_documents", "explain_plan"):
        error = refusal(boss, ALL_CALLS[function], plan=text)
        assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", NOT_ITS_HASH)
        assert "seal_plan" in (error.diag.message_hint or "")
    assert said(boss, "verify_plan", text)[0][:2] == (True, False)


@pytest.mark.parametrize("path", CHANGES)
def test_sealed_anew_it_is_accepted_and_marked(boss: Connection, path: str) -> None:
    found = change(path)
    again = seal(boss, found)
    assert again == sealed({**found, "edited": True})
    assert said(boss, "verify_plan", again)[0][:2] == (True, True)
    assert said(boss, "verify_plan", again)[0][4] is True
    assert {row[1] for row in said(boss, "plan_documents", again)} == {*seeds_of(found), *expanded_of(found)}
    assert tree(boss, again)[0] == f"plan {again['plan_hash'][:12]}, edited"


def test_the_mark_cannot_be_taken_off_without_a_trace(boss: Connection) -> None:
    """The hash proves that a plan is as it was sealed. Whoever computes one may leave the mark out."""
    again = seal(boss, changed("omitted", 5))
    unmarked = changed("edited", MISSING, again)
    assert refusal(boss, calls.PLAN_DOCUMENTS, plan=json.dumps(unmarked)).diag.message_primary == NOT_ITS_HASH


def test_of_two_plans_the_hash_of_the_other(boss: Connection) -> None:
    other = changed("plan_hash", seal(boss)["plan_hash"])
    assert refusal(boss, calls.EXPLAIN_PLAN, plan=json.dumps(other)).diag.message_primary == NOT_ITS_HASH


@pytest.mark.parametrize("path", ["omitted", "seed_documents.0.document_id", "plan_hash"])
def test_from_python(shared_client: DocGraph, path: str) -> None:
    found = change(path)
    for method in (shared_client.plan_documents, shared_client.explain_plan):
        with pytest.raises(InvalidArgument, match=NOT_ITS_HASH):
            method(found)
    again = shared_client.seal_plan(found)
    assert (again.edited, shared_client.verify_plan(again).ok) == (True, True)
    assert again.to_dict() == sealed({**found, "edited": True})
