"""Execution in every mode: chunks of planned documents by meaning, by words, and by both."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import calls
from tests.sql.api.evidenced import (
    BOARD,
    Evidence,
    chosen,
    evidence,
    executed,
    near,
    put_library,
    retrieved_text,
)
from tests.sql.asking import Connection, refusal
from tests.sql.planning import NORTH, Plan, asked, plan
from tests.sql.writing import put

WORDS: dict[str, Any] = {"query_embedding": None, "query_text": "parental leave", "chunk_mode": "bm25"}
BOTH: dict[str, Any] = {"query_text": "parental leave", "chunk_mode": "hybrid"}


def document(name: str, *texts: str, **more: Any) -> dict[str, Any]:
    """A document of these texts, the later the nearer to NORTH; of one that begins with ! no vector."""
    chunks = [
        {"text": text.removeprefix("!")}
        | ({} if text.startswith("!") else {"embedding": near(len(texts) - ordinal)})
        for ordinal, text in enumerate(texts)
    ]
    return {"id": name, "chunks": chunks, **more}


@pytest.fixture
def made(undone: Connection) -> Plan:
    found = put_library(
        undone,
        [document("a", "Parental leave is leave.", "Pay is monthly.", "!Leave ends.")],
        [document("b", "Trains.", "Leave trains early."), document("c", "Embassies.")],
    )
    put(undone, document("other", "parental leave leave leave"))
    return found


class TestWords:
    def test_only_chunks_with_one_of_the_words(self, undone: Connection, made: Plan) -> None:
        """Whether they have a vector or not."""
        assert chosen(undone, made, **WORDS, reserve=0) == ["a/0", "a/2", "b/1"]

    def test_a_score_is_that_of_a_search(self, undone: Connection, made: Plan) -> None:
        """What a word is worth depends on all that the caller sees, not on the plan."""
        rows = evidence(undone, made, **WORDS)
        ((documents, chunks, scores),) = undone.execute(
            "SELECT * FROM docgraph.best_by_words("
            "'default', docgraph.visible_classes('default', '{}'), 'parental leave', 'chunks', 100, '{}')"
        ).fetchall()
        found = dict(zip(zip(documents, chunks, strict=True), scores, strict=True))
        assert found.pop(("other", 0)) > 0
        assert {(row.document_id, row.chunk): row.score for row in rows} == found

    def test_within_a_document_the_best_comes_first(self, undone: Connection) -> None:
        made = put_library(undone, [document("a", "leave trains hotels", "leave", "none", "leave leave")])
        rows = evidence(undone, made, **WORDS | {"query_text": "leave"})
        assert [row.chunk for row in rows] == [3, 1, 0]
        assert [row.score for row in rows] == sorted([row.score for row in rows], reverse=True)

    def test_equal_scores_by_document_and_chunk(self, undone: Connection) -> None:
        made = put_library(
            undone, [document("é", "leave", "leave"), document("B", "leave"), document("a", "leave")]
        )
        assert chosen(undone, made, **WORDS) == ["B/0", "a/0", "é/0", "é/1"]

    def test_a_phrase_must_be_there_and_an_excluded_word_must_not(
        self, undone: Connection, made: Plan
    ) -> None:
        def words(question: str) -> list[str]:
            return chosen(undone, made, **WORDS | {"query_text": question})

        assert words('"parental leave"') == ["a/0"]
        assert words("leave -parental") == ["a/2", "b/1"]
        assert words('"leave parental"') == []

    def test_limits_and_the_reserve(self, undone: Connection, made: Plan) -> None:
        assert chosen(undone, made, **WORDS, per_document=1) == ["a/0", "b/1"]
        assert chosen(undone, made, **WORDS, max_chunks=2, reserve=0.5) == ["a/0", "b/1"]
        assert chosen(undone, made, **WORDS, max_chunks=2, reserve=0) == ["a/0", "a/2"]
        assert chosen(undone, made, **WORDS, max_chunks=0) == []
        assert chosen(undone, made, **WORDS, per_document=0) == []

    def test_bridge(self, undone: Connection, made: Plan) -> None:
        rows = evidence(undone, made, **WORDS, selection="bridge")
        assert [(row.document_id, row.chunk, row.chosen_by) for row in sorted(rows, key=_by_turn)] == [
            ("a", 0, "similarity"),
            ("a", 2, "similarity"),
            # It brings no word that the nearest chunk of a lacks.
            ("b", 1, "bridge, 2 behind a"),
        ]

    def test_hidden_chunks_change_nothing(self, undone: Connection, made: Plan) -> None:
        before = evidence(undone, made, **WORDS)
        for n in range(5):
            put(undone, document(f"hidden {n}", "parental leave", "leave", tags=["board"]), access=BOARD)
        assert evidence(undone, made, **WORDS) == before

    def test_every_chunk_is_accounted_for(self, undone: Connection, made: Plan) -> None:
        accounting = executed(undone, made, **WORDS, per_document=1, max_chunks=1)["accounting"]
        assert accounting["left_out"] | {"chosen": accounting["chunks"]["chosen"]} == {
            "chosen": 1,
            "unranked": 3,
            "per_document": 1,
            "max_chunks": 1,
            "evidence_budget": 0,
            "conceptual_budget": 0,
        }
        assert (accounting["chunk_mode"], accounting["rrf_k"]) == ("bm25", None)

    def test_what_is_hidden_is_not_counted(self, undone: Connection) -> None:
        """Of a plan that somebody made who sees more."""
        hidden = document("h", "leave", "trains", tags=["board"])
        made = put_library(undone, [document("a", "leave", "trains"), hidden], access=BOARD)
        for how in (WORDS, BOTH):
            accounting = executed(undone, made, **how)["accounting"]
            assert accounting["documents"]["missing"] == 1
            assert sum(accounting["left_out"].values()) + accounting["chunks"]["chosen"] == 2


class TestBoth:
    def test_ranks_are_fused(self, undone: Connection, made: Plan) -> None:
        """By meaning b/1, a/1, c/0, b/0, a/0 (a/2 has no vector); by words a/0, a/2, b/1."""
        rows = evidence(undone, made, **BOTH, rrf_k=1, reserve=0, per_document=9)
        expected = {
            ("b", 1): 1 / 2 + 1 / 4,
            ("a", 0): 1 / 6 + 1 / 2,
            ("a", 2): 1 / 3,
            ("c", 0): 1 / 3,
            ("a", 1): 1 / 4,
            ("b", 0): 1 / 5,
        }
        ordered = [(row.document_id, row.chunk) for row in sorted(rows, key=_by_turn)]
        assert sorted(ordered) == sorted(expected)
        found = {(row.document_id, row.chunk): row.score for row in rows}
        assert [found[place] for place in ordered] == sorted(found.values(), reverse=True)
        assert ordered[:2] == [("b", 1), ("a", 0)]

    def test_equal_sums_by_meaning_first(self, undone: Connection) -> None:
        """Each is first in one list and second in the other."""
        made = put_library(undone, [document("a", "leave leave", "leave and much more")])
        assert chosen(undone, made, **BOTH | {"query_text": "leave"}) == ["a/1", "a/0"]

    def test_the_beginning_of_more(self, undone: Connection, made: Plan) -> None:
        """As many of each list are fused whatever is asked for."""
        whole = chosen(undone, made, **BOTH, per_document=9, reserve=0)
        for n in range(len(whole)):
            assert chosen(undone, made, **BOTH, per_document=9, reserve=0, max_chunks=n) == whole[:n]

    def test_every_document_is_in_it_however_many_chunks_another_has(self, undone: Connection) -> None:
        """The reserve is for the best chunk of a neighbour: a long seed does not crowd it out."""
        seed = document("a", *(["leave"] * 300))
        made = put_library(
            undone, [seed], [document("b", "leave and trains, early in the morning, by night")]
        )
        for how in ({}, WORDS, BOTH):
            rows = evidence(undone, made, **how, max_chunks=4)
            assert (len(rows), {row.document_id for row in rows}) == (4, {"a", "b"})

    @pytest.mark.parametrize("per_document", [8, 25])
    def test_20_chunks_of_a_document_are_fused_or_as_many_as_are_asked_for(
        self, undone: Connection, per_document: int
    ) -> None:
        """The chunk that fits best by both need not be among the first by either."""
        depth = max(20, per_document)
        by_meaning = list(range(60))
        last = [depth - 1, depth]  # in either list the last that is fused, and the first that is not
        by_words = [n for n in reversed(by_meaning) if n not in last]
        by_words[depth - 1 : depth - 1] = last
        times = {n: 60 - place for place, n in enumerate(by_words)}
        chunks = [
            {"text": " ".join(["leave"] * times[n] + ["pay"] * (60 - times[n])), "embedding": near(n + 1)}
            for n in by_meaning
        ]
        made = put_library(undone, [{"id": "a", "chunks": chunks}])

        def expected(depth: int) -> list[str]:
            lists = [by_meaning[:depth], by_words[:depth]]
            worth = {n: sum(1 / (61 + each.index(n)) for each in lists if n in each) for n in by_meaning}
            best = sorted((n for n in by_meaning if worth[n]), key=lambda n: -worth[n])
            return [f"a/{n}" for n in best[:per_document]]

        assert expected(depth) not in (expected(depth - 1), expected(depth + 1))
        arguments = BOTH | {"query_text": "leave"}
        assert chosen(undone, made, **arguments, per_document=per_document, max_chunks=60) == expected(depth)

    def test_what_has_neither_vector_nor_word_has_no_place(self, undone: Connection) -> None:
        made = put_library(undone, [document("a", "leave", "!leave", "trains", "!trains")])
        accounting = executed(undone, made, **BOTH, per_document=1)["accounting"]
        assert (accounting["left_out"]["unranked"], accounting["left_out"]["per_document"]) == (1, 2)
        assert executed(undone, made, **WORDS)["accounting"]["left_out"]["unranked"] == 2
        assert executed(undone, made)["accounting"]["left_out"]["unranked"] == 2

    def test_a_question_without_words_leaves_the_other_list(self, undone: Connection, made: Plan) -> None:
        found = executed(undone, made, query_text="the", chunk_mode="hybrid")
        assert found["accounting"]["warnings"] == ["question_without_words"]
        by_meaning = chosen(undone, made)
        assert chosen(undone, made, query_text="the", chunk_mode="hybrid") == by_meaning


@pytest.mark.parametrize("question", ["the and of", "", " \t", "&|!()", "-leave", '"the"'])
def test_a_question_without_words(undone: Connection, made: Plan, question: str) -> None:
    """No chunk, and a warning; no error."""
    found = executed(undone, made, **WORDS | {"query_text": question})
    assert found["accounting"]["warnings"] == ["question_without_words"]
    assert found["accounting"]["chunks"]["chosen"] == 0
    assert '"warnings": ["question_without_words"]' in retrieved_text(
        undone, query_embedding=None, query_text=question, mode="bm25"
    )


def test_no_warning_where_no_words_are_compared(undone: Connection, made: Plan) -> None:
    assert executed(undone, made)["accounting"]["warnings"] == []
    assert executed(undone, made, **WORDS)["accounting"]["warnings"] == []


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "words without a text": ({"chunk_mode": "bm25"}, "query_text must not be null in mode bm25"),
    "words with a vector": (
        {**WORDS, "query_embedding": NORTH},
        "query_embedding must be null in mode bm25",
    ),
    "both without a text": (
        {"chunk_mode": "hybrid", "query_embedding": NORTH},
        "query_text must not be null in mode hybrid",
    ),
    "both without a vector": (
        {**BOTH, "query_embedding": None},
        "query_embedding must not be null in mode hybrid",
    ),
    "both without a question": (
        {"chunk_mode": "hybrid", "query_embedding": None},
        "query_embedding must not be null",
    ),
    "meaning with a text": (
        {"query_embedding": NORTH, "query_text": "leave"},
        "query_text must be null in mode semantic",
    ),
    "meaning without a vector": ({"query_embedding": None}, "query_embedding must not be null"),
    "a question that is too long": (
        {**WORDS, "query_text": "x" * 10_001},
        "query_text must be a text of at most 10000 bytes",
    ),
}
BY_PLAN = [calls.EXECUTE_PLAN, calls.ASSEMBLE_CONTEXT, calls.RETRIEVE_BY_PLAN]


@pytest.mark.parametrize("call", BY_PLAN, ids=lambda call: call.function)
@pytest.mark.parametrize("name", REFUSED)
def test_refused(undone: Connection, call: Any, name: str) -> None:
    arguments, message = REFUSED[name]
    error = refusal(undone, call, **{"query_embedding": None, **arguments})
    assert error.sqlstate == "22023"
    assert (error.diag.message_primary or "").startswith(message)
    assert error.diag.message_hint


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mode": "bm25", "query_text": "x"}, "query_embedding must be null in mode bm25"),
        (
            {"mode": "bm25", "query_text": "x", "chunk_mode": "semantic", "query_embedding": None},
            "query_embedding must",
        ),
        (
            {"mode": "semantic", "query_text": "x", "chunk_mode": "semantic"},
            "query_text must be null in mode semantic",
        ),
        ({"mode": "semantic", "chunk_mode": "bm25"}, "query_text must not be null in mode bm25"),
        (
            {"mode": "hybrid", "query_text": "x", "chunk_mode": "bm25", "query_embedding": None},
            "query_embedding must",
        ),
        ({"mode": None}, "mode must be semantic, bm25 or hybrid"),
    ],
)
def test_retrieve_refuses(undone: Connection, arguments: dict[str, Any], message: str) -> None:
    error = refusal(undone, calls.RETRIEVE, **arguments)
    assert (error.sqlstate, (error.diag.message_primary or "").startswith(message)) == ("22023", True)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (None, "query_texts must be a plain list without null, of at most 100 texts"),
        ([None], "query_texts must be a plain list without null, of at most 100 texts"),
        (["x"] * 101, "query_texts must be a plain list without null, of at most 100 texts"),
    ],
)
def test_many_questions_in_words_refused(undone: Connection, texts: Any, message: str) -> None:
    error = refusal(undone, calls.RETRIEVE_MANY, mode="bm25", query_embeddings=None, query_texts=texts)
    assert (error.sqlstate, error.diag.message_primary) == ("22023", message)


def test_no_questions_in_words(undone: Connection) -> None:
    assert asked(undone, calls.RETRIEVE_MANY, {"mode": "bm25", "query_texts": []}) == []


def test_lists_that_begin_elsewhere(undone: Connection, made: Plan) -> None:
    """An array may count from any number."""
    statement = """
        SELECT array_agg(result ->> 'plan' ORDER BY query) FROM docgraph.retrieve_many(
            'default', '{}', '[5:6][3:6]={{1,0,0,0},{0,1,0,0}}', query_texts => %s::text[], mode => 'hybrid')
    """
    rows = [
        undone.execute(statement, (texts,)).fetchone()
        for texts in ("[0:1]={leave,trains}", "{leave,trains}", "[-3:-2]={leave,trains}")
    ]
    assert rows[0] == rows[1] == rows[2]
    assert rows[0] is not None
    singles = [
        plan(undone, query_embedding=vector, query_text=text, mode="hybrid")["plan_hash"]
        for vector, text in ((NORTH, "leave"), ([0.0, 1.0, 0.0, 0.0], "trains"))
    ]
    assert all(found in answer for found, answer in zip(singles, rows[0][0], strict=True))


def _by_turn(row: Evidence) -> int:
    return row.chosen
