"""Hypothesis: the same examples in every run. DOCGRAPH_EXAMPLES=2000 pytest tests/properties tries more."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from threading import Event, Thread

import pytest
from hypothesis import HealthCheck, settings

from docgraph import calls
from tests.conftest import SPACE, Installed
from tests.properties.database import Asked
from tests.properties.worlds import LOGINS
from tests.servers import Server
from tests.sql.layers import Layers, install_probes, turn_off_row_security
from tests.sql.scratch import scratch_database

settings.register_profile(
    "docgraph",
    max_examples=int(os.environ.get("DOCGRAPH_EXAMPLES", "25")),
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("docgraph")


@contextmanager
def _swept(installed: Installed) -> Iterator[None]:
    """Thousands of worlds, each deleted for the next, would be read again and again: they are vacuumed."""
    done = Event()

    def sweep() -> None:
        with installed.connect() as connection:
            while not done.wait(20):
                connection.execute("VACUUM")

    sweeper = Thread(target=sweep)
    sweeper.start()
    try:
        yield
    finally:
        done.set()
        sweeper.join()


def _asked(
    server: Server, worker: str, template: str, layers: Layers, metric: str = "cosine"
) -> Iterator[Asked]:
    with ExitStack() as stack:
        installed = stack.enter_context(scratch_database(server, worker, template))
        superuser = stack.enter_context(installed.connect())
        install_probes(superuser)
        calls.fetch(superuser, calls.configure_embedding_space(replace(SPACE, metric=metric)))
        if layers is Layers.PREDICATE:
            turn_off_row_security(superuser)
        for login in LOGINS:
            installed.cluster.login(login, member_of="docgraph_reader")
        logins = {login: stack.enter_context(installed.connect(login)) for login in LOGINS}
        stack.enter_context(_swept(installed))
        for connection in logins.values():
            # What never ends is a failure like any other.
            connection.execute("SET statement_timeout = '10s'")
        yield Asked(installed, superuser, logins)


@pytest.fixture(scope="module", params=Layers, ids=lambda layers: layers.value)
def asked(request: pytest.FixtureRequest, server: Server, worker: str, template: str) -> Iterator[Asked]:
    """A database to put worlds into: with row security, and with the predicate alone."""
    yield from _asked(server, worker, template, request.param)


@pytest.fixture(scope="module")
def guarded(server: Server, worker: str, template: str) -> Iterator[Asked]:
    """A database with all that stands between a caller and a row."""
    yield from _asked(server, worker, template, Layers.BOTH)


@pytest.fixture(scope="module")
def unguarded(server: Server, worker: str, template: str) -> Iterator[Asked]:
    """A database whose predicate is all there is."""
    yield from _asked(server, worker, template, Layers.PREDICATE)


@pytest.fixture(scope="module", params=["l2", "ip"])
def measured(request: pytest.FixtureRequest, server: Server, worker: str, template: str) -> Iterator[Asked]:
    """A database of another metric than the usual one."""
    yield from _asked(server, worker, template, Layers.BOTH, request.param)
