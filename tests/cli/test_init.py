"""`docgraph init`: from nothing to a database that can be used; again at any time."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docgraph import DocGraph, defaults, migrate
from docgraph.access import EmbeddingSpace
from docgraph.ingest.embedding import minilm
from tests.cli.conftest import Cli, assert_error, said
from tests.documents import put_document
from tests.migrations.tools import as_login, drift
from tests.servers import temporary_home

if TYPE_CHECKING:
    from tests.conftest import Installed

DEFAULTS = EmbeddingSpace(
    defaults.MODEL, defaults.DIMENSIONS, defaults.METRIC, defaults.TEXT_SEARCH, defaults.AVERAGE_LENGTH
)


def space(conninfo: str) -> EmbeddingSpace | None:
    with DocGraph(conninfo) as client:
        return client.embedding_space()


def test_the_first_time_says_what_was_done_and_the_second_that_nothing_is_left(cli: Cli, empty: str) -> None:
    done = cli("init", conninfo=empty)
    assert (done.returncode, said(done)) == (0, [])
    target, upgraded, configured, granted = done.stdout.splitlines()
    assert target.startswith("Database: PostgreSQL at ")
    assert upgraded == f"Upgraded to revision {migrate.head()}."
    assert configured == (
        f"Embedding space: {defaults.MODEL}, {defaults.DIMENSIONS} dimensions, {defaults.METRIC}; "
        f"text search: {defaults.TEXT_SEARCH}."
    )
    assert granted == 'Login "postgres" may see everything in tenant "default".'

    done = cli("init", conninfo=empty)
    assert (done.returncode, said(done)) == (0, [])
    assert done.stdout.splitlines() == [target, "Nothing to do."]
    assert space(empty) == DEFAULTS
    assert drift(empty) == []


def test_an_option_goes_before_the_variable(quick: Cli, empty: str) -> None:
    done = quick("init", "--database-url", empty, conninfo="host=nowhere.invalid dbname=nothing")
    assert done.returncode == 0, done.stderr
    assert space(empty) == DEFAULTS


def test_what_is_said_is_recorded_and_what_is_not_said_stays(quick: Cli, empty: str) -> None:
    model = ("--embedding-model", "demo", "--dimensions", "384")
    assert quick("init", *model, "--metric", "ip", conninfo=empty).returncode == 0
    assert space(empty) == EmbeddingSpace("demo", 384, "ip", defaults.TEXT_SEARCH, defaults.AVERAGE_LENGTH)

    done = quick("init", *model, conninfo=empty)
    assert done.stdout.splitlines()[1:] == ["Nothing to do."]

    # Nothing is stored, so it may still become another one.
    done = quick("init", "--text-search", "german", conninfo=empty)
    assert done.stdout.splitlines()[1] == (
        "Embedding space: demo, 384 dimensions, ip; text search: german. Before: demo, 384, ip."
    )
    done = quick("init", "--embedding-model", "other", "--dimensions", "12", conninfo=empty)
    assert done.returncode == 0
    assert space(empty) == EmbeddingSpace("other", 12, "ip", "german", defaults.AVERAGE_LENGTH)
    assert drift(empty) == []


def test_a_model_that_nobody_has_here_is_no_dead_end(quick: Cli, empty: str, tmp_path: Path) -> None:
    model = ("--embedding-model", "demo", "--dimensions", "384")
    done = quick("init", *model, conninfo=empty)
    bring_vectors = "Without an embedder, documents and questions must bring their own vectors."
    assert f"There is no embedding model 'demo' here.\n{bring_vectors}\n" in done.stdout
    (tmp_path / "a.md").write_text("# A\n")
    for command in (("ingest", str(tmp_path)), ("context", "x"), ("plan", "x")):
        done = quick(*command, conninfo=empty)
        assert done.returncode != 0
        assert said(done)[0] == "Error: There is no embedding model 'demo' here."
        hint = said(done)[-1]
        assert "hand over" not in done.stderr
    back = re.search(r"docgraph (init --embedding-model \S+ --dimensions \d+);", hint)
    assert back
    done = quick(*back[1].split(), conninfo=empty)
    assert (done.returncode, bring_vectors in done.stdout) == (0, False)
    assert quick("ingest", str(tmp_path), conninfo=empty).returncode == 0
    # Only what can be found out at once is looked at: nothing of the Hub.
    with DocGraph(empty) as client:
        client.delete_documents(["a.md"])
    done = quick("init", "--embedding-model", "sentence-transformers:x", "--dimensions", "12", conninfo=empty)
    assert (done.returncode, bring_vectors in done.stdout) == (0, False)


def test_dimensions_that_a_model_has_not_are_refused(quick: Cli, empty: str) -> None:
    for name, has in ((defaults.MODEL, defaults.DIMENSIONS), (minilm.NAME, minilm.DIMENSIONS)):
        done = quick("init", "--embedding-model", name, "--dimensions", "12", conninfo=empty)
        assert_error(done, f"has {has} dimensions, not 12", "Hint: Give the dimensions")
    assert migrate.current(empty) is None


def test_the_way_back_names_the_database(quick: Cli, empty: str) -> None:
    cli_options = ("--database-url", empty)
    quick("init", "--embedding-model", "demo", "--dimensions", "384", *cli_options)
    done = quick("context", "x", *cli_options)
    assert f'docgraph init --database-url "..." --embedding-model {defaults.MODEL}' in said(done)[-1]


def test_another_model_is_refused_while_vectors_are_stored(quick: Cli, database: Installed) -> None:
    with database.connect() as connection:
        # Of a tenant that the login has no ceiling in, and so would not see.
        put_document(connection, "a", tenant="elsewhere")
    before = space(database.conninfo)
    done = quick("init", "--embedding-model", "demo", "--dimensions", "384", conninfo=database.conninfo)
    assert_error(done, "test-model", "4 dimensions", "demo", "384 dimensions", "docgraph reembed")
    assert space(database.conninfo) == before
    assert quick("init", conninfo=database.conninfo).returncode == 0


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--metric", "manhattan"], "metric must be cosine, l2 or ip"),
        (["--metric", ""], "metric must be cosine, l2 or ip"),
        (["--text-search", "klingon"], "text_search must be a text-search configuration"),
        (["--text-search", "english'; DROP SCHEMA docgraph; --"], "text_search must be"),
        (["--embedding-model", "m", "--dimensions", "0"], "dimensions must be from 1 to"),
        (["--embedding-model", "m", "--dimensions", "-5"], "dimensions must be from 1 to"),
        (["--embedding-model", "m", "--dimensions", "4001"], "dimensions must be from 1 to"),
        (["--embedding-model", "", "--dimensions", "4"], "model must be a text of 1 to"),
        (["--embedding-model", "m" * 513, "--dimensions", "4"], "model must be a text of 1 to"),
        (["--embedding-model", "m"], "a model and its dimensions go together"),
        (["--dimensions", "4"], "a model and its dimensions go together"),
    ],
)
def test_bad_values_are_refused_by_name(
    quick: Cli, database: Installed, options: list[str], part: str
) -> None:
    before = space(database.conninfo)
    assert_error(quick("init", *options, conninfo=database.conninfo), part, "Hint: ")
    assert space(database.conninfo) == before


def test_a_ceiling_that_was_narrowed_is_not_widened_again(quick: Cli, database: Installed) -> None:
    database.grant("postgres", tags=("hr",), clearance=1)
    with DocGraph(database.conninfo) as client:
        before = client.list_access()
        assert quick("init", conninfo=database.conninfo).stdout.splitlines()[1:] == ["Nothing to do."]
        assert client.list_access() == before


def test_a_login_without_a_ceiling_gets_one_and_the_others_keep_theirs(
    quick: Cli, database: Installed
) -> None:
    login = database.cluster.login('Second "admin"', member_of="docgraph_admin")
    with database.connect() as connection:
        connection.execute('GRANT docgraph_owner, docgraph_writer TO "Second ""admin"""')
    done = quick("init", conninfo=as_login(database.conninfo, login))
    assert done.returncode == 0, done.stderr
    assert f'Login "{login}" may see everything in tenant "default".' in done.stdout
    with DocGraph(database.conninfo) as client:
        assert [ceiling.login for ceiling in client.list_access()] == [login, "postgres"]


def test_a_reader_may_not_set_up(quick: Cli, database: Installed) -> None:
    login = database.reader("init_reader")
    done = quick("init", conninfo=as_login(database.conninfo, login))
    assert_error(done)
    assert "init_reader" not in done.stdout


def test_an_older_database_is_upgraded(quick: Cli, empty: str) -> None:
    migrate.upgrade(empty, "0001")
    done = quick("init", conninfo=empty)
    assert f"Upgraded to revision {migrate.head()}." in done.stdout
    assert drift(empty) == []


def test_without_any_setting_there_is_an_embedded_server(cli: Cli) -> None:
    with temporary_home() as home:
        done = cli("init", DOCGRAPH_HOME=str(home))
        assert (done.returncode, done.stderr) == (0, "")
        lines = done.stdout.splitlines()
        assert lines[0].startswith("Database: embedded PostgreSQL ")
        assert lines[0].endswith(f", in {home}.")
        assert f"Upgraded to revision {migrate.head()}." in lines

        done = cli("init", "--home", str(home))
        assert done.stdout.splitlines() == [lines[0], "Nothing to do."]
        done = cli("db", "verify", "--home", str(home))
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("No drift: embedded PostgreSQL ")
