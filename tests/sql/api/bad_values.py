"""What each parameter must refuse: one table for SQL, for the sync and for the async client.

A function added later is tested as soon as it has a parameter of a name that stands here, and a test says
which names are missing.
"""

from __future__ import annotations

from typing import Any

from docgraph.calls import Call
from tests.sql.api.bad_kinds import (
    SECRET,
    Bad,
    bad_budget,
    bad_choice,
    bad_id,
    bad_ids,
    bad_limit,
    bad_line,
    bad_list,
    bad_share,
    unknown_run,
)
from tests.sql.asking import ALL_CALLS

_LOGIN = "login must be the name of a role, 1 to 63 bytes"
_DIMENSIONS = "dimensions must be from 1 to 4000"
_METRIC = "metric must be cosine, l2 or ip"
_TEXT_SEARCH = "text_search must be a text-search configuration of this database"
_AVERAGE = "average_length must be from 1 to 1000000"
_SOURCE = "source must be a text of at most 4000 bytes"
_STATE = "state must be finished or failed"
_DIRECTION = "direction must be in or out"
_AFTER = "after must be a text of 1 to 512 bytes"
PAIR = "after must be a pair of relation type and id"
_MODEL = 'the vectors are of model "{}", this database holds those of model "test-model"'
TRIPLE = "after must be a triple of tenant, document and ordinal"
_OPEN = "ingestion must be one that this login has begun and not finished"
_VECTOR = "query_embedding must have 4 elements from -60000 to 60000, and a length from 0.001 to 60000"
_NO_TEXT = "query_text must be null in mode semantic"
_RRF_K = "rrf_k must be from 1 to 200"
_CHUNKS = "chunks must be a plain list of numbers from 0, without null, as long as documents"
_TEXTS = "query_texts must be a plain list without null, as long as query_embeddings"
_SCOPE_DISTANCE = "scope_distance must be from -1000000 to 1000000"
_BEGUN = "ingestion must be one that this login has begun"


_BOTH_BUDGETS = [Bad("beside the other", 8000, "max_chars and budget_tokens must not both be given")]
_NO_SEEDS = "seeds must not be empty"
_NO_EVIDENCE = "query_embedding must not be null"
_NTH = _VECTOR.replace("query_embedding", "query_embeddings[{}]")
_MANY = "query_embeddings must be a list of at most 100 vectors"


