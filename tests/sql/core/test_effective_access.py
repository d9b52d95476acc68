"""effective_access: who is asking, and what a denial says. What it computes is in ../api/test_whoami.py."""

from __future__ import annotations

import pytest

from docgraph import calls
from tests.conftest import Installed
from tests.sql.asking import Connection, ask, refusal, words


def denial(connection: Connection, tenant: str) -> tuple[str | None, ...]:
    return words(refusal(connection, calls.WHOAMI, tenant=tenant))


def test_an_unknown_tenant_and_a_forbidden_one_read_the_same(shared: Installed) -> None:
    """Byte for byte, context included: else a login could find out which tenants there are."""
    shared.grant("somebody else", "forbidden")
    login = shared.reader("curious")
    with shared.connect(login) as connection:
        forbidden = denial(connection, "forbidden")
        assert forbidden == denial(connection, "unknown")
        assert forbidden[0] == "42501"


def test_a_superuser_without_a_ceiling_is_denied(shared: Installed, boss: Connection) -> None:
    shared.grant("somebody else", "of others")
    assert denial(boss, "of others") == denial(boss, "unknown")


def test_logins_that_look_alike_stay_apart(shared: Installed, boss: Connection) -> None:
    """Folded to lower case, or read as a role's number, one of these would be another."""
    shared.cluster.login("holder", member_of="docgraph_reader")
    number = boss.execute("SELECT oid::text FROM pg_roles WHERE rolname = 'holder'").fetchone()
    assert number is not None
    names = ["Bob", "bob", "BOB", '"bob"', "18446", number[0], " bob"]
    for name in names:
        shared.cluster.login(name, member_of="docgraph_reader")
    for position, name in enumerate(names):
        shared.grant(name, "alike", clearance=position)
    for position, name in enumerate(names):
        with shared.connect(name) as connection:
            found = ask(connection, calls.WHOAMI, tenant="alike", access='{"clearance": 99}')
            assert (found.login, found.clearance) == (name, position)
    with shared.connect("holder") as connection:
        assert denial(connection, "alike")[0] == "42501"


@pytest.mark.parametrize("missing", ["Bob2", "bob2"])
def test_the_ceiling_of_one_spelling_is_not_that_of_another(shared: Installed, missing: str) -> None:
    shared.cluster.login(missing, member_of="docgraph_reader")
    shared.grant(missing.swapcase(), "other case")
    shared.grant(f'"{missing}"', "other case")
    with shared.connect(missing) as connection:
        assert denial(connection, "other case")[0] == "42501"
