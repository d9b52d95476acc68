"""Reading `sql/`: which files make up the database, in which order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from docgraph.resources import MIGRATIONS, SQL

_INCLUDE = re.compile(r"^\\ir (\S+\.sql)$", re.MULTILINE)


def manifest(root: Path = SQL) -> list[str]:
    """The files that `install.sql` includes, in its order."""
    return _INCLUDE.findall((root / "install.sql").read_text(encoding="utf-8"))


def is_versioned(path: str) -> bool:
    """Whether a file belongs to a revision; the others prepare the transaction of every run."""
    return not path.startswith("prepare/")


def preparation() -> Iterator[str]:
    """Texts that open every upgrade, in its transaction: server, extension, roles, schema, session."""
    for path in manifest():
        if path.startswith("prepare/"):
            yield (SQL / path).read_text(encoding="utf-8")


def frozen(revision: str, path: str) -> str:
    """The text of a file as revision `revision` installs it."""
    return (MIGRATIONS / "frozen" / revision / path).read_text(encoding="utf-8")