BAD: dict[str, list[Bad]] = {
    "tenant": bad_id("tenant"),
    "model": bad_id("model"),
    "login": [
        Bad("null", None, _LOGIN),
        Bad("empty", "", _LOGIN),
        Bad("64 bytes", SECRET.ljust(64, "x"), _LOGIN),
        Bad("32 characters of two bytes", "é" * 32, _LOGIN),
    ],
    "repositories": bad_list("repositories"),
    "snapshots": bad_list("snapshots"),
    "tags": bad_list("tags"),
    "labels": bad_list("labels"),
    "clearance": bad_limit("clearance", 32_767)[1:],
    "dimensions": [
        Bad("null", None, _DIMENSIONS),
        Bad("0", 0, _DIMENSIONS),
        Bad("negative", -1, _DIMENSIONS),
        Bad("one too high", 4001, _DIMENSIONS),
        Bad("the highest integer", 2_147_483_647, _DIMENSIONS),
        Bad("no integer any more", 2**40, "integer out of range", "22003"),
    ],
    "metric": [
        Bad("null", None, _METRIC),
        Bad("empty", "", _METRIC),
        Bad("capital", "Cosine", _METRIC),
        Bad("blanks", "cosine\t\n", _METRIC),
        Bad("of pgvector, not of docgraph", "hamming", _METRIC),
        Bad("operator class", "l2_ops); DROP TABLE x; --", _METRIC),
    ],
    "text_search": [
        Bad("null", None, _TEXT_SEARCH),
        Bad("empty", "", _TEXT_SEARCH),
        Bad("unknown", SECRET, _TEXT_SEARCH),
        Bad("capital", "ENGLISH", _TEXT_SEARCH),
        Bad("unknown schema", f"{SECRET}.english", _TEXT_SEARCH),
        Bad("only the schema", "pg_catalog.", _TEXT_SEARCH),
        Bad("more than a name", "english; DROP SCHEMA docgraph", _TEXT_SEARCH),
    ],
    "average_length": [
        Bad("null", None, _AVERAGE),
        Bad("0", 0.0, _AVERAGE),
        Bad("below 1", 0.999, _AVERAGE),
        Bad("negative", -100.0, _AVERAGE),
        Bad("too high", 1_000_000.5, _AVERAGE),
        Bad("NaN", float("nan"), _AVERAGE),
        Bad("infinity", float("inf"), _AVERAGE),
        Bad("minus infinity", float("-inf"), _AVERAGE),
    ],
    "document": bad_id("document"),
    "documents": bad_ids("documents"),
    "source": [Bad("null", None, _SOURCE), *bad_line("source")],
    "ingested_from": bad_line("ingested_from"),
    "state": [
        Bad("null", None, _STATE),
        Bad("empty", "", _STATE),
        Bad("capital", "Finished", _STATE),
        Bad("no end", SECRET, _STATE),
        Bad("line end", "failed\n", _STATE),
    ],
    "direction": [
        Bad("null", None, _DIRECTION),
        Bad("empty", "", _DIRECTION),
        Bad("capital", "OUT", _DIRECTION),
        Bad("neither", SECRET, _DIRECTION),
    ],
    "page": bad_limit("page", 1000),
    "query_embedding": [
        Bad("empty", [], _VECTOR),
        Bad("one element too few", [1.0, 0.0, 0.0], _VECTOR),
        Bad("one element too many", [1.0, 0.0, 0.0, 0.0, 0.0], _VECTOR),
        Bad("two dimensions", [[1.0, 0.0], [0.0, 1.0]], _VECTOR),
        Bad("two dimensions of four", [[1.0, 0.0, 0.0, 0.0]], _VECTOR),
        Bad("null in it", [1.0, None, 0.0, 0.0], _VECTOR),
        Bad("only null in it", [None] * 4, _VECTOR),
        Bad("NaN", [1.0, 0.0, float("nan"), 0.0], _VECTOR),
        Bad("infinity", [1.0, 0.0, float("inf"), 0.0], _VECTOR),
        Bad("minus infinity", [float("-inf"), 0.0, 0.0, 0.0], _VECTOR),
        Bad("beyond single precision", [1e39, 0.0, 0.0, 0.0], _VECTOR),
        Bad("beyond single precision, below zero", [-1e300, 0.0, 0.0, 0.0], _VECTOR),
        Bad("beyond half precision", [1e20, 0.0, 0.0, 0.0], _VECTOR),
        Bad("just too large", [60_000.5, 0.0, 0.0, 0.0], _VECTOR),
        Bad("just too long", [42_426.5, 42_426.5, 0.0, 0.0], _VECTOR),
        Bad("zeros", [0.0, -0.0, 0.0, 0.0], _VECTOR),
        Bad("zero in single precision", [1e-50] * 4, _VECTOR),
        Bad("nearly zeros", [1e-30] * 4, _VECTOR),
        Bad("just too short", [4.9e-4] * 4, _VECTOR),
        Bad("4000 elements", [1.0] * 4000, _VECTOR),
    ],
    "query_text": [
        Bad("given", SECRET, _NO_TEXT),
        Bad("empty", "", _NO_TEXT),
        Bad("a megabyte", SECRET * 50_000, _NO_TEXT),
    ],
    "mode": bad_choice("mode", "semantic, bm25 or hybrid", "BM25"),
    "chunk_mode": bad_choice("chunk_mode", "semantic, bm25 or hybrid", "BM25"),
    "rrf_k": [
        Bad("null", None, _RRF_K),
        Bad("0", 0, _RRF_K),
        Bad("negative", -1, _RRF_K),
        Bad("one too high", 201, _RRF_K),
        Bad("the highest integer", 2_147_483_647, _RRF_K),
    ],
    "title_hits": [
        Bad("null", None, "title_hits must be true or false"),
        Bad("in another mode", True, "title_hits must be false but for mode hybrid in summaries"),
    ],
    "rerank": bad_choice("rerank", "none or keyword", "Keyword"),
    "rerank_lexical": [Bad("null", None, "rerank_lexical must be true or false")],
    "chunks": [
        Bad("empty", [], _CHUNKS),
        Bad("longer than documents", [0, 0], _CHUNKS),
        Bad("null in it", [None], _CHUNKS),
        Bad("negative", [-1], _CHUNKS),
        Bad("two dimensions", [[0]], _CHUNKS),
    ],
    "k1": [
        Bad("negative", -0.1, "k1 must be 0, or from 0.001 to 10"),
        Bad("too high", 10.5, "k1 must be 0, or from 0.001 to 10"),
        Bad("NaN", float("nan"), "k1 must be 0, or from 0.001 to 10"),
        Bad("infinity", float("inf"), "k1 must be 0, or from 0.001 to 10"),
        Bad("too small", 1e-320, "k1 must be 0, or from 0.001 to 10"),
    ],
    "b": [
        Bad("negative", -0.1, "b must be 0, or from 0.001 to 1"),
        Bad("too high", 1.01, "b must be 0, or from 0.001 to 1"),
        Bad("NaN", float("nan"), "b must be 0, or from 0.001 to 1"),
        Bad("too small", 1e-320, "b must be 0, or from 0.001 to 1"),
    ],
    "query_texts": [
        Bad("one too few", [SECRET], _TEXTS),
        Bad("empty", [], _TEXTS),
        Bad("null in it", [SECRET, None], _TEXTS),
        Bad("two dimensions", [[SECRET], ["b"]], _TEXTS),
        Bad("given", [SECRET, "b"], _NO_TEXT),
    ],
    "search_in": bad_choice("search_in", "summaries or chunks", "Chunks"),
    "method": bad_choice("method", "auto, exact or approximate", "EXACT"),
    "dominant_scope": bad_choice("dominant_scope", "none, ingestion, doc_type or cluster", "Cluster"),
    "seeds": bad_ids("seeds")[1:],
    "relation_types": bad_ids("relation_types")[1:],
    "max_nodes": bad_limit("max_nodes", 200),
    "seed_limit": bad_limit("seed_limit", 200),
    "expanded_per_seed": bad_limit("expanded_per_seed", 200),
    "max_documents": bad_limit("max_documents", 400),
    "scope_distance": [
        Bad("null", None, _SCOPE_DISTANCE),
        Bad("NaN", float("nan"), _SCOPE_DISTANCE),
        Bad("infinity", float("inf"), _SCOPE_DISTANCE),
        Bad("minus infinity", float("-inf"), _SCOPE_DISTANCE),
        Bad("too large", 1_000_000.5, _SCOPE_DISTANCE),
        Bad("too small", -1_000_001, _SCOPE_DISTANCE),
        Bad("a very long number", 10**400, _SCOPE_DISTANCE),
    ],
    "max_chunks": bad_limit("max_chunks", 1000),
    "per_document": bad_limit("per_document", 100),
    "reserve": bad_share("reserve"),
    "selection": bad_choice("selection", "similarity or bridge", "Similarity"),
    "budget_tokens": bad_budget("budget_tokens"),
    "max_depth": bad_limit("max_depth", 10),
    "fan_out": bad_limit("fan_out", 1000),
    "edge_allowlist": bad_ids("edge_allowlist")[1:],
    "prioritization": bad_choice("prioritization", "seed_first, graph_first or balanced", "Balanced"),
    "max_chars": _BOTH_BUDGETS,
    "conceptual_share": bad_share("conceptual_share"),
    "query_embeddings": [
        Bad("null", None, _MANY),
        Bad("one dimension", [1.0, 0.0, 0.0, 0.0], _MANY),
        Bad("three dimensions", [[[1.0, 0.0, 0.0, 0.0]]], _MANY),
        Bad("101 vectors", [[1.0, 0.0, 0.0, 0.0] for _ in range(101)], _MANY),
        Bad("one element too few", [[1.0, 0.0, 0.0]], _NTH.format(1)),
        Bad("a last one of zeros", [[1.0, 0.0, 0.0, 0.0], [0.0] * 4], _NTH.format(2)),
        Bad("null in it", [[1.0, None, 0.0, 0.0]], _NTH.format(1)),
        Bad("NaN", [[1.0, 0.0, float("nan"), 0.0]], _NTH.format(1)),
    ],
}

