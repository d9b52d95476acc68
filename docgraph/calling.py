"""How a function of the database is called: parameters by name and cast, values as the driver takes them.

A changed signature fails loudly instead of being called by position. Which functions there are, `calls` says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import psycopg
from psycopg.rows import tuple_row

from docgraph.errors import InvalidArgument, ServerUnsupported

T = TypeVar("T")
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A function of the database and how its answer reads in Python."""

    function: str
    parameters: Mapping[str, str]
    result: Callable[[Sequence[Row]], T]

    @property
    def statement(self) -> str:
        arguments = ", ".join(
            f"{name} => %({name})s::{_CASTS[kind]}" for name, kind in self.parameters.items()
        )
        # Names and types of this file only; values go as parameters.
        return f"SELECT * FROM docgraph.{self.function}({arguments})"  # noqa: S608

    def __call__(self, **arguments: object) -> Request[T]:
        return Request(
            self, {name: _adapt(name, self.parameters[name], value) for name, value in arguments.items()}
        )


@dataclass(frozen=True, slots=True)
class Request(Generic[T]):
    """A call with its arguments, ready to be run by either client."""

    call: Call[T]
    arguments: Mapping[str, object]


def _adapt(name: str, kind: str, value: Any) -> object:
    """A value as psycopg shall send it. Only its type is looked at: whether it will do, the database says.

    Without this a cast would take 1.5 or True for a whole number and '{a,b}' for a list, in silence.
    """
    accepted, what, example = _TYPES[kind]
    hint = f"For example {name}={example}."
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, accepted):
        raise InvalidArgument(f"{name} must be {what}, not {type(value).__name__}", hint=hint)
    if kind == "jsonb":
        try:
            return json.dumps(value, allow_nan=False, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidArgument(f"{name} cannot be written as JSON: {error}", hint=hint) from error
    if kind == "text[]" and not all(entry is None or isinstance(entry, str) for entry in value):
        raise InvalidArgument(f"{name} must be {what}", hint=hint)
    # psycopg sends a list as an array, but a tuple as a record.
    return list(value) if isinstance(value, (tuple, set, frozenset)) else value


_TYPES: dict[str, tuple[Any, str, str]] = {
    "text": ((str,), "a text", '"default"'),
    "integer": ((int,), "a whole number", "3"),
    "double precision": ((int, float), "a number", "100.0"),
    "text[]": ((list, tuple, set, frozenset), "a list of texts", '["a", "b"]'),
    "jsonb": ((dict, list, tuple), "an object or a list", '{"tags": ["a", "b"]}'),
}


# Named in full: somebody's search path may have another text.
_CASTS = {
    "text": "pg_catalog.text",
    "text[]": "pg_catalog.text[]",
    "jsonb": "pg_catalog.jsonb",
    "integer": "integer",
    "double precision": "double precision",
}


@contextmanager
def _refusing_half_characters() -> Iterator[None]:
    try:
        yield
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            "a text cannot be sent: it has half a character, or one that the connection has no encoding for",
            hint="Read the source with its own encoding; let the connection use UTF-8.",
        ) from error


def fetch(connection: psycopg.Connection[Any], request: Request[T]) -> T:
    """Runs a request. With a cursor of our own kind: the caller's may read parameters otherwise."""
    with _refusing_half_characters(), psycopg.Cursor(connection, row_factory=tuple_row) as cursor:
        cursor.execute(request.call.statement.encode(), request.arguments)
        return request.call.result(cursor.fetchall())


async def fetch_async(connection: psycopg.AsyncConnection[Any], request: Request[T]) -> T:
    """As `fetch`."""
    with _refusing_half_characters():
        async with psycopg.AsyncCursor(connection, row_factory=tuple_row) as cursor:
            await cursor.execute(request.call.statement.encode(), request.arguments)
            return request.call.result(await cursor.fetchall())


IS_COUNTERFEIT = (
    "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace n WHERE n.nspname OPERATOR(pg_catalog.=) 'docgraph'"
    " AND pg_catalog.pg_get_userbyid(n.nspowner) OPERATOR(pg_catalog.<>) 'docgraph_owner')"
)
"""Whether somebody else made a schema of that name: nothing in it may be called."""


def refuse_counterfeit(answer: object) -> None:
    """Takes what IS_COUNTERFEIT says."""
    if answer:
        raise ServerUnsupported(
            "there is a schema docgraph already, and it does not belong to docgraph_owner",
            hint="Find out who made the schema docgraph; rename or drop it, or use another database.",
        )


def session_login(connection: psycopg.Connection[Any]) -> str:
    """The login whose ceiling counts. Asked of the server: a pooler may connect as somebody else."""
    with psycopg.Cursor(connection, row_factory=tuple_row) as cursor:
        return str(scalar(cursor.execute("SELECT session_user::pg_catalog.text").fetchall()))


def scalar(rows: Sequence[Row]) -> Any:
    """The one value of an answer."""
    return rows[0][0]
