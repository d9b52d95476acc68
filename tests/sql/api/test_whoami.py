"""whoami: the claim within the ceiling of the connecting login."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from docgraph import calls
from docgraph.access import Access, Identity
from docgraph.client import DocGraph
from docgraph.errors import AccessDenied
from tests.conftest import Installed
from tests.sql.asking import Connection, ask, nothing_written, refusal

LOGIN = "whoami_reader"


def claim(*values: object) -> str:
    return json.dumps(Access(*values).to_dict())  # type: ignore[arg-type]  # values of a table


@pytest.fixture(scope="module")
def reader(shared: Installed) -> Iterator[Connection]:
    shared.reader(LOGIN, "wide")
    shared.grant(
        LOGIN,
        "narrow",
        repositories=["r1", "r2"],
        snapshots=["main"],
        tags=["hr", "it"],
        labels=["secret"],
        clearance=2,
    )
    shared.grant(LOGIN, "nothing", repositories=[], snapshots=[], tags=[], labels=[], clearance=0)
    with shared.connect(LOGIN) as connection:
        yield connection


def test_an_empty_claim_holds_every_repository_and_no_tag(reader: Connection) -> None:
    assert ask(reader, calls.WHOAMI, tenant="wide") == Identity(LOGIN, None, None, (), (), 0)


def test_without_a_ceiling_above_it_a_claim_is_what_it_says(reader: Connection) -> None:
    found = ask(reader, calls.WHOAMI, tenant="wide", access=claim(["b", "a"], ["s"], ["t"], ["l"], 7))
    assert found == Identity(LOGIN, ("a", "b"), ("s",), ("t",), ("l",), 7)


def test_an_absent_list_of_repositories_becomes_that_of_the_ceiling(reader: Connection) -> None:
    assert ask(reader, calls.WHOAMI, tenant="narrow") == Identity(LOGIN, ("r1", "r2"), ("main",), (), (), 0)


def test_what_the_ceiling_does_not_allow_is_absent(reader: Connection) -> None:
    asked = claim(["r2", "r3"], ["dev"], ["it", "law"], ["secret", "top"], 9)
    found = ask(reader, calls.WHOAMI, tenant="narrow", access=asked)
    assert found == Identity(LOGIN, ("r2",), (), ("it",), ("secret",), 2)


def test_under_an_empty_ceiling_nothing_remains(reader: Connection) -> None:
    found = ask(reader, calls.WHOAMI, tenant="nothing", access=claim(["r"], ["s"], ["t"], ["l"], 9))
    assert found == Identity(LOGIN, (), (), (), (), 0)


def test_lists_come_back_sorted_by_their_bytes_and_without_repetition(reader: Connection) -> None:
    tags = ["b", "é", "a", "B", "b", "", "Z", "a b", "🦆"]
    found = ask(reader, calls.WHOAMI, tenant="wide", access=claim(None, None, tags))
    assert found.tags == ("", "B", "Z", "a", "a b", "b", "é", "🦆")


@pytest.mark.parametrize("level", ["0", "-0", "2", "2.0", "20e-1"])
def test_a_clearance_is_a_whole_number_however_it_is_written(reader: Connection, level: str) -> None:
    found = ask(reader, calls.WHOAMI, tenant="wide", access=f'{{"clearance": {level}}}')
    assert found.clearance == round(float(level))


def test_the_highest_clearance_and_the_longest_list_are_accepted(reader: Connection) -> None:
    tags = [f"{number:0512}" for number in range(1000)]
    found = ask(reader, calls.WHOAMI, tenant="wide", access=claim(None, None, tags, (), 32767))
    assert found.clearance == 32767
    assert list(found.tags) == tags


def test_the_last_of_repeated_keys_counts(reader: Connection) -> None:
    """jsonb keeps the last one; a restriction repeated is still a restriction."""
    found = ask(reader, calls.WHOAMI, tenant="wide", access='{"repositories": ["a"], "repositories": ["b"]}')
    assert found.repositories == ("b",)


def test_asking_writes_nothing(reader: Connection, boss: Connection) -> None:
    with nothing_written(boss):
        reader.execute("BEGIN READ ONLY")
        ask(reader, calls.WHOAMI, tenant="narrow")
        reader.execute("COMMIT")


def test_without_a_ceiling_in_the_tenant_it_is_denied(reader: Connection) -> None:
    error = refusal(reader, calls.WHOAMI, tenant="default")
    assert error.diag.sqlstate == "42501"
    assert error.diag.message_primary == "this login has no access to this tenant"
    assert error.diag.message_hint


def test_the_python_client_carries_tenant_and_claim(shared: Installed, reader: Connection) -> None:
    carried = Access(tags=("hr", "law"))
    with (
        shared.connect(LOGIN) as connection,
        DocGraph(connection, tenant="narrow", access=carried) as client,
    ):
        assert client.whoami().tags == ("hr",)
        assert client.whoami(access=Access(tags=["it"])).tags == ("it",)
        assert client.whoami(tenant="wide").tags == ("hr", "law")
        with pytest.raises(AccessDenied) as caught:
            client.whoami(tenant="default")
        assert caught.value.hint
