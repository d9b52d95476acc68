"""Strings that try to be SQL, in place of every text and every key that a function takes.

DOCGRAPH_STRINGS says how many, 1 if it is not set. Whatever a string is, the call answers, or refuses it in
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

STRINGS = int(os.environ.get("DOCGRAPH_STRINGS", "1"))

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
    "; ALTER ROLE CURRENT_USER CONNECTION LIMIT 7; ",
    "; ALTER TABLE docgraph.access_grants RENAME TO taken; ",
    "; GRANT ALL ON docgraph.access_grants TO PUBLIC; ",
    " %s %(tenant)s %I {0} $1 ?:x ",
    ", (SELECT docgraph.seal_plan('{}'))",
    " & ! | <-> :* ",
    "../../etc/passwd",
    "docgraph.whoami",
    "\n--\n; ROLLBACK; ",
]
_ENDINGS = ["", "--", "/*", ";", "'", '"', "$$", ")", "\\", "#", "%", "\n", "}", "]"]


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
    """What nobody may change by a text: roles and their rights, tables, functions, who is asking."""
    return connection.execute(
        """
        SELECT (SELECT md5(string_agg(r::text, '' ORDER BY r.rolname)) FROM pg_roles r),
            (SELECT md5(string_agg(m::text, '' ORDER BY m::text)) FROM pg_auth_members m),
            (SELECT md5(string_agg(concat(c.oid, c.relname, c.relacl, c.relowner), '' ORDER BY c.oid))
                FROM pg_class c WHERE c.relnamespace = 'docgraph'::regnamespace AND c.relkind = 'r'),
            -- A row that is written over has another xmin, which is read sooner than all that stands in it.
            (SELECT md5(string_agg(concat(p.oid, p.xmin), '' ORDER BY p.oid))
                FROM pg_proc p WHERE p.pronamespace = 'docgraph'::regnamespace),
            current_user, session_user
        """
    ).fetchone()


class Harm(Exception):
    """Something stands otherwise than before the call."""


def outcome(connection: Connection, before: object, statement: str, arguments: Any) -> psycopg.Error | None:
    """The error of a call, if it gives one. What it has written is looked at, and taken back."""
    try:
        with connection.transaction(force_rollback=True):
            connection.execute(statement.encode(), arguments)
            if standing(connection) != before:
                raise Harm
    except psycopg.Error as error:
        return error
    return None


def is_refused_by_rule(error: psycopg.Error) -> bool:
    """In words of docgraph's own, or by PostgreSQL where it reads arguments, before any function runs."""
    if error.diag.sqlstate in {"22P02", "22P05", "42804"}:
        return "PL/pgSQL" not in str(error.diag.context)
    return error.diag.source_function == "exec_stmt_raise"


WORDS: dict[str, Any] = {"query_embedding": None, "query_text": "of a"}
MORE: dict[str, Any] = {
    "access": '{"tags": ["t"], "labels": ["l"], "repositories": ["r"], "snapshots": ["s"], "clearance": 1}',
    **{name: ["a.md"] for name in ("relation_types", "edge_allowlist", "snapshots", "seeds")},
}
"""In place of what is usual there: more places for a text."""


def ways(function: str) -> Iterator[dict[str, Any]]:
    """Arguments by which a call takes all that it can: as usual; with more in it; by words, and by both."""
    usual = VALID[function]
    yield usual
    yield usual | {name: MORE[name] for name in usual.keys() & MORE.keys()}
    if {"query_text", "mode"} <= usual.keys():
        yield usual | WORDS | {"mode": "bm25"}
        if usual["query_embedding"]:
            yield usual | {"query_text": "of a", "mode": "hybrid"}
    elif {"query_text", "chunk_mode"} <= usual.keys():
        yield usual | WORDS | {"chunk_mode": "bm25", "selection": "bridge"}
    if "query_texts" in usual:
        yield usual | {"query_embeddings": None, "query_texts": ["of a"], "mode": "bm25"}


def sealed(connection: Connection, plan: Any) -> Any:
    """With a hash that holds, if it is a plan at all."""
    try:
        with connection.transaction():
            ((found,),) = connection.execute("SELECT docgraph.seal_plan(%s)::text", [plan]).fetchall()
    except psycopg.Error:
        return plan
    return found


@pytest.mark.parametrize("function", sorted(VALID))
def test_a_text_is_never_run(boss: Connection, function: str) -> None:
    statement, before = ALL_CALLS[function].statement, standing(boss)
    for text in strings():
        for arguments in ways(function):
            for parameter, value in arguments.items():
                for given in hostile("" if value is None else value, text):
                    argument = sealed(boss, given) if parameter == "plan" else given
                    error = outcome(boss, before, statement, {**arguments, parameter: argument})
                    assert error is None or is_refused_by_rule(error), (parameter, argument, error)


_CARELESS = """
CREATE FUNCTION pg_temp.careless(given text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'SELECT ''' || given || '''';
END
$$
"""


def test_the_strings_do_harm_where_somebody_is_careless(undone: Connection) -> None:
    """They break out of quotes, and what they carry is run: the same look notices both."""
    undone.execute(_CARELESS)
    undone.execute("SET LOCAL statement_timeout = '1s'")  # one of them sleeps
    before = standing(undone)
    noticed = harmed = 0
    for text in (f"'{body}--" for body in _BODIES):
        try:
            error = outcome(undone, before, "SELECT pg_temp.careless(%s)", [text])
        except Harm:
            harmed += 1
        else:
            noticed += error is not None and not is_refused_by_rule(error)
    assert harmed >= 2
    assert noticed >= 2
