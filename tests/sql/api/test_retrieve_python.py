"""Evidence from Python, by either client: one to one what psql gets."""

from __future__ import annotations

import json
from dataclasses import astuple, replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from docgraph import DocGraph, RetrievedContext
from docgraph.adapting import Vector, VectorDumper, vectors
from docgraph.context.jsonb import text_of
from docgraph.errors import AccessDenied, InvalidArgument
from tests.conftest import Installed
from tests.ingest.embedders import WordEmbedder
from tests.sql.api.planned import BOARD, DOCUMENTS, IN_SQL, VECTOR, Ask, asking
from tests.sql.asking import Connection
from tests.unit.contexts import contexts, scores
from tests.unit.plans import EXAMPLES

OTHER = [0.0, 1.0, 0.0, 0.0]


@pytest.fixture(scope="module")
def filled(shared: Installed) -> Installed:
    documents = [
        replace(document, title=f"Of {document.id}", summary=f"What is in {document.id}.")
        for document in DOCUMENTS
    ]
    with DocGraph(shared.conninfo) as client:
        client.put_documents(documents, access=BOARD)
    return shared


@pytest.fixture(params=["sync", "async"])
def ask(request: pytest.FixtureRequest, filled: Installed) -> Ask:
    return asking(request.param, filled.conninfo)


def in_psql(connection: Connection, statement: str, *arguments: Any) -> Any:
    row = connection.execute(statement.encode(), arguments or None).fetchone()
    assert row is not None
    return row[0]


def retrieved(connection: Connection, arguments: str) -> str:
    text = in_psql(connection, f"SELECT docgraph.retrieve('default', '{{}}', {arguments})::text")
    assert isinstance(text, str)
    return text


def test_the_context_is_byte_for_byte_that_of_psql(ask: Ask, boss: Connection) -> None:
    text = retrieved(boss, f"{IN_SQL}, seed_limit => 2")
    for vector in (VECTOR, np.array(VECTOR), np.array(VECTOR, dtype=np.float32), tuple(VECTOR)):
        found = ask("retrieve", embedding=vector, seed_limit=2)
        assert found.to_json() == text
    assert [chunk.text for chunk in found.chunks] == ["Leave.", "More.", "Travel."]
    assert found.plan == ask("plan", embedding=VECTOR, seed_limit=2)
    assert RetrievedContext.from_json(text) == found


@pytest.mark.parametrize(
    ("arguments", "in_sql"),
    [
        ({"seeds": ["travel.md"], "seed_limit": 0}, "seeds => '{travel.md}', seed_limit => 0"),
        ({"max_chunks": 1, "per_document": 1}, "max_chunks => 1, per_document => 1"),
        ({"max_chunks": 0}, "max_chunks => 0"),
        ({"reserve": 0.25, "selection": "similarity"}, "reserve => 0.25, selection => 'similarity'"),
        ({"reserve": Decimal("0.50")}, "reserve => 0.50"),
        ({"max_chars": 30, "conceptual_share": 1}, "max_chars => 30, conceptual_share => 1"),
        ({"max_chars": None, "budget_tokens": 4}, "budget_tokens => 4"),
        ({"relation_types": {"explains"}, "search_in": "chunks"},
         "relation_types => '{explains}', search_in => 'chunks'"),
    ],
)  # fmt: skip
def test_every_option(ask: Ask, boss: Connection, arguments: dict[str, Any], in_sql: str) -> None:
    assert ask("retrieve", embedding=VECTOR, **arguments).to_json() == retrieved(boss, f"{IN_SQL}, {in_sql}")


def test_a_claim_and_a_tenant(ask: Ask) -> None:
    assert "board.md" not in {document.document_id for document in ask("retrieve", embedding=VECTOR)}
    assert ask("retrieve", embedding=VECTOR, access=BOARD).documents[0].document_id == "board.md"
    with pytest.raises(AccessDenied):
        ask("retrieve", embedding=VECTOR, tenant="elsewhere")


