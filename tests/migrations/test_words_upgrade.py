"""What is stored of words follows what revisions make of it, there and back, in every tenant."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.types.json import Jsonb

from docgraph import migrate
from tests.sql.asking import Connection

BEFORE = "0005"
_CONFIGURE = """
SELECT docgraph.configure_embedding_space('m', 4, 'cosine', 'english', 100);
SELECT docgraph.grant_access(t, session_user::text, NULL, NULL, NULL, NULL, NULL)
FROM unnest(ARRAY['default', 'elsewhere']) AS t
"""
_PUT = """
SELECT docgraph.put_documents(
    %s, '{}', '[{"id": "a", "title": "Leave", "chunks": [{"text": "ninety days"}]}]')
"""
_SEARCH = """
SELECT document_id, chunk FROM docgraph.search_nodes(
    %s, '{}', query_text => 'ninety', mode => 'bm25', search_in => 'chunks')
"""
_ENTRIES = """
SELECT (SELECT count(*) FROM docgraph.lexical_index), (SELECT count(*) FROM docgraph.lexical_terms)
"""


@pytest.fixture
def old(empty: str) -> str:
    migrate.upgrade(empty, BEFORE)
    with psycopg.connect(empty) as connection:
        connection.execute(_CONFIGURE.encode())
        for tenant in ("default", "elsewhere"):
            connection.execute(_PUT.encode(), (tenant,))
    return empty


def found(connection: Connection, tenant: str) -> list[tuple[str, int]]:
    return connection.execute(_SEARCH.encode(), (tenant,)).fetchall()


def test_what_is_stored_is_found_by_its_words(old: str) -> None:
    """Also in a tenant in which nobody has a ceiling at that moment."""
    with psycopg.connect(old) as connection:
        connection.execute("SELECT docgraph.revoke_access('elsewhere', session_user::text)")
    migrate.upgrade(old)
    with psycopg.connect(old) as connection:
        connection.execute(_CONFIGURE.split(";")[1].encode())
        for tenant in ("default", "elsewhere"):
            assert found(connection, tenant) == [("a", 0)]
        assert connection.execute(_ENTRIES.encode()).fetchone() == (4, 6)


def test_there_and_back_and_there_again(old: str) -> None:
    migrate.upgrade(old)
    migrate.downgrade(old, BEFORE)
    with psycopg.connect(old) as connection:
        assert connection.execute(_ENTRIES.encode()).fetchone() == (0, 0)
        connection.execute("SELECT docgraph.delete_documents('default', '{}', '{a}')")
    migrate.upgrade(old)
    with psycopg.connect(old) as connection:
        assert found(connection, "default") == []
        assert found(connection, "elsewhere") == [("a", 0)]


def test_what_stands_in_parentheses_is_set_apart_and_joined_again(old: str) -> None:
    """Also in a tenant in which nobody has a ceiling at that moment."""
    migrate.upgrade(old, "0006")
    with psycopg.connect(old) as connection:
        for tenant in ("default", "elsewhere"):
            connection.execute(
                "SELECT docgraph.put_documents(%s, '{}', %s)",
                (tenant, '[{"id": "m", "title": "Mercury (planet)"}, {"id": "x", "title": "(x) of y"}]'),
            )
        connection.execute("SELECT docgraph.revoke_access('elsewhere', session_user::text)")
    titles = "SELECT title FROM docgraph.lexical_index WHERE title IS NOT NULL ORDER BY tenant_id, title"

    def stored() -> list[str]:
        with psycopg.connect(old) as connection:
            return [title for (title,) in connection.execute(titles)]

    before = stored()
    assert before == ["leave", "mercury planet", "x of y"] * 2
    migrate.upgrade(old)
    assert stored() == ["leave", "mercury (planet)", "x of y"] * 2
    migrate.downgrade(old, "0006")
    assert stored() == before


def test_numbers_go_on_where_they_were(old: str) -> None:
    """From a sequence up to 0007, one after the last of the tenant from then on."""

    def stored(table: str, column: str) -> list[list[int]]:
        query = (
            f"SELECT array_agg({column} ORDER BY {column}) FROM docgraph.{table}"
            " GROUP BY tenant_id ORDER BY tenant_id"
        )
        with psycopg.connect(old) as connection:
            return [numbers for (numbers,) in connection.execute(query.encode())]

    def put(word: str) -> None:
        with psycopg.connect(old) as connection:
            for tenant in ("default", "elsewhere"):
                connection.execute(
                    "SELECT docgraph.put_documents(%s, %s, %s)",
                    (tenant, Jsonb({"tags": [word]}), Jsonb([{"id": word, "title": word, "tags": [word]}])),
                )

    migrate.upgrade(old)
    put("maternity")
    migrate.downgrade(old, "0007")
    put("paternity")
    before = stored("lexical_terms", "term_number") + stored("access_classes", "access_class")
    migrate.upgrade(old)
    put("pension")
    after = stored("lexical_terms", "term_number") + stored("access_classes", "access_class")
    assert after == [[*numbers, numbers[-1] + 1] for numbers in before]
    with psycopg.connect(old) as connection:
        connection.execute("SELECT docgraph.rebuild_lexical()")
    assert stored("lexical_terms", "term_number") == [[1, 2, 3, 4, 5, 6]] * 2


def test_a_database_without_an_embedding_space(empty: str) -> None:
    migrate.upgrade(empty, BEFORE)
    migrate.upgrade(empty)
    assert migrate.current(empty) == migrate.head()
