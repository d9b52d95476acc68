"""The scripts for review do what the commands do, both ways and in part."""

from __future__ import annotations

from itertools import pairwise

import psycopg
import pytest

from docgraph import migrate
from docgraph.errors import InvalidArgument
from docgraph.resources import MIGRATIONS
from tests.conftest import Cluster
from tests.documents import put_document
from tests.migrations.tools import REVISIONS, catalogue, drift, psql

STEPS = list(pairwise(["base", *REVISIONS]))


def run(cluster: Cluster, conninfo: str, start: str, end: str) -> None:
    done = psql(cluster.server, conninfo, stdin=migrate.offline_sql(start, end))
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr


@pytest.mark.parametrize(("lower", "upper"), STEPS)
def test_a_step_by_script_is_the_step_by_command(
    cluster: Cluster, empty: str, lower: str, upper: str
) -> None:
    other = cluster.server.conninfo(cluster.create())
    for conninfo in (empty, other) if lower != "base" else ():
        migrate.upgrade(conninfo, lower)

    run(cluster, empty, lower, upper)
    migrate.upgrade(other, upper)
    assert catalogue(empty) == catalogue(other)
    assert migrate.current(empty) == upper

    run(cluster, empty, upper, lower)
    migrate.downgrade(other, lower)
    assert catalogue(empty) == catalogue(other)

    migrate.upgrade(empty)
    assert drift(empty) == []


def test_the_whole_way_down_by_script_with_data(cluster: Cluster, empty: str) -> None:
    migrate.upgrade(empty)
    with psycopg.connect(empty) as connection:
        put_document(connection, "a", tenant="elsewhere")
    run(cluster, empty, "head", "base")
    assert "table docgraph.document_nodes" not in catalogue(empty)
    migrate.upgrade(empty)
    assert drift(empty) == []


def test_a_script_leaves_the_session_as_it_was(cluster: Cluster, empty: str) -> None:
    show = "SELECT current_user, current_setting('search_path'), current_setting('row_security');\n"
    done = psql(cluster.server, empty, "-At", stdin=show + migrate.offline_sql() + show)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == lines[-1]


def test_a_script_for_the_wrong_revision_changes_nothing(cluster: Cluster, empty: str) -> None:
    migrate.upgrade(empty)
    before = catalogue(empty)
    done = psql(cluster.server, empty, stdin=migrate.offline_sql("base", "head"))
    assert done.returncode != 0
    assert catalogue(empty) == before


@pytest.mark.parametrize(("start", "end"), [("9999", "head"), ("base", "9999"), ("", "head"), ("base", "")])
def test_an_unknown_revision_is_refused_by_name(start: str, end: str) -> None:
    with pytest.raises(InvalidArgument, match="there is no revision") as caught:
        migrate.offline_sql(start, end)
    assert REVISIONS[-1] in str(caught.value.hint)


def test_the_script_is_the_same_every_time() -> None:
    assert migrate.offline_sql() == migrate.offline_sql("base", REVISIONS[-1])


def test_frozen_text_arrives_byte_for_byte() -> None:
    """Neither `:name` nor `%` may be read as a parameter on the way."""
    script = migrate.offline_sql()
    for revision in REVISIONS:
        folder = MIGRATIONS / "frozen" / revision
        for path in (folder / "manifest.txt").read_text(encoding="utf-8").split():
            assert (folder / path).read_text(encoding="utf-8").strip() in script
