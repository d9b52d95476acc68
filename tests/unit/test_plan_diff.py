"""What differs between two plans: all of it, and nothing else."""

from __future__ import annotations

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from docgraph.plan import RetrievalPlan, Seed, Via
from docgraph.plan.diff import Change, PlanDiff
from tests.unit.plans import EXAMPLES, changed, plan, plans, written_out

ALIKE = plans(st.sampled_from(["a", "b", "c", "d", "e\n[red]"]))
"""Plans that have documents in common."""


def diff(path: str, value: object) -> PlanDiff:
    return plan().diff(RetrievalPlan.from_dict(changed(path, value)))


def test_nothing() -> None:
    found = plan().diff(plan())
    assert not found
    assert found == PlanDiff()
    assert str(found) == "The plans are the same."


def test_a_seed_more_and_one_less() -> None:
    other = written_out()
    other["seed_documents"].append({"document_id": "pay.md", "rank": 3, "origin": "given"})
    more = RetrievalPlan.from_dict(other)
    assert plan().diff(more) == PlanDiff(
        seeds_added=(Seed("pay.md", 3, "given"),), documents_added=("pay.md",)
    )
    assert more.diff(plan()) == PlanDiff(
        seeds_removed=(Seed("pay.md", 3, "given"),), documents_removed=("pay.md",)
    )
    assert str(plan().diff(more)) == '+ seed 3 "pay.md", given\n+ document "pay.md"'


def test_a_seed_that_moved() -> None:
    found = diff("seed_documents.1.rank", 7)
    assert found == PlanDiff(seeds_moved=((Seed("travel.md", 2, "search"), Seed("travel.md", 7, "search")),))
    assert str(found) == '~ seed "travel.md": 2, search -> 7, search'


def test_reasons() -> None:
    found = diff("expanded_documents.1.via", [{"from": "leave.md", "relation_type": "explains"}])
    assert found == PlanDiff(
        via_added=(("forms.md", Via("leave.md", "explains")),),
        via_removed=(("forms.md", Via("travel.md", "references")),),
    )
    assert str(found) == (
        '+ "forms.md" because "leave.md" explains it\n- "forms.md" because "travel.md" references it'
    )


def test_a_seed_that_is_expanded_now_is_still_there() -> None:
    other = written_out()
    other["seed_documents"].pop()
    other["expanded_documents"] = [
        {"document_id": "travel.md", "via": [{"from": "leave.md", "relation_type": "explains"}]}
    ]
    found = plan().diff(RetrievalPlan.from_dict(other))
    assert found.seeds_removed == (Seed("travel.md", 2, "search"),)
    assert (found.documents_added, found.documents_removed) == ((), ("visa.md", "forms.md"))
    assert found.via_added == (("travel.md", Via("leave.md", "explains")),)


def test_single_values_by_their_path() -> None:
    assert diff("constraints.max_documents", 3) == PlanDiff(
        changed=(Change("constraints.max_documents", 40, 3),)
    )
    assert diff("made_by.embedding_space.model", "other").changed == (
        Change("made_by.embedding_space.model", "test-model", "other"),
    )
    assert str(diff("made_by.embedding_space", None)) == (
        '~ made_by.embedding_space: {"model": "test-model", "metric": "cosine", "dimensions": 4} -> null'
    )
    assert str(diff("truncated", [])) == '~ truncated: ["documents"] -> []'
    assert str(diff("plan_hash", "1")).startswith('~ plan_hash: "b07')


def test_another_order() -> None:
    other = written_out()
    other["expanded_documents"].reverse()
    other["expanded_documents"][1]["via"].reverse()
    found = plan().diff(RetrievalPlan.from_dict(other))
    assert [change.name for change in found.changed] == [
        "order of expanded_documents",
        'order of via of "visa.md"',
    ]
    assert found.changed[0].after == ("forms.md", "visa.md")


def test_no_order_of_what_one_has_alone() -> None:
    other = written_out()
    other["expanded_documents"].pop(0)
    assert plan().diff(RetrievalPlan.from_dict(other)).changed == ()


@EXAMPLES
@given(ALIKE, ALIKE)
def test_true_if_and_only_if_the_plans_are_not_equal(one: RetrievalPlan, other: RetrievalPlan) -> None:
    assert bool(one.diff(other)) == (one != other)
    same_hash = dataclasses.replace(other, plan_hash=one.plan_hash)
    assert bool(one.diff(same_hash)) == (one != same_hash)


@EXAMPLES
@given(ALIKE, ALIKE)
def test_there_and_back_are_mirrored(one: RetrievalPlan, other: RetrievalPlan) -> None:
    there, back = one.diff(other), other.diff(one)
    assert there.seeds_added == back.seeds_removed
    assert set(there.documents_added) == set(back.documents_removed)
    assert set(there.via_added) == set(back.via_removed)
    assert {(old, new) for old, new in there.seeds_moved} == {(new, old) for old, new in back.seeds_moved}
    assert {c.name for c in there.changed} == {c.name for c in back.changed}


@EXAMPLES
@given(plans(), plans())
def test_a_line_for_each(one: RetrievalPlan, other: RetrievalPlan) -> None:
    found = one.diff(other)
    lines = str(found).splitlines() if found else []
    assert len(lines) == sum(len(getattr(found, f.name)) for f in dataclasses.fields(found))
    assert all(line[:2] in {"+ ", "- ", "~ "} for line in lines)