def test_by_a_plan(ask: Ask, boss: Connection) -> None:
    plan = ask("plan", embedding=VECTOR, seed_limit=2)
    expected = ask("retrieve", embedding=VECTOR, seed_limit=2)
    assert ask("execute", plan, embedding=VECTOR) == expected
    assert ask("execute", json.loads(plan.to_json()), embedding=np.array(VECTOR)) == expected
    assert ask("retrieve_by_plan", plan, query_embedding=VECTOR) == expected
    text = in_psql(
        boss,
        f"SELECT docgraph.retrieve_by_plan('default', '{{}}', %s, {IN_SQL}, max_chars => 40)::text",
        plan.to_json(),
    )
    assert ask("execute", plan, embedding=VECTOR, max_chars=40).to_json() == text


def test_by_a_plan_that_was_edited(ask: Ask) -> None:
    plan = ask("plan", embedding=VECTOR, seed_limit=2)
    edited = plan.replace(seed_documents=plan.seed_documents[1:], expanded_documents=[])
    found = ask("execute", edited, embedding=VECTOR)
    assert [document.document_id for document in found] == ["travel.md"]
    assert found.accounting.edited
    assert "the plan was edited after it had been made" in found.accounting.notes
    assert found.plan == edited


def test_what_is_private_by_now_is_counted_and_not_told(ask: Ask) -> None:
    plan = ask("plan", embedding=VECTOR, access=BOARD)
    found = ask("execute", plan, embedding=VECTOR)
    assert found.accounting.documents.missing == 1
    assert "1 document is no longer there, or not to be seen" in found.accounting.notes
    assert "board.md" not in {document.document_id for document in found}


def test_rows_of_evidence(ask: Ask) -> None:
    plan = ask("plan", embedding=VECTOR, seed_limit=2)
    rows = ask("execute_plan", plan, query_embedding=VECTOR)
    found = ask("retrieve", embedding=VECTOR, seed_limit=2)
    assert [
        (
            row.document_id,
            row.chunk,
            row.text,
            row.tokens,
            row.section_path,
            row.score,
            row.chosen,
            row.chosen_by,
        )
        for row in rows
    ] == [
        (
            *(chunk.document_id, chunk.chunk, chunk.text, chunk.tokens, chunk.section_path),
            *(chunk.score, chunk.chosen, chunk.chosen_by),
        )
        for chunk in found.chunks
    ]
    whys = {document.document_id: document.why for document in found}
    assert all(row.why == whys[row.document_id] and row.missing == 0 for row in rows)
    assert ask("execute_plan", plan.to_dict(), query_embedding=VECTOR, max_chunks=1) == [
        row for row in rows if row.chosen == 1
    ]


def test_rows_of_a_context(ask: Ask) -> None:
    plan = ask("plan", embedding=VECTOR, seed_limit=2)
    *rows, bill = ask("assemble_context", plan, query_embedding=VECTOR, budget_tokens=8000)
    found = ask("execute", plan, embedding=VECTOR)
    assert (bill.layer, bill.accounting) == ("accounting", found.accounting)
    assert astuple(replace(bill, accounting=None))[1:] == (None,) * 13
    assert [row.text for row in rows if row.part == "chunk"] == [chunk.text for chunk in found.chunks]
    assert [(row.score, row.chosen, row.chosen_by) for row in rows if row.layer == "evidence"] == [
        (chunk.score, chunk.chosen, chunk.chosen_by) for chunk in found.chunks
    ]
    assert {(row.chosen, row.chosen_by) for row in rows if row.layer == "conceptual"} == {(None, None)}
    assert {row.text for row in rows if row.part == "summary"} == {document.summary for document in found}
    assert rows[-1].running_total == found.accounting.budget.used


