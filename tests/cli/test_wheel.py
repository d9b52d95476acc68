"""The wheel is whole: what is installed from it sets a database up, far from any checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from docgraph import migrate
from docgraph.demo.records import CORPUS
from docgraph.resources import MIGRATIONS, SQL
from tests.cli.conftest import environment, said

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel unpacked, as an installer does it."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_it_carries_every_file_that_is_no_python(site: Path) -> None:
    for source, name in ((SQL, "sql"), (MIGRATIONS, "migrations"), (CORPUS, "demo/corpus")):
        there = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
        wanted = {path for path in there if "__pycache__" not in path.parts}
        installed = site / "docgraph" / name
        assert {p.relative_to(installed) for p in installed.rglob("*") if p.is_file()} == wanted
        for path in wanted:
            assert (installed / path).read_bytes() == (source / path).read_bytes()


def test_it_carries_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
        names = archive.namelist()
    assert {top for top in tops if not top.endswith(".dist-info")} == {"docgraph"}
    assert "docgraph/py.typed" in names
    assert not [name for name in names if "__pycache__" in name or "/tests/" in name]


def test_it_works_in_an_empty_folder(site: Path, empty: str, tmp_path: Path) -> None:
    def docgraph(*args: str) -> str:
        code = f"import docgraph, os.path, sys; assert docgraph.__file__.startswith({str(site)!r})\n"
        code += "from docgraph.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code, *args],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            # Before the checkout, which is installed for development.
            env=environment(empty, PYTHONPATH=str(site)),
        )
        assert (done.returncode, said(done)) == (0, [])
        return done.stdout

    assert docgraph("db", "sql") == migrate.offline_sql()
    assert f"Upgraded to revision {migrate.head()}." in docgraph("init")
    assert docgraph("db", "verify").startswith("No drift: ")
    assert docgraph("db", "downgrade", "base", "--yes") == "Now at revision base.\n"
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - nothing is left where it was run


def test_what_lies_beside_it_is_not_taken_for_its_own(site: Path) -> None:
    """Migrations are code: those of somebody else's project must not be run."""
    (site / "pyproject.toml").touch()
    for name in ("sql", "migrations"):
        (site / name).mkdir(exist_ok=True)
    code = "from docgraph.resources import MIGRATIONS, SQL; print(SQL, MIGRATIONS)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=site.parent,
        capture_output=True,
        text=True,
        check=True,
        env=environment("", PYTHONPATH=str(site)),
    )
    assert done.stdout.split() == [str(site / "docgraph" / "sql"), str(site / "docgraph" / "migrations")]
