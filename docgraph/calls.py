"""One call per SQL function: its name, its parameters with their types, and what its rows become.

All calls of the database's functions are here; other modules only ask the catalogue. Parameters go by name
and are cast, so a changed signature fails loudly instead of being called by position; the tests compare
every call with the live catalogue.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import psycopg
from psycopg.rows import tuple_row

from docgraph.access import Access, Ceiling, EmbeddingSpace, Identity
from docgraph.errors import InvalidArgument, ServerUnsupported

T = TypeVar("T")
Row = tuple[Any, ...]

API_VERSION = (1, 0)
"""The functions this package calls: it works with the same major and at least this minor."""


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
    "jsonb": ((dict,), "an object", '{"tags": ["a", "b"]}'),
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


def ask_version(connection: psycopg.Connection[Any]) -> str:
    """The version of the functions, if they are docgraph's."""
    with psycopg.Cursor(connection, row_factory=tuple_row) as cursor:
        refuse_counterfeit(_scalar(cursor.execute(IS_COUNTERFEIT).fetchall()))
    return fetch(connection, API_VERSION_OF_DATABASE())


async def ask_version_async(connection: psycopg.AsyncConnection[Any]) -> str:
    """As `ask_version`."""
    async with psycopg.AsyncCursor(connection, row_factory=tuple_row) as cursor:
        await cursor.execute(IS_COUNTERFEIT)
        refuse_counterfeit(_scalar(await cursor.fetchall()))
    return await fetch_async(connection, API_VERSION_OF_DATABASE())


def session_login(connection: psycopg.Connection[Any]) -> str:
    """The login whose ceiling counts. Asked of the server: a pooler may connect as somebody else."""
    with psycopg.Cursor(connection, row_factory=tuple_row) as cursor:
        return str(_scalar(cursor.execute("SELECT session_user::pg_catalog.text").fetchall()))


def _scalar(rows: Sequence[Row]) -> Any:
    return rows[0][0]


def _nothing(rows: Sequence[Row]) -> None:
    return None


def _tuples(row: Row) -> list[Any]:
    return [tuple(value) if isinstance(value, list) else value for value in row]


def _identity(rows: Sequence[Row]) -> Identity:
    return Identity(*_tuples(rows[0]))


def _ceilings(rows: Sequence[Row]) -> list[Ceiling]:
    return [Ceiling(*_tuples(row)) for row in rows]


def _space(rows: Sequence[Row]) -> EmbeddingSpace | None:
    return EmbeddingSpace(*rows[0]) if rows else None


_TENANT = {"tenant": "text"}
_LOGIN = {**_TENANT, "login": "text"}

API_VERSION_OF_DATABASE: Call[str] = Call("api_version", {}, _scalar)
REVISION: Call[str] = Call("revision", {}, _scalar)
EMBEDDING_SPACE: Call[EmbeddingSpace | None] = Call("embedding_space", {}, _space)
CONFIGURE_EMBEDDING_SPACE: Call[bool] = Call(
    "configure_embedding_space",
    {
        "model": "text",
        "dimensions": "integer",
        "metric": "text",
        "text_search": "text",
        "average_length": "double precision",
    },
    _scalar,
)
WHOAMI: Call[Identity] = Call("whoami", {**_TENANT, "access": "jsonb"}, _identity)
GRANT_ACCESS: Call[None] = Call(
    "grant_access",
    {
        **_LOGIN,
        "repositories": "text[]",
        "snapshots": "text[]",
        "tags": "text[]",
        "labels": "text[]",
        "clearance": "integer",
    },
    _nothing,
)
REVOKE_ACCESS: Call[bool] = Call("revoke_access", _LOGIN, _scalar)
LIST_ACCESS: Call[list[Ceiling]] = Call("list_access", _TENANT, _ceilings)


def whoami(tenant: str, access: Access) -> Request[Identity]:
    return WHOAMI(tenant=tenant, access=access.to_dict() if isinstance(access, Access) else access)


def grant_access(tenant: str, ceiling: Ceiling) -> Request[None]:
    return GRANT_ACCESS(
        tenant=tenant,
        login=ceiling.login,
        repositories=ceiling.repositories,
        snapshots=ceiling.snapshots,
        tags=ceiling.tags,
        labels=ceiling.labels,
        clearance=ceiling.clearance,
    )


def revoke_access(tenant: str, login: str) -> Request[bool]:
    return REVOKE_ACCESS(tenant=tenant, login=login)


def list_access(tenant: str) -> Request[list[Ceiling]]:
    return LIST_ACCESS(tenant=tenant)


def revision() -> Request[str]:
    return REVISION()


def embedding_space() -> Request[EmbeddingSpace | None]:
    return EMBEDDING_SPACE()


def configure_embedding_space(space: EmbeddingSpace) -> Request[bool]:
    return CONFIGURE_EMBEDDING_SPACE(
        model=space.model,
        dimensions=space.dimensions,
        metric=space.metric,
        text_search=space.text_search,
        average_length=space.average_length,
    )
