"""visible_classes: the whole access matrix, with row security and without it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.conftest import Installed
from tests.documents import put_class, put_document
from tests.servers import Server
from tests.sql.asking import Connection
from tests.sql.core.access_matrix import MATRIX, Row
from tests.sql.layers import Layers, install_probes, turn_off_row_security, visible_classes, visible_documents
from tests.sql.scratch import scratch_database

LOGIN = "matrix_reader"


@pytest.fixture(scope="module", params=Layers, ids=lambda layers: layers.value)
def world(request: pytest.FixtureRequest, server: Server, worker: str, template: str) -> Iterator[Installed]:
    """A tenant for each row of the matrix: its document, and the ceiling of the one login there."""
    with scratch_database(server, worker, template) as found, found.connect() as superuser:
        install_probes(superuser)
        if request.param is Layers.PREDICATE:
            turn_off_row_security(superuser)
        found.cluster.login(LOGIN, member_of="docgraph_reader")
        with superuser.transaction():
            for row in MATRIX:
                put_document(superuser, "the document", row.name, **row.document)
        for row in MATRIX:
            found.grant(LOGIN, row.name, **row.ceiling)
        yield found


@pytest.fixture(scope="module")
def asker(world: Installed) -> Iterator[Connection]:
    with world.connect(LOGIN) as connection:
        yield connection


@pytest.mark.parametrize("row", MATRIX, ids=lambda row: row.name)
def test_matrix(asker: Connection, row: Row) -> None:
    found = visible_documents(asker, row.name, json.dumps(row.claim))
    assert found == (["the document"] if row.seen else [])


def test_classes_come_sorted_and_only_those_of_the_tenant(world: Installed, asker: Connection) -> None:
    """Numbers may be the same in two tenants; the lists of both logins must not be mixed."""
    world.grant(LOGIN, "numbers")
    with world.connect() as superuser:
        numbers = [put_class(superuser, "numbers", repository=str(n)) for n in range(5)]
        superuser.execute(
            "UPDATE docgraph.access_classes SET clearance = clearance"
        )  # another physical order
    found = visible_classes(asker, "numbers", "{}")
    assert found == sorted(numbers)


def test_a_tenant_without_classes_has_an_empty_list(world: Installed, asker: Connection) -> None:
    world.grant(LOGIN, "no classes")
    assert visible_classes(asker, "no classes", "{}") == []


def test_every_document_may_have_a_class_of_its_own(world: Installed, asker: Connection) -> None:
    world.grant(LOGIN, "many", tags=[f"t{n}" for n in range(0, 500, 2)])
    with world.connect() as superuser, superuser.transaction():
        for n in range(500):
            put_document(superuser, f"d{n:03}", "many", tags=(f"t{n}",), labels=(f"l{n}",))
    claim = {"tags": [f"t{n}" for n in range(0, 500, 3)], "labels": [f"l{n}" for n in range(500)]}
    assert visible_documents(asker, "many", json.dumps(claim)) == [f"d{n:03}" for n in range(0, 500, 6)]
