"""read_claim_list: absent is NULL, everything else is a list in canonical order or an error."""

from __future__ import annotations

import pytest

from tests.sql.asking import Connection, refused

READ = "SELECT docgraph.read_claim_list(%s::jsonb, 'tags')"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("{}", None),
        ('{"labels": ["a"]}', None),
        ('{"tags": []}', []),
        ('{"tags": [""]}', [""]),
        ('{"tags": ["b", "a", "b", "B"]}', ["B", "a", "b"]),
        ('{"tags": ["null"]}', ["null"]),
    ],
)
def test_a_list_or_null(boss: Connection, claim: str, expected: list[str] | None) -> None:
    assert boss.execute(READ, (claim,)).fetchone() == (expected,)


@pytest.mark.parametrize("value", ["null", "1", '"a"', "{}", "[null]", "[1]", "[[]]"])
def test_anything_else_is_an_error(boss: Connection, value: str) -> None:
    error = refused(boss, READ, f'{{"tags": {value}}}')
    assert error.diag.sqlstate == "22023"
    assert error.diag.message_primary == 'access: "tags" must be a list of strings'
