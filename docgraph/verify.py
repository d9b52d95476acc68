"""Comparing a live database with what this release should be.

What should be is a text per PostgreSQL major, written from a fresh install by `migrations/freeze.py`. What is
comes from one read-only query, `sql/catalogue.sql`. Vector columns and their indexes follow from the recorded
embedding space, so the text has placeholders for them.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.rows import tuple_row

from docgraph import calls
from docgraph.access import EmbeddingSpace
from docgraph.calls import fetch
from docgraph.errors import NotInstalled, ServerUnsupported
from docgraph.resources import MIGRATIONS, SQL

if TYPE_CHECKING:
    from docgraph.engine import Database

Catalogue = dict[str, str]

_HEADING = "== "
_DIMENSIONS = "{dimensions}"
_METRIC = "{metric}"
# How the query is read and how definitions are printed.
_SETTINGS = {
    "client_encoding": "UTF8",
    "search_path": "pg_catalog",
    "quote_all_identifiers": "off",
    "standard_conforming_strings": "on",
}
_TRUSTED = ("schema docgraph", "role docgraph_owner")
_CHUNKS = "table docgraph.vector_chunks"
_CHUNKS_INDEX = "index docgraph.vector_chunks_embedding_idx"


@dataclass(frozen=True, slots=True)
class Difference:
    """One object that is not as it should be."""

    object: str
    kind: str
    diff: str


def read_catalogue(connection: psycopg.Connection[Any]) -> Catalogue:
    """What is there, by object. Sets what its text depends on until the end of the transaction."""
    with psycopg.Cursor(connection, row_factory=tuple_row) as cursor:
        for name, value in _SETTINGS.items():
            cursor.execute("SELECT pg_catalog.set_config(%s, %s, true)", (name, value))
        cursor.execute((SQL / "catalogue.sql").read_bytes())
        return dict(cursor.fetchall())


def dump(catalogue: Catalogue, space: EmbeddingSpace) -> str:
    """A catalogue as text, with placeholders for what follows from the embedding space."""
    text = "\n".join(f"{_HEADING}{name}\n{body}\n" for name, body in catalogue.items())
    return text.replace(f"halfvec({space.dimensions})", f"halfvec({_DIMENSIONS})").replace(
        f"halfvec_{space.metric}_ops", f"halfvec_{_METRIC}_ops"
    )


def expected_catalogue(major: int, space: EmbeddingSpace | None) -> Catalogue:
    """What should be there on this PostgreSQL major with this embedding space."""
    path = MIGRATIONS / "catalogue" / f"{major}.txt"
    if not path.is_file():
        known = sorted(int(p.stem) for p in path.parent.glob("*.txt"))
        raise ServerUnsupported(
            f"this release knows PostgreSQL {known[0]} to {known[-1]}, not {major}",
            hint="Upgrade the package: pip install --upgrade docgraph",
        )
    catalogue: Catalogue = {}
    for block in path.read_text(encoding="utf-8").removeprefix(_HEADING).split(f"\n\n{_HEADING}"):
        name, _, body = block.rstrip("\n").partition("\n")
        if space is None:
            if _METRIC in body:
                continue
            body = body.replace(f"({_DIMENSIONS})", "")
        else:
            body = body.replace(_DIMENSIONS, str(space.dimensions)).replace(_METRIC, space.metric)
        catalogue[name] = body
    return catalogue


def compare(expected: Catalogue, live: Catalogue) -> list[Difference]:
    """The objects that differ, by name."""
    found = []
    for name in sorted(expected.keys() | live.keys()):
        before, after = expected.get(name), live.get(name)
        if before == after:
            continue
        kind = "missing" if after is None else "unexpected" if before is None else "changed"
        lines = difflib.unified_diff(
            (before or "").splitlines(), (after or "").splitlines(), "release", "database", n=2, lineterm=""
        )
        found.append(Difference(name, kind, "\n".join(list(lines)[2:])))
    return found


def verify(database: Database) -> list[Difference]:
    """The differences between a live database and this release; an empty list is what one wants."""
    from docgraph import migrate  # noqa: PLC0415 - Alembic takes long to load

    # Rolled back, so that the settings made here do not stay in a transaction of the caller's.
    with database.connection() as connection, connection.transaction(force_rollback=True):
        connection.execute("SET TRANSACTION READ ONLY")
        live = read_catalogue(connection)
        if "schema docgraph" not in live:
            raise NotInstalled(
                "docgraph is not installed in this database",
                hint="Run `docgraph init`, or `docgraph db upgrade`.",
            )
        major = connection.info.server_version // 10000
        apparent = _apparent_space(live)
        differences = compare(expected_catalogue(major, apparent), live)
        # Called only if it is the release's own: whoever verifies may be a superuser.
        if _as_released(differences, "docgraph.embedding_space"):
            recorded = fetch(connection, calls.embedding_space())
            if (recorded and (recorded.dimensions, recorded.metric)) != (
                apparent and (apparent.dimensions, apparent.metric)
            ):
                differences = compare(expected_catalogue(major, recorded), live)
        if _as_released(differences, "docgraph.revision", "docgraph.alembic_version"):
            at, head = fetch(connection, calls.revision()), migrate.head()
            if at != head:
                differences.append(Difference("revision", "changed", f"-{head}\n+{at}"))
        return differences


def _as_released(differences: list[Difference], *names: str) -> bool:
    """Whether nothing differs that such a function, an overload of it, or what it rests on could be."""
    suspects = tuple(f"{kind} {name}" for kind in ("function", "table", "view") for name in names)
    return not any(
        difference.object in _TRUSTED or difference.object.startswith(suspects) for difference in differences
    )


def _apparent_space(live: Catalogue) -> EmbeddingSpace | None:
    """The embedding space that the vector column and its index look like."""
    column = re.search(r"^column embedding halfvec\((\d+)\)", live.get(_CHUNKS, ""), re.MULTILINE)
    index = re.search(r"halfvec_(\w+)_ops", live.get(_CHUNKS_INDEX, ""))
    return EmbeddingSpace("", int(column[1]), index[1], "", 0) if column and index else None
