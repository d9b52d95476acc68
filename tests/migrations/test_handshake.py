"""A package and a database that do not fit together say so at the first call, and what mends it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from psycopg import sql

from docgraph import AsyncDocGraph, DocGraph
from docgraph.calls import API_VERSION
from docgraph.errors import AccessDenied, DocgraphError, IncompatibleVersion, NotInstalled
from tests.migrations.tools import as_login

if TYPE_CHECKING:
    from tests.conftest import Installed

MAJOR, MINOR = API_VERSION
UPGRADE_PACKAGE = "pip install --upgrade docgraph"
UPGRADE_DATABASE = "docgraph db upgrade"
OLDER = [
    f"{MAJOR - 1}.9",
    "0.9",
    "",
    "rubbish",
    "1",
    "1.x",
    f" {MAJOR}.{MINOR}",
    f"{MAJOR}.{MINOR}\n",
    "-1.0",
]
if MINOR:
    OLDER.append(f"{MAJOR}.{MINOR - 1}")


def answer(database: Installed, version: str | None) -> None:
    """Makes the database claim a version."""
    text = sql.SQL("CREATE OR REPLACE FUNCTION docgraph.api_version() RETURNS text IMMUTABLE RETURN {}::text")
    with database.connect() as connection:
        connection.execute(text.format(sql.Literal(version)))


def sync_error(conninfo: str) -> DocgraphError:
    with DocGraph(conninfo) as client, pytest.raises(DocgraphError) as caught:
        client.whoami()
    return caught.value


def async_error(conninfo: str) -> DocgraphError:
    async def call() -> DocgraphError:
        async with AsyncDocGraph(conninfo) as client:
            with pytest.raises(DocgraphError) as caught:
                await client.whoami()
        return caught.value

    return asyncio.run(call())


both = pytest.mark.parametrize("error_of", [sync_error, async_error], ids=["sync", "async"])


@both
def test_a_newer_major_asks_for_a_newer_package(database: Installed, error_of) -> None:  # type: ignore[no-untyped-def]  # one of the two functions above
    answer(database, f"{MAJOR + 1}.0")
    error = error_of(database.conninfo)
    assert isinstance(error, IncompatibleVersion)
    assert UPGRADE_PACKAGE in str(error.hint)
    assert f"{MAJOR + 1}.0" in error.message
    assert f"{MAJOR}.{MINOR}" in error.message


@both
def test_an_older_version_asks_for_an_upgrade_of_the_database(database: Installed, error_of) -> None:  # type: ignore[no-untyped-def]  # one of the two functions above
    answer(database, f"{MAJOR - 1}.9")
    error = error_of(database.conninfo)
    assert isinstance(error, IncompatibleVersion)
    assert UPGRADE_DATABASE in str(error.hint)


@pytest.mark.parametrize("version", [*OLDER, None])
def test_what_is_no_version_counts_as_older(database: Installed, version: str | None) -> None:
    answer(database, version)
    error = sync_error(database.conninfo)
    assert isinstance(error, IncompatibleVersion)
    assert UPGRADE_DATABASE in str(error.hint)


@pytest.mark.parametrize("version", [f"{MAJOR}.{MINOR}", f"{MAJOR}.{MINOR + 1}", f"{MAJOR}.{MINOR + 1000}"])
def test_the_same_major_and_at_least_the_minor_will_do(database: Installed, version: str) -> None:
    answer(database, version)
    with DocGraph(database.conninfo) as client:
        assert client.whoami().login == "postgres"


@both
def test_a_database_without_docgraph_asks_for_init(empty: str, error_of) -> None:  # type: ignore[no-untyped-def]  # one of the two functions above
    error = error_of(empty)
    assert isinstance(error, NotInstalled)
    assert "docgraph init" in str(error.hint)


@both
def test_a_login_without_a_role_is_told_which_one_to_ask_for(database: Installed, error_of) -> None:  # type: ignore[no-untyped-def]  # one of the two functions above
    error = error_of(as_login(database.conninfo, database.cluster.login("stranger")))
    assert isinstance(error, AccessDenied)
    assert "GRANT docgraph_reader" in str(error.hint)


def test_a_refused_client_asks_again_once_the_database_is_mended(database: Installed) -> None:
    answer(database, "0.1")
    with DocGraph(database.conninfo) as client:
        with pytest.raises(IncompatibleVersion):
            client.whoami()
        answer(database, f"{MAJOR}.{MINOR}")
        assert client.whoami().login == "postgres"
