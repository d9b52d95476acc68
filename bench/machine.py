"""Where and with what a measurement is made, and a server to make it on."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from bench.results import Table
from docgraph import migrate
from docgraph.access import Ceiling, EmbeddingSpace
from docgraph.client import DocGraph
from docgraph.embedded import EmbeddedServer

SERVER = {"shared_buffers": "2GB", "max_wal_size": "8GB", "jit": "off"}
"""So that the indexes of what is measured fit, as docs/dba.md advises, and nobody waits for a compiler, which
docgraph's functions do without. All else is as it is shipped."""

SETTINGS = (
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "shared_buffers",
    "max_wal_size",
    "jit",
)


_IN_MEMORY = ("networkx", "numpy")
PEERS = {
    "speed": (
        *("langchain-postgres", "asyncpg", "lancedb", "chromadb", "faiss-cpu", "langchain-graph-retriever"),
        *("langchain-chroma", "bm25s"),
        *_IN_MEMORY,
    ),
    "scale": _IN_MEMORY,
}
"""What each command measures beside docgraph, as packages."""


@contextmanager
def server(url: str | None) -> Iterator[str]:
    """A conninfo of a superuser: of the server named, or of an embedded one."""
    if url:
        yield url
        return
    parent = Path(tempfile.mkdtemp(prefix="docgraph-bench-", dir="/tmp"))
    parent.chmod(0o755)  # the server's own user has to get in
    try:
        embedded = EmbeddedServer(parent / "home", settings=SERVER).start()
        try:
            yield embedded.conninfo_for("postgres")
        finally:
            embedded.stop()
    finally:
        shutil.rmtree(parent, ignore_errors=True)


@contextmanager
def database(conninfo: str, name: str, space: EmbeddingSpace) -> Iterator[str]:
    """A database of its own with docgraph in it, dropped afterwards."""
    name = f"docgraph_bench_{name}"
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            own = make_conninfo(conninfo, dbname=name)
            migrate.upgrade(own)
            with DocGraph(own) as client, psycopg.connect(own) as asking:
                client.configure_embedding_space(space)
                client.grant_access(Ceiling(asking.info.user, None, None, None, None, None))
            yield own
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def description(conninfo: str) -> dict[str, str]:
    """Machine, versions and settings of the server."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        settings = {name: connection.execute(f"SHOW {name}").fetchone() for name in SETTINGS}
        available = connection.execute(
            "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
        ).fetchone()
        major = connection.info.parameter_status("server_version") or ""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{_processor()}, {os.cpu_count()} cores, {_memory()}, {platform.system()}",
        "load": " ".join(f"{load:.2f}" for load in os.getloadavg()),
        "PostgreSQL": f"{major}, pgvector {available[0] if available else 'missing'}",
        "settings": ", ".join(f"{name}={found[0]}" for name, found in settings.items() if found),
        "docgraph": f"{version('docgraph')}, revision {migrate.head()}",
        "Python": platform.python_version(),
    }


def peers(command: str) -> dict[str, str]:
    """Those of a command that are installed, and their versions."""
    found = []
    for name in PEERS.get(command, ()):
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return {"peers": ", ".join(found)} if found else {}


def sizes(conninfo: str, title: str) -> Table:
    """How much room tables take, and their indexes."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("ANALYZE")
        rows = connection.execute(_SIZES).fetchall()
    return Table(title, ("table", "rows", "table MB", "indexes MB"), rows)


_SIZES = """
SELECT c.relname::text, c.reltuples::bigint, (pg_table_size(c.oid) / 1048576.0)::float8,
    (pg_indexes_size(c.oid) / 1048576.0)::float8
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname IN ('docgraph', 'public') AND c.relkind = 'r' AND pg_total_relation_size(c.oid) > 1048576
ORDER BY pg_total_relation_size(c.oid) DESC
"""


_BACKENDS = """
SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


def backends(conninfo: str) -> tuple[str, set[int]]:
    """How the server is reached, and its processes that work for others in this database."""
    with psycopg.connect(conninfo) as connection:
        return connection.info.host, {pid for (pid,) in connection.execute(_BACKENDS)}


def _processor() -> str:
    file = Path("/proc/cpuinfo")
    lines = file.read_text().splitlines() if file.exists() else []
    return next(
        (line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine()
    )


def _memory() -> str:
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB"
