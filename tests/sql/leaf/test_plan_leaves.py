"""plan_hash, printable, choices_in_words, and the kinds of fields that plans have."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from tests.sql.asking import PLAN, Connection
from tests.unit.plans import canonical


def value(connection: Connection, expression: str, *arguments: Any) -> Any:
    row = connection.execute(f"SELECT {expression}".encode(), arguments).fetchone()
    assert row is not None
    return row[0]


def test_the_hash_is_of_the_text_of_all_the_rest(boss: Connection) -> None:
    """Written out, because plans are kept: another value would void them all."""
    rest = b'{"a": "\xc3\xa9", "bb": [1, null, true]}'
    expected = hashlib.sha256(rest).hexdigest()
    assert expected == "079b9070986f1cb515fe6a3c05b14608c11d0c43b49da6d9dbf62e90da658198"
    plan = '{"bb": [1, null, true], "plan_hash": "x", "a": "\\u00e9"}'
    assert value(boss, "docgraph.plan_hash(%s::jsonb)", plan) == expected


def test_the_hash_of_the_plan_that_was_written_by_hand(boss: Connection) -> None:
    made = json.loads(PLAN)
    stated = made.pop("plan_hash")
    assert stated == hashlib.sha256(canonical(made).encode()).hexdigest()
    assert value(boss, "docgraph.plan_hash(%s::jsonb)", PLAN) == stated


@pytest.mark.parametrize("text", ["null", "1", '"x"', "[]", "[{}]", "true", None])
def test_what_is_no_object_has_no_hash(boss: Connection, text: str | None) -> None:
    assert value(boss, "docgraph.plan_hash(%s::jsonb)", text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, None),
        ("", ""),
        ("a b", "a b"),
        ("a\nb\r\tc", "a\ufffdb\ufffd\ufffdc"),
        ("\x01\x1f\x20\x7e\x7f\x80\x9f\xa0", "\ufffd\ufffd ~\ufffd\ufffd\ufffd\xa0"),
        ("\u2027\u2028\u2029\u202a\u202e\u202f", "\u2027\ufffd\ufffd\ufffd\ufffd\u202f"),
        ("\u2065\u2066\u2069\u206a", "\u2065\ufffd\ufffd\u206a"),
        ("[x] \\ \\n é 🦆 שלום", "[x] \\ \\n é 🦆 שלום"),
    ],
)
def test_printable(boss: Connection, text: str | None, expected: str | None) -> None:
    assert value(boss, "docgraph.printable(%s)", text) == expected


@pytest.mark.parametrize(
    ("choices", "expected"),
    [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c"), ([], ""), (None, "")],
)
def test_choices_in_words(boss: Connection, choices: list[str] | None, expected: str) -> None:
    assert value(boss, "docgraph.choices_in_words(%s::text[])", choices) == expected


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (
            "whole",
            ["0", "1", "2147483647", "-0", "1e3"],
            ["-0.5", "-1", "1.0", "2147483648", "1e99", '"1"', "null", "[1]"],
        ),
        ("flag", ["true", "false"], ["null", "0", '"true"', "[]"]),
        ("edited", ["true"], ["false", "null", "1", '"true"', "{}"]),
        ("part", ["{}", '{"a": 1}'], ["[]", "null", '"{}"', "1"]),
        ("entries", ["[]", "[null]", json.dumps([1] * 10_000)], ["{}", "null", json.dumps([1] * 10_001)]),
    ],
)
def test_fits(boss: Connection, kind: str, good: list[str], bad: list[str]) -> None:
    for text in good:
        assert value(boss, "docgraph.fits(%s::jsonb, %s)", text, kind) is True, text[:20]
    for text in bad:
        assert value(boss, "docgraph.fits(%s::jsonb, %s)", text, kind) is False, text[:20]
    assert value(boss, "docgraph.kind_in_words(%s)", kind)
