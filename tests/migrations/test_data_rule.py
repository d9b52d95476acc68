"""A migration that touches rows must see all of them: row security may stop it, not narrow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from docgraph import migrate
from tests.documents import put_document
from tests.migrations.tools import REVISIONS, Checkout, catalogue

if TYPE_CHECKING:
    from tests.conftest import Installed

NEXT = f"{int(REVISIONS[-1]) + 1:04}"
TOUCH = "UPDATE docgraph.document_nodes SET source = 'migrated';\n"
LIFTED = (
    "ALTER TABLE docgraph.document_nodes NO FORCE ROW LEVEL SECURITY;\n"
    f"{TOUCH}"
    "ALTER TABLE docgraph.document_nodes FORCE ROW LEVEL SECURITY;\n"
)


def revision(checkout: Checkout, text: str) -> None:
    """A next revision that runs this text."""
    folder = checkout.frozen / NEXT
    folder.mkdir()
    (folder / "manifest.txt").write_text("alter.sql\n", encoding="utf-8")
    (folder / "alter.sql").write_text(text, encoding="utf-8")
    (folder / "downgrade.sql").write_text("", encoding="utf-8")
    versions = checkout.root / "migrations" / "versions"
    (last,) = versions.glob(f"{REVISIONS[-1]}_*.py")
    new = last.read_text(encoding="utf-8").replace(REVISIONS[-1], NEXT)
    new = "\n".join(
        f"down_revision = {REVISIONS[-1]!r}" if line.startswith("down_revision") else line
        for line in new.splitlines()
    )
    (versions / f"{NEXT}_data.py").write_text(new + "\n", encoding="utf-8")


@pytest.fixture
def filled(database: Installed) -> Installed:
    """Documents of a tenant in which the installer has a ceiling, and of one in which it has none."""
    with database.connect() as connection:
        put_document(connection, "a")
        put_document(connection, "b", tenant="elsewhere")
    return database


def sources(database: Installed) -> list[str]:
    with database.connect() as connection:
        rows = connection.execute(
            "SELECT source FROM docgraph.document_nodes ORDER BY document_id"
        ).fetchall()
    return [source for (source,) in rows]


def test_a_statement_that_row_security_would_narrow_is_an_error(
    filled: Installed, checkout: Checkout
) -> None:
    revision(checkout, TOUCH)
    done = checkout.move(filled.conninfo, "upgrade", "head")
    assert done.returncode != 0
    assert "would be affected by row-level security policy" in done.stderr
    assert sources(filled) == ["", ""]
    assert migrate.current(filled.conninfo) == REVISIONS[-1]


def test_a_migration_that_lifts_force_reaches_every_tenant(filled: Installed, checkout: Checkout) -> None:
    before = catalogue(filled.conninfo)
    revision(checkout, LIFTED)
    done = checkout.move(filled.conninfo, "upgrade", "head")
    assert done.returncode == 0, done.stderr
    assert sources(filled) == ["migrated", "migrated"]
    assert catalogue(filled.conninfo) == before


def test_a_migration_that_fails_with_force_lifted_puts_it_back(filled: Installed, checkout: Checkout) -> None:
    before = catalogue(filled.conninfo)
    revision(checkout, LIFTED + "SELECT 1 / 0;\n")
    done = checkout.move(filled.conninfo, "upgrade", "head")
    assert done.returncode != 0
    assert "division by zero" in done.stderr
    assert sources(filled) == ["", ""]
    assert catalogue(filled.conninfo) == before


def test_the_session_of_a_migration_is_the_owners(filled: Installed, checkout: Checkout) -> None:
    """As whom, where names are found, how long it waits: written down by a migration itself."""
    revision(
        checkout,
        "CREATE TABLE docgraph.seen AS SELECT current_user::text, current_setting('row_security'),"
        " current_setting('lock_timeout') AS lock_timeout, current_setting('search_path') AS search_path;\n",
    )
    done = checkout.move(filled.conninfo, "upgrade", "head")
    assert done.returncode == 0, done.stderr
    with filled.connect() as connection:
        row = connection.execute("SELECT * FROM docgraph.seen").fetchone()
    assert row == ("docgraph_owner", "off", "5s", "pg_catalog")
