"""The planner is told that tables fill: of those that nobody holds, and nobody hears of the others."""

from __future__ import annotations

from psycopg.errors import Diagnostic

from tests.conftest import Installed
from tests.sql.asking import Connection
from tests.sql.writing import put


def known(superuser: Connection) -> set[str]:
    """The tables of which the planner knows how many rows they have."""
    rows = superuser.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'docgraph'::regnamespace AND reltuples > 0"
        " AND relname IN ('document_nodes', 'document_names')"
    )
    return {name for (name,) in rows}


def test_nobody_hears_of_a_table_that_was_left_out(database: Installed, superuser: Connection) -> None:
    said: list[Diagnostic] = []
    superuser.add_notice_handler(said.append)
    superuser.execute("SET client_min_messages = debug1")
    with database.connect() as holder, holder.transaction():
        # Who gathers statistics of it, too.
        holder.execute("LOCK TABLE docgraph.document_names IN SHARE UPDATE EXCLUSIVE MODE")
        put(superuser, *({"id": f"d{n}", "summary": "words" * 20, "names": [f"n{n}"]} for n in range(200)))
    assert known(superuser) == {"document_nodes"}
    assert [each.message_primary for each in said] == []
