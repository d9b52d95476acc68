"""The manifest is what psql runs: every file of sql/ once, in an order that works."""

from __future__ import annotations

from pathlib import Path

from docgraph import sqlfiles
from docgraph.resources import SQL

NOT_INSTALLED = {"install.sql", "catalogue.sql"}


def test_every_file_is_included_exactly_once() -> None:
    on_disk = {path.relative_to(SQL).as_posix() for path in SQL.rglob("*.sql")}
    assert sorted(sqlfiles.manifest()) == sorted(on_disk - NOT_INSTALLED)


def test_preparation_comes_first() -> None:
    files = sqlfiles.manifest()
    prepared = [path.startswith("prepare/") for path in files]
    assert prepared == sorted(prepared, reverse=True)
    assert len(list(sqlfiles.preparation())) == sum(prepared)


def test_only_what_a_revision_installs_is_versioned() -> None:
    others = [path for path in sqlfiles.manifest() if not sqlfiles.is_versioned(path)]
    assert all(path.startswith("prepare/") for path in others)


def test_comments_and_other_commands_are_not_read_as_files(tmp_path: Path) -> None:
    (tmp_path / "install.sql").write_text(
        "-- \\ir a/no.sql\n\\set QUIET on\n\\ir a/one.sql\nSELECT 1;\n\\ir b/two.sql\n", encoding="utf-8"
    )
    assert sqlfiles.manifest(tmp_path) == ["a/one.sql", "b/two.sql"]
