"""The hard guarantees of execution, and its failure modes with their safeguards, each by its name."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from docgraph import calls
from tests.sql.api.evidenced import (
    BOARD,
    bytes_of,
    document,
    evidence,
    executed,
    near,
    pieces,
    put_library,
    retrieved_text,
    shown,
)
from tests.sql.api.guardrails import SETTINGS, turn_round
from tests.sql.asking import Connection, ask, nothing_written
from tests.sql.planning import NORTH, Plan, asked, plan, plan_text
from tests.sql.writing import put, relate

EXECUTING = ("execute_plan", "assemble_context", "retrieve_by_plan")
PLANNING = {
    "plan_origin",
    "plan_retrieval",
    "search_nodes",
    "make_plan",
    "nearest",
    "nearest_exactly",
    "nearest_approximately",
    "nearest_documents",
    "expand_once",
    "all_links",
    "first_links",
    "links_among",
    "dominant_scope",
    "choose_method",
    "check_search",
    "check_ids",
    "index_distance",
    "check_reranking",
    "find_documents",
    "find_nodes",
    "nearest_beside",
    "best_by_words",
    "promising",
    "score_entries",
    "title_hits",
    "rerank_by_words",
    "title_words",
}
"""What planning calls, and execution does not."""
EXECUTION = {
    *("assemble", "assemble_context", "check_budget", "check_choosing", "check_entries"),
    *("check_evidence", "check_executable", "check_plan", "check_reasons", "check_sealed"),
    *("check_share", "choose_chunks", "estimated_tokens", "execute_plan", "field_fits", "fit_pieces"),
    *("fits", "fits_list", "fused_chunks", "have_shapes", "keys_in_words", "kind_in_words"),
    *("nearest_chunks", "order_by_bridge", "order_by_similarity", "picked", "planned_documents"),
    *("planned_links", "question_warnings", "retrieve", "retrieve_by_plan", "retrieve_many", "score"),
    *("score_documents", "text_size", "vector_text", "worded_chunks", "words_of_chunks"),
}
"""What execution calls, and planning does not."""


@pytest.fixture
def library(undone: Connection) -> Plan:
    """Of the plan a, b, x and y. Nearer than all of them: unrelated, what x explains, and what is hidden."""
    made = put_library(
        undone,
        [
            document("a", 5, 8, summary="Of a.", section_titles=["One", "Two"]),
            document("b", 6, summary="Of b."),
        ],
        [document("x", 9, 7, summary="Of x."), document("y", 20, None)],
    )
    put(
        undone,
        *(document(name, 0, 0, summary=name, summary_embedding=NORTH) for name in ("unrelated", "next")),
    )
    put(undone, document("hidden", 0, tags=["board"], summary="hidden"), access=BOARD)
    relate(undone, ("x", "explains", "next"), ("x", "explains", "hidden"), access=BOARD)
    return made


class TestExecutionRules:
    def test_only_planned_documents(self, undone: Connection, library: Plan) -> None:
        """Filtered by the plan: what is not in it is invisible, however near."""
        planned = {"a", "b", "x", "y"}
        assert {row.document_id for row in evidence(undone, library, max_chunks=1000)} == planned
        found, _ = pieces(undone, library)
        assert {piece.document_id for piece in found} == planned
        for text in bytes_of(undone, library):
            assert not re.search("unrelated|next|hidden", text)

    def test_no_implicit_expansion(self, undone: Connection, library: Plan) -> None:
        """No new document ids: neither what a planned document leads to, nor what leads to one."""
        relate(undone, ("unrelated", "explains", "a"), ("b", "explains", "unrelated"), ("y", "cites", "next"))
        ids = {each["document_id"] for each in library["seed_documents"] + library["expanded_documents"]}
        documents = executed(undone, library, max_chunks=1000)["context"]["documents"]
        assert [each["document_id"] for each in documents] == ["a", "b", "x", "y"]
        assert {each["document_id"] for each in documents} == ids

    def test_deterministic(self, undone: Connection, library: Plan) -> None:
        """The same plan gives the same bytes: again, in another physical order, however the server is set."""

        def answers() -> set[str]:
            found = set()
            for setting in SETTINGS:
                with undone.transaction(force_rollback=True):
                    undone.execute(f"SET LOCAL {setting}".encode())
                    found |= {"\n".join(bytes_of(undone, library, max_chunks=4)) for _ in range(3)}
            return found

        before = answers()
        assert len(before) == 1
        for table in ("document_nodes", "vector_chunks"):
            turn_round(undone, table)
        assert answers() == before

    def test_bounded(self, undone: Connection, library: Plan) -> None:
        """Chunk limits are enforced, of each document and in all, and budgets to the last token."""
        for most in range(7):
            for each in (1, 2, 100):
                rows = evidence(undone, library, max_chunks=most, per_document=each)
                ids = [row.document_id for row in rows]
                assert len(ids) <= most
                assert all(ids.count(name) <= each for name in ids)
        for budget in range(1, 30):
            for unit in ("budget_tokens", "max_chars"):
                found, accounting = pieces(undone, library, **{unit: budget})
                assert accounting["budget"]["used"] <= budget
                assert max((piece.running_total or 0 for piece in found), default=0) <= budget

    def test_auditable(self, undone: Connection, library: Plan) -> None:
        """From document to chunk and back: every chunk has its document, its place in it, and the reason."""
        rows = evidence(undone, library, max_chunks=1000)
        for row in rows:
            stored = undone.execute(
                "SELECT text, token_count, section_path FROM docgraph.vector_chunks"
                " WHERE tenant_id = 'default' AND document_id = %s AND ordinal = %s",
                (row.document_id, row.chunk),
            ).fetchall()
            assert stored == [(row.text, row.tokens, row.section_path)]
            assert row.why
        found = executed(undone, library, max_chunks=1000)
        assert sorted(shown(found)) == sorted(f"{row.document_id}/{row.chunk}" for row in rows)
        assert found["plan"] == library


class TestFailureModes:
    def test_chunks_from_unrelated_documents(self, undone: Connection, library: Plan) -> None:
        """Filtered by the plan, before anything is ranked: they take no place, whatever the limit."""
        for most in (1, 2, 3):
            assert len(evidence(undone, library, max_chunks=most)) == most
        with undone.transaction(force_rollback=True):
            before = bytes_of(undone, library)
            ask(undone, calls.DELETE_DOCUMENTS, documents=["unrelated", "next"])
            assert bytes_of(undone, library) == before

    def test_silent_behaviour_change(self, undone: Connection, library: Plan) -> None:
        """Execution is a step of its own: no plan, search or row is another than before it."""
        questions: list[dict[str, Any]] = [
            {"seeds": ["a", "b"]},
            {"query_embedding": NORTH, "dominant_scope": "cluster"},
            {"query_text": "of", "mode": "bm25", "search_in": "chunks"},
            {"query_text": "b", "query_embedding": NORTH, "mode": "hybrid", "title_hits": True},
        ]

        def plans() -> list[str]:
            return [plan_text(undone, **question) for question in questions]

        before = plans()
        with nothing_written(undone):
            bytes_in_every_mode(undone, library)
            retrieved_text(undone)
            assert plans() == before
        # Nor does planning call anything of execution: it plans the same where none of it is left.
        with undone.transaction(force_rollback=True):
            drop(undone, *EXECUTION)
            with pytest.raises(Exception, match="does not exist"), undone.transaction():
                bytes_of(undone, library)
            assert plans() == before

    def test_over_retrieval(self, undone: Connection, library: Plan) -> None:
        """Hard limits: they count what was left out, and there is no way around them."""
        put(undone, document("a", *range(50)))
        found = executed(undone, library, max_chunks=4)
        assert found["accounting"]["left_out"] == {
            "unranked": 1,
            "per_document": 47,
            "max_chunks": 3,
            "evidence_budget": 0,
            "conceptual_budget": 0,
        }
        assert len(evidence(undone, library)) <= 10

    def test_hidden_coupling(self, undone: Connection, library: Plan) -> None:
        """No planning: without its functions, and without relationships, execution gives the same bytes."""
        before = bytes_in_every_mode(undone, library)
        undone.execute("REVOKE ALL ON docgraph.document_relationships FROM docgraph_owner")
        with pytest.raises(Exception, match="permission denied for table"), undone.transaction():
            plan(undone, seeds=["a"])
        # And title_key, by which writing calls what planning calls.
        drop(undone, *PLANNING, "title_key", "retrieve", "retrieve_many")
        with pytest.raises(Exception, match="does not exist"), undone.transaction():
            plan(undone, seeds=["a"])
        assert bytes_in_every_mode(undone, library) == before

    def test_hidden_coupling_to_other_tables(self, undone: Connection, library: Plan) -> None:
        """Nor is anything read that only ingestion writes."""
        before = bytes_of(undone, library)
        for table in (
            "document_references",
            "document_names",
            "ingestion_requests",
            "document_relationships",
        ):
            undone.execute(f"REVOKE ALL ON docgraph.{table} FROM docgraph_owner".encode())
        assert bytes_of(undone, library) == before


def bytes_in_every_mode(connection: Connection, made: Plan) -> list[list[str]]:
    words = {"query_text": "a b"}
    return [
        bytes_of(connection, made, **how)
        for how in (
            {},
            {**words, "chunk_mode": "hybrid"},
            {**words, "chunk_mode": "bm25", "query_embedding": None},
        )
    ]


def drop(connection: Connection, *names: str) -> None:
    """All at once: some leaves are bound to others."""
    ((signatures,),) = connection.execute(
        "SELECT string_agg(oid::regprocedure::text, ', ') FROM pg_proc"
        " WHERE pronamespace = 'docgraph'::regnamespace AND proname = ANY (%s)",
        (list(names),),
    ).fetchall()
    connection.execute(f"DROP FUNCTION {signatures}".encode())


def reached(connection: Connection, *names: str) -> set[str]:
    """These functions, and whatever their texts call."""
    texts: dict[str, str] = dict(
        connection.execute(
            "SELECT proname, coalesce(pg_get_function_sqlbody(oid), prosrc) FROM pg_proc"
            " WHERE pronamespace = 'docgraph'::regnamespace"
        ).fetchall()
    )
    found: set[str] = set()
    left = set(names)
    while left:
        found |= left
        called = {name for each in left for name in re.findall(r"docgraph\.(\w+)\(", texts[each])}
        left = (called & texts.keys()) - found
    return found


def test_these_are_all_the_functions_of_planning_and_of_execution(boss: Connection) -> None:
    """What it shares with execution checks, or says who may see what."""
    planning = reached(boss, "plan_retrieval", "search_nodes")
    execution = reached(boss, *EXECUTING)
    assert planning - execution == PLANNING
    assert reached(boss, *EXECUTING, "retrieve", "retrieve_many") - planning == EXECUTION
    assert planning & execution >= {"visible_classes", "visible_among", "check_query", "distance"}


def test_a_plan_of_seeds_alone_gives_what_flat_search_gives(undone: Connection) -> None:
    """Where there are no relationships, and seeds are found by chunks: the nearest chunks of all."""
    put(undone, *(document(f"d{n}", n, 9 - n, 20 + n) for n in range(10)))
    made = plan(undone, query_embedding=NORTH, search_in="chunks", seed_limit=200)
    flat = undone.execute(
        "SELECT document_id || '/' || ordinal FROM docgraph.vector_chunks"
        " ORDER BY docgraph.distance(embedding, '[1,0,0,0]', 'cosine'), document_id, ordinal"
    ).fetchall()
    for most in (1, 7, 30):
        rows = sorted(evidence(undone, made, max_chunks=most), key=lambda row: row.chosen)
        assert [f"{row.document_id}/{row.chunk}" for row in rows] == [each for (each,) in flat[:most]]
    found = asked(
        undone, calls.RETRIEVE, {"query_embedding": near(0), "search_in": "chunks", "seed_limit": 200}
    )
    ((whole,),) = found
    assert json.dumps(whole["plan"]) == json.dumps(made)