def test_many(ask: Ask) -> None:
    expected = [ask("retrieve", embedding=vector, seed_limit=1, max_chunks=2) for vector in (VECTOR, OTHER)]
    for both in ([VECTOR, OTHER], np.array([VECTOR, OTHER]), [np.array(VECTOR), tuple(OTHER)]):
        assert ask("retrieve_all", embeddings=both, seed_limit=1, max_chunks=2) == expected
        assert ask("retrieve_many", query_embeddings=both, seed_limit=1, max_chunks=2) == expected
    assert expected[0] != expected[1]
    assert ask("retrieve_all", embeddings=[]) == ask("retrieve_all", []) == []
    assert len(ask("retrieve_all", embeddings=[VECTOR] * 100, max_chunks=1)) == 100


class TestQuestionsInWords:
    """Embedded with the model that the database records, as for plans."""

    def test_one(self, ask: Ask) -> None:
        vector = WordEmbedder().embed_query("annual leave")
        expected = ask("retrieve", embedding=vector)
        assert ask("retrieve", "annual leave", embedder=WordEmbedder()) == expected
        assert ask("execute", expected.plan, "annual leave", embedder=WordEmbedder()) == expected

    def test_many(self, ask: Ask) -> None:
        questions = ["annual leave", "travel", "annual leave"]
        expected = [ask("retrieve", question, embedder=WordEmbedder()) for question in questions]
        assert ask("retrieve_all", questions, embedder=WordEmbedder()) == expected
        assert ask("retrieve_all", tuple(questions), embedder=_later) == expected

    def test_no_embedder_for_the_recorded_model(self, ask: Ask) -> None:
        for method, *arguments in (
            ("retrieve", "leave"),
            ("execute", {}, "leave"),
            ("retrieve_all", ["leave"]),
        ):
            with pytest.raises(InvalidArgument, match="no embedding model 'test-model'"):
                ask(method, *arguments)


async def _later(texts: list[str]) -> list[list[float]]:
    return [WordEmbedder().embed_query(text) for text in texts]


def test_of_another_revision(ask: Ask) -> None:
    plan = ask("plan", embedding=VECTOR)
    older = plan.replace(made_by={**plan.to_dict()["made_by"], "revision": "0001"})
    found = ask("execute", older, embedding=VECTOR)
    assert found.accounting.revision.plan == "0001"
    assert f"made by revision 0001, executed by {plan.made_by.revision}" in found.accounting.notes


def test_in_a_transaction_of_the_callers(database: Installed) -> None:
    """A context shows what the transaction has written, and writes nothing."""
    with database.connect() as connection, DocGraph(connection) as client:
        with connection.transaction(force_rollback=True):
            client.put_documents(DOCUMENTS, access=BOARD)
            assert [chunk.text for chunk in client.retrieve(embedding=VECTOR, max_chunks=1).chunks] == [
                "Leave."
            ]
        assert not client.retrieve(embedding=VECTOR)


@EXAMPLES
@given(contexts())
def test_any_context_has_the_text_of_jsonb(boss: Connection, found: RetrievedContext) -> None:
    assert in_psql(boss, "SELECT %s::jsonb::text", found.to_json()) == found.to_json()


@EXAMPLES
@given(scores)
def test_any_number_keeps_the_text_of_jsonb(boss: Connection, number: float) -> None:
    text = in_psql(boss, "SELECT to_jsonb(%s::double precision)::text", number)
    assert text_of(json.loads(text)) == text
    assert abs(number) >= 2**53 or text_of(number) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([[0.5, -1.25], (3e300, 0)], [[0.5, -1.25], [3e300, 0.0]]),
        (np.array([[0.5, -1.25], [3e300, 0.0]]), [[0.5, -1.25], [3e300, 0.0]]),
        ([[1.0]], [[1.0]]),
        ([[1.0, None]], [[1.0, None]]),
        ([], []),
        (np.empty((0, 4)), []),
    ],
)
def test_vectors_arrive_as_they_are(boss: Connection, value: Any, expected: list[Any]) -> None:
    with boss.cursor() as cursor:
        cursor.adapters.register_dumper(Vector, VectorDumper)
        row = cursor.execute("SELECT %s", [vectors("value", value)]).fetchone()
    assert row == (expected,)
