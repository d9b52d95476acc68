"""The data folder: made by initdb, and kept to the major version that made it."""

from __future__ import annotations

import re
import secrets
import shutil
from typing import TYPE_CHECKING

from docgraph.embedded.hints import ANOTHER_FOLDER, last_lines
from docgraph.errors import EmbeddedServerError

if TYPE_CHECKING:
    from pathlib import Path

    from docgraph.embedded.accounts import Account


def major_version_of(pgdata: Path) -> str | None:
    """The PostgreSQL that made the folder; None if none did."""
    file = pgdata / "PG_VERSION"
    return file.read_text().strip() if file.is_file() else None


def require_data(pgdata: Path, bin_dir: Path, account: Account, *, sync: bool) -> None:
    """See that there is a data folder which these programs can use."""
    said = account.run(bin_dir / "postgres", "--version").stdout
    major = re.split(r"\D", said.split()[2])[0]
    for leftover in pgdata.parent.glob(".initdb-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    found = major_version_of(pgdata)
    if found is None:
        _make(pgdata, bin_dir, account, int(major), sync=sync)
    elif found != major:
        raise EmbeddedServerError(
            f"The data in {pgdata} is of PostgreSQL {found}, the installed server is {major}.",
            hint="Give another folder in DOCGRAPH_HOME. To keep the data, dump it with pg_dump and a "
            f"PostgreSQL {found} server, move the folder away, and restore into the new server.",
        )


def _make(pgdata: Path, bin_dir: Path, account: Account, major: int, *, sync: bool) -> None:
    if pgdata.exists() and any(pgdata.iterdir()):
        raise EmbeddedServerError(
            f"{pgdata} is not a PostgreSQL data folder.",
            hint="Give another folder in DOCGRAPH_HOME.",
        )
    # Made elsewhere and renamed, so that it is whole or not there at all.
    made = pgdata.parent / f".initdb-{secrets.token_hex(4)}"
    options = ["--auth=trust", "--username=postgres", "--encoding=UTF8", *([] if sync else ["--no-sync"])]
    # Sorting by code point: the same on every machine, and not subject to libc updates.
    builtin = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    # What a letter is, the parser of texts is told by LC_CTYPE; not every system has this one.
    letters = [[*builtin, "--lc-ctype=C.UTF-8"], builtin]
    for locale in letters if major >= 17 else [["--locale=C.UTF-8"], ["--locale=C"]]:
        done = account.run(bin_dir / "initdb", "-D", made, *options, *locale)
        if done.returncode == 0:
            made.rename(pgdata)
            return
    shutil.rmtree(made, ignore_errors=True)
    raise EmbeddedServerError(
        f"The data folder {pgdata} could not be made: {last_lines(done.stdout + done.stderr)}",
        hint=ANOTHER_FOLDER,
    )
