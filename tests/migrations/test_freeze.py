"""`migrations/freeze.py` makes revisions out of changed files of sql/, and they go up and down exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from docgraph import calls, migrate
from tests.conftest import SPACE
from tests.documents import put_document
from tests.migrations.tools import REVISIONS, Checkout, catalogue, psql

if TYPE_CHECKING:
    from tests.conftest import Cluster, Installed

NEXT = f"{int(REVISIONS[-1]) + 1:04}"
API_VERSION = "functions/api/api_version.sql"
ANSWER = "functions/leaf/answer.sql"
ANSWER_TEXT = """\
-- answer: a function that was not there before.
CREATE OR REPLACE FUNCTION docgraph.answer(
    question text
) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 42;

COMMENT ON FUNCTION docgraph.answer(text) IS 'Leaf. The answer: 100 %, :really.';
REVOKE ALL ON FUNCTION docgraph.answer(
    text
) FROM PUBLIC;
"""
DOCUMENTS = "tables/document_nodes.sql"
LAST_COLUMN = "    content_hash       bytea NOT NULL,\n"
NEW_COLUMN = "    reviewed           boolean NOT NULL DEFAULT false,\n"


def change_function(checkout: Checkout) -> str:
    """The new text of api_version."""
    checkout.edit(f"sql/{API_VERSION}", "RETURN '1.", "RETURN '1.9")
    return (checkout.root / "sql" / API_VERSION).read_text(encoding="utf-8")


def add_function(checkout: Checkout) -> None:
    (checkout.root / "sql" / ANSWER).write_text(ANSWER_TEXT, encoding="utf-8")
    bound = "\\ir functions/leaf/bound.sql\n"
    checkout.edit("sql/install.sql", bound, f"{bound}\\ir {ANSWER}\n")


def change_table(checkout: Checkout) -> None:
    checkout.edit(f"sql/{DOCUMENTS}", LAST_COLUMN, LAST_COLUMN + NEW_COLUMN)


def freeze(checkout: Checkout, message: str = "An answer") -> dict[str, str]:
    """Makes a revision; its files."""
    done = checkout.freeze("revision", message)
    assert done.returncode == 0, done.stderr
    folder = checkout.frozen / NEXT
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_revision_has_just_the_changed_files(checkout: Checkout) -> None:
    before = (checkout.root / "sql" / API_VERSION).read_text(encoding="utf-8")
    now = change_function(checkout)
    add_function(checkout)
    files = freeze(checkout)
    assert files.keys() == {API_VERSION, ANSWER, "manifest.txt", "downgrade.sql"}
    assert (files[API_VERSION], files[ANSWER]) == (now, ANSWER_TEXT)
    # In the order of install.sql going up, in the opposite one going down.
    assert files["manifest.txt"] == f"{ANSWER}\n{API_VERSION}\n"
    assert files["downgrade.sql"] == (
        f"-- Back to {REVISIONS[-1]}, from {NEXT}: An answer\n{before}DROP FUNCTION docgraph.answer;\n"
    )


def test_a_revision_follows_the_last_one_and_stamps_install_sql(checkout: Checkout) -> None:
    change_function(checkout)
    freeze(checkout, "A better answer")
    (script,) = (checkout.root / "migrations" / "versions").glob(f"{NEXT}_*.py")
    text = script.read_text(encoding="utf-8")
    assert script.name == f"{NEXT}_a_better_answer.py"
    assert text.startswith('"""A better answer"""\n')
    assert f'revision = "{NEXT}"\ndown_revision = "{REVISIONS[-1]}"\n' in text
    install = (checkout.root / "sql" / "install.sql").read_text(encoding="utf-8")
    assert f"VALUES ('{NEXT}')" in install
    assert f"VALUES ('{REVISIONS[-1]}')" not in install


def test_it_goes_up_and_down_with_data(cluster: Cluster, database: Installed, checkout: Checkout) -> None:
    with database.connect() as connection:
        put_document(connection, "a", tenant="elsewhere")
    before = catalogue(database.conninfo)
    change_function(checkout)
    add_function(checkout)
    change_table(checkout)
    files = freeze(checkout)

    # A table cannot be run again over itself: the tool says where a hand is needed.
    by_hand = f"-- BY HAND: {DOCUMENTS}\n"
    assert files["alter.sql"] == by_hand
    assert by_hand in files["downgrade.sql"]
    assert files["manifest.txt"].splitlines()[0] == "alter.sql"
    assert DOCUMENTS not in files["manifest.txt"]
    checkout.edit(
        f"migrations/frozen/{NEXT}/alter.sql",
        by_hand,
        "ALTER TABLE docgraph.document_nodes ADD COLUMN reviewed boolean NOT NULL DEFAULT false;\n",
    )
    checkout.edit(
        f"migrations/frozen/{NEXT}/downgrade.sql",
        by_hand,
        "ALTER TABLE docgraph.document_nodes DROP COLUMN reviewed;\n",
    )

    done = checkout.move(database.conninfo, "upgrade", "head")
    assert done.returncode == 0, done.stderr
    with database.connect() as connection:
        assert connection.execute("SELECT document_id, reviewed FROM docgraph.document_nodes").fetchall() == [
            ("a", False)
        ]
        assert connection.execute("SELECT docgraph.answer('?')").fetchone() == (42,)
    assert_same_as_install_sql(cluster, checkout, database)

    done = checkout.move(database.conninfo, "downgrade", REVISIONS[-1])
    assert done.returncode == 0, done.stderr
    assert catalogue(database.conninfo) == before
    assert migrate.current(database.conninfo) == REVISIONS[-1]


def assert_same_as_install_sql(cluster: Cluster, checkout: Checkout, upgraded: Installed) -> None:
    """Both with the embedding space of the template."""
    fresh = cluster.server.conninfo(cluster.create())
    done = psql(cluster.server, fresh, "-f", checkout.root / "sql" / "install.sql")
    assert done.returncode == 0, done.stderr
    with psycopg.connect(fresh) as connection:
        assert connection.execute("SELECT version_num FROM docgraph.alembic_version").fetchone() == (NEXT,)
        calls.fetch(connection, calls.configure_embedding_space(SPACE))
    assert catalogue(upgraded.conninfo) == catalogue(fresh)


def test_a_chosen_file_is_frozen_alone(checkout: Checkout) -> None:
    change_function(checkout)
    add_function(checkout)
    done = checkout.freeze("revision", "Only one", "--only", ANSWER)
    assert done.returncode == 0, done.stderr
    assert (checkout.frozen / NEXT / "manifest.txt").read_text(encoding="utf-8") == f"{ANSWER}\n"


@pytest.mark.parametrize(
    ("path", "added", "undone"),
    [
        (
            "tables/notes.sql",
            "CREATE TABLE docgraph.notes (\n    a integer\n);\n",
            "DROP TABLE docgraph.notes;",
        ),
        (
            "indexes/notes.sql",
            "CREATE INDEX notes_idx ON docgraph.vector_chunks (ordinal);\n",
            "DROP INDEX docgraph.notes_idx;",
        ),
        (
            "policies/notes.sql",
            "ALTER TABLE docgraph.notes ENABLE ROW LEVEL SECURITY;\n",
            "-- BY HAND: policies/notes.sql",
        ),
        (
            "grants/notes.sql",
            "GRANT USAGE ON SCHEMA docgraph TO docgraph_admin;\n",
            "-- BY HAND: grants/notes.sql",
        ),
    ],
)
def test_what_a_new_file_creates_is_undone_where_the_text_says_it(
    checkout: Checkout, path: str, added: str, undone: str
) -> None:
    (checkout.root / "sql" / path).write_text(added, encoding="utf-8")
    stamp = "\\ir tables/alembic_version.sql\n"
    checkout.edit("sql/install.sql", stamp, f"\\ir {path}\n{stamp}")
    files = freeze(checkout)
    assert files["manifest.txt"] == f"{path}\n"
    assert files["downgrade.sql"].splitlines()[1:] == [undone]


def test_where_nothing_changed_nothing_is_made(checkout: Checkout) -> None:
    before = sorted(checkout.root.joinpath("migrations").rglob("*"))
    done = checkout.freeze("revision", "Nothing")
    assert done.returncode != 0
    assert "nothing in sql/ has changed" in done.stderr
    assert "Traceback" not in done.stderr
    after = [
        p for p in sorted(checkout.root.joinpath("migrations").rglob("*")) if "__pycache__" not in p.parts
    ]
    assert after == before


def test_locking_and_what_breaks_a_lock(checkout: Checkout) -> None:
    def broken() -> str:
        done = checkout.python(
            "-c", "import sys; sys.path.append('migrations'); import freeze; print(freeze.broken_locks())"
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    change_function(checkout)
    freeze(checkout)
    # Not released yet, so it may still be changed.
    assert broken() == "[]"
    file = checkout.frozen / NEXT / API_VERSION
    file.write_text("-- changed\n", encoding="utf-8")
    assert broken() == "[]"

    assert checkout.freeze("lock").returncode == 0
    assert broken() == "[]"
    file.write_text("-- changed again\n", encoding="utf-8")
    deleted = checkout.frozen / REVISIONS[0] / "downgrade.sql"
    deleted.unlink()
    added = checkout.frozen / NEXT / "more.sql"
    added.touch()
    assert broken() == str(
        [f"frozen/{REVISIONS[0]}/downgrade.sql", f"frozen/{NEXT}/{API_VERSION}", f"frozen/{NEXT}/more.sql"]
    )
    # A lock that is broken is not mended by locking.
    assert checkout.freeze("lock").returncode != 0


LIST_ACCESS = "functions/api/list_access.sql"
REVOKE_ACCESS = "functions/api/revoke_access.sql"


def test_another_signature_and_a_removed_function_leave_nothing_behind(
    cluster: Cluster, database: Installed, checkout: Checkout
) -> None:
    before = catalogue(database.conninfo)
    file = checkout.root / "sql" / LIST_ACCESS
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("list_access(tenant text)", "list_access(tenant text, prefix text)"))
    file.write_text(file.read_text().replace("list_access(text)", "list_access(text, text)"))
    (checkout.root / "sql" / REVOKE_ACCESS).unlink()
    checkout.edit("sql/install.sql", f"\\ir {REVOKE_ACCESS}\n", "")
    files = freeze(checkout)
    assert files["alter.sql"] == (
        "DROP FUNCTION docgraph.revoke_access;\nDROP FUNCTION docgraph.list_access;\n"
    )
    assert files["manifest.txt"] == f"alter.sql\n{LIST_ACCESS}\n"

    done = checkout.move(database.conninfo, "upgrade", "head")
    assert done.returncode == 0, done.stderr
    assert_same_as_install_sql(cluster, checkout, database)
    done = checkout.move(database.conninfo, "downgrade", REVISIONS[-1])
    assert done.returncode == 0, done.stderr
    assert catalogue(database.conninfo) == before
    # What is gone is not found changed again.
    assert "nothing in sql/ has changed" in checkout.freeze("revision", "Again").stderr
