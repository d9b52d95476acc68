"""Makes history out of `sql/`: new revisions, their hash lock, and the expected catalogues.

    python migrations/freeze.py revision "…"    freeze the changed files of sql/ into a new revision
    python migrations/freeze.py lock            lock the hashes of all revisions: at a release
    python migrations/freeze.py catalogue URL   write what `docgraph db verify` expects on that server

A function's file can be run again over its older self, so a changed one is simply frozen. Tables,
indexes, policies and grants cannot: for those the revision needs hand-written `alter.sql` and lines in `downgrade.sql`.
The tool leaves a line that begins with BY_HAND wherever that is so, and the tests refuse one that is left.
"""

from __future__ import annotations

import hashlib
import re
from typing import Annotated

import alembic.command
import psycopg
import typer

from docgraph import calls, migrate, verify
from docgraph.access import EmbeddingSpace
from docgraph.resources import MIGRATIONS, SQL
from docgraph.sqlfiles import is_versioned, manifest

app = typer.Typer(help=__doc__, no_args_is_help=True)

FROZEN = MIGRATIONS / "frozen"
LOCK = FROZEN / "SHA256SUMS"
BY_HAND = "-- BY HAND: "
SPACE = EmbeddingSpace("catalogue", 384, "cosine", "english", 100)


def last_frozen(path: str) -> str | None:
    """The newest frozen text of a file of `sql/`; None if it never was frozen."""
    copies = sorted(FROZEN.glob(f"*/{path}"))
    return copies[-1].read_text(encoding="utf-8") if copies else None


def undo(path: str, before: str | None, now: str) -> str:
    """What takes one file back to its older self, as far as that can be told from the texts."""
    if path.startswith("functions/"):
        if before is not None:
            return before
        signatures = re.findall(
            r"^REVOKE ALL ON FUNCTION (.+?)\s+FROM PUBLIC;", now, re.MULTILINE | re.DOTALL
        )
        return "".join(f"DROP FUNCTION {' '.join(s.split())};\n" for s in signatures)
    if before is None and path.startswith(("tables/", "indexes/")):
        created = re.findall(r"^CREATE (TABLE|INDEX) (?:docgraph\.)?(\w+)", now, re.MULTILINE)
        return "".join(f"DROP {kind} docgraph.{name};\n" for kind, name in reversed(created))
    return f"{BY_HAND}{path}\n"


@app.command()
def revision(
    message: str,
    only: Annotated[list[str] | None, typer.Option(help="Freeze only these files of sql/.")] = None,
) -> None:
    """Freeze the files of sql/ that changed since they were last frozen into a new revision."""
    numbers = [r.number for r in migrate.history()]
    number = f"{int(numbers[-1]) + 1 if numbers else 1:04}"
    folder = FROZEN / number
    changed = []
    for path in filter(is_versioned, manifest()):
        before, now = last_frozen(path), (SQL / path).read_text(encoding="utf-8")
        if before != now and (not only or path in only):
            changed.append((path, before, now))
    if not changed:
        raise typer.BadParameter("nothing in sql/ has changed since it was last frozen")

    runs = []
    for path, before, now in changed:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(now, encoding="utf-8")
        if before is None or path.startswith("functions/"):
            runs.append(path)
        else:
            with (folder / "alter.sql").open("a", encoding="utf-8") as alter:
                alter.write(f"{BY_HAND}{path}\n")
    if (folder / "alter.sql").is_file():
        runs.insert(0, "alter.sql")
    (folder / "downgrade.sql").write_text(
        f"-- Back from {number}: {message}\n" + "".join(undo(*change) for change in reversed(changed)),
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
    """Lock the hashes of every frozen file: what is released never changes."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(FROZEN).as_posix()}\n"
        for path in sorted(FROZEN.rglob("*"))
        if path.is_file() and path != LOCK
    ]
    LOCK.write_text("".join(lines), encoding="utf-8")


def broken_locks() -> list[str]:
    """Locked files that are missing or not what they were."""
    broken = []
    for line in LOCK.read_text(encoding="utf-8").splitlines():
        digest, _, path = line.partition("  ")
        file = FROZEN / path
        if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != digest:
            broken.append(path)
    return broken


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
