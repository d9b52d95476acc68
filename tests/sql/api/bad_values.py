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


_LOGIN = "login must be the name of a role, 1 to 63 bytes"
_CLEARANCE = "clearance must be from 0 to 32767"
_DIMENSIONS = "dimensions must be from 1 to 4000"
_METRIC = "metric must be cosine, l2 or ip"
_TEXT_SEARCH = "text_search must be a text-search configuration of this database"
_AVERAGE = "average_length must be from 1 to 1000000"

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
    "clearance": [
        Bad("negative", -1, _CLEARANCE),
        Bad("the lowest integer", -2_147_483_648, _CLEARANCE),
        Bad("one too high", 32_768, _CLEARANCE),
        Bad("the highest integer", 2_147_483_647, _CLEARANCE),
        Bad("no integer any more", 2_147_483_648, "integer out of range", "22003"),
    ],
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
}

ELSEWHERE = {"access"}
"""Parameters with a test file of their own."""


def cases() -> list[tuple[Call[Any], str, Bad]]:
    """Every bad value of every parameter of every function."""
    return [
        (call, parameter, bad)
        for call in ALL_CALLS.values()
        for parameter in call.parameters
        for bad in BAD.get(parameter, [])
    ]


def case_id(case: tuple[Call[Any], str, Bad]) -> str:
    call, parameter, bad = case
    return f"{call.function}-{parameter}-{bad.name}"
