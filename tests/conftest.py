"""One server per test process, one template database per server, one clone of it per test."""

from __future__ import annotations

import gc
import itertools
import os
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest
from psycopg import sql

from docgraph import calls, migrate
from docgraph.access import Ceiling, EmbeddingSpace
from docgraph.client import DocGraph
from tests.servers import Server, UnavailableError, start_server, temporary_home

SPACE = EmbeddingSpace("test-model", 4, "cosine", "english", 100.0)
EVERYTHING = (None, None, None, None, None)
"""A ceiling with nothing above it."""

_numbers = itertools.count(1)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests are there to the end: the collector need not look through them every time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--pg",
        default="embedded",
        help="PostgreSQL to test on: embedded (18), 16, docker, or the URL of a server (as its superuser).",
    )


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest, worker: str) -> Iterator[Server]:
    kind = request.config.getoption("--pg")
    if worker != "main" and ("://" in kind or "=" in kind):
        pytest.exit("--pg URL: one server, one test process; run it without -n", returncode=2)
    with temporary_home() as home:
        try:
            found = start_server(kind, home)
        except UnavailableError as reason:
            pytest.exit(f"--pg {kind}: {reason}", returncode=2)
        yield found
        found.stop()


@dataclass
class Cluster:
    """Makes databases and logins on a server, and drops them."""

    server: Server
    worker: str
    databases: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)

    def superuser(self, dbname: str = "postgres") -> psycopg.Connection[Any]:
        return psycopg.connect(self.server.conninfo(dbname), autocommit=True)

    def create(self, template: str | None = None, owner: str | None = None) -> str:
        """A new database; its name."""
        name = f"test_{self.worker}_{next(_numbers)}"
        statement = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
        if template:
            # FILE_COPY needs a checkpoint of the template, which WAL_LOG spares: these are small.
            statement += sql.SQL(" TEMPLATE {} STRATEGY WAL_LOG").format(sql.Identifier(template))
        if owner:
            statement += sql.SQL(" OWNER {}").format(sql.Identifier(owner))
        with self.superuser() as connection:
            connection.execute(statement)
        self.databases.append(name)
        return name

    def login(self, name: str, *, member_of: str | None = None, options: str = "") -> str:
        """A new login, exactly of this name; dropped with what it owns when the test ends."""
        with self.superuser() as connection:
            connection.execute(
                sql.SQL("CREATE ROLE {} LOGIN {}").format(sql.Identifier(name), sql.SQL(options))
            )
            self.logins.append(name)
            if member_of:
                connection.execute(
                    sql.SQL("GRANT {} TO {}").format(sql.Identifier(member_of), sql.Identifier(name))
                )
        return name

    def clean(self) -> None:
        with self.superuser() as connection:
            for name in self.databases:
                connection.execute(
                    sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
                )
            for name in reversed(self.logins):
                connection.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(name)))
                connection.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(name)))
        self.databases.clear()
        self.logins.clear()


@pytest.fixture(scope="session")
def worker() -> str:
    return os.environ.get("PYTEST_XDIST_WORKER", "main")


@pytest.fixture(scope="session")
def template(server: Server, worker: str) -> Iterator[str]:
    """A database as `docgraph init` leaves it."""
    cluster = Cluster(server, f"{worker}_template")
    name = cluster.create()
    conninfo = server.conninfo(name)
    migrate.upgrade(conninfo)
    with psycopg.connect(conninfo) as connection:
        calls.fetch(connection, calls.configure_embedding_space(SPACE))
        login = calls.session_login(connection)
        calls.fetch(connection, calls.grant_access("default", Ceiling(login, *EVERYTHING)))
    yield name
    cluster.clean()


@pytest.fixture
def cluster(server: Server, worker: str) -> Iterator[Cluster]:
    found = Cluster(server, worker)
    yield found
    found.clean()


@pytest.fixture
def empty(cluster: Cluster) -> str:
    """An empty database; its conninfo, as superuser."""
    return cluster.server.conninfo(cluster.create())


@dataclass(frozen=True)
class Installed:
    """A database of the test's own in which docgraph is installed and configured."""

    cluster: Cluster
    name: str

    @property
    def conninfo(self) -> str:
        return self.cluster.server.conninfo(self.name)

    def connect(self, login: str | None = None) -> psycopg.Connection[Any]:
        """An autocommit connection, as superuser or as a login made with `cluster.login`."""
        conninfo = psycopg.conninfo.make_conninfo(self.conninfo, **({"user": login} if login else {}))
        return psycopg.connect(conninfo, autocommit=True)

    def reader(self, name: str, tenant: str = "default", **ceiling: Any) -> str:
        """A new reader with a ceiling in a tenant; what is not said is not limited."""
        return self._member("docgraph_reader", name, tenant, **ceiling)

    def writer(self, name: str, tenant: str = "default", **ceiling: Any) -> str:
        """As `reader`, but a writer."""
        return self._member("docgraph_writer", name, tenant, **ceiling)

    def _member(self, role: str, name: str, tenant: str, **ceiling: Any) -> str:
        self.cluster.login(name, member_of=role)
        self.grant(name, tenant, **ceiling)
        return name

    def grant(self, login: str, tenant: str = "default", **ceiling: Any) -> None:
        limits = dict.fromkeys(("repositories", "snapshots", "tags", "labels", "clearance"), None) | ceiling
        with self.connect() as connection:
            calls.fetch(connection, calls.grant_access(tenant, Ceiling(login, **limits)))


@pytest.fixture
def database(cluster: Cluster, template: str) -> Installed:
    return Installed(cluster, cluster.create(template))


@pytest.fixture
def superuser(database: Installed) -> Iterator[psycopg.Connection[Any]]:
    with database.connect() as connection:
        yield connection


@pytest.fixture
def client(database: Installed) -> Iterator[DocGraph]:
    with DocGraph(database.conninfo) as found:
        yield found
