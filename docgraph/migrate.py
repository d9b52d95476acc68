"""Versions of the database: thin functions over Alembic, and what the revisions themselves call.

A revision runs frozen texts from `migrations/frozen/` byte for byte, online and offline.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import alembic.command
import psycopg
import sqlalchemy.exc
from alembic import context, op
from alembic.config import Config
from alembic.script import ScriptDirectory

from docgraph.calls import IS_COUNTERFEIT, refuse_counterfeit
from docgraph.engine import migration_engine
from docgraph.errors import AccessDenied, IncompatibleVersion, InvalidArgument, translate
from docgraph.resources import MIGRATIONS
from docgraph.sqlfiles import frozen

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from docgraph.engine import Source

VERSION_TABLE = "alembic_version"
SCHEMA = "docgraph"

ONLY_OUR_OWN_NAMES = "SET LOCAL search_path = pg_catalog"
"""First in every transaction: an installer may be a superuser, and others may have filled public."""

# From the catalogue: a name look-up would need a right on the schema. What does not belong to docgraph_owner
# was put there by somebody else, and is neither read nor called.
_WHAT_IS_THERE = """
SELECT
    EXISTS (
        SELECT FROM pg_class c
        WHERE c.relnamespace = n.oid AND c.relname = 'alembic_version'
            AND c.relkind = 'r' AND c.relowner = o.oid
    ),
    EXISTS (
        SELECT FROM pg_proc p
        WHERE p.pronamespace = n.oid AND p.proname = 'revision' AND p.pronargs = 0 AND p.proowner = o.oid
            AND has_schema_privilege(n.oid, 'USAGE') AND has_function_privilege(p.oid, 'EXECUTE')
    )
FROM pg_namespace n
LEFT JOIN pg_roles o ON o.rolname = 'docgraph_owner'
WHERE n.nspname = 'docgraph'
"""

_CHECK_OF_A_SCRIPT = """
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM docgraph.alembic_version v WHERE v.version_num = '{revision}') THEN
        RAISE EXCEPTION 'this script continues from revision {revision}, which this database is not at'
            USING ERRCODE = 'KG002', HINT = 'SELECT docgraph.revision() says where it is.';
    END IF;
