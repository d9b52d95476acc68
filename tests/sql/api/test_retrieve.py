"""retrieve, retrieve_by_plan, retrieve_many: plan, context and accounting in one call."""

from __future__ import annotations

import itertools
import json
from decimal import Decimal
from typing import Any

import pytest

from docgraph import calls
from tests.sql.api.evidenced import BOARD, document, executed_text, near, retrieved_text, shown
from tests.sql.asking import Connection, ask, refusal
from tests.sql.planning import NORTH, asked, expanded_of, plan, plan_text, seeds_of
from tests.sql.writing import put, relate

EAST = [0.0, 1.0, 0.0, 0.0]

PLANNED: list[dict[str, Any]] = [
    {},
    {"seeds": ["f", "a"]},
    {"seeds": [], "seed_limit": 2},
    {"seed_limit": 0, "seeds": ["d"]},
    {"search_in": "chunks", "method": "approximate", "seed_limit": 2},
    {"relation_types": ["cites"], "expanded_per_seed": 1},
    {"max_documents": 3},
    {"dominant_scope": "cluster", "scope_distance": Decimal("0.0003")},
    {"access": BOARD},
    {"access": {"repositories": ["none"]}},
]
EXECUTED: list[dict[str, Any]] = [
    {},
    {"max_chunks": 3, "per_document": 1, "reserve": 1, "selection": "similarity"},
    {"max_chunks": 0},
    {"max_chars": 20, "conceptual_share": 1},
    {"budget_tokens": 9, "conceptual_share": 0, "reserve": Decimal("0.50")},
]


WHOLE = """\
{"documents": [{"why": "seed 1, given", "role": "seed", "title": "T", "chunks": [{"text": "long/0",
"chunk": 0, "score": 1, "chosen": 1, "tokens": 1, "chosen_by": "similarity", "end_offset": 9,
"section_path": ["One"], "start_offset": 3}], "source": "a/b", "summary": null, "doc_type": "note",
"position": 1, "document_id": "long", "chosen_chunks": 1, "section_titles": ["One", "é"]}]}, "accounting":
{"rrf_k": null,
"budget": {"unit": "tokens", "used": 3, "limit": 8000, "evidence_used": 1, "conceptual_used": 2,
"conceptual_limit": 2000}, "chunks": {"shown": 1, "chosen": 1}, "edited": false, "format": 1, "reserve":
"0.4", "left_out": {"unranked": 0, "max_chunks": 0, "per_document": 0,
"evidence_budget": 0, "conceptual_budget": 0},
"revision": {"here": "REVISION", "plan": "REVISION"}, "warnings": [],
"documents": {"missing": 0, "planned": 1,
"over_caps": 0, "with_evidence": 1}, "selection": "similarity", "chunk_mode": "semantic",
"max_chunks": 10, "per_document": 3,
"conceptual_share": "0.25"}}"""


def put_corpus(connection: Connection) -> None:
    """Six documents from north to east, each of which leads to the next but one; and a hidden one."""
    put(connection, document("hidden", 0, summary="H", summary_embedding=NORTH, tags=["board"]), access=BOARD)
    put(
        connection,
        *(
            document(
                name,
                n,
                9 - n,
                None,
                70,
                summary=f"Of {name}.",
                summary_embedding=near(3 * n),
                title=name.upper(),
            )
            for n, name in enumerate("abcdef")
        ),
    )
    relate(
        connection,
        *((one, kind, other) for one, other in zip("abcd", "cdef", strict=True) for kind in ("cites", "a")),
    )


@pytest.mark.parametrize("question", PLANNED, ids=str)
@pytest.mark.parametrize("limits", EXECUTED, ids=str)
def test_it_is_planning_and_then_execution_byte_for_byte(
    undone: Connection, question: dict[str, Any], limits: dict[str, Any]
) -> None:
    put_corpus(undone)
    made = plan(undone, query_embedding=NORTH, **question)
    who = {"access": question["access"]} if "access" in question else {}
    found = retrieved_text(undone, **question, **limits)
    assert found == executed_text(undone, made, **limits, **who)
    assert f'"plan": {plan_text(undone, query_embedding=NORTH, **question)}' in found


def test_the_whole_answer(undone: Connection) -> None:
    """Keys, order of keys and numbers, as they are written in JSON."""
    put_corpus(undone)
    put(undone, document("long", 0, title="T", source="a/b", doc_type="note", section_titles=["One", "é"]))
    undone.execute(
        "UPDATE docgraph.vector_chunks SET section_path = '{One}', start_offset = 3, end_offset = 9"
        " WHERE document_id = 'long'"
    )
    text = retrieved_text(undone, seeds=["long"], seed_limit=0)
    ((here,),) = undone.execute("SELECT docgraph.revision()").fetchall()
    assert text.split('"context": ')[1] == WHOLE.replace("\n", " ").replace("REVISION", here)
    assert json.loads(text).keys() == {"plan", "context", "accounting"}


def test_if_no_budget_is_given_it_is_8000_tokens(undone: Connection) -> None:
    put_corpus(undone)
    assert retrieved_text(undone) == retrieved_text(undone, budget_tokens=8000)
    assert retrieved_text(undone) == retrieved_text(
        undone,
        max_chunks=10,
        per_document=3,
        reserve=Decimal("0.4"),
        selection="similarity",
        conceptual_share=Decimal("0.25"),
        max_chars=None,
        budget_tokens=None,
    )


@pytest.mark.parametrize(
    ("asked_for", "message"),
    [
        ({"query_embedding": None}, "query_embedding must not be null"),
        ({"query_embedding": None, "seeds": None}, "query_embedding must not be null"),
    ],
)
def test_a_query_is_needed(boss: Connection, asked_for: dict[str, Any], message: str) -> None:
    """Also where seeds are given: chunks are compared with it."""
    error = refusal(boss, calls.RETRIEVE, **asked_for)
    assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", message)


