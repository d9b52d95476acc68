"""A malformed claim is an error, never a wider or a narrower claim.

A test for each function and kind, with all claims of the kind: one for each claim would be thousands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from docgraph import calls
from tests.sql.api.bad_kinds import SECRET
from tests.sql.asking import ALL_CALLS, Connection, nothing_written, refusal, words

FUNCTIONS = [name for name, call in ALL_CALLS.items() if "access" in call.parameters]
LISTS = ["repositories", "snapshots", "tags", "labels"]

NOT_AN_OBJECT = ["null", "[]", '[{"tags": []}]', f'"{SECRET}"', "1", "true", '"{}"']

UNKNOWN_KEY = [
    "",
    "tag",
    "Tags",
    "TAGS",
    "tags ",
    " tags",
    "tags\t",
    "tenant",
    "repository",
    "clearance\u200b",
    "\uff54ags",
]

NOT_A_LIST_OF_STRINGS = [
    f'"{SECRET}"',
    '""',
    "null",
    "1",
    "true",
    "{}",
    f'{{"{SECRET}": 1}}',
    "[null]",
    f'["{SECRET}", null]',
    f'["{SECRET}", 1]',
    "[1.5]",
    "[true]",
    f'[["{SECRET}"]]',
    "[[]]",
    "[{}]",
]

NO_LEVEL = [
    '"1"',
    '""',
    "null",
    "true",
    "[]",
    "[1]",
    "{}",
    "-1",
    "-0.5",
    "1.5",
    "0.999999999999999999999",
    "1e-400",
    "32768",
    "32767.5",
    "4294967296",
    "1e999",
    "-1e999",
]


@pytest.fixture(autouse=True)
def _nothing_is_written(boss: Connection) -> Iterator[None]:
    with nothing_written(boss):
        yield


def check(connection: Connection, function: str, access: str | None, message: str) -> None:
    error = refusal(connection, ALL_CALLS[function], access=access)
    said = (error.diag.sqlstate, error.diag.message_primary, bool(error.diag.message_hint))
    assert said == ("22023", message, True), (access or "")[:100]
    assert SECRET not in repr(words(error)), (access or "")[:100]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_null(boss: Connection, function: str) -> None:
    check(boss, function, None, "access must not be null")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_not_an_object(boss: Connection, function: str) -> None:
    for access in NOT_AN_OBJECT:
        check(boss, function, access, "access must be a JSON object")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_unknown_key(boss: Connection, function: str) -> None:
    """Also beside good ones: a misspelt restriction that is dropped would widen access."""
    for key in (*UNKNOWN_KEY, SECRET, SECRET * 1000):
        for others in ({}, {"tags": ["a"], "clearance": 1}):
            check(boss, function, json.dumps({**others, key: ["a"]}), "access has an unknown key")


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("key", LISTS)
def test_not_a_list_of_strings(boss: Connection, function: str, key: str) -> None:
    for value in NOT_A_LIST_OF_STRINGS:
        check(boss, function, f'{{"{key}": {value}}}', f'access: "{key}" must be a list of strings')


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("key", LISTS)
def test_too_long(boss: Connection, function: str, key: str) -> None:
    many = [f"{SECRET}{n}" for n in range(1001)]
    check(
        boss, function, json.dumps({key: many}), f'access: "{key}" may have 1000 entries of 512 bytes at most'
    )
    for entry in (SECRET.ljust(513, "x"), "é" * 257):
        claim = json.dumps({key: ["a", entry]})
        check(boss, function, claim, f'access: "{key}" may have 1000 entries of 512 bytes at most')


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_level(boss: Connection, function: str) -> None:
    for value in NO_LEVEL:
        claim = f'{{"clearance": {value}}}'
        check(boss, function, claim, 'access: "clearance" must be a whole number from 0 to 32767')


DEEP = "[" * 20_000 + "]" * 20_000
REFUSED_BY_POSTGRESQL = {
    "20,000 levels": (f'{{"tags": {DEEP}}}', "54001"),
    "20,000 levels as the whole": (DEEP, "54001"),
    "zero character in an entry": ('{"tags": ["a\\u0000b"]}', "22P05"),
    "zero character in a key": ('{"tags\\u0000": []}', "22P05"),
    "lone surrogate": ('{"tags": ["\\ud800"]}', "22P02"),
    "no JSON": ("{tags: []}", "22P02"),
    "empty": ("", "22P02"),
    "NaN": ('{"clearance": NaN}', "22P02"),
    "a number too long": ('{"clearance": 1e999999}', "22003"),
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_no_jsonb_is_refused_by_postgresql(boss: Connection, function: str) -> None:
    for name, (access, state) in REFUSED_BY_POSTGRESQL.items():
        assert refusal(boss, ALL_CALLS[function], access=access).diag.sqlstate == state, name


def test_a_malformed_claim_reads_the_same_without_a_ceiling(boss: Connection) -> None:
    """Otherwise the order of the checks would say whether there is one."""
    errors = [
        words(refusal(boss, calls.WHOAMI, tenant=tenant, access='{"tag": []}'))
        for tenant in ("default", "unknown")
    ]
    assert errors[0] == errors[1]
