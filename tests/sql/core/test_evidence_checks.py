"""check_share, check_budget, check_evidence, check_executable: what they just accept, and what they give."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.sql.asking import PLAN, Connection, refused
from tests.sql.planning import changed, sealed


@pytest.mark.parametrize("share", ["0", "0.0000000001", "0.4", "1", "1.000"])
def test_shares(boss: Connection, share: str) -> None:
    boss.execute("SELECT docgraph.check_share('a', %s::numeric)", (share,))


@pytest.mark.parametrize(
    ("max_chars", "budget_tokens", "usual", "expected"),
    [
        (1, None, None, ("characters", 1)),
        (10_000_000, None, 9, ("characters", 10_000_000)),
        (None, 1, 9, ("tokens", 1)),
        (None, 10_000_000, None, ("tokens", 10_000_000)),
        (None, None, 9, ("tokens", 9)),
    ],
)
def test_budgets(
    boss: Connection,
    max_chars: int | None,
    budget_tokens: int | None,
    usual: int | None,
    expected: tuple[str, int],
) -> None:
    for share in ("0", "1"):
        row = boss.execute(
            "SELECT * FROM docgraph.check_budget(%s::integer, %s::integer, %s::numeric, %s::integer)",
            (max_chars, budget_tokens, share, usual),
        ).fetchone()
        assert row == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("NULL, NULL, 0, NULL", "max_chars or budget_tokens must be given"),
        ("1, 1, 0, 9", "max_chars and budget_tokens must not both be given"),
        ("0, NULL, 0, 9", "max_chars must be from 1 to 10000000"),
        ("-1, NULL, 0, 9", "max_chars must be from 1 to 10000000"),
        ("10000001, NULL, 0, 9", "max_chars must be from 1 to 10000000"),
        ("NULL, 0, 0, 9", "budget_tokens must be from 1 to 10000000"),
        ("NULL, 9, 2, 9", "conceptual_share must be from 0 to 1"),
    ],
)
def test_no_budgets(boss: Connection, arguments: str, message: str) -> None:
    error = refused(boss, f"SELECT docgraph.check_budget({arguments})")
    assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", message)
    assert error.diag.message_hint


def test_how_a_budget_is_given_is_said(boss: Connection) -> None:
    for arguments, example in (("0, NULL", "max_chars => 8000."), ("NULL, 0", "budget_tokens => 2000.")):
        error = refused(boss, f"SELECT docgraph.check_budget({arguments}, 0, 9)")
        assert error.diag.message_hint == f"How much text there may be in all: for example {example}"


@pytest.mark.parametrize("evidence", ["0, 1, 0, 'similarity'", "1000, 100, 1, 'bridge'"])
def test_evidence(boss: Connection, evidence: str) -> None:
    questions = {
        "'{1,0,0,0}', NULL, 'semantic', 60": "cosine",
        "'{1,0,0,0}', 'x', 'hybrid', 200": "cosine",
        "NULL, '', 'bm25', 1": None,
    }
    for question, metric in questions.items():
        row = boss.execute(f"SELECT docgraph.check_evidence({question}, {evidence})".encode()).fetchone()
        assert row == (metric,)


EXECUTABLE: dict[str, Any] = {
    "made_by.embedding_space": None,
    "made_by.revision": "9999",
    "made_by.method": "approximate",
    "scope.repositories": ["a repository"],
    "constraints.max_documents": 2147483647,
    "edited": True,
}


@pytest.mark.parametrize("path", EXECUTABLE)
def test_executable(boss: Connection, path: str) -> None:
    """Another revision, another scope and higher limits are no reason to refuse a plan."""
    made = sealed(changed(path, EXECUTABLE[path]))
    boss.execute("SELECT docgraph.check_executable('default', %s::jsonb)", (json.dumps(made),))


def test_where_no_space_is_recorded_a_plan_of_one_is_of_another(undone: Connection) -> None:
    undone.execute("DELETE FROM docgraph.embedding_space")
    error = refused(undone, "SELECT docgraph.check_executable('default', %s::jsonb)", PLAN)
    assert error.diag.sqlstate == "KG001"
