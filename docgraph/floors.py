"""The oldest PostgreSQL and pgvector that docgraph works on, and the oldest that it does not warn of."""

from __future__ import annotations

import re
from typing import Any, TypeAlias, cast

import psycopg
from psycopg.rows import tuple_row

from docgraph.errors import ServerUnsupported

Versions: TypeAlias = tuple[int, str | bytes | None, str | bytes, bool]
"""Of the server as one number, of pgvector if the database has it, the encoding of the database, and whether
nobody but the system user who runs the server can reach it."""

_VERSIONS = (
    "SELECT pg_catalog.current_setting('server_version_num')::pg_catalog.int4,"
    " (SELECT extversion FROM pg_catalog.pg_extension WHERE extname OPERATOR(pg_catalog.=) 'vector'),"
    " pg_catalog.getdatabaseencoding(),"
    " pg_catalog.current_setting('listen_addresses') OPERATOR(pg_catalog.=) ''"
    " AND pg_catalog.current_setting('unix_socket_permissions') OPERATOR(pg_catalog.=) '0700'"
)
_PATCHED = {15: 20, 16: 16, 17: 12, 18: 7}
"""The oldest minor release of each major one without known security holes; newer majors have none so far."""


class ServerVersionWarning(UserWarning):
    """The server runs a PostgreSQL release with publicly known security holes."""


def versions_of(conn: psycopg.Connection[Any]) -> Versions:
    # The caller's connection may make cursors of another kind.
    with psycopg.Cursor(conn, row_factory=tuple_row) as cursor:
        return cast("Versions", cursor.execute(_VERSIONS, prepare=False).fetchone())


async def versions_of_async(conn: psycopg.AsyncConnection[Any]) -> Versions:
    async with psycopg.AsyncCursor(conn, row_factory=tuple_row) as cursor:
        await cursor.execute(_VERSIONS, prepare=False)
        return cast("Versions", await cursor.fetchone())


def check_versions(
    server: int,
    vector: str | bytes | None,
    encoding: str | bytes = "UTF8",
    own: bool = False,  # noqa: FBT001, FBT002 - a column of the answer
) -> str | None:
    """Raise if the server or its pgvector will not do; the result is a warning to give, if there is one.

    `own`: only the system user who runs the server reaches it, as with the embedded one, whose release comes
    with its wheel. Whoever comes in is superuser already.
    """
    major, minor = divmod(server, 10_000)
    if major < 15:
        raise ServerUnsupported(
            f"PostgreSQL {major}.{minor} is too old: docgraph needs PostgreSQL 15 or newer.",
            hint="Use a newer server. Its pgvector extension must be 0.8.4 or newer.",
        )
    # Without an encoding, psycopg reads text as bytes, and nothing after this could be understood.
    if isinstance(encoding, bytes) or isinstance(vector, bytes) or encoding != "UTF8":
        name = encoding.decode() if isinstance(encoding, bytes) else encoding
        raise ServerUnsupported(
            f"docgraph needs a database in UTF8, this one is in {name}",
            hint="Create one: CREATE DATABASE docgraph TEMPLATE template0 ENCODING 'UTF8';",
        )
    if vector is not None and [int(part) for part in re.findall(r"\d+", vector)[:3]] < [0, 8, 4]:
        raise ServerUnsupported(
            f"The extension vector (pgvector) {vector} is too old: docgraph needs 0.8.4 or newer. "
            "Older ones can corrupt HNSW indexes in a vacuum (fixed in 0.8.3 and 0.8.4), and overflow a "
            "buffer in parallel HNSW index builds (CVE-2026-3172, up to 0.8.1).",
            hint="Install a newer pgvector package on the server, run ALTER EXTENSION vector UPDATE in this "
            "database, and then REINDEX its HNSW indexes.",
        )
    patched = _PATCHED.get(major, 0)
    if own or minor >= patched:
        return None
    return (
        f"PostgreSQL {major}.{minor} has known security holes (CVE-2026-6460 and earlier ones); "
        f"they are closed in {major}.{patched}. Update the server."
    )
