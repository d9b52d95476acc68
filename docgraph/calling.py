"""How a function of the database is called: parameters by name and cast.

A changed signature fails loudly instead of being called by position. Which functions there are, `calls` says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import psycopg
from psycopg.adapt import AdaptersMap
from psycopg.rows import tuple_row
from psycopg.types.json import JsonbLoader

from docgraph.access import Access
from docgraph.adapting import CASTS, Vector, VectorDumper, adapt
from docgraph.errors import InvalidArgument, ServerUnsupported
from docgraph.unknown import refuse_unknown

T = TypeVar("T")
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A function of the database and how its answer reads in Python."""

    function: str
    parameters: Mapping[str, str]
    result: Callable[[Sequence[Row]], T]
    alone: bool = False
    """Whether no transaction need stand around it: it reads, and it is asked often."""

    @property
    def statement(self) -> str:
        """With every parameter."""
        return self.statement_with(self.parameters)

    def statement_with(self, names: Iterable[str]) -> str:
        """With these parameters: the others have defaults in the database."""
        arguments = ", ".join(f"{name} => %({name})s::{CASTS[self.parameters[name]]}" for name in names)
        # Names and types that are written in this package only; values go as parameters.
        return f"SELECT * FROM docgraph.{self.function}({arguments})"  # noqa: S608 - see above

    def __call__(self, **arguments: object) -> Request[T]:
        refuse_unknown(self.function, arguments, self.parameters)
        return Request(
            self, {name: adapt(name, self.parameters[name], value) for name, value in arguments.items()}
        )


@dataclass(frozen=True, slots=True)
class Request(Generic[T]):
    """A call with its arguments, ready to be run by either client."""

    call: Call[T]
    arguments: Mapping[str, object]

    @property
    def statement(self) -> bytes:
        return self.call.statement_with(self.arguments).encode()


TENANT = {"tenant": "text"}
CLAIM = {**TENANT, "access": "jsonb"}
"""Parameters that most functions begin with."""


def claim(access: Access) -> Any:
    """A claim as JSON; what is none stays as it is, for the database to refuse."""
    return access.to_dict() if isinstance(access, Access) else access


@contextmanager
def _refusing_half_characters() -> Iterator[None]:
    try:
        yield
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            "a text cannot be sent: it has half a character, or one that the connection has no encoding for",
            hint="Read the source with its own encoding; let the connection use UTF-8.",
        ) from error


class _Json(JsonbLoader):
    """JSON as Python reads it: the caller's connection may read numbers otherwise."""

    _loads = staticmethod(json.loads)


def _know_our_types(adapters: AdaptersMap) -> None:
    adapters.register_dumper(Vector, VectorDumper)
    adapters.register_loader("jsonb", _Json)


def fetch(connection: psycopg.Connection[Any], request: Request[T]) -> T:
    """Runs a request. With a cursor of our own kind: the caller's may read parameters otherwise."""
    with _refusing_half_characters(), psycopg.Cursor(connection, row_factory=tuple_row) as cursor:
        _know_our_types(cursor.adapters)
        cursor.execute(request.statement, request.arguments)
        return request.call.result(cursor.fetchall())


async def fetch_async(connection: psycopg.AsyncConnection[Any], request: Request[T]) -> T:
    """As `fetch`."""
    with _refusing_half_characters():
        async with psycopg.AsyncCursor(connection, row_factory=tuple_row) as cursor:
            _know_our_types(cursor.adapters)
            await cursor.execute(request.statement, request.arguments)
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
