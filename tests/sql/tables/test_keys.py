"""The keys keep the tables in step: a document's class, its chunks, both ends of its relationships."""

from __future__ import annotations

import pytest

from tests.documents import put_class, put_document, put_relationship
from tests.sql.asking import Connection, refused
from tests.sql.tables.rows import insertion, put_every_row

CARRIED = """
SELECT 'chunk', access_class FROM docgraph.vector_chunks WHERE document_id = %(document)s
UNION ALL SELECT 'lexical', access_class FROM docgraph.lexical_index WHERE document_id = %(document)s
UNION ALL
SELECT 'from', from_access_class FROM docgraph.document_relationships WHERE from_document = %(document)s
UNION ALL
SELECT 'to', to_access_class FROM docgraph.document_relationships WHERE to_document = %(document)s
"""


def put_three(connection: Connection) -> None:
    """a refers to b, b refers to c; b has a lexical entry and a reference that waits."""
    for document in ("a", "b", "c"):
        put_document(connection, document)
    put_relationship(connection, "a", "b")
    put_relationship(connection, "b", "c")
    connection.execute(
        """
        INSERT INTO docgraph.lexical_index
        (tenant_id, document_id, ordinal, access_class, lexemes, weights)
        SELECT tenant_id, document_id, -1, access_class, 'a', '{1:1}/10' FROM docgraph.document_nodes
        WHERE document_id = 'b';
        INSERT INTO docgraph.document_references
        VALUES ('default', 'b', 'references', 'not there', true, false)
        """
    )


def test_a_new_class_goes_wherever_the_class_is_carried(undone: Connection) -> None:
    put_three(undone)
    new = put_class(undone, tags=("hr",))
    undone.execute("UPDATE docgraph.document_nodes SET access_class = %s WHERE document_id = 'b'", (new,))
    carried = undone.execute(CARRIED, {"document": "b"}).fetchall()
    assert sorted(carried) == [("chunk", new), ("from", new), ("lexical", new), ("to", new)]
    others = undone.execute(CARRIED, {"document": "a"}).fetchall()
    assert new not in {number for _, number in others}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE docgraph.vector_chunks SET access_class = {new}",
        "UPDATE docgraph.lexical_index SET access_class = {new}",
        "UPDATE docgraph.document_relationships SET from_access_class = {new}",
        "UPDATE docgraph.document_relationships SET to_access_class = {new}",
        "UPDATE docgraph.document_nodes SET access_class = -1",
        "DELETE FROM docgraph.access_classes WHERE access_class <> {new}",
    ],
)
def test_no_row_can_carry_a_class_that_is_not_its_documents(undone: Connection, statement: str) -> None:
    put_three(undone)
    new = put_class(undone, tags=("hr",))
    assert refused(undone, statement.format(new=new)).diag.sqlstate == "23503"


def test_deleting_a_document_deletes_what_is_its_own(undone: Connection) -> None:
    put_three(undone)
    undone.execute("DELETE FROM docgraph.document_relationships WHERE from_document = 'a'")
    undone.execute("DELETE FROM docgraph.document_nodes WHERE document_id = 'b'")
    assert undone.execute(CARRIED, {"document": "b"}).fetchall() == []
    assert undone.execute("SELECT FROM docgraph.document_references").fetchall() == []
    rows = undone.execute("SELECT document_id FROM docgraph.vector_chunks ORDER BY 1").fetchall()
    assert rows == [("a",), ("c",)]


def test_a_document_that_others_refer_to_cannot_be_deleted(undone: Connection) -> None:
    put_three(undone)
    error = refused(undone, "DELETE FROM docgraph.document_nodes WHERE document_id = 'b'")
    assert (error.diag.sqlstate, error.diag.constraint_name) == ("23503", "document_relationships_to_fkey")


def test_a_run_that_documents_name_cannot_be_deleted(undone: Connection) -> None:
    put_every_row(undone)
    assert refused(undone, "DELETE FROM docgraph.ingestion_requests").diag.sqlstate == "23503"


@pytest.mark.parametrize(
    ("table", "changes"),
    [
        ("document_nodes", {"document_id": "'z'", "access_class": "2"}),
        ("document_nodes", {"document_id": "'z'", "ingestion_id": "'unknown'"}),
        ("vector_chunks", {"document_id": "'z'"}),
        ("lexical_index", {"document_id": "'z'"}),
        ("document_relationships", {"from_document": "'z'"}),
        ("document_relationships", {"to_document": "'z'"}),
        ("document_references", {"from_document": "'z'"}),
        ("document_names", {"document_id": "'z'"}),
        ("next_vectors", {"document_id": "'z'"}),
    ],
)
def test_nothing_refers_to_what_is_not_there(undone: Connection, table: str, changes: dict[str, str]) -> None:
    put_every_row(undone)
    assert refused(undone, insertion(table, **changes)).diag.sqlstate == "23503"


@pytest.mark.parametrize(
    "table",
    [
        "document_nodes",
        "vector_chunks",
        "lexical_index",
        "document_relationships",
        "document_references",
        "document_names",
        "next_vectors",
    ],
)
def test_nothing_refers_across_tenants(undone: Connection, table: str) -> None:
    """The same ids exist in the first tenant; in the second one they are unknown."""
    put_every_row(undone)
    assert refused(undone, insertion(table, tenant_id="'t2'")).diag.sqlstate == "23503"


@pytest.mark.parametrize(
    ("table", "changes"),
    [
        ("access_classes", {"access_class": "2"}),
        ("access_classes", {"tags": "'{a}'::text[]"}),
        ("access_grants", {}),
        ("document_nodes", {}),
        ("vector_chunks", {}),
        ("document_relationships", {"declared": "false", "inferred": "true"}),
        ("document_references", {}),
        ("document_names", {}),
        ("write_turns", {"turn": "2"}),
        ("next_vectors", {}),
        ("next_embedding_space", {"model": "'second'"}),
        ("ingestion_requests", {}),
        ("lexical_terms", {"term_number": "2"}),
        ("lexical_terms", {"term": "'other'"}),
        ("lexical_counts", {"entries": "2"}),
        ("lexical_index", {}),
        ("embedding_space", {"model": "'second'"}),
    ],
)
def test_there_is_one_of_each(undone: Connection, table: str, changes: dict[str, str]) -> None:
    put_every_row(undone)
    assert refused(undone, insertion(table, **changes)).diag.sqlstate == "23505"


def test_ids_that_look_alike_are_different_documents(undone: Connection) -> None:
    ids = ["a", "A", "a ", " a", "a\u200b", "é", "e\u0301", "\uff41"]
    for document in ids:
        put_document(undone, document)
    rows = undone.execute("SELECT document_id FROM docgraph.document_nodes ORDER BY document_id").fetchall()
    assert [document for (document,) in rows] == sorted(ids, key=str.encode)
