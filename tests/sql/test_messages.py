"""What the server says while a function runs is the caller's to read: it must not speak of inner queries."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from tests.conftest import Installed

STATEMENTS = [
    "SELECT * FROM docgraph.whoami('TENANT', '{}')",
    "SELECT * FROM docgraph.search_nodes('TENANT', '{}', '{1,0,0,0}')",
    "SELECT * FROM docgraph.search_nodes('TENANT', '{}', '{1,0,0,0}', method => 'approximate')",
    "SELECT docgraph.plan_retrieval('TENANT', '{}', '{1,0,0,0}', seeds => '{a}')",
    "SELECT docgraph.explain_plan(docgraph.plan_retrieval('TENANT', '{}', seeds => '{}'))",
    "SELECT docgraph.retrieve('TENANT', '{}', '{1,0,0,0}', seeds => '{a}')",
    "SELECT * FROM docgraph.retrieve_many('TENANT', '{}', '{{1,0,0,0}}', search_in => 'chunks')",
    *(
        f"SELECT * FROM docgraph.{function}('TENANT', '{{}}',"
        f" docgraph.plan_retrieval('TENANT', '{{}}', seeds => '{{a}}'), '{{1,0,0,0}}'{more})"
        for function, more in (
            ("execute_plan", ""),
            ("assemble_context", ", budget_tokens => 9"),
            ("retrieve_by_plan", ""),
        )
    ),
    "SELECT * FROM docgraph.verify_plan(docgraph.plan_retrieval('TENANT', '{}', seeds => '{}'))",
]


def test_plans_of_inner_queries_do_not_reach_the_caller(database: Installed) -> None:
    """Their row estimates would tell a tenant that exists from one that does not."""
    database.reader("curious")
    said: list[str] = []
    with database.connect("curious") as connection:
        connection.add_notice_handler(lambda notice: said.append(notice.message_primary or ""))
        connection.execute("SET client_min_messages = log")
        connection.execute("SET debug_print_plan = on")
        for statement in STATEMENTS:
            for tenant in ("default", "elsewhere"):
                with suppress(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement.replace("TENANT", tenant).encode()).fetchall()
    # Of the statements of the caller's own, and nothing else.
    assert said == ["plan:"] * 2 * len(STATEMENTS)
