"""configure_embedding_space: one space per database, refused while anything of another is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from docgraph import calls
from docgraph.access import EmbeddingSpace
from docgraph.client import DocGraph
from docgraph.errors import AccessDenied, EmbeddingSpaceInUse
from tests.conftest import SPACE, Installed
from tests.documents import put_document
from tests.sql.asking import VALID, Connection, ask, contents, nothing_written, refusal

ANOTHER = VALID["configure_embedding_space"]
SAME: dict[str, Any] = {name: getattr(SPACE, name) for name in ANOTHER}
INDEXES = ("document_nodes_summary_embedding_idx", "vector_chunks_embedding_idx")

NO_CHUNK = "UPDATE docgraph.vector_chunks SET embedding = NULL"
CHUNK = ""
SUMMARY = f"{NO_CHUNK}; UPDATE docgraph.document_nodes SET summary_embedding = '[0,1,0,0]'"
LEXICAL = f"""
    {NO_CHUNK};
    INSERT INTO docgraph.lexical_index (tenant_id, document_id, ordinal, access_class, lexemes, weights)
    SELECT tenant_id, document_id, -1, access_class, 'a', '{{1:1}}/10' FROM docgraph.document_nodes
"""


def vector_types(connection: Connection) -> set[str]:
    rows = connection.execute(
        """
        SELECT format_type(atttypid, atttypmod) FROM pg_attribute
        WHERE (attrelid, attname) IN (
            ('docgraph.document_nodes'::regclass, 'summary_embedding'),
            ('docgraph.vector_chunks'::regclass, 'embedding')
        )
        """
    )
    return {kind for (kind,) in rows}


@pytest.mark.parametrize("metric", ["cosine", "l2", "ip"])
@pytest.mark.parametrize("dimensions", [1, 4000])
def test_columns_and_indexes_follow_the_space(undone: Connection, metric: str, dimensions: int) -> None:
    assert ask(undone, calls.CONFIGURE_EMBEDDING_SPACE, metric=metric, dimensions=dimensions) is True
    assert vector_types(undone) == {f"halfvec({dimensions})"}
    for index in INDEXES:
        row = undone.execute(
            "SELECT pg_get_indexdef(i.indexrelid), i.indisvalid, obj_description(i.indexrelid)"
            " FROM pg_index i WHERE i.indexrelid = to_regclass(%s)",
            (f"docgraph.{index}",),
        ).fetchone()
        assert row is not None
        assert "USING hnsw" in row[0]
        assert f"halfvec_{metric}_ops" in row[0]
        assert row[1] is True
        assert row[2]


@pytest.mark.parametrize("changed", ANOTHER)
def test_any_value_may_change_while_nothing_is_stored(undone: Connection, changed: str) -> None:
    space = {**SAME, changed: ANOTHER[changed]}
    assert ask(undone, calls.CONFIGURE_EMBEDDING_SPACE, **space) is True
    assert ask(undone, calls.EMBEDDING_SPACE) == EmbeddingSpace(**space)
    assert ask(undone, calls.CONFIGURE_EMBEDDING_SPACE, **space) is False


def test_the_same_values_change_nothing_even_when_vectors_are_stored(undone: Connection) -> None:
    put_document(undone, "a")
    with nothing_written(undone):
        assert ask(undone, calls.CONFIGURE_EMBEDDING_SPACE, **SAME) is False


def test_the_same_values_keep_no_reader_waiting(database: Installed, superuser: Connection) -> None:
    with database.connect() as other:
        other.execute("BEGIN")
        ask(other, calls.CONFIGURE_EMBEDDING_SPACE, **SAME)
        superuser.execute("SET lock_timeout = '200ms'")
        assert ask(superuser, calls.EMBEDDING_SPACE) == SPACE
        put_document(superuser, "written meanwhile")
        other.execute("COMMIT")


def test_two_at_a_time_wait_for_each_other(database: Installed, superuser: Connection) -> None:
    with database.connect() as other:
        other.execute("BEGIN")
        ask(other, calls.CONFIGURE_EMBEDDING_SPACE)
        superuser.execute("SET lock_timeout = '100ms'")
        assert refusal(superuser, calls.CONFIGURE_EMBEDDING_SPACE, **SAME).diag.sqlstate == "55P03"
        other.execute("ROLLBACK")
    assert ask(superuser, calls.EMBEDDING_SPACE) == SPACE


@pytest.mark.parametrize("stored", [CHUNK, SUMMARY, LEXICAL], ids=["chunk", "summary", "lexical entry"])
@pytest.mark.parametrize("tenant", ["default", "a tenant the caller cannot see"])
def test_refused_while_something_of_the_old_space_is_stored(
    undone: Connection, stored: str, tenant: str
) -> None:
    put_document(undone, "a", tenant)
    if stored:
        undone.execute(stored.encode())
    with nothing_written(undone):
        error = refusal(undone, calls.CONFIGURE_EMBEDDING_SPACE, model="its-rival")
    assert error.diag.sqlstate == "KG001"
    message = str(error.diag.message_primary)
    assert (
        'model "test-model", 4 dimensions, metric cosine, text search english, average length 100;' in message
    )
    assert 'not model "its-rival", 3 dimensions, metric l2, text search simple, average length 50' in message
    assert error.diag.message_hint


def test_an_administrator_without_any_ceiling_is_refused_alike(
    database: Installed, superuser: Connection
) -> None:
    """Row security hides every row from this login; the check must see them all the same."""
    put_document(superuser, "a", "another tenant")
    login = database.cluster.login("configuring_admin", member_of="docgraph_admin")
    with database.connect(login) as connection, DocGraph(connection) as client, nothing_written(superuser):
        with pytest.raises(EmbeddingSpaceInUse) as caught:
            client.configure_embedding_space(replace(SPACE, model="its-rival"))
        assert "test-model" in caught.value.message
        assert "its-rival" in caught.value.message
        assert caught.value.hint


def test_what_was_deleted_is_no_obstacle(undone: Connection) -> None:
    put_document(undone, "a")
    undone.execute("DELETE FROM docgraph.document_nodes")
    assert ask(undone, calls.CONFIGURE_EMBEDDING_SPACE) is True


def test_documents_without_vectors_stay(undone: Connection) -> None:
    put_document(undone, "a")
    undone.execute(NO_CHUNK)
    assert ask(undone, calls.CONFIGURE_EMBEDDING_SPACE) is True
    rows = undone.execute("SELECT document_id, text FROM docgraph.vector_chunks").fetchall()
    assert rows == [("a", "text of a")]


def test_rolled_back_it_leaves_no_trace(superuser: Connection) -> None:
    with nothing_written(superuser):
        superuser.execute("BEGIN")
        ask(superuser, calls.CONFIGURE_EMBEDDING_SPACE)
        superuser.execute("ROLLBACK")


def test_refused_inside_a_transaction_that_goes_on_it_leaves_no_trace(superuser: Connection) -> None:
    """A caller may catch the error: row security must not stay weakened by then."""
    put_document(superuser, "a")
    with nothing_written(superuser), superuser.transaction():
        refusal(superuser, calls.CONFIGURE_EMBEDDING_SPACE)


def test_after_a_change_row_security_is_on_and_forced(undone: Connection) -> None:
    ask(undone, calls.CONFIGURE_EMBEDDING_SPACE)
    rows = undone.execute(
        "SELECT relrowsecurity AND relforcerowsecurity FROM pg_class"
        " WHERE oid IN ('docgraph.document_nodes'::regclass, 'docgraph.vector_chunks'::regclass)"
    )
    assert rows.fetchall() == [(True,), (True,)]


def test_a_text_search_configuration_of_another_schema_goes_with_its_schema(undone: Connection) -> None:
    undone.execute("CREATE SCHEMA words; CREATE TEXT SEARCH CONFIGURATION words.mine (COPY = simple)")
    undone.execute("GRANT USAGE ON SCHEMA words TO docgraph_owner")
    with nothing_written(undone):
        assert refusal(undone, calls.CONFIGURE_EMBEDDING_SPACE, text_search="mine").diag.sqlstate == "22023"
    for name in ("words.mine", "pg_catalog.english"):
        assert ask(undone, calls.CONFIGURE_EMBEDDING_SPACE, text_search=name) is True


@pytest.mark.parametrize("average_length", [1.0, 1e6])
def test_the_bounds_of_the_average_length_are_accepted(undone: Connection, average_length: float) -> None:
    assert ask(undone, calls.CONFIGURE_EMBEDDING_SPACE, average_length=average_length) is True


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
def test_refused_where_an_old_snapshot_would_hide_what_is_stored(
    database: Installed, superuser: Connection, level: str
) -> None:
    """The check would look at the snapshot, and not see what another session has committed since."""
    with database.connect() as other:
        other.execute(f"BEGIN ISOLATION LEVEL {level}".encode())
        ask(other, calls.EMBEDDING_SPACE)
        put_document(superuser, "stored meanwhile")
        with nothing_written(superuser):
            error = refusal(other, calls.CONFIGURE_EMBEDDING_SPACE)
            other.execute("ROLLBACK")
    assert error.diag.sqlstate == "25001"
    assert error.diag.message_hint


@pytest.mark.parametrize("role", ["docgraph_reader", "docgraph_writer"])
def test_only_administrators_may(shared: Installed, boss: Connection, role: str) -> None:
    login = shared.cluster.login(f"configure_{role}", member_of=role)
    shared.grant(login)
    before = contents(boss)
    with shared.connect(login) as connection, DocGraph(connection) as client, pytest.raises(AccessDenied):
        client.configure_embedding_space(replace(SPACE, model="mine"))
    assert contents(boss) == before


def test_an_administrator_that_is_no_superuser_may(database: Installed) -> None:
    login = database.cluster.login("plain_admin", member_of="docgraph_admin")
    with database.connect(login) as connection:
        assert ask(connection, calls.CONFIGURE_EMBEDDING_SPACE) is True
