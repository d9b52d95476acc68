"""Short queries on the catalogue, and the files of sql/ beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import psycopg

from docgraph.resources import SQL
from docgraph.sqlfiles import manifest

Connection = psycopg.Connection[Any]

CONTROL_TABLES = {
    "access_grants",
    "alembic_version",
    "embedding_space",
    "lexical_index",
    "next_embedding_space",
}
"""Tables without row security; each says in its own file why, and no role but the owner has a right on it."""

OF_THE_DATABASE = [
    f"docgraph.{name}" for name in ("alembic_version", "embedding_space", "next_embedding_space")
]
"""Tables that belong to no tenant."""

ROLES = ["docgraph_owner", "docgraph_reader", "docgraph_writer", "docgraph_admin"]


def column(connection: Connection, query: str, *arguments: Any) -> list[Any]:
    """The first column of an answer."""
    return [row[0] for row in connection.execute(query.encode(), arguments or None)]


def tenant_tables(connection: Connection) -> list[str]:
    return column(
        connection,
        "SELECT relname FROM pg_class WHERE relnamespace = 'docgraph'::regnamespace AND relkind = 'r'"
        " AND relname <> ALL (%s) ORDER BY 1",
        sorted(CONTROL_TABLES),
    )


@dataclass(frozen=True)
class FunctionFile:
    """A file of sql/functions: its folder, its name, and what it says."""

    path: str
    text: str

    @property
    def layer(self) -> str:
        """api, core or leaf."""
        return self.path.split("/")[1]

    @property
    def name(self) -> str:
        return self.path.split("/")[2].removesuffix(".sql")

    @property
    def header(self) -> str:
        """The comment that the file begins with."""
        lines = self.text.split("\nCREATE ")[0].splitlines()
        return "\n".join(line.removeprefix("--").strip() for line in lines if line.startswith("--"))

    @property
    def example(self) -> str:
        """The call that the header shows; it may go over several lines, and ends with a semicolon."""
        found = re.search(r"^Example:\s+(.+?;)$", self.header, re.MULTILINE | re.DOTALL)
        return found[1] if found else ""


FUNCTION_FILES = [
    FunctionFile(path, (SQL / path).read_text(encoding="utf-8"))
    for path in manifest()
    if path.startswith("functions/")
]


def file_id(file: FunctionFile) -> str:
    return file.path.removeprefix("functions/").removesuffix(".sql")
