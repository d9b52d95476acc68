"""What a call does inside: the plans of the statements in the functions, and the rows that each index gave.

Whoever calls a function sees a Function Scan and nothing else. auto_explain shows the statements as the owner
of the functions runs them, row security included. The counters of the transaction say how much was read:
every server has them, while a build without the contrib modules has no auto_explain.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import psycopg
import pytest
from psycopg import sql

from tests.sql.asking import Connection

_AUTO_EXPLAIN = """
LOAD 'auto_explain';
SET auto_explain.log_min_duration = 0;
SET auto_explain.log_nested_statements = on;
SET auto_explain.log_analyze = on;
SET auto_explain.log_timing = off;
SET auto_explain.log_parameter_max_length = 0;
SET auto_explain.log_format = json;
SET auto_explain.log_level = warning;
"""
"""The level is that of a warning, because the functions let nothing less through."""

_READ = """
SELECT c.relname, pg_stat_get_xact_numscans(c.oid), pg_stat_get_xact_tuples_returned(c.oid)
FROM pg_class c
WHERE c.relnamespace = 'docgraph'::regnamespace AND c.relkind IN ('r', 'i')
"""


@dataclass(frozen=True)
class Node:
    """A node of a plan, and the kinds of those above it, nearest first."""

    fields: dict[str, Any]
    above: tuple[str, ...]

    @property
    def kind(self) -> str:
        return str(self.fields["Node Type"])

    @property
    def table(self) -> str:
        return str(self.fields.get("Relation Name", ""))

    @property
    def index(self) -> str:
        return str(self.fields.get("Index Name", ""))

    @property
    def condition(self) -> str:
        return str(self.fields.get("Index Cond", ""))

    @property
    def loops(self) -> int:
        return int(self.fields["Actual Loops"])

    @property
    def rows(self) -> int:
        """All that it gave, and all that it threw away."""
        each = float(self.fields["Actual Rows"]) + float(self.fields.get("Rows Removed by Filter", 0))
        return round(each * self.loops)


@dataclass(frozen=True)
class Statement:
    """A statement that was run, and its plan."""

    text: str
    plan: dict[str, Any]

    def nodes(self) -> list[Node]:
        """All but those below LIMIT 0, which is for the lock that it takes."""
        return [] if self.text.endswith("LIMIT 0") else list(_walk(self.plan, ()))

    def reads(self, table: str) -> list[Node]:
        return [node for node in self.nodes() if node.table == table]


def _walk(fields: dict[str, Any], above: tuple[str, ...]) -> Iterator[Node]:
    yield Node(fields, above)
    for child in fields.get("Plans", ()):
        yield from _walk(child, (fields["Node Type"], *above))


@contextmanager
def explained(superuser: Connection) -> Iterator[list[Statement]]:
    """The statements that are run inside, also those within functions, in the order in which they end."""
    try:
        superuser.execute(_AUTO_EXPLAIN)
    except psycopg.errors.UndefinedFile:
        pytest.skip("this build of PostgreSQL has no auto_explain")
    found: list[Statement] = []

    def keep(notice: psycopg.errors.Diagnostic) -> None:
        said, _, shown = (notice.message_primary or "").partition("plan:\n")
        if said.startswith("duration:"):
            seen = json.loads(shown)
            found.append(Statement(seen["Query Text"], seen["Plan"]))

    superuser.add_notice_handler(keep)
    try:
        yield found
    finally:
        superuser.remove_notice_handler(keep)
        superuser.execute("SET auto_explain.log_min_duration = -1")


class Read(NamedTuple):
    """How often a table or an index was gone through, and how many of its entries that gave."""

    scans: int
    rows: int


def read_by(superuser: Connection, statement: str, arguments: dict[str, Any]) -> dict[str, Read]:
    """What a statement read: of tables from one end to the other, of indexes what was asked for."""
    with superuser.transaction():
        before = {name: Read(*counts) for name, *counts in superuser.execute(_READ)}
        superuser.execute(statement.encode(), arguments)
        after = {name: Read(*counts) for name, *counts in superuser.execute(_READ)}
    found = {
        name: Read(r.scans - before[name].scans, r.rows - before[name].rows) for name, r in after.items()
    }
    return {name: read for name, read in found.items() if read.scans}


def buffers_of(superuser: Connection, statement: str, arguments: dict[str, Any]) -> int:
    """How many pages a statement touched, each as often as it did, once the session knows the catalogues."""
    superuser.execute(statement.encode(), arguments)
    explain = f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) {statement}"
    (((shown,),),) = superuser.execute(explain.encode(), arguments).fetchall()
    plan = shown["Plan"]
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


@contextmanager
def settings(connection: Connection, **values: str) -> Iterator[None]:
    """The session has these settings, and afterwards its own again."""
    for name, value in values.items():
        connection.execute(sql.SQL("SET {} = {}").format(sql.Identifier(name), sql.Literal(value)))
    yield
    for name in values:
        connection.execute(sql.SQL("RESET {}").format(sql.Identifier(name)))
