"""Hypothesis: the same examples in every run. DOCGRAPH_EXAMPLES=2000 pytest tests/properties tries more."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, settings

from tests.properties.database import Asked
from tests.properties.worlds import LOGINS
from tests.servers import Server
from tests.sql.layers import Layers, install_probes, turn_off_row_security
from tests.sql.scratch import scratch_database

settings.register_profile(
    "docgraph",
    max_examples=int(os.environ.get("DOCGRAPH_EXAMPLES", "60")),
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("docgraph")


def _asked(server: Server, worker: str, template: str, layers: Layers) -> Iterator[Asked]:
    with ExitStack() as stack:
        installed = stack.enter_context(scratch_database(server, worker, template))
        superuser = stack.enter_context(installed.connect())
        install_probes(superuser)
        if layers is Layers.PREDICATE:
            turn_off_row_security(superuser)
        for login in LOGINS:
            installed.cluster.login(login, member_of="docgraph_reader")
        logins = {login: stack.enter_context(installed.connect(login)) for login in LOGINS}
        yield Asked(installed, superuser, logins)


@pytest.fixture(scope="module", params=Layers, ids=lambda layers: layers.value)
def asked(request: pytest.FixtureRequest, server: Server, worker: str, template: str) -> Iterator[Asked]:
    """A database to put worlds into: with row security, and with the predicate alone."""
    yield from _asked(server, worker, template, request.param)


@pytest.fixture(scope="module")
def unguarded(server: Server, worker: str, template: str) -> Iterator[Asked]:
    """A database whose predicate is all there is."""
    yield from _asked(server, worker, template, Layers.PREDICATE)
