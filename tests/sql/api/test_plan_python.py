"""Plans and searches from Python, by either client: one to one what psql gets."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph import DocGraph, RetrievalPlan
from docgraph.adapting import Vector, VectorDumper, adapt
from docgraph.errors import AccessDenied, InvalidArgument
from docgraph.plan import Via
from docgraph.plan.rows import PlanCheck, SearchHit
from tests.conftest import Installed
from tests.sql.api.planned import BOARD, DOCUMENTS, IN_SQL, VECTOR, Ask, asking
from tests.sql.asking import Connection
from tests.unit.plans import EXAMPLES, plans


@pytest.fixture(scope="module")
def filled(shared: Installed) -> Installed:
    with DocGraph(shared.conninfo) as client:
        client.put_documents(DOCUMENTS, access=BOARD)
    return shared


@pytest.fixture(params=["sync", "async"])
def ask(request: pytest.FixtureRequest, filled: Installed) -> Ask:
    return asking(request.param, filled.conninfo)


def in_psql(connection: Connection, statement: str, *arguments: Any) -> Any:
    row = connection.execute(statement.encode(), arguments or None).fetchone()
    assert row is not None
    return row[0]


def test_the_plan_is_byte_for_byte_that_of_psql(ask: Ask, boss: Connection) -> None:
    text = in_psql(
        boss,
        f"SELECT docgraph.plan_retrieval('default', '{{}}', {IN_SQL}, seed_limit => 2)::text",
    )
    for found in (
        ask("plan", embedding=VECTOR, seed_limit=2),
        ask("plan_retrieval", query_embedding=np.array(VECTOR), seed_limit=2),
        ask("plan", embedding=np.array(VECTOR, dtype=np.float32), seed_limit=2, query=None),
    ):
        assert found.to_json() == text
    assert found.seed_document_ids == ("leave.md", "travel.md")
    assert found.expansion_metadata == {
        "visa.md": (Via("leave.md", "explains"), Via("travel.md", "references")),
        "forms.md": (Via("leave.md", "references"),),
    }


@pytest.mark.parametrize(
    ("arguments", "in_sql"),
    [
        ({"seeds": ["travel.md", "leave.md"]}, "seeds => '{travel.md,leave.md}'"),
        ({"seeds": ()}, "seeds => '{}'"),
        (
            {"seeds": ["leave.md"], "embedding": VECTOR},
            f"seeds => '{{leave.md}}', {IN_SQL}",
        ),
        ({"seeds": ["leave.md"], "relation_types": []}, "seeds => '{leave.md}', relation_types => '{}'"),
        ({"seeds": ["leave.md"], "relation_types": None}, "seeds => '{leave.md}', relation_types => NULL"),
        (
            {
                "seeds": ["leave.md"],
                "relation_types": {"explains"},
                "max_documents": 2,
            },
            "seeds => '{leave.md}', relation_types => '{explains}', max_documents => 2",
        ),
        (
            {"embedding": VECTOR, "dominant_scope": "cluster", "scope_distance": 0.25, "search_in": "chunks"},
            f"{IN_SQL}, dominant_scope => 'cluster', scope_distance => 0.25, search_in => 'chunks'",
        ),
        (
            {"embedding": VECTOR, "dominant_scope": "cluster", "scope_distance": Decimal("1.50")},
            f"{IN_SQL}, dominant_scope => 'cluster', scope_distance => 1.50",
        ),
    ],
)
def test_every_argument(ask: Ask, boss: Connection, arguments: dict[str, Any], in_sql: str) -> None:
    text = in_psql(boss, f"SELECT docgraph.plan_retrieval('default', '{{}}', {in_sql})::text")
    assert ask("plan", **arguments).to_json() == text


def test_a_claim_and_a_tenant(ask: Ask) -> None:
    assert "board.md" not in ask("plan", embedding=VECTOR).seed_document_ids
    assert ask("plan", embedding=VECTOR, access=BOARD).seed_document_ids[0] == "board.md"
    assert ask("plan", seeds=["board.md", "unknown.md"]).omitted == 2
    with pytest.raises(AccessDenied):
        ask("plan", seeds=["leave.md"], tenant="elsewhere")


def test_search(ask: Ask) -> None:
    expected = [
        SearchHit(1, "leave.md", None, "exact"),
        SearchHit(2, "travel.md", None, "exact"),
    ]
    assert ask("search", embedding=VECTOR, max_nodes=2) == expected
    assert ask("search_nodes", query_embedding=VECTOR, max_nodes=2) == expected
    (found,) = ask("search", embedding=[0, 0, 0, 1], search_in="chunks", max_nodes=1)
    assert (found.document_id, found.chunk) == ("leave.md", 1)


def test_rows_of_a_plan_and_back(ask: Ask) -> None:
    found = ask("plan", embedding=VECTOR, seeds=["travel.md"])
    rows = ask("plan_documents", found)
    assert [
        (row.position, row.document_id, row.role, row.via, row.from_document, row.why) for row in rows
    ] == [
        (
            document.position,
            document.document_id,
            document.role,
            why.relation_type,
            why.relation_type and why.seed.document_id,
            str(why),
        )
        for document in found.documents
        for why in document.reasons
    ]
    assert RetrievalPlan.from_rows(rows, found.to_dict()) == found
    assert ask("plan_documents", found.to_dict()) == rows
    assert "travel.md" in ask("explain_plan", found)


def test_verify(ask: Ask) -> None:
    found = ask("plan", embedding=VECTOR)
    assert ask("verify_plan", found) == PlanCheck(True, True, True, True, False, None)
    assert ask("verify_plan", found.replace()) == PlanCheck(True, True, True, True, True, None)
    assert ask("verify_plan", found).ok
    for other in (replace(found, omitted=9), replace(found, edited=True)):
        assert not ask("verify_plan", other).ok
    check = ask("verify_plan", {"format": 2})
    assert (check.ok, check.well_formed) == (False, False)
    assert check.problem


def test_replace_is_what_seal_plan_gives(ask: Ask) -> None:
    found = ask("plan", embedding=VECTOR)
    edited = found.replace(expanded_documents=found.expanded_documents[:1])
    by_hand = found.to_dict()
    del by_hand["expanded_documents"][1:]
    assert ask("seal_plan", by_hand) == edited
    assert ask("verify_plan", edited).ok
    assert ask("plan_documents", edited)[-1].document_id == "visa.md"


@EXAMPLES
@given(plans())
def test_any_plan_has_the_text_and_the_hash_of_the_database(
    boss: Connection, shared_client: DocGraph, found: RetrievalPlan
) -> None:
    assert in_psql(boss, "SELECT %s::jsonb::text", found.to_json()) == found.to_json()
    sealed = in_psql(boss, "SELECT docgraph.seal_plan(%s::jsonb)::text", found.to_json())
    assert sealed == found.replace().to_json()
    check = shared_client.verify_plan(found.replace())
    assert (check.well_formed, check.hash_holds, check.edited) == (True, True, True)
    rows = shared_client.plan_documents(found.replace())
    assert RetrievalPlan.from_rows(rows, found.to_dict()) == found
    assert [row.why for row in rows] == [str(why) for d in found.documents for why in d.reasons]


@EXAMPLES
@given(st.lists(st.floats(width=64) | st.none(), max_size=5))
def test_vectors_arrive_as_they_are(boss: Connection, numbers: list[float | None]) -> None:
    value = adapt("value", "double precision[]", numbers)
    with boss.cursor() as cursor:
        cursor.adapters.register_dumper(Vector, VectorDumper)
        row = cursor.execute("SELECT %(value)s, pg_typeof(%(value)s)::text", {"value": value}).fetchone()
    assert row is not None
    assert [None if n is None else repr(n) for n in row[0]] == [
        None if n is None else repr(n) for n in numbers
    ]
    assert row[1] == "double precision[]"


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "plan needs a question, or seeds"),
    "no numbers": ({"embedding": ["1"]}, "^embedding must be a list of numbers, not with str in it"),
    "a text": ({"embedding": "{1,0,0,0}"}, "^embedding must be a list of numbers, not str"),
    "null in it": ({"embedding": [1, 0, None, 0]}, "^embedding must have 4 elements"),
    "NaN": ({"embedding": [1, 0, float("nan"), 0]}, "^embedding must have 4 elements"),
    "infinite": ({"embedding": np.array([1, 0, np.inf, 0])}, "^embedding must have 4 elements"),
    "empty": ({"embedding": []}, "^embedding must have 4 elements"),
    "zeros": ({"embedding": [0, 0, 0, 0]}, "^embedding must have 4 elements"),
    "too short": ({"embedding": [1, 0]}, "^embedding must have 4 elements"),
    "two dimensions": ({"embedding": [[1, 0, 0, 0]]}, "^embedding must be a list of numbers"),
    "seeds as a text": ({"seeds": "leave.md"}, "seeds must be a list of texts, not str"),
    "seeds of numbers": ({"seeds": [1]}, "seeds must be a list of texts"),
    "null among the seeds": ({"seeds": ["a", None]}, "seeds must be"),
    "seed_limit true": (
        {"embedding": VECTOR, "seed_limit": True},
        "seed_limit must be a whole number, not bool",
    ),
    "seed_limit 1.5": (
        {"embedding": VECTOR, "seed_limit": 1.5},
        "seed_limit must be a whole number, not float",
    ),
    "seed_limit null": ({"embedding": VECTOR, "seed_limit": None}, "seed_limit must be"),
    "seed_limit -1": ({"embedding": VECTOR, "seed_limit": -1}, "seed_limit must be"),
    "scope_distance a text": (
        {"seeds": [], "scope_distance": "1"},
        "scope_distance must be a number, not str",
    ),
    "scope_distance NaN": ({"seeds": [], "scope_distance": float("nan")}, "scope_distance must be"),
    "relation_types a text": ({"seeds": [], "relation_types": "a"}, "relation_types must be a list of texts"),
    "another mode": ({"embedding": VECTOR, "mode": "magic"}, "mode must be semantic, bm25 or hybrid"),
    "another option": ({"seeds": [], "max_depth": 2}, "plan does not take max_depth"),
    "an option of the function": ({"query_embedding": VECTOR}, "plan does not take query_embedding"),
    "both questions": ({"query": "leave", "embedding": VECTOR}, "query and embedding are both given"),
    "a question that is no text": ({"query": VECTOR}, "query must be a text, not list"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(ask: Ask, name: str) -> None:
    arguments, message = REFUSED[name]
    with pytest.raises(InvalidArgument, match=message) as caught:
        ask("plan", **arguments)
    assert caught.value.hint


@pytest.mark.parametrize("method", ["plan_documents", "explain_plan", "seal_plan", "verify_plan"])
def test_what_is_no_plan(ask: Ask, method: str) -> None:
    with pytest.raises(InvalidArgument, match="plan must be an object or a list, not str"):
        ask(method, "{}")
    if method != "verify_plan":
        with pytest.raises(InvalidArgument, match=r"^plan"):
            ask(method, {"format": 1})
    if method in {"plan_documents", "explain_plan"}:
        with pytest.raises(InvalidArgument, match="plan_hash"):
            ask(method, replace(ask("plan", seeds=[]), omitted=1))


def test_in_a_transaction_of_the_callers(database: Installed) -> None:
    """A plan sees what the transaction has written, and writes nothing."""
    with database.connect() as connection, DocGraph(connection) as client:
        with connection.transaction(force_rollback=True):
            client.put_documents(DOCUMENTS, access=BOARD)
            assert client.plan(seeds=["leave.md"]).expanded_document_ids == ("visa.md", "forms.md")
        assert client.plan(seeds=["leave.md"]).documents == ()


def test_a_plan_that_was_stored_is_still_the_same(ask: Ask, boss: Connection) -> None:
    found = ask("plan", embedding=VECTOR)
    stored = json.dumps(json.loads(found.to_json()), indent=2)
    assert RetrievalPlan.from_json(stored) == found
    assert in_psql(boss, "SELECT hash_holds FROM docgraph.verify_plan(%s::jsonb)", stored) is True
