"""Makes history out of `sql/`: new revisions, their hash lock, and the expected catalogues.

    python migrations/freeze.py revision "…"    freeze the changed files of sql/ into a new revision
    python migrations/freeze.py lock            lock the hashes of all revisions: at a release
    python migrations/freeze.py catalogue URL   write what `docgraph db verify` expects on that server

A function's file can be run again over its older self, so a changed one is simply frozen; one with another
signature, or one that is gone, is dropped first. Tables, indexes, policies and grants cannot be run again:
for those the revision needs hand-written `alter.sql` and lines in `downgrade.sql`. The tool leaves a line
that begins with BY_HAND wherever that is so, and the tests refuse one that is left.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import alembic.command
import psycopg
import typer

from docgraph import calls, migrate, verify
from docgraph.access import EmbeddingSpace
from docgraph.resources import MIGRATIONS, SQL
from docgraph.sqlfiles import is_versioned, manifest

app = typer.Typer(help=__doc__, no_args_is_help=True, pretty_exceptions_enable=False)

FROZEN = MIGRATIONS / "frozen"
LOCK = FROZEN / "SHA256SUMS"
BY_HAND = "-- BY HAND: "
NO_CLIENTS = "-- Only the functions of docgraph call it.\n-- squawk-ignore ban-drop-function\n"
SPACE = EmbeddingSpace("catalogue", 384, "cosine", "english", 100)


@dataclass(frozen=True)
class Change:
    """A file of `sql/` as it was last frozen and as it is; None is not there."""

    path: str
    before: str | None
    now: str | None

    @property
    def is_function(self) -> bool:
        return self.path.startswith("functions/")

    @property
    def moves_signature(self) -> bool:
        """Whether it cannot be replaced: other parameters would leave the old one beside it, other results or
        names are refused."""
        return self.is_function and bool(self.before) and _signature(self.before) != _signature(self.now)

    def upgrade(self) -> str:
        """What must happen before the file itself can be run, if it can be."""
        if self.now is None or self.moves_signature:
            dropped = drop(self.path, self.before)
            return dropped if self.path.startswith("functions/api/") else f"{NO_CLIENTS}{dropped}"
        return "" if self.runs else f"{BY_HAND}{self.path}\n"

    @property
    def runs(self) -> bool:
        """Whether the file itself is run: functions always, everything else when it is new."""
        return self.now is not None and (self.before is None or self.is_function)

    def downgrade(self) -> str:
        """What takes the file back to its older self, as far as that can be told from the texts."""
        if self.before is None:
            return drop(self.path, self.now)
        if not self.is_function:
            return f"{BY_HAND}{self.path}\n"
        return (drop(self.path, self.now) if self.moves_signature else "") + self.before


def _signature(text: str | None) -> str:
    found = re.search(
        r"^CREATE OR REPLACE FUNCTION .+?(?=\n +LANGUAGE )", text or "", re.MULTILINE | re.DOTALL
    )
    return " ".join(found[0].split()) if found else ""


def drop(path: str, text: str | None) -> str:
    """What removes that which a file creates."""
    if text is None:
        return ""
    if path.startswith("functions/"):
        # By name alone: there are no overloads, and a type of pgvector would need its schema on the path.
        names = re.findall(r"^REVOKE ALL ON FUNCTION ([\w.]+)", text, re.MULTILINE)
        return "".join(f"DROP FUNCTION {name};\n" for name in names)
    if path.startswith(("tables/", "indexes/")):
        created = re.findall(r"^CREATE (TABLE|INDEX) (?:docgraph\.)?(\w+)", text, re.MULTILINE)
        return "".join(f"DROP {kind} docgraph.{name};\n" for kind, name in reversed(created))
    return f"{BY_HAND}{path}\n"


def changes() -> list[Change]:
    """What differs between `sql/` and the newest frozen texts. An empty frozen text says: removed."""
    frozen = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") or None
        for folder in sorted(FROZEN.glob("[0-9]*"))
        for path in sorted(folder.rglob("*.sql"))
        if path.parent != folder
    }
    current = {path: (SQL / path).read_text(encoding="utf-8") for path in manifest() if is_versioned(path)}
    order = [*current, *sorted(frozen.keys() - current.keys())]
    return [c for path in order if (c := Change(path, frozen.get(path), current.get(path))).before != c.now]


@app.command()
def revision(
    message: str,
    only: Annotated[list[str] | None, typer.Option(help="Freeze only these files of sql/.")] = None,
) -> None:
    """Freeze the files of sql/ that changed since they were last frozen into a new revision."""
    changed = [change for change in changes() if not only or change.path in only]
    if not changed:
        raise typer.BadParameter("nothing in sql/ has changed since it was last frozen")
    previous, number = migrate.head(), f"{len(migrate.history()) + 1:04}"
    folder = FROZEN / number
    runs = [change.path for change in changed if change.runs]
    for change in changed:
        (folder / change.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / change.path).write_text(change.now or "", encoding="utf-8")
    # The last made goes first, because it may need what was made before it.
    if alter := "".join(change.upgrade() for change in reversed(changed)):
        (folder / "alter.sql").write_text(alter, encoding="utf-8")
        runs.insert(0, "alter.sql")
    (folder / "downgrade.sql").write_text(
        f"-- Back to {previous}, from {number}: {message}\n"
        + "".join(change.downgrade() for change in reversed(changed)),
        encoding="utf-8",
    )
    (folder / "manifest.txt").write_text("".join(f"{path}\n" for path in runs), encoding="utf-8")
    alembic.command.revision(migrate.alembic_config(), message=message, rev_id=number)
    install = SQL / "install.sql"
    install.write_text(
        re.sub(r"(?<=VALUES \(')\d+(?='\))", number, install.read_text(encoding="utf-8")), encoding="utf-8"
    )


@app.command()
def lock() -> None:
    """Lock the hashes of every revision and its files: what is released never changes."""
    if broken := broken_locks():
        raise typer.BadParameter(f"locked, but not what it was: {', '.join(broken)}")
    files = [*FROZEN.rglob("*"), *(MIGRATIONS / "versions").glob("*.py")]
    LOCK.write_text(
        "".join(
            f"{_digest(path)}  {path.relative_to(MIGRATIONS).as_posix()}\n"
            for path in sorted(files)
            if path.is_file() and path != LOCK
        ),
        encoding="utf-8",
    )


def broken_locks() -> list[str]:
    """Locked files that are missing or not what they were, and files added to a locked revision."""
    lines = [line.partition("  ") for line in LOCK.read_text(encoding="utf-8").splitlines()]
    locked = {path: digest for digest, _, path in lines}
    changed = [
        path
        for path, digest in locked.items()
        if not (MIGRATIONS / path).is_file() or _digest(MIGRATIONS / path) != digest
    ]
    folders = {FROZEN / path.split("/")[1] for path in locked if path.startswith("frozen/")}
    there = {
        path.relative_to(MIGRATIONS).as_posix() for f in folders for path in f.rglob("*") if path.is_file()
    }
    return sorted({*changed, *(there - locked.keys())})


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@app.command()
def catalogue(
    url: str,
    also: Annotated[
        list[int] | None, typer.Option(help="Majors that are not at hand: the same text.")
    ] = None,
) -> None:
    """Install into an empty database and write down its catalogue as what this PostgreSQL major should show.

    `sql/catalogue.sql` leaves out whatever differs between majors, so the text of one stands for another.
    """
    migrate.upgrade(url)
    with psycopg.connect(url) as connection:
        calls.fetch(connection, calls.configure_embedding_space(SPACE))
    with psycopg.connect(url) as connection:
        text = verify.dump(verify.read_catalogue(connection), SPACE)
        major = connection.info.server_version // 10000
    for number in (major, *(also or ())):
        (MIGRATIONS / "catalogue" / f"{number}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    app()