END
$$;
"""

# Frozen texts contain % and :name; neither SQLAlchemy nor the driver may read anything into them.
_AS_IT_IS = {"no_parameters": True}


@dataclass(frozen=True, slots=True)
class Revision:
    """One version of the database."""

    number: str
    title: str
    current: bool


# ------------------------------------------------------------------ for env.py and the revisions


def execute_text(text: str) -> None:
    """Runs a text of several statements as it is, or prints it in offline mode."""
    if context.is_offline_mode():
        context.get_context().impl.static_output(text)
    else:
        execute_on(op.get_bind(), text)


def execute_on(connection: Connection, text: str) -> None:
    """Runs a text of several statements as it is."""
    connection.exec_driver_sql(text, execution_options=_AS_IT_IS)


def install_frozen(revision: str) -> None:
    """Runs the frozen files of a revision, in the order that its manifest names."""
    if (position := _position(revision)) > 1:
        _require_at(history()[position - 2].number)
    for path in frozen(revision, "manifest.txt").split():
        execute_text(frozen(revision, path))


def undo_frozen(revision: str) -> None:
    """Takes a revision back."""
    _require_at(revision)
    execute_text(frozen(revision, "downgrade.sql"))


def _require_at(revision: str) -> None:
    """A script does not know what it is run on: it looks. Online, Alembic has looked."""
    if context.is_offline_mode():
        execute_text(_CHECK_OF_A_SCRIPT.replace("{revision}", revision))


# ------------------------------------------------------------------ for the command line


Moved = tuple[str | None, str | None]
"""Revisions before and after; None is a database without docgraph."""


def upgrade(source: Source = None, revision: str = "head", *, home: Path | None = None) -> Moved:
    """Brings the database to a revision, by default to that of this release.

    One at a time in a process: Alembic keeps its context in module globals.
    """
    target = _position(revision)
    with _connected(source, home) as connection:
        before = _revision_of(connection)
        if target < _position(before or "base"):
            raise InvalidArgument(
                f"the database is at revision {before}, which is later than {revision}",
                hint=f"To go back, losing what later revisions store: docgraph db downgrade {revision}",
            )
        if target > _position(before or "base"):
            alembic.command.upgrade(alembic_config(connection=connection), revision)
        return before, _revision_of(connection)


def downgrade(source: Source, revision: str, *, home: Path | None = None) -> Moved:
    """Takes the database back to exactly the revision named; `base` is none, and all documents are gone."""
    target = _position(revision)
    with _connected(source, home) as connection:
        before = _revision_of(connection)
        if target > _position(before or "base"):
            raise InvalidArgument(
                f"the database is at {before or 'base'}, which is earlier than {revision}",
                hint=f"To go on: docgraph db upgrade {revision}",
            )
        if target < _position(before or "base"):
            alembic.command.downgrade(alembic_config(connection=connection), revision)
        return before, _revision_of(connection)


def current(source: Source = None, *, home: Path | None = None) -> str | None:
    """The revision of the database; None if docgraph is not installed in it."""
    with _connected(source, home) as connection:
        return _revision_of(connection)


def history(current_revision: str | None = None) -> list[Revision]:
    """All revisions, oldest first."""
    scripts = ScriptDirectory.from_config(alembic_config())
    return [
        Revision(script.revision, script.doc, script.revision == current_revision)
        for script in reversed(list(scripts.walk_revisions()))
    ]


def head() -> str:
    """The revision of this release."""
    return history()[-1].number


def offline_sql(start: str = "base", end: str = "head") -> str:
    """The script that takes a database from one revision to another, for review and for psql."""
    output = io.StringIO()
    config = alembic_config(output)
    if _position(end) == _position(start):
        return f"-- Nothing to do: from {start} to {end} is no step.\n"
    with _errors():
        if _position(end) < _position(start):
            alembic.command.downgrade(config, f"{start}:{end}", sql=True)
        else:
            alembic.command.upgrade(config, end if start == "base" else f"{start}:{end}", sql=True)
    return output.getvalue()


def _position(revision: str) -> int:
    numbers = ["base", *(r.number for r in history())]
    name = numbers[-1] if revision == "head" else revision
    if name not in numbers:
        raise InvalidArgument(
            f"there is no revision {revision}", hint=f"There are: {', '.join(numbers)}, head."
        )
    return numbers.index(name)


def alembic_config(output: io.StringIO | None = None, connection: Connection | None = None) -> Config:
    config = Config(output_buffer=output) if output else Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    # Without it Alembic splits the location at blanks and colons.
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _revision_of(connection: Connection) -> str | None:
    """Readers are told by a function. A revision that has none yet is asked for as the owner."""
    with connection.begin():
        connection.exec_driver_sql(ONLY_OUR_OWN_NAMES)
        refuse_counterfeit(connection.exec_driver_sql(IS_COUNTERFEIT).scalar_one())
        table, function = connection.exec_driver_sql(_WHAT_IS_THERE).one_or_none() or (False, False)
        if not table:
            return None
        if function:
            found = connection.exec_driver_sql("SELECT docgraph.revision()").scalar()
        else:
            connection.exec_driver_sql("SET LOCAL ROLE docgraph_owner")
            found = connection.exec_driver_sql("SELECT version_num FROM docgraph.alembic_version").scalar()
    if found is not None and found not in [revision.number for revision in history()]:
        raise IncompatibleVersion(
            f"the database is at revision {found}, which this release does not know",
            hint="Upgrade the package: pip install --upgrade docgraph",
        )
    return None if found is None else str(found)


def in_read_committed(connection: Connection) -> Connection:
    """An upgrade is one transaction that sees what is there, whatever the engine was made for."""
    return connection.execution_options(isolation_level="READ COMMITTED")


@contextmanager
def _connected(source: Source, home: Path | None) -> Iterator[Connection]:
    with _errors(), migration_engine(source, home=home) as (engine, _), engine.connect() as connection:
        yield in_read_committed(connection)


@contextmanager
def _errors() -> Iterator[None]:
    """Every error as one of ours."""
    try:
        yield
    except sqlalchemy.exc.DBAPIError as error:
        if isinstance(error.orig, psycopg.errors.InsufficientPrivilege) and not error.orig.diag.message_hint:
            raise AccessDenied(
                error.orig.diag.message_primary or str(error.orig),
                hint="Ask the login that installed docgraph, or a superuser; docgraph_reader may look.",
            ) from error
        if isinstance(error.orig, psycopg.Error):
            raise translate(error.orig) from error
        raise
