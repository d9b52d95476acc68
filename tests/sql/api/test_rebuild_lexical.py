"""rebuild_lexical: the index of words with other constants, and what it takes in."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import calls
from docgraph.access import LexicalIndex
from tests.conftest import SPACE, Installed
from tests.documents import put_document
from tests.sql.asking import Connection, ask, nothing_written, refusal
from tests.sql.writing import put

KEEP: dict[str, Any] = dict.fromkeys(("average_length", "text_search", "k1", "b"))
"""As it is recorded."""
INDEX = """
SELECT document_id, ordinal, lexemes::text, title, access_class FROM docgraph.lexical_index ORDER BY 1, 2
"""
COUNTS = """
SELECT c.in_chunks, c.access_class, coalesce(t.term, ''), c.entries
FROM docgraph.lexical_counts c LEFT JOIN docgraph.lexical_terms t USING (tenant_id, term_number)
ORDER BY 1, 2, 3
"""
WIDE = {"tags": ["hr"]}


def rebuild(connection: Connection, **changes: Any) -> LexicalIndex:
    found = ask(connection, calls.REBUILD_LEXICAL, **KEEP | changes)
    assert isinstance(found, LexicalIndex)
    return found


def space(connection: Connection) -> tuple[Any, ...] | None:
    return connection.execute(
        "SELECT average_length, text_search, k1, b FROM docgraph.embedding_space"
    ).fetchone()


def best(connection: Connection, question: str) -> list[float]:
    row = connection.execute(
        "SELECT scores FROM docgraph.best_by_words('default', docgraph.visible_classes('default', '{}'),"
        " %s, 'chunks', 10, '{}')",
        (question,),
    ).fetchone()
    assert row is not None
    found: list[float] = row[0]
    return found


@pytest.fixture
def pages(undone: Connection) -> Connection:
    put(
        undone,
        {"id": "a", "title": "Leave", "chunks": [{"text": "The days of leave."}, {"text": "Pay, pay, pay."}]},
        {"id": "b", "summary": "Paying", "tags": ["hr"], "chunks": [{"text": "Salaries"}]},
        access=WIDE,
    )
    return undone


def test_it_gives_what_writing_gave(pages: Connection) -> None:
    before = pages.execute(INDEX).fetchall(), pages.execute(COUNTS).fetchall()
    made = rebuild(pages)
    assert made.entries == 5
    assert made.mean_length == pytest.approx((2 + 3 + 1) / 3)
    assert (pages.execute(INDEX).fetchall(), pages.execute(COUNTS).fetchall()) == before
    assert space(pages) == (100, "english", 1.2, 0.75)


def test_other_constants(pages: Connection) -> None:
    (before,) = best(pages, "leave")
    rebuild(pages, average_length=2.0)
    assert space(pages) == (2, "english", 1.2, 0.75)
    (shorter,) = best(pages, "leave")
    assert shorter == pytest.approx(before * (1 + 1.2 * (0.25 + 0.75 * 2 / 100)) / 2.2, abs=2e-6)
    rebuild(pages, b=0.0, k1=2.0)
    assert space(pages) == (2, "english", 2, 0)
    assert best(pages, "leave") == [pytest.approx(shorter * 2.2 / 3, abs=2e-6)]


def test_another_configuration(pages: Connection) -> None:
    assert best(pages, "the") == []
    rebuild(pages, text_search="simple")
    assert len(best(pages, "the")) == 1
    assert best(pages, "paying") == []
    put(pages, {"id": "c", "chunks": [{"text": "def getUserName(): return os.path"}]})
    rebuild(pages, text_search="code")
    assert space(pages) == (100, "code", 1.2, 0.75)
    for question in ("getUserName", "getusername", "user", "path", "os.path", '"user name"'):
        assert len(best(pages, question)) == 1, question


@pytest.mark.parametrize("quoted", ["on", "off"])
@pytest.mark.parametrize("name", ["public.words", 'public."Own words"'])
def test_a_configuration_of_another_schema(pages: Connection, name: str, quoted: str) -> None:
    """By its name, however the session has names written."""
    pages.execute(f"CREATE TEXT SEARCH CONFIGURATION {name} (COPY = simple)".encode())
    pages.execute(f"SET LOCAL quote_all_identifiers = {quoted}".encode())
    rebuild(pages, text_search=name)
    assert space(pages) == (100, name, 1.2, 0.75)
    assert len(best(pages, "the")) == 1
    error = refusal(pages, calls.REBUILD_LEXICAL, **KEEP | {"text_search": "words"})
    assert error.diag.sqlstate == "22023"


def test_a_configuration_out_of_reach_is_refused(pages: Connection) -> None:
    """At once, and not by each write and each question afterwards."""
    pages.execute("CREATE SCHEMA private")
    pages.execute("CREATE TEXT SEARCH CONFIGURATION private.words (COPY = simple)")
    error = refusal(pages, calls.REBUILD_LEXICAL, **KEEP | {"text_search": "private.words"})
    assert (error.diag.sqlstate, "GRANT USAGE ON SCHEMA" in str(error.diag.message_hint)) == ("22023", True)
    pages.execute("GRANT USAGE ON SCHEMA private TO docgraph_owner")
    rebuild(pages, text_search="private.words")


def test_what_was_stored_without_entries_gets_them(undone: Connection) -> None:
    """As documents of before the upgrade are, in tenants in which nobody here has a ceiling, too."""
    put_document(undone, "old")
    put_document(undone, "other", "a tenant the caller cannot see")
    undone.execute("UPDATE docgraph.vector_chunks SET text = 'ancient words'")
    assert best(undone, "ancient") == []
    assert rebuild(undone).entries == 4
    assert len(best(undone, "ancient")) == 1
    rows = undone.execute("SELECT DISTINCT tenant_id FROM docgraph.lexical_index").fetchall()
    assert len(rows) == 2


def test_of_nothing(undone: Connection) -> None:
    undone.execute("DELETE FROM docgraph.document_nodes")
    assert rebuild(undone) == LexicalIndex(0, None)


def test_terms_that_nobody_has_any_more_are_gone(pages: Connection) -> None:
    put(pages, {"id": "a", "chunks": [{"text": "novel"}]})
    rebuild(pages)
    terms = pages.execute("SELECT term, term_number FROM docgraph.lexical_terms ORDER BY 1").fetchall()
    assert [term for term, _ in terms] == ["novel", "pay", "salari"]
    assert sorted(number for _, number in terms) == [1, 2, 3]


def test_row_security_is_back_afterwards(pages: Connection) -> None:
    rebuild(pages)
    rows = pages.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'docgraph'::regnamespace AND relkind = 'r'"
        " AND relrowsecurity AND NOT relforcerowsecurity"
    ).fetchall()
    assert rows == []


def test_before_an_embedding_space_is_configured(undone: Connection) -> None:
    undone.execute("DELETE FROM docgraph.embedding_space")
    assert refusal(undone, calls.REBUILD_LEXICAL).diag.sqlstate == "KG003"


def test_a_text_that_has_too_many_words_is_named(pages: Connection) -> None:
    """For an administrator, by its id: there is no call with places."""
    pages.execute(
        "UPDATE docgraph.vector_chunks"
        " SET text = (SELECT string_agg(n::text, ' ') FROM generate_series(1, 16001) n)"
        " WHERE document_id = 'a' AND ordinal = 1"
    )
    with nothing_written(pages):
        error = refusal(pages, calls.REBUILD_LEXICAL, **KEEP)
    assert error.diag.sqlstate == "22023"
    assert error.diag.message_primary == (
        'tenant "default", document "a".chunks[1].text has more different words than the lexical index'
        " can hold, 16000"
    )


def test_not_in_a_stricter_transaction(database: Installed) -> None:
    with database.connect() as connection:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        assert refusal(connection, calls.REBUILD_LEXICAL).diag.sqlstate == "25001"


def test_a_model_can_still_be_chosen_while_only_words_are_stored(undone: Connection) -> None:
    """Words do not depend on it; their configuration and length do."""
    put(undone, {"id": "a", "chunks": [{"text": "no vector"}]})
    same = {name: getattr(SPACE, name) for name in ("text_search", "average_length")}
    assert ask(undone, calls.CONFIGURE_EMBEDDING_SPACE, model="its-rival", **same) is True
    error = refusal(undone, calls.CONFIGURE_EMBEDDING_SPACE, model="its-rival", text_search="simple")
    assert error.diag.sqlstate == "KG001"
