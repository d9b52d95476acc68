"""Which indexes a search by words reads behind row security, whatever a session sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import Cluster, Installed
from tests.servers import Server
from tests.sql.asking import Connection
from tests.sql.explained import Statement, explained, settings
from tests.sql.test_plans_of_planning import IN_SESSIONS, SESSIONS
from tests.sql.writing import put

DOCUMENTS, CLASSES = 3000, 3
ALL = '{"tags": ["tag0", "tag1", "tag2"]}'
ONE = '{"tags": ["tag1"]}'
"""Fewer entries than are scored without the index of words."""
QUESTIONS = ("rare5 common", "common usual", "rare7 rare8 rare9", '"common usual" -rare5')

_LOAD = """
SET session_replication_role = replica;
INSERT INTO docgraph.access_classes
    (tenant_id, access_class, repository, snapshot, tags, labels, clearance, fingerprint)
SELECT 'default', n + 1, '', '', ARRAY['tag' || n], '{{}}', 0,
    docgraph.access_fingerprint('', '', ARRAY['tag' || n], '{{}}', 0)
FROM generate_series(0, {classes} - 1) AS n;
INSERT INTO docgraph.document_nodes (tenant_id, document_id, access_class, content_hash, title, summary)
SELECT c.tenant_id, 'd' || n, c.access_class, sha256('x'), 'Title ' || n,
    concat_ws(
        ' ', 'common', CASE WHEN n % 2 = 0 THEN 'usual' END, 'rare' || n % 500, repeat('filler ', n % 20))
