"""A database and ways to reach it, for tests of what goes through a connection."""

from __future__ import annotations

from typing import Any

import psycopg
import sqlalchemy

from docgraph.engine import Database

SECRET = "s3cr3t"
INSERT = "INSERT INTO t VALUES (1)"


def rows(dsn: str) -> int:
    """How many rows everybody can see."""
    with psycopg.connect(dsn) as conn:
        found = conn.execute("SELECT count(*) FROM t").fetchone()
    assert found
    return int(found[0])


def drop_connections(dsn: str) -> None:
    with psycopg.connect(dsn) as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname = current_database()"
        )


def sa_engine(dsn: str, **kwargs: Any) -> sqlalchemy.Engine:
    return sqlalchemy.create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), **kwargs)


def ask(database: Database) -> None:
    with database.connection() as conn:
        conn.execute("SELECT 1")
