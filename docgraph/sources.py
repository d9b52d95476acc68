"""What a database can be given as: nothing, a URL, a connection, a pool, or SQLAlchemy."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import Conninfo
from psycopg_pool import AsyncConnectionPool, ConnectionPool

from docgraph.errors import InvalidArgument

if TYPE_CHECKING:
    import sqlalchemy
    import sqlalchemy.ext.asyncio

Source: TypeAlias = (
    "str"
    " | psycopg.Connection[Any] | ConnectionPool[Any] | sqlalchemy.Engine | sqlalchemy.Connection"
    " | psycopg.AsyncConnection[Any] | AsyncConnectionPool[Any]"
    " | sqlalchemy.ext.asyncio.AsyncEngine | sqlalchemy.ext.asyncio.AsyncConnection | None"
)
"""What a client can be made from. None: DOCGRAPH_DATABASE_URL, or else the embedded server."""

URL_VARIABLE = "DOCGRAPH_DATABASE_URL"

Style: TypeAlias = Literal["sync", "async"]

_ACCEPTED = (
    "Accepted are postgresql://, postgres:// and postgresql+psycopg:// URLs, "
    "and libpq strings (host=... dbname=...)."
)
_SCHEMES = frozenset({"postgresql", "postgres", "postgresql+psycopg", "postgresql+psycopg_async"})


# -------------------------------------------------------------------- connection strings


def conninfo_of(url: str) -> str:
    """A libpq connection string for a URL. No message quotes any part of it: every part may be a password."""
    scheme, found, rest = url.strip().partition("://")
    if found and re.fullmatch(r"[a-z][a-z0-9+_.-]*", scheme):
        if scheme not in _SCHEMES:
            raise InvalidArgument(f"A database URL of the form {scheme}:// is not accepted.", hint=_ACCEPTED)
        server, _, path = rest.partition("/")
        if server.count("@") > 1 or "@" in path.partition("?")[0]:
            # libpq would take a part of the password for the host, and name it in its error.
            raise InvalidArgument(
                "The database URL has an @ too many.",
                hint="In a user name or a password write %40 for @, %2F for /.",
            )
        url = f"postgresql://{rest}"
    try:
        params = conninfo_to_dict(url)
        readable = all(not port or port.isdigit() for port in str(params.get("port") or "").split(","))
    except psycopg.Error:
        params, readable = {}, False
    if not readable or not url.strip():
        raise InvalidArgument(
            "The database URL cannot be read.",
            hint=f"{_ACCEPTED} In a password write %40 for @, %2F for /, %3F for ?, %23 for #.",
        ) from None
    if "connect_timeout" not in params and "PGCONNECT_TIMEOUT" not in os.environ:
        params["connect_timeout"] = 10
    params.setdefault("fallback_application_name", "docgraph")
    params["client_encoding"] = "UTF8"  # whatever PGCLIENTENCODING says: texts hold any character
    return make_conninfo(**{key: str(value) for key, value in params.items() if value is not None})


# -------------------------------------------------------------------- what kind of source it is


class Kind(NamedTuple):
    """`own`: a URL or the embedded server, through a pool of ours. The others are the caller's."""

    name: Literal["own", "psycopg", "pool", "engine", "connection"]
    style: Literal["sync", "async", "either"]


def kind_of(source: object, style: Style) -> Kind:
    """What a source is; an error if code of this style cannot use it."""
    kind = next((kind for cls, kind in _kinds() if isinstance(source, cls)), None)
    if kind is None:
        raise InvalidArgument(
            f"A {type(source).__module__}.{type(source).__qualname__} is not a database.",
            hint="Give a URL, a psycopg 3 connection or pool, or a SQLAlchemy engine or connection.",
        )
    if kind.style not in {style, "either"}:
        raise InvalidArgument(
            f"A {type(source).__name__} is for {kind.style} code, this docgraph client is {style}.",
            hint=f"Use the {kind.style} client.",
        )
    if kind.name in {"engine", "connection"}:
        _require_psycopg_3(cast("Any", source).dialect)
    return kind


def _kinds() -> list[tuple[Any, Kind]]:
    kinds: list[tuple[Any, Kind]] = [
        ((str, type(None)), Kind("own", "either")),
        (psycopg.Connection, Kind("psycopg", "sync")),
        (psycopg.AsyncConnection, Kind("psycopg", "async")),
        (ConnectionPool, Kind("pool", "sync")),
        (AsyncConnectionPool, Kind("pool", "async")),
    ]
    # Not imported for this: without the module, nobody can have an object of it.
    if found := sys.modules.get("sqlalchemy"):
        kinds += [(found.Engine, Kind("engine", "sync")), (found.Connection, Kind("connection", "sync"))]
    if found := sys.modules.get("sqlalchemy.ext.asyncio"):
        kinds.append((found.AsyncEngine, Kind("engine", "async")))
        kinds.append((found.AsyncConnection, Kind("connection", "async")))
    return kinds


def _require_psycopg_3(dialect: sqlalchemy.Dialect) -> None:
    if (dialect.name, dialect.driver) not in {("postgresql", "psycopg"), ("postgresql", "psycopg_async")}:
        raise InvalidArgument(
            f"The SQLAlchemy engine uses {dialect.name}+{dialect.driver}; docgraph needs psycopg 3.",
            hint="Make the engine with a postgresql+psycopg:// URL.",
        )


# -------------------------------------------------------------------- where it goes, without the password


def describe(source: Any, kind: Kind) -> str:
    """Where a source goes; a string is a libpq one by now."""
    match kind.name:
        case "own":
            return _server_at(**conninfo_to_dict(source))
        case "psycopg":
            return "a closed connection" if source.closed else _server_at(**source.info.get_parameters())
        case "pool":
            known = isinstance(source.conninfo, str)
            return _server_at(**conninfo_to_dict(source.conninfo)) if known else "a connection pool"
        case "engine" | "connection":
            url = source.engine.url  # an engine is its own engine
            return _server_at(host=url.host, port=url.port, dbname=url.database, user=url.username)


def _server_at(**params: object) -> str:
    """Of all parameters only those that cannot hold a password."""
    defaults = {
        option.keyword.decode(): option.val.decode()
        for option in Conninfo.get_defaults()
        if option.val is not None
    }
    host, port, dbname, user = (
        params.get(key) or defaults.get(key) for key in ("host", "port", "dbname", "user")
    )
    return f"PostgreSQL at {host or 'the local socket'}, port {port}, database {dbname or user}, user {user}"