def test_what_is_hidden_changes_no_byte(undone: Connection) -> None:
    put_corpus(undone)
    questions: list[dict[str, Any]] = [{"method": "exact"}, {"seeds": ["a", "hidden"], "search_in": "chunks"}]
    relate(undone, ("a", "cites", "hidden"), access=BOARD)
    before = [retrieved_text(undone, **question) for question in questions]
    assert "hidden" in retrieved_text(undone, access=BOARD)
    ask(undone, calls.DELETE_DOCUMENTS, documents=["hidden"], access='{"tags": ["board"]}')
    assert [retrieved_text(undone, **question) for question in questions] == before


@pytest.mark.parametrize("metric", ["cosine", "l2", "ip"])
@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_every_metric(undone: Connection, metric: str, method: str) -> None:
    """The long vector is the nearest by ip alone."""
    undone.execute("DELETE FROM docgraph.embedding_space")
    ask(undone, calls.CONFIGURE_EMBEDDING_SPACE, model="m", dimensions=4, metric=metric)
    vectors = {"near": [1, 0.1, 0, 0], "long": [9, 9, 0, 0], "across": [0, 1, 0, 0]}
    for name, vector in vectors.items():
        chunk = {"text": name, "token_count": 1, "embedding": vector}
        put(undone, {"id": name, "summary_embedding": vector, "chunks": [chunk]})
    relate(undone, ("near", "cites", "across"))
    found = json.loads(retrieved_text(undone, method=method, seed_limit=1, reserve=0))
    seed = "long" if metric == "ip" else "near"
    assert seeds_of(found["plan"]) == [seed]
    assert list(expanded_of(found["plan"])) == ([] if metric == "ip" else ["across"])
    scores = {"cosine": [0.995037, 0.0], "l2": [-0.099976, -1.414214], "ip": [9.0]}[metric]
    chunks = [chunk for each in found["context"]["documents"] for chunk in each["chunks"]]
    assert [chunk["score"] for chunk in chunks] == pytest.approx(scores, abs=1e-4)


class TestMany:
    QUERIES = (NORTH, EAST, near(7), [-1.0, 0.0, 0.0, 0.0], NORTH)

    @pytest.mark.parametrize("question", PLANNED, ids=str)
    def test_each_is_what_it_is_alone(self, undone: Connection, question: dict[str, Any]) -> None:
        put_corpus(undone)
        for limits in EXECUTED:
            rows = many(undone, *self.QUERIES, **question, **limits)
            assert [number for number, _ in rows] == [1, 2, 3, 4, 5]
            for query, (_, found) in zip(self.QUERIES, rows, strict=True):
                assert found == retrieved_text(undone, query_embedding=query, **question, **limits)

    def test_one_and_a_hundred(self, undone: Connection) -> None:
        put_corpus(undone)
        queries = [near(number) for number in range(100)]
        rows = many(undone, *queries, seed_limit=1, max_chunks=1)
        assert [number for number, _ in rows] == list(range(1, 101))
        assert many(undone, near(7), seed_limit=1, max_chunks=1) == [(1, rows[7][1])]
        assert len({found for _, found in rows}) > 3

    def test_none(self, undone: Connection) -> None:
        assert many(undone) == []

    def test_an_array_may_begin_anywhere(self, undone: Connection) -> None:
        put_corpus(undone)
        statement = (
            "SELECT query, result::text"
            " FROM docgraph.retrieve_many('default', '{}', '[3:4][0:3]={{1,0,0,0},{0,1,0,0}}')"
        )
        assert undone.execute(statement.encode()).fetchall() == many(undone, NORTH, EAST)

    def test_what_is_wrong_with_one_is_wrong_with_the_call(self, undone: Connection) -> None:
        put_corpus(undone)
        error = refusal(undone, calls.RETRIEVE_MANY, query_embeddings=[NORTH, [0.0] * 4])
        assert error.diag.sqlstate == "22023"
        assert str(error.diag.message_primary).startswith("query_embeddings[2] must have")

    @pytest.mark.parametrize("queries", [[], [NORTH]])
    def test_who_may_see_nothing_is_refused_whatever_is_asked(
        self, boss: Connection, queries: list[list[float]]
    ) -> None:
        error = refusal(boss, calls.RETRIEVE_MANY, tenant="nowhere", query_embeddings=queries)
        assert error.diag.sqlstate == "42501"


def many(connection: Connection, *queries: list[float], **arguments: Any) -> list[tuple[int, str]]:
    # psycopg takes the same list twice for a list in itself.
    given = {"query_embeddings": [list(query) for query in queries], **arguments}
    rows = asked(connection, calls.RETRIEVE_MANY, given, "query, result::text")
    return [(number, text) for number, text in rows]


def test_ties_everywhere_are_one_order(undone: Connection) -> None:
    """Documents, summaries and chunks with the same vectors: ids decide, then chunks."""
    names = ["é", "a", "Z", "B"]
    put(undone, *(document(name, 1, 1, summary_embedding=NORTH) for name in names))
    found = json.loads(retrieved_text(undone))
    assert seeds_of(found["plan"]) == sorted(names)
    assert shown(found) == [f"{name}/{n}" for name, n in itertools.product(sorted(names), (0, 1))]
    chosen = {
        f"{each['document_id']}/{chunk['chunk']}": chunk["chosen"]
        for each in found["context"]["documents"]
        for chunk in each["chunks"]
    }
    assert sorted(chosen, key=chosen.__getitem__) == shown(found)
