"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database-url",
        metavar="URL",
        help="A PostgreSQL URL or libpq string. Default: DOCGRAPH_DATABASE_URL, else the embedded server.",
        show_default=False,
    ),
]
Home = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="FOLDER",
        help="Data folder of the embedded server. Default: DOCGRAPH_HOME, else the platform's place.",
        show_default=False,
    ),
]
Keep = Annotated[bool, typer.Option("--keep", help="Leave the embedded server running afterwards.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
