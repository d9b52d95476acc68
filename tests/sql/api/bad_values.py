"""What each parameter must refuse: one table for SQL, for the sync and for the async client.

A function added later is tested as soon as it has a parameter of a name that stands here, and a test says
which names are missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docgraph.calls import Call
from tests.sql.asking import ALL_CALLS

SECRET = "marked-to-be-found-again"
"""Part of every long text, so that an error that repeats its argument is noticed."""


@dataclass(frozen=True)
class Bad:
    """A value that a parameter refuses, and with which words."""

    name: str
    value: Any
    message: str
    sqlstate: str = "22023"


def _id(parameter: str) -> list[Bad]:
    message = f"{parameter} must be a text of 1 to 512 bytes"
    return [
        Bad("null", None, message),
        Bad("empty", "", message),
        Bad("513 bytes", SECRET.ljust(513, "x"), message),
        Bad("257 characters of two bytes", "é" * 257, message),
        Bad("a megabyte", SECRET * 50_000, message),
    ]


def _list(parameter: str) -> list[Bad]:
    plain = f"{parameter} must be a plain list without null"
    long = f"{parameter} may have 1000 entries of 512 bytes at most"
    return [
        Bad("null in it", [SECRET, None], plain),
        Bad("only null in it", [None], plain),
        Bad("two dimensions", [[SECRET], ["b"]], plain),
        Bad("1001 entries", [f"{SECRET}{n}" for n in range(1001)], long),
        Bad("1001 times the same", [SECRET] * 1001, long),
        Bad("entry of 513 bytes", ["a", SECRET.ljust(513, "x")], long),
        Bad("entry of 257 characters of two bytes", ["é" * 257], long),
    ]


def _ids(parameter: str) -> list[Bad]:
    plain = f"{parameter} must be a plain list of ids of 1 to 512 bytes, without null"
    return [
        Bad("null", None, plain),
        Bad("null in it", [SECRET, None], plain),
        Bad("two dimensions", [[SECRET], ["b"]], plain),
        Bad("an empty id", [SECRET, ""], plain),
        Bad("id of 513 bytes", ["a", SECRET.ljust(513, "x")], plain),
        Bad("201 ids", [f"{SECRET}{n}" for n in range(201)], f"{parameter} may have 200 ids at most"),
    ]


def _line(parameter: str) -> list[Bad]:
    message = f"{parameter} must be a text of at most 4000 bytes"
    return [
        Bad("4001 bytes", SECRET.ljust(4001, "x"), message),
        Bad("2001 characters of two bytes", "é" * 2001, message),
        Bad("a megabyte", SECRET * 50_000, message),
    ]


def _unknown_run(message: str) -> list[Bad]:
    return [
        Bad("empty", "", message),
        Bad("never begun", SECRET, message),
        Bad("of another spelling", "Nightly", message),
        Bad("a megabyte", SECRET * 50_000, message),
    ]


_LOGIN = "login must be the name of a role, 1 to 63 bytes"
_DIMENSIONS = "dimensions must be from 1 to 4000"
_METRIC = "metric must be cosine, l2 or ip"
_TEXT_SEARCH = "text_search must be a text-search configuration of this database"
_AVERAGE = "average_length must be from 1 to 1000000"
_SOURCE = "source must be a text of at most 4000 bytes"
_STATE = "state must be finished or failed"
_DIRECTION = "direction must be in or out"
_AFTER = "after must be a text of 1 to 512 bytes"
_PAIR = "after must be a pair of relation type and id"
_MODEL = 'the vectors are of model "{}", this database holds those of model "test-model"'
_TRIPLE = "after must be a triple of tenant, document and ordinal"
_OPEN = "ingestion must be one that this login has begun and not finished"
_VECTOR = "query_embedding must have 4 elements from -60000 to 60000, and a length from 0.001 to 60000"
_NO_TEXT = "query_text must be null in mode semantic"
_SCOPE_DISTANCE = "scope_distance must be from -1000000 to 1000000"
_BEGUN = "ingestion must be one that this login has begun"


def _limit(parameter: str, most: int) -> list[Bad]:
    message = f"{parameter} must be from 0 to {most}"
    return [
        Bad("null", None, message),
        Bad("negative", -1, message),
        Bad("the lowest integer", -2_147_483_648, message),
        Bad("one too many", most + 1, message),
        Bad("the highest integer", 2_147_483_647, message),
        Bad("no integer any more", 2_147_483_648, "integer out of range", "22003"),
    ]


def _choice(parameter: str, choices: str, capital: str) -> list[Bad]:
    message = f"{parameter} must be {choices}"
    return [
        Bad("null", None, message),
        Bad("empty", "", message),
        Bad("capital", capital, message),
        Bad("unknown", SECRET, message),
        Bad("line end", f"{capital.lower()}\n", message),
        Bad("a megabyte", SECRET * 50_000, message),
    ]


BAD: dict[str, list[Bad]] = {
    "tenant": _id("tenant"),
    "model": _id("model"),
    "login": [
        Bad("null", None, _LOGIN),
        Bad("empty", "", _LOGIN),
        Bad("64 bytes", SECRET.ljust(64, "x"), _LOGIN),
        Bad("32 characters of two bytes", "é" * 32, _LOGIN),
    ],
    "repositories": _list("repositories"),
    "snapshots": _list("snapshots"),
    "tags": _list("tags"),
    "labels": _list("labels"),
    "clearance": _limit("clearance", 32_767)[1:],
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
    "document": _id("document"),
    "documents": _ids("documents"),
    "source": [Bad("null", None, _SOURCE), *_line("source")],
    "ingested_from": _line("ingested_from"),
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
    "page": _limit("page", 1000),
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
    "mode": [*_choice("mode", "semantic", "Semantic"), Bad("not yet", "bm25", "mode must be semantic")],
    "search_in": _choice("search_in", "summaries or chunks", "Chunks"),
    "method": _choice("method", "auto, exact or approximate", "EXACT"),
    "dominant_scope": _choice("dominant_scope", "none, ingestion, doc_type or cluster", "Cluster"),
    "seeds": _ids("seeds")[1:],
    "relation_types": _ids("relation_types")[1:],
    "max_nodes": _limit("max_nodes", 200),
    "seed_limit": _limit("seed_limit", 200),
    "expanded_per_seed": _limit("expanded_per_seed", 200),
    "max_documents": _limit("max_documents", 400),
    "scope_distance": [
        Bad("null", None, _SCOPE_DISTANCE),
        Bad("NaN", float("nan"), _SCOPE_DISTANCE),
        Bad("infinity", float("inf"), _SCOPE_DISTANCE),
        Bad("minus infinity", float("-inf"), _SCOPE_DISTANCE),
        Bad("too large", 1_000_000.5, _SCOPE_DISTANCE),
        Bad("too small", -1_000_001, _SCOPE_DISTANCE),
        Bad("a very long number", 10**400, _SCOPE_DISTANCE),
    ],
}

BAD_HERE: dict[tuple[str, str], list[Bad]] = {
    ("search_nodes", "query_embedding"): [
        Bad("null", None, "query_embedding must not be null in mode semantic"),
        *BAD["query_embedding"],
    ],
    ("begin_ingestion", "ingestion"): _id("ingestion"),
    ("finish_ingestion", "ingestion"): [Bad("null", None, _BEGUN), *_unknown_run(_BEGUN)],
    ("put_documents", "ingestion"): _unknown_run(_OPEN),
    ("unchanged_documents", "ingestion"): _unknown_run(_OPEN),
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
        Bad("empty list", [], _TRIPLE),
        Bad("two entries", [SECRET, "b"], _TRIPLE),
        Bad("null in it", [SECRET, None, "1"], _TRIPLE),
        Bad("no ordinal", ["a", "b", SECRET], _TRIPLE),
        Bad("negative ordinal", [SECRET, "b", "-2"], _TRIPLE),
        Bad("no integer any more", [SECRET, "b", "9999999999"], _TRIPLE),
        Bad("two dimensions", [[SECRET], ["b"], ["1"]], _TRIPLE),
    ],
    ("list_relationships", "after"): [
        Bad("empty list", [], _PAIR),
        Bad("one entry", [SECRET], _PAIR),
        Bad("three entries", [SECRET, "b", "c"], _PAIR),
        Bad("null in it", [SECRET, None], _PAIR),
        Bad("two dimensions", [[SECRET], ["b"]], _PAIR),
        Bad("empty entry", [SECRET, ""], _PAIR),
        Bad("513 bytes", ["a", SECRET.ljust(513, "x")], _PAIR),
    ],
}
"""What a parameter of one function refuses, where the name has another sense elsewhere."""

ELSEWHERE = {"access", "attributes", "documents", "plan", "relationships", "report", "vectors"}
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
