"""The wall for writers, with row security and without it: the functions alone must hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.conftest import Installed
from tests.servers import Server
from tests.sql.api.walled import HELD, OUTSIDE, WIDE, Walled
from tests.sql.layers import Layers, turn_off_row_security
from tests.sql.scratch import scratch_database
from tests.sql.writing import put


@pytest.fixture(scope="module", params=Layers, ids=lambda layers: layers.value)
def half_walled(
    request: pytest.FixtureRequest, server: Server, worker: str, template: str
) -> Iterator[Installed]:
    with ExitStack() as stack:
        found = stack.enter_context(scratch_database(server, worker, template))
        superuser = stack.enter_context(found.connect())
        if request.param is Layers.PREDICATE:
            turn_off_row_security(superuser)
        found.writer(
            "wall_writer",
            repositories=["ours"],
            snapshots=["main"],
            tags=["hr", "all"],
            labels=["internal"],
            clearance=2,
        )
        found.reader("wall_reading")
        superuser.execute(
            "SELECT docgraph.grant_access('elsewhere', session_user::text, NULL, NULL, NULL, NULL, NULL)"
        )
        yield found


@pytest.fixture
def walled(half_walled: Installed) -> Iterator[Walled]:
    """A visible document "seen", and hidden ones that say in their ids why."""
    with half_walled.connect() as superuser, half_walled.connect("wall_writer") as writer:
        superuser.execute("DELETE FROM docgraph.document_relationships; DELETE FROM docgraph.document_nodes")
        put(superuser, {"id": "seen", "chunks": [{"text": "seen"}], **HELD}, access=WIDE)
        for why, attributes in OUTSIDE.items():
            put(superuser, {"id": why, "title": why, **HELD, **attributes}, access=WIDE)
        put(superuser, {"id": "of another tenant", **HELD}, tenant="elsewhere", access=WIDE)
        yield Walled(superuser, writer)