BAD_HERE: dict[tuple[str, str], list[Bad]] = {
    ("search_nodes", "query_embedding"): [
        Bad("null", None, "query_embedding must not be null in mode semantic"),
        *BAD["query_embedding"],
    ],
    **{
        (function, "query_embedding"): [Bad("null", None, _NO_EVIDENCE), *BAD["query_embedding"]]
        for function in ("execute_plan", "assemble_context", "retrieve_by_plan", "retrieve")
    },
    ("assemble_context", "budget_tokens"): [
        Bad("null", None, "max_chars or budget_tokens must be given"),
        *BAD["budget_tokens"],
    ],
    # What is not said stays as it is recorded.
    ("rebuild_lexical", "text_search"): BAD["text_search"][1:],
    ("rebuild_lexical", "average_length"): BAD["average_length"][1:],
    **{
        (function, parameter): values
        for function in ("expand_dependency_tree", "run_pipeline")
        for parameter, values in (
            ("max_nodes", bad_limit("max_nodes", 10_000)),
            ("direction", bad_choice("direction", "outgoing, incoming or both", "Both")),
        )
    },
    ("expand_dependency_tree", "seeds"): [*bad_ids("seeds"), Bad("empty", [], _NO_SEEDS)],
    ("run_pipeline", "seeds"): [*bad_ids("seeds")[1:], Bad("empty", [], _NO_SEEDS)],
    ("run_pipeline", "seed_limit"): bad_limit("seed_limit", 200),
    ("run_pipeline", "query_embedding"): [
        Bad("beside seeds", [1.0, 0.0, 0.0, 0.0], "seeds and a query must not both be given"),
        *BAD["query_embedding"],
    ],
    ("fetch_node_texts", "budget_tokens"): [
        Bad("null", None, "max_chars or budget_tokens must be given"),
        *BAD["budget_tokens"],
    ],
    ("retrieve", "chunk_mode"): BAD["chunk_mode"][1:],
    ("retrieve_many", "chunk_mode"): BAD["chunk_mode"][1:],
    ("begin_ingestion", "ingestion"): bad_id("ingestion"),
    ("finish_ingestion", "ingestion"): [Bad("null", None, _BEGUN), *unknown_run(_BEGUN)],
    ("put_documents", "ingestion"): unknown_run(_OPEN),
    ("unchanged_documents", "ingestion"): unknown_run(_OPEN),
    ("list_documents", "after"): [
        Bad("empty", "", _AFTER),
        Bad("513 bytes", SECRET.ljust(513, "x"), _AFTER),
        Bad("257 characters of two bytes", "é" * 257, _AFTER),
    ],
    ("put_documents", "model"): [
        Bad("empty", "", _MODEL.format(""), "KG001"),
        Bad("another one", "x", _MODEL.format("x"), "KG001"),
    ],
    ("texts_to_reembed", "after"): [
        Bad("empty list", [], TRIPLE),
        Bad("two entries", [SECRET, "b"], TRIPLE),
        Bad("null in it", [SECRET, None, "1"], TRIPLE),
        Bad("no ordinal", ["a", "b", SECRET], TRIPLE),
        Bad("negative ordinal", [SECRET, "b", "-2"], TRIPLE),
        Bad("no integer any more", [SECRET, "b", "9999999999"], TRIPLE),
        Bad("two dimensions", [[SECRET], ["b"], ["1"]], TRIPLE),
    ],
    ("list_relationships", "after"): [
        Bad("empty list", [], PAIR),
        Bad("one entry", [SECRET], PAIR),
        Bad("three entries", [SECRET, "b", "c"], PAIR),
        Bad("null in it", [SECRET, None], PAIR),
        Bad("two dimensions", [[SECRET], ["b"]], PAIR),
        Bad("empty entry", [SECRET, ""], PAIR),
        Bad("513 bytes", ["a", SECRET.ljust(513, "x")], PAIR),
    ],
}
"""What a parameter of one function refuses, where the name has another sense elsewhere."""

ELSEWHERE = {"access", "attributes", "documents", "nodes", "plan", "relationships", "report", "vectors"}
"""Parameters of JSON: they have test files of their own."""


def cases() -> list[tuple[Call[Any], str, Bad]]:
    """Every bad value of every parameter of every function."""
    return [
        (call, parameter, bad)
        for call in ALL_CALLS.values()
        for parameter, kind in call.parameters.items()
        if kind != "jsonb"
        for bad in BAD_HERE.get((call.function, parameter), BAD.get(parameter, []))
    ]


def case_id(case: tuple[Call[Any], str, Bad]) -> str:
    call, parameter, bad = case
    return f"{call.function}-{parameter}-{bad.name}"
