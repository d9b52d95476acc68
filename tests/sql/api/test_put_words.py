"""What the lexical index takes in with a document, and what is too much for it."""

from __future__ import annotations

import json
from typing import Any

import psycopg
import pytest

from docgraph import calls
from tests.sql.api.test_put_documents_refused import PATHOLOGICAL
from tests.sql.asking import Connection, ask, refusal
from tests.sql.writing import nothing_written_but_turns, put, row_versions

MANY = " ".join(f"w{n}" for n in range(16_001))
MOST = " ".join(f"w{n}" for n in range(16_000))


def refused_words(connection: Connection, *documents: dict[str, Any]) -> str:
    with nothing_written_but_turns(connection):
        error = refusal(connection, calls.PUT_DOCUMENTS, documents=json.dumps(documents))
    assert error.diag.sqlstate == "22023"
    assert error.diag.message_hint
    assert error.diag.message_detail is None
    return str(error.diag.message_primary)


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"chunks": [{"text": "fine"}, {"text": MANY}]}, "chunks[1].text"),
        ({"summary": MANY}, "summary"),
        ({"title": "w16000 w16001", "summary": MOST}, "summary"),
    ],
)
def test_too_many_different_words(undone: Connection, document: dict[str, Any], place: str) -> None:
    expected = f"documents[1].{place} has more different words than the lexical index can hold, 16000"
    assert refused_words(undone, {"id": "fine"}, {"id": "a", **document}) == expected


def test_as_many_as_fit(undone: Connection) -> None:
    put(undone, {"id": "a", "summary": MOST, "chunks": [{"text": MOST}]})
    row = undone.execute("SELECT count(*), max(length(lexemes)) FROM docgraph.lexical_index").fetchone()
    assert row == (2, 16_000)


@pytest.mark.parametrize("name", PATHOLOGICAL)
def test_the_longest_texts_as_code(undone: Connection, name: str) -> None:
    """Taken apart they are longer: whatever does not fit is refused by us, and the others are stored."""
    undone.execute("UPDATE docgraph.embedding_space SET text_search = 'code'")
    text = PATHOLOGICAL[name].encode()[:262_144].decode(errors="ignore")
    said = None
    try:
        with undone.transaction():
            put(undone, {"id": "a", "chunks": [{"text": text}]})
    except psycopg.errors.InvalidParameterValue as error:
        said = str(error)
    assert said is None or said.startswith("documents[0].chunks[0].text has more different words")


def test_the_same_again_touches_nothing(undone: Connection) -> None:
    document = {"id": "a", "title": "Leave", "chunks": [{"text": "days"}, {"text": "pay"}]}
    put(undone, document)
    before = row_versions(undone)
    assert put(undone, document)["unchanged"] == ["a"]
    assert row_versions(undone) == before


def test_only_what_has_changed_is_written_anew(undone: Connection) -> None:
    put(undone, {"id": "a", "title": "Leave", "chunks": [{"text": "days"}, {"text": "pay"}]})
    query = "SELECT ordinal, ctid::text FROM docgraph.lexical_index ORDER BY 1"
    before = dict(undone.execute(query).fetchall())
    put(
        undone,
        {"id": "a", "title": "Leave", "chunks": [{"text": "days"}, {"text": "money"}, {"text": "more"}]},
    )
    after = dict(undone.execute(query).fetchall())
    assert [n for n in after if after[n] == before.get(n)] == [-1, 0]


def test_a_new_title_alone(undone: Connection) -> None:
    """Also one of other signs, whose words are the same."""
    put(undone, {"id": "a", "title": "Leave days"})
    put(undone, {"id": "a", "title": "LEAVE-days"})
    rows = undone.execute("SELECT title FROM docgraph.lexical_index").fetchall()
    assert rows == [("leave days",)]


def test_documents_without_any_words(undone: Connection) -> None:
    put(undone, {"id": "a"}, {"id": "b", "title": "???", "chunks": [{"text": "..."}]})
    rows = undone.execute(
        "SELECT document_id, ordinal, lexemes::text, title FROM docgraph.lexical_index ORDER BY 1, 2"
    )
    assert rows.fetchall() == [("a", -1, "", None), ("b", -1, "", None), ("b", 0, "", None)]
    assert undone.execute("SELECT sum(entries) FROM docgraph.lexical_counts").fetchone() == (3,)


def test_a_tenant_has_words_of_its_own(undone: Connection) -> None:
    limits = dict.fromkeys(("repositories", "snapshots", "tags", "labels", "clearance"))
    ask(undone, calls.GRANT_ACCESS, tenant="elsewhere", login=undone.info.user, **limits)
    put(undone, {"id": "a", "title": "word"})
    put(undone, {"id": "a", "title": "word"}, tenant="elsewhere")
    rows = undone.execute("SELECT tenant_id, count(*) FROM docgraph.lexical_terms GROUP BY 1 ORDER BY 1")
    assert rows.fetchall() == [("default", 1), ("elsewhere", 1)]