FROM generate_series(1, {documents}) AS n
JOIN docgraph.access_classes c ON c.tags = ARRAY['tag' || n % {classes}];
INSERT INTO docgraph.vector_chunks (tenant_id, document_id, ordinal, access_class, token_count, text)
SELECT d.tenant_id, d.document_id, 0, d.access_class, 1, d.summary FROM docgraph.document_nodes d;
RESET session_replication_role;
SELECT docgraph.rebuild_lexical();
ALTER TABLE docgraph.lexical_index SET (autovacuum_enabled = off);
ALTER TABLE docgraph.lexical_terms SET (autovacuum_enabled = off);
ALTER TABLE docgraph.lexical_counts SET (autovacuum_enabled = off);
"""
_SEARCH = """
SELECT document_id FROM docgraph.search_nodes(
    'default', %(claim)s, query_text => %(question)s, mode => 'bm25', search_in => %(search_in)s,
    max_nodes => 5
)
"""


@pytest.fixture(scope="module", params=["before ANALYZE", "after ANALYZE"])
def superuser(
    request: pytest.FixtureRequest, server: Server, worker: str, template: str
) -> Iterator[Connection]:
    cluster = Cluster(server, f"{worker}_words")
    try:
        installed = Installed(cluster, cluster.create(template))
        with installed.connect() as connection:
            connection.execute(_LOAD.format(documents=DOCUMENTS, classes=CLASSES).encode())
            if request.param == "after ANALYZE":
                connection.execute("VACUUM ANALYZE")
            yield connection
    finally:
        cluster.clean()


def statements(superuser: Connection, **arguments: Any) -> list[Statement]:
    with explained(superuser) as found:
        superuser.execute(_SEARCH.encode(), arguments)
    return found


@pytest.mark.parametrize("session", IN_SESSIONS)
@pytest.mark.parametrize("search_in", ["summaries", "chunks"])
def test_every_table_is_read_by_an_index(superuser: Connection, session: str, search_in: str) -> None:
    """A search among documents does not look at chunks, nor the other way round."""
    words, others = "lexical_index_document_words_idx", "lexical_index_chunk_words_idx"
    if search_in == "chunks":
        words, others = others, words
    for question in QUESTIONS:
        arguments = {"question": question, "search_in": search_in}
        expected = superuser.execute(_SEARCH.encode(), {"claim": ALL, **arguments}).fetchall()
        with settings(superuser, **SESSIONS[session]):
            for claim in (ALL, ONE):
                found = statements(superuser, claim=claim, **arguments)
                tables = {"lexical_index", "lexical_terms", "lexical_counts", "document_nodes"}
                nodes = [node for each in found for table in tables for node in each.reads(table)]
                assert {node.kind for node in nodes} <= {"Index Scan", "Index Only Scan", "Bitmap Heap Scan"}
                used = {node.index for each in found for node in each.nodes() if node.fields["Actual Loops"]}
                assert (words in used) is (claim == ALL)
                assert others not in used
                assert ("lexical_index_class_idx" in used) is (claim == ONE)
            assert superuser.execute(_SEARCH.encode(), {"claim": ALL, **arguments}).fetchall() == expected


def test_a_rare_word_spares_the_entries_of_a_frequent_one(superuser: Connection) -> None:
    """Every text has the word common; of them only those that have the rare one, too, are scored."""
    found = statements(superuser, claim=ALL, question="rare5 common", search_in="chunks")
    read = [
        node.rows for each in found for node in each.reads("lexical_index") if node.kind == "Bitmap Heap Scan"
    ]
    assert 0 < sum(read) < DOCUMENTS / 10


def test_no_setting_changes_what_is_found_or_stored(superuser: Connection) -> None:
    """PostgreSQL may look at a part of what an index of words has, and write numbers with fewer digits."""
    question = {"claim": ALL, "question": "common usual rare5", "search_in": "chunks"}
    expected = superuser.execute(_SEARCH.encode(), question).fetchall()
    new = {"id": "new", "chunks": [{"text": "gnu eel"}, {"text": "gnu eel gnu cat"}], "tags": ["tag0"]}
    weights = """
        SELECT regexp_replace(weights::text, '[0-9]+:', '', 'g')
        FROM docgraph.lexical_index WHERE document_id = 'new' ORDER BY ordinal
    """
    stored = []
    for changed in ({}, {"gin_fuzzy_search_limit": "1", "extra_float_digits": "-15"}):
        with settings(superuser, **changed), superuser.transaction(force_rollback=True):
            assert superuser.execute(_SEARCH.encode(), question).fetchall() == expected
            put(superuser, new, access={"tags": ["tag0"]})
            superuser.execute("SET LOCAL extra_float_digits = 1")
            stored.append(superuser.execute(weights.encode()).fetchall())
    assert stored[0] == stored[1]


@pytest.mark.parametrize("session", IN_SESSIONS)
@pytest.mark.parametrize(("selection", "times"), [("similarity", 2), ("bridge", 3)])
def test_a_plan_is_executed_by_the_keys_of_its_documents(
    superuser: Connection, session: str, selection: str, times: int
) -> None:
    """Entries of its documents alone are scored, the best of them once more, and no others; for a bridge the
    words of these are looked at."""
    seeds = [f"d{number}" for number in range(1, 9)]
    ((made,),) = superuser.execute(
        "SELECT docgraph.plan_retrieval('default', %s, seeds => %s)::text", (ALL, seeds)
    ).fetchall()
    execution = """
        SELECT document_id FROM docgraph.execute_plan(
            'default', %s, %s, query_text => 'common usual "rare5"', chunk_mode => 'bm25', selection => %s)
    """
    with settings(superuser, **SESSIONS[session]):
        for _ in range(8):
            with explained(superuser) as found:
                superuser.execute(execution, (ALL, made, selection))
            read = [node for each in found for node in each.reads("lexical_index")]
            assert {node.index for node in read} == {"lexical_index_pkey"}
            assert len(seeds) <= sum(node.rows for node in read) <= times * len(seeds)
            assert {
                node.index
                for each in found
                for table in ("lexical_terms", "lexical_counts", "document_nodes", "vector_chunks")
                for node in each.reads(table)
                if node.rows
            } <= {
                *("lexical_terms_pkey", "lexical_terms_term_key", "lexical_counts_pkey"),
                *("document_nodes_pkey", "vector_chunks_pkey"),
            }


def test_the_way_does_not_change_the_answer(superuser: Connection) -> None:
    """Looked up by words or scored one by one: what one class has is found the same in both."""
    put(superuser, {"id": "hidden", "title": "rare5", "tags": ["other"]}, access={"tags": ["other"]})
    for question in QUESTIONS:
        arguments = {"question": question, "search_in": "chunks", "claim": ALL}
        ids = [name for (name,) in superuser.execute(_SEARCH.encode(), arguments)]
        assert "hidden" not in ids
        assert len(ids) == len(set(ids))
