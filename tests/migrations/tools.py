"""What the tests of migrations share: psql, catalogues, drift, and a copy of the checkout to change."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg.conninfo import make_conninfo

from docgraph import migrate, verify
from docgraph.engine import URL_VARIABLE, Database
from docgraph.sqlfiles import preparation

if TYPE_CHECKING:
    from tests.servers import Server

REPOSITORY = Path(__file__).parents[2]
REVISIONS = [revision.number for revision in migrate.history()]
Done = subprocess.CompletedProcess[str]


def as_login(conninfo: str, login: str) -> str:
    return make_conninfo(conninfo, user=login)


def catalogue(conninfo: str) -> verify.Catalogue:
    with psycopg.connect(conninfo) as connection:
        return verify.read_catalogue(connection)


def drift(conninfo: str) -> list[verify.Difference]:
    with Database(conninfo) as database:
        return verify.verify(database)


def prepare(conninfo: str) -> None:
    """What precedes every revision, alone."""
    with psycopg.connect(conninfo) as connection:
        for text in preparation():
            connection.execute(text.encode())


def clean_environment(**more: str) -> dict[str, str]:
    """Without settings that decide where docgraph and libpq connect to."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "DOCGRAPH_", "PYTHONPATH"))}
    return kept | more


def program(server: Server, name: str, *args: str | Path, stdin: str | None = None) -> Done:
    """Runs a client program of the server's release."""
    return subprocess.run(
        [server.psql.parent / name, *args],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env=clean_environment(),
    )


def psql(server: Server, conninfo: str, *args: str | Path, stdin: str | None = None) -> Done:
    """Runs psql as a careful administrator does; its own start-up file is not read."""
    return program(server, "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", conninfo, *args, stdin=stdin)


@dataclass(frozen=True)
class Checkout:
    """A copy of the sources that a test may change, and its Python."""

    root: Path

    @property
    def frozen(self) -> Path:
        return self.root / "migrations" / "frozen"

    def python(self, *args: str | Path, conninfo: str = "") -> Done:
        """Runs Python with the copy's docgraph."""
        return subprocess.run(
            [sys.executable, *args],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.root,
            env=clean_environment(PYTHONPATH=str(self.root), **{URL_VARIABLE: conninfo}),
        )

    def freeze(self, *args: str) -> Done:
        return self.python("migrations/freeze.py", *args)

    def move(self, conninfo: str, command: str, revision: str) -> Done:
        """Upgrades or downgrades with the copy's revisions."""
        code = f"from docgraph import migrate; migrate.{command}(None, {revision!r})"
        return self.python("-W", "ignore", "-c", code, conninfo=conninfo)

    def edit(self, path: str, old: str, new: str) -> None:
        """Changes one place of a file, which must be there."""
        file = self.root / path
        before = file.read_text(encoding="utf-8")
        assert before.count(old) == 1
        file.write_text(before.replace(old, new), encoding="utf-8")


def copy_checkout(to: Path) -> Checkout:
    ignore = shutil.ignore_patterns("__pycache__")
    for folder in ("docgraph", "sql", "migrations"):
        shutil.copytree(REPOSITORY / folder, to / folder, ignore=ignore)
    for file in ("pyproject.toml", "README.md"):
        shutil.copy(REPOSITORY / file, to / file)
    return Checkout(to)
