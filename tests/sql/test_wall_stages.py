"""The access invariant as a matrix: each stage, each filter, each layer, where only that stage could leak.

A stage is handed what another one that leaks would hand it: a seed from which hidden documents are one step
away, or the ids of hidden documents themselves. The predicate alone must hold every filter. Row security
alone knows tenants and nothing else: with the predicate taken away every other filter is gone, which shows
that each of these tests could fail; the wall between tenants stands even when a function forgets the tenant.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import Installed
from tests.properties.operations import as_login
from tests.servers import Server
from tests.sql.asking import Connection
from tests.sql.layers import turn_off_row_security
from tests.sql.mistakes import forget_the_tenant
from tests.sql.staged_wall import FILTERS, NO_CLAIMS, STAGES, secret, walled_database

UNGUARDED = "stages_row_security"


@pytest.fixture(scope="module")
def predicate_alone(server: Server, worker: str, template: str) -> Iterator[Connection]:
    """A reader, where row security is off."""
    login = "stages_predicate"
    with walled_database(server, worker, template, login) as database:
        with database.connect() as superuser:
            turn_off_row_security(superuser)
        with database.connect(login) as reader:
            yield reader


@pytest.fixture(scope="module")
def no_claims(server: Server, worker: str, template: str) -> Iterator[Installed]:
    """A database in which no function applies the predicate."""
    with walled_database(server, worker, template, UNGUARDED) as database:
        with database.connect() as superuser:
            superuser.execute(NO_CLAIMS)
        yield database


@pytest.fixture(scope="module")
def row_security_alone(no_claims: Installed) -> Iterator[Connection]:
    """A reader there."""
    with no_claims.connect(UNGUARDED) as reader:
        yield reader


@pytest.mark.parametrize("kind", FILTERS)
@pytest.mark.parametrize("stage", STAGES)
def test_the_predicate_alone_holds(predicate_alone: Connection, stage: str, kind: str) -> None:
    found = STAGES[stage].ask(predicate_alone)
    assert "begin" in found
    assert secret(kind) not in found
    if stage == "expand":
        assert f"behind {kind}" not in found


@pytest.mark.parametrize("kind", FILTERS)
@pytest.mark.parametrize("stage", STAGES)
def test_row_security_alone_knows_tenants_only(row_security_alone: Connection, stage: str, kind: str) -> None:
    """That the other filters are gone shows that it is the predicate, in this stage, that holds them."""
    found = STAGES[stage].ask(row_security_alone)
    assert "begin" in found
    assert (secret(kind) in found) == (kind != "tenant")


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_that_forgets_the_tenant_meets_row_security(no_claims: Installed, stage: str) -> None:
    """Also where it reads the lexical index, which has none: by the table that its rows are joined to."""
    with no_claims.connect() as superuser, superuser.transaction(force_rollback=True):
        forget_the_tenant(superuser, *STAGES[stage].forgetful)

        def asked() -> str:
            with as_login(superuser, UNGUARDED) as reader:
                return STAGES[stage].ask(reader)

        found = asked()
        assert "begin" in found
        assert secret("tenant") not in found
        turn_off_row_security(superuser)
        assert secret("tenant") in asked()
