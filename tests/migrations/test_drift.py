"""However a database is made, it is the same database: install.sql, Alembic, the script for review."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from docgraph import calls, migrate
from docgraph.engine import URL_VARIABLE
from docgraph.resources import SQL
from tests.conftest import SPACE, Cluster
from tests.migrations.tools import REPOSITORY, REVISIONS, catalogue, clean_environment, drift, psql

ALEMBIC = Path(sys.executable).parent / "alembic"


def by_install_sql(cluster: Cluster, conninfo: str) -> None:
    done = psql(cluster.server, conninfo, "-f", SQL / "install.sql")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def by_upgrade(cluster: Cluster, conninfo: str) -> None:
    migrate.upgrade(conninfo)


def by_upgrade_in_steps(cluster: Cluster, conninfo: str) -> None:
    for revision in REVISIONS:
        migrate.upgrade(conninfo, revision)


def by_offline_script(cluster: Cluster, conninfo: str) -> None:
    done = psql(cluster.server, conninfo, stdin=migrate.offline_sql())
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr


def alembic(*args: str, conninfo: str = "postgresql://nobody@nowhere.invalid/") -> str:
    """Runs the plain `alembic` in the checkout, as somebody who knows Alembic would."""
    done = subprocess.run(
        [ALEMBIC, *args],
        capture_output=True,
        text=True,
        check=False,
        cwd=REPOSITORY,
        env=clean_environment(**{URL_VARIABLE: conninfo}),
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def by_alembic(cluster: Cluster, conninfo: str) -> None:
    alembic("upgrade", "head", conninfo=conninfo)


@pytest.mark.parametrize("install", [by_install_sql, by_upgrade_in_steps, by_offline_script, by_alembic])
def test_every_way_to_install_gives_the_same_database(cluster: Cluster, empty: str, install) -> None:  # type: ignore[no-untyped-def]  # one of the functions above
    install(cluster, empty)
    reference = cluster.server.conninfo(cluster.create())
    by_upgrade(cluster, reference)
    assert catalogue(empty) == catalogue(reference)
    assert drift(empty) == []
    assert migrate.current(empty) == migrate.head()
    # The catalogue does not show rows: the revision, and a space that can be configured.
    with psycopg.connect(empty) as connection:
        rows = connection.execute("SELECT version_num FROM docgraph.alembic_version").fetchall()
        assert rows == [(migrate.head(),)]
        assert calls.fetch(connection, calls.configure_embedding_space(SPACE))
    assert drift(empty) == []


def test_install_sql_refuses_a_database_that_has_docgraph(cluster: Cluster, empty: str) -> None:
    migrate.upgrade(empty)
    before = catalogue(empty)
    done = psql(cluster.server, empty, "-f", SQL / "install.sql")
    assert done.returncode != 0
    assert "already exists" in done.stderr
    assert catalogue(empty) == before


def test_install_sql_leaves_the_session_as_it_was(cluster: Cluster, empty: str) -> None:
    show = "SELECT current_user, current_setting('search_path'), current_setting('row_security')"
    done = psql(cluster.server, empty, "-At", "-c", show, "-f", SQL / "install.sql", "-c", show)
    assert done.returncode == 0, done.stderr
    before, after = done.stdout.splitlines()
    assert before == after


def test_alembic_prints_the_script_that_docgraph_prints() -> None:
    assert alembic("upgrade", "head", "--sql") == migrate.offline_sql()


def test_alembic_goes_back_too(empty: str) -> None:
    migrate.upgrade(empty)
    alembic("downgrade", REVISIONS[0], conninfo=empty)
    assert migrate.current(empty) == REVISIONS[0]
