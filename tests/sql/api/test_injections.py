"""Strings that try to be SQL, in place of every text and every key that a function takes.

DOCGRAPH_STRINGS says how many, 4 if it is not set. Whatever a string is, the call answers, or refuses it in
words of its own: no error of a parser, of a name that was looked up, or of the inside of a function; and it
makes, changes and takes away nothing but what such a call is there for.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any

import psycopg
import pytest

from docgraph import calls
from tests.sql.asking import ALL_CALLS, VALID, Connection, ask
from tests.sql.writing import put, relate

STRINGS = int(os.environ.get("DOCGRAPH_STRINGS", "4"))

_OPENINGS = [
    "",
    "'",
    '"',
    "''",
    "\\'",
    "')",
    "'))",
    "$$",
    "$a$",
    "*/",
    "]",
    "}",
    "\\",
    "%",
    "x'",
    "E'",
    "U&'",
    "1",
    "a.md",
]
_BODIES = [
    "; DROP TABLE docgraph.document_nodes; ",
    " OR 1=1 ",
    " UNION SELECT rolpassword FROM pg_authid ",
    "; GRANT docgraph_owner TO PUBLIC; ",
    "; SET ROLE postgres; ",
    " || pg_read_file('/etc/passwd') || ",
    "; COPY (SELECT 1) TO PROGRAM 'touch /tmp/owned'; ",
    "; SELECT pg_sleep(60); ",
    "::regclass",
    "; ALTER ROLE CURRENT_USER SUPERUSER; ",
    " %s %(tenant)s %I {0} $1 ?:x ",
    ", (SELECT docgraph.seal_plan('{}'))",
    " & ! | <-> :* ",
    "../../etc/passwd",
    "docgraph.whoami",
    "\n--\n; ROLLBACK; ",
]
_ENDINGS = ["", "--", "/*", ";", "'", '"', "$$", ")", "\\", "#", "%", "\n", "}", "]"]

_OF_ITS_OWN = ("KG", "22023", "42501", "55000", "40001")
"""States by which docgraph refuses: of its own errors, an argument, an access, an order of calls."""


def strings() -> list[str]:
    chance = Random(41)
    return chance.sample([a + b + c for a in _OPENINGS for b in _BODIES for c in _ENDINGS], STRINGS)


def places(value: Any) -> Iterator[tuple[tuple[Any, ...], bool]]:
    """Where texts stand in a value, and where keys do."""
    if isinstance(value, str):
        yield (), False
    elif isinstance(value, list):
        for n, entry in enumerate(value):
            yield from (((n, *path), is_key) for path, is_key in places(entry))
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield (key,), True
            yield from (((key, *path), is_key) for path, is_key in places(entry))


def changed(value: Any, path: tuple[Any, ...], is_key: bool, text: str) -> Any:
    if not path:
        return text
    step, *rest = path
    if is_key and not rest:
        return {text if key == step else key: entry for key, entry in value.items()}
    if isinstance(value, dict):
        return {k: changed(v, tuple(rest), is_key, text) if k == step else v for k, v in value.items()}
    return [changed(v, tuple(rest), is_key, text) if n == step else v for n, v in enumerate(value)]


def hostile(value: Any, text: str) -> Iterator[Any]:
    """The value with the text in each of its places; JSON stays JSON."""
    if isinstance(value, str) and value[:1] in {"{", "["}:
        found = json.loads(value)
        for path, is_key in places(found):
            yield json.dumps(changed(found, path, is_key, text), ensure_ascii=False)
        yield json.dumps({text: text}, ensure_ascii=False)
        yield text
    else:
        for path, is_key in places(value):
            yield changed(value, path, is_key, text)


@pytest.fixture(scope="module", autouse=True)
def _something_is_stored(boss: Connection) -> None:
    put(boss, {"id": "a.md", "chunks": [{"text": "of a", "embedding": [1, 0, 0, 0]}]}, {"id": "b.md"})
    relate(boss, ("a.md", "explains", "b.md"))
    ask(boss, calls.BEGIN_INGESTION)


def standing(connection: Connection) -> object:
    """What nobody may change by a text: roles, their rights, tables, functions, how many have a ceiling."""
    return connection.execute(
        """
        SELECT (SELECT md5(string_agg(r::text, '' ORDER BY r.rolname)) FROM pg_roles r),
            (SELECT md5(string_agg(m::text, '' ORDER BY m::text)) FROM pg_auth_members m),
            (SELECT md5(string_agg(concat(c.oid, c.relname, c.relacl, c.relowner), '' ORDER BY c.oid))
                FROM pg_class c WHERE c.relpersistence = 'p'),
            (SELECT md5(string_agg(concat(p.oid, p.prosrc, p.proacl, p.proowner), '' ORDER BY p.oid))
                FROM pg_proc p),
            current_user, session_user, (SELECT count(*) FROM docgraph.access_grants)
        """
    ).fetchone()


def refusal_of(connection: Connection, function: str, parameter: str, given: Any) -> psycopg.Error | None:
    """The error of the call, if it gives one. What it has written is taken back."""
    try:
        with connection.transaction(force_rollback=True):
            ask(connection, ALL_CALLS[function], **{parameter: given})
    except psycopg.Error as error:
        return error
    return None


def is_refused_by_rule(error: psycopg.Error, value: Any) -> bool:
    """In words of docgraph's; or where PostgreSQL reads JSON or an array, before any function runs."""
    state = error.diag.sqlstate or ""
    if state in {"22P02", "22P05", "42804"}:
        return "json" in str(error) or not isinstance(value, str)
    return state.startswith(_OF_ITS_OWN)


@pytest.mark.parametrize("function", sorted(VALID))
def test_a_text_is_never_run(boss: Connection, function: str) -> None:
    before = standing(boss)
    for text in strings():
        for parameter, value in VALID[function].items():
            for given in hostile("" if value is None else value, text):
                error = refusal_of(boss, function, parameter, given)
                assert error is None or is_refused_by_rule(error, value), (parameter, given, error)
    assert standing(boss) == before


_CARELESS = """
CREATE FUNCTION pg_temp.careless(given text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'SELECT ''' || given || '''';
END
$$
"""


def test_the_strings_do_harm_where_somebody_is_careless(undone: Connection) -> None:
    """They break out of quotes, and what they carry is run."""
    undone.execute(_CARELESS)
    outcomes = set()
    for text in [*strings(), "'; ALTER ROLE CURRENT_USER CONNECTION LIMIT 7; --"]:
        before = standing(undone)
        try:
            with undone.transaction(force_rollback=True):
                undone.execute("SELECT pg_temp.careless(%s)", [text])
                outcomes.add("changed" if standing(undone) != before else "unchanged")
        except psycopg.Error as error:
            outcomes.add("noticed" if not is_refused_by_rule(error, text) else "refused")
    assert {"changed", "noticed"} <= outcomes
