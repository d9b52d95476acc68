"""The committed history: whole, locked, and in step with sql/."""

from __future__ import annotations

import re

import pytest

from docgraph import migrate
from docgraph.resources import MIGRATIONS, SQL
from docgraph.sqlfiles import manifest
from migrations import freeze
from tests.migrations.tools import REVISIONS

NOT_IN_THE_MANIFEST = {"install.sql", "catalogue.sql"}
"""The manifest itself, and a query that only reads."""


def test_locked_files_are_what_they_were() -> None:
    assert freeze.broken_locks() == []
    assert freeze.LOCK.read_text(encoding="utf-8").count("\n") > 40


def test_nothing_is_left_to_be_done_by_hand() -> None:
    left = [p for p in freeze.FROZEN.rglob("*.sql") if freeze.BY_HAND in p.read_text(encoding="utf-8")]
    assert left == []


def test_every_file_of_sql_is_frozen_as_it_is() -> None:
    assert [change.path for change in freeze.changes()] == []


def test_every_file_of_sql_is_in_the_manifest_once() -> None:
    files = {path.relative_to(SQL).as_posix() for path in SQL.rglob("*.sql")}
    assert sorted(manifest()) == sorted(files - NOT_IN_THE_MANIFEST)


def test_the_manifest_prepares_first() -> None:
    prepared = [path for path in manifest() if path.startswith("prepare/")]
    assert manifest()[: len(prepared)] == sorted(prepared)


def test_install_sql_is_stamped_with_the_head() -> None:
    text = (SQL / "install.sql").read_text(encoding="utf-8")
    assert re.findall(r"alembic_version \(version_num\) VALUES \('(\w+)'\)", text) == [migrate.head()]


def test_revisions_are_one_line_of_numbers() -> None:
    assert [f"{number:04}" for number in range(1, len(REVISIONS) + 1)] == REVISIONS
    assert all(revision.title for revision in migrate.history())


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_revision_uses_every_file_of_its_folder(revision: str) -> None:
    folder = MIGRATIONS / "frozen" / revision
    listed = (folder / "manifest.txt").read_text(encoding="utf-8").split()
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert len(set(listed)) == len(listed)
    assert there >= {*listed, "manifest.txt", "downgrade.sql"}
    # What cannot be run again is kept as it is from now on; alter.sql brings it about. Empty is removed.
    earlier = {
        path.relative_to(older).as_posix()
        for older in freeze.FROZEN.glob("[0-9]*")
        if older.name < revision
        for path in older.rglob("*.sql")
    }
    changed = there - {*listed, "manifest.txt", "downgrade.sql"}
    assert changed <= earlier
    assert "alter.sql" in listed or not changed
    assert not [path for path in changed if path.startswith("functions/") and (folder / path).read_text()]


@pytest.mark.parametrize("path", sorted(p.name for p in (MIGRATIONS / "versions").glob("*.py")))
def test_a_revision_reads_frozen_files_only(path: str) -> None:
    """What it installs must not change when sql/ does."""
    text = (MIGRATIONS / "versions" / path).read_text(encoding="utf-8")
    assert "resources" not in text
    assert "sqlfiles" not in text
    assert "install_frozen(revision)" in text
    assert "undo_frozen(revision)" in text


def test_no_downgrade_drops_what_other_databases_share() -> None:
    for path in freeze.FROZEN.glob("*/downgrade.sql"):
        text = path.read_text(encoding="utf-8").upper()
        assert "DROP ROLE" not in text
        assert "DROP EXTENSION" not in text
        assert not re.search(r"^DROP [^;]*CASCADE", text, re.MULTILINE)
