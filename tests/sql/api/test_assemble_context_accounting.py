"""assemble_context: the accounting adds up, and the rows, the JSON and execute_plan say the same."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import Any

import pytest

from tests.sql.api.evidenced import evidence, executed, pieces, put_library, written
from tests.sql.asking import Connection
from tests.sql.planning import Plan

BUDGETS = [
    {unit: room, "conceptual_share": Decimal(share)}
    for unit, room, share in itertools.product(
        ["max_chars", "budget_tokens"], [1, 4, 9, 14, 23, 40, 500], ["0", "0.25", "0.7", "1"]
    )
]
LIMITS: list[dict[str, Any]] = [
    {},
    {"max_chunks": 2},
    {"max_chunks": 0},
    {"per_document": 1},
    {"reserve": 1, "max_chunks": 3},
]


@pytest.fixture
def shelf(undone: Connection) -> Plan:
    """Long and short texts, with and without each part."""
    texts = ["x" * 9, "y", "z" * 14, "w" * 3, "v" * 2]
    seeds = [
        written("a", *texts, summary="S" * 11, section_titles=["One", "T"]),
        {"id": "b", "summary": "Of b"},
    ]
    expanded = [
        written("c", "u" * 20, "t" * 2, summary="Of c"),
        written("d", "s" * 5, section_titles=["X" * 12]),
        {"id": "e"},
    ]
    return put_library(undone, seeds, expanded)


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_the_accounting_adds_up(undone: Connection, shelf: Plan, limits: dict[str, Any]) -> None:
    everything = len(evidence(undone, shelf, max_chunks=1000, per_document=100))
    for budget in BUDGETS:
        found, said_of = pieces(undone, shelf, **limits, **budget)
        chunks = [row for row in found if row.layer == "evidence"]
        concepts = [row for row in found if row.layer == "conceptual"]
        sizes = [len(str(row.text)) if "max_chars" in budget else row.tokens or 0 for row in found]
        bill, left = said_of["budget"], said_of["left_out"]
        assert [row.running_total for row in found] == list(itertools.accumulate(sizes))
        assert bill["used"] == sum(sizes) <= bill["limit"]
        assert bill["conceptual_used"] == sum(sizes[: len(concepts)]) <= bill["conceptual_limit"]
        assert bill["evidence_used"] == sum(sizes[len(concepts) :])
        assert len(concepts) + left["conceptual_budget"] == 5
        of_chunks = said_of["chunks"]
        assert of_chunks["shown"] == len(chunks) == of_chunks["chosen"] - left["evidence_budget"]
        assert of_chunks["chosen"] + left["max_chunks"] + left["per_document"] == everything
        assert said_of["documents"]["with_evidence"] == len({row.document_id for row in chunks})


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_the_rows_say_the_same_as_the_json(undone: Connection, shelf: Plan, limits: dict[str, Any]) -> None:
    for budget in BUDGETS:
        found, accounting = pieces(undone, shelf, **limits, **budget)
        whole = executed(undone, shelf, **limits, **budget)
        assert whole["accounting"] == accounting
        documents = whole["context"]["documents"]
        assert [each["position"] for each in documents] == sorted({row.position or 0 for row in found})
        for each in documents:
            rows = [row for row in found if row.document_id == each["document_id"]]
            parts = {row.part: row.text for row in rows if row.part != "chunk"}
            assert parts == {
                **({"summary": each["summary"]} if each["summary"] else {}),
                **({"sections": "\n".join(each["section_titles"])} if each["section_titles"] else {}),
            }
            assert {row.why for row in rows} == {each["why"]}
            assert {row.role for row in rows} == {each["role"]}
            assert [(row.chunk, row.text, row.tokens, row.score) for row in rows if row.part == "chunk"] == [
                (chunk["chunk"], chunk["text"], chunk["tokens"], chunk["score"]) for chunk in each["chunks"]
            ]


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_the_evidence_is_that_of_execution(undone: Connection, shelf: Plan, limits: dict[str, Any]) -> None:
    """With room for all of it; each chunk with everything that there is to say of it."""
    rows = evidence(undone, shelf, **limits)
    found, _ = pieces(undone, shelf, budget_tokens=8000, **limits)
    assert [
        (row.position, row.document_id, row.role, row.chunk, row.text, row.tokens, row.score, row.why)
        for row in found
        if row.layer == "evidence"
    ] == [
        (row.position, row.document_id, row.role, row.chunk, row.text, row.tokens, row.score, row.why)
        for row in rows
    ]
    chunks = [
        (chunk["chunk"], chunk["section_path"], chunk["chosen"], chunk["chosen_by"])
        for each in executed(undone, shelf, **limits)["context"]["documents"]
        for chunk in each["chunks"]
    ]
    assert chunks == [(row.chunk, row.section_path, row.chosen, row.chosen_by) for row in rows]
