"""run_pipeline and `pipeline` of both clients: three stages, one call, one snapshot."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import psycopg
import pytest

from docgraph import AsyncDocGraph, DocGraph, calls
from docgraph.errors import InvalidArgument
from tests.conftest import Installed
from tests.sql.asking import Connection
from tests.sql.planning import NORTH, asked
from tests.sql.stages import pipeline, put_graph
from tests.sql.writing import put, relate

HIT = ("rank", "document_id", "chunk", "found_by")


@pytest.fixture(scope="module")
def graph(boss: Connection) -> Connection:
    for name, vector in {"a": [1, 0, 0, 0], "b": [9, 1, 0, 0], "c": [0, 1, 0, 0]}.items():
        chunk = {"text": f"text of {name}", "embedding": vector}
        put(boss, {"id": name, "summary": name, "summary_embedding": vector, "chunks": [chunk, chunk]})
    relate(boss, ("a", "calls", "c"))
    return boss


class TestSql:
    def test_a_document_that_a_search_in_chunks_finds_twice_is_one_seed(self, graph: Connection) -> None:
        found = pipeline(graph, query_embedding=NORTH, search_in="chunks", seed_limit=3)
        assert [(hit["document_id"], hit["chunk"]) for hit in found["retrieval_seed_nodes"]] == [
            ("a", 0),
            ("a", 1),
            ("b", 0),
        ]
        assert [node["id"] for node in found["expanded_nodes"]] == ["a", "b", "c"]

    @pytest.mark.parametrize(
        "how",
        [
            {"mode": "bm25", "query_text": "c"},
            {"mode": "hybrid", "query_text": "c", "query_embedding": NORTH, "rrf_k": 1},
            {"query_text": "c", "query_embedding": NORTH, "rerank": "keyword"},
        ],
        ids=["bm25", "hybrid", "rerank"],
    )
    def test_its_search_is_search_nodes_in_every_mode(self, graph: Connection, how: dict[str, Any]) -> None:
        found = pipeline(graph, search_in="chunks", seed_limit=2, **how)
        rows = asked(graph, calls.SEARCH_NODES, {"search_in": "chunks", "max_nodes": 2, **how})
        assert [tuple(hit[key] for key in HIT) for hit in found["retrieval_seed_nodes"]] == rows
        assert "c" in [node["id"] for node in found["expanded_nodes"]]

    def test_given_seeds_take_the_place_of_a_search(self, graph: Connection) -> None:
        found = pipeline(graph, seeds=["c", "nobody", "a", "c"])
        assert found["retrieval_seed_nodes"] == [
            {"rank": 1, "document_id": "c", "chunk": None, "found_by": "given"},
            {"rank": 2, "document_id": "a", "chunk": None, "found_by": "given"},
        ]
        assert [text["id"] for text in found["node_texts"]] == ["c", "a"]
        assert found["accounting"]["omitted"] == 1
        assert found["accounting"]["texts"]["nodes"]["missing"] == 0

    def test_no_room_for_nodes_is_no_room_for_texts(self, graph: Connection) -> None:
        found = pipeline(graph, query_embedding=NORTH, max_nodes=0, seed_limit=1)
        assert found["expanded_nodes"] == found["node_texts"] == []
        assert found["accounting"]["truncated"] == ["nodes"]

    def test_a_limit_of_no_seeds(self, graph: Connection) -> None:
        found = pipeline(graph, query_embedding=NORTH, seed_limit=0)
        assert [found[key] for key in found if key != "accounting"] == [[], [], [], []]

    def test_the_budget_is_in_tokens_if_nothing_is_said(self, graph: Connection) -> None:
        assert pipeline(graph, seeds=["a"])["accounting"]["texts"]["budget"]["limit"] == 8000
        bill = pipeline(graph, seeds=["a"], max_chars=5)["accounting"]["texts"]
        assert bill["budget"] == {"unit": "characters", "limit": 5, "used": 0}


class TestPython:
    def test_both_clients_give_what_the_database_gives(self, graph: Connection, shared: Installed) -> None:
        asked: dict[str, Any] = {"seed_limit": 1, "direction": "both", "prioritization": "balanced"}
        expected = pipeline(graph, query_embedding=NORTH, **asked)

        async def ask() -> tuple[Any, Any]:
            async with AsyncDocGraph(shared.conninfo) as client:
                return (
                    await client.pipeline(embedding=NORTH, **asked),
                    await client.run_pipeline(query_embedding=NORTH, **asked),
                )

        with DocGraph(shared.conninfo) as client:
            found = client.pipeline(embedding=NORTH, **asked)
            assert client.run_pipeline(query_embedding=NORTH, **asked) == found
            assert client.pipeline(seeds=["a"]).to_dict() == pipeline(graph, seeds=["a"])
        assert found.to_dict() == expected
        assert asyncio.run(ask()) == (found, found)

    def test_a_question_in_words_is_embedded(self, graph: Connection, shared_client: DocGraph) -> None:
        class North:
            name, dimensions = "test-model", 4

            def embed_query(self, text: str) -> list[float]:
                assert text == "Where is north?"
                return NORTH

            def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
                raise AssertionError

            def count_tokens(self, text: str) -> int:
                raise AssertionError

        found = shared_client.pipeline("Where is north?", embedder=North(), seed_limit=2)
        assert [hit.document_id for hit in found.retrieval_seed_nodes] == ["a", "b"]
        by_words = shared_client.pipeline("the text of c", mode="bm25", search_in="chunks", seed_limit=1)
        assert [hit.document_id for hit in by_words.retrieval_seed_nodes] == ["c"]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({}, "pipeline needs a question, or seeds"),
            ({"embedding": NORTH, "seeds": ["a"]}, "query and seeds are both given"),
            ({"seeds": []}, "seeds must not be empty"),
            ({"seeds": ["a"], "max_hops": 1}, "pipeline does not take max_hops"),
            (
                {"seeds": ["a"], "max_chars": 1, "budget_tokens": 1},
                "max_chars and budget_tokens must not both be given",
            ),
            (
                {"seeds": ["a"], "prioritization": "mine"},
                "prioritization must be seed_first, graph_first or balanced",
            ),
        ],
    )
    def test_refused(self, shared_client: DocGraph, arguments: dict[str, Any], message: str) -> None:
        with pytest.raises(InvalidArgument) as caught:
            shared_client.pipeline(**arguments)
        assert caught.value.message == message
        assert caught.value.hint

    def test_on_a_connection_and_in_a_transaction_of_the_callers(self, shared: Installed) -> None:
        """What the transaction has written is seen, and nothing is committed."""
        with shared.connect() as own, own.transaction(force_rollback=True):
            put_graph(own, ("mine", "calls", "mine too"))
            with DocGraph(own) as client:
                found = client.pipeline(seeds=["mine"])
                assert [text.id for text in found] == ["mine", "mine too"]
            assert own.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
        with DocGraph(shared.conninfo) as client:
            assert client.pipeline(seeds=["mine"]).omitted == 1


def test_all_stages_see_one_snapshot(database: Installed) -> None:
    """While somebody goes on renaming a relationship's other end, each answer is all before or all after."""
    with database.connect() as superuser:
        put_graph(superuser, ("seed", "calls", "old"))
    stop = threading.Event()

    def write() -> None:
        with database.connect() as writer:
            while not stop.is_set():
                for before, after in (("old", "new"), ("new", "old")):
                    with writer.transaction():
                        put(writer, {"id": after, "summary": f"about {after}"})
                        relate(writer, ("seed", "calls", after))
                        writer.execute("SELECT docgraph.delete_documents('default', '{}', %s)", ([before],))

    writing = threading.Thread(target=write)
    writing.start()
    try:
        with database.connect() as reader:
            seen = set()
            for _ in range(150):
                found = pipeline(reader, seeds=["seed"])
                texts = [text["id"] for text in found["node_texts"]]
                assert texts == [node["id"] for node in found["expanded_nodes"]]
                assert found["accounting"]["texts"]["nodes"]["missing"] == 0
                assert len(texts) == 2
                seen.add(texts[1])
    finally:
        stop.set()
        writing.join()
    assert seen == {"old", "new"}
