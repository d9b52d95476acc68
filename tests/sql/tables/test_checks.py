"""Every CHECK refuses what it is there for: the backstop behind the functions, whoever writes."""

from __future__ import annotations

import pytest

from tests.sql.asking import Connection, refused
from tests.sql.tables.rows import VALID, insertion, put_every_row

TOO_LONG = "repeat('x', 513)"
TWO_BYTES = "repeat('é', 257)"
WRONG_LISTS = [
    "'{b,a}'::text[]",
    "'{a,a}'::text[]",
    "'{a,NULL}'::text[]",
    "'{{a},{b}}'::text[]",
    "'[0:0]={a}'::text[]",
    "ARRAY[repeat('x', 513)]",
    'ARRAY(SELECT n::text COLLATE "C" FROM generate_series(1000, 2000) AS n)',
]

VIOLATIONS: dict[str, tuple[str, list[dict[str, str]]]] = {
    "access_classes_tenant_id_check": (
        "access_classes",
        [{"tenant_id": v} for v in ("''", TOO_LONG, TWO_BYTES)],
    ),
    "access_classes_repository_check": ("access_classes", [{"repository": v} for v in (TOO_LONG, TWO_BYTES)]),
    "access_classes_snapshot_check": ("access_classes", [{"snapshot": v} for v in (TOO_LONG, TWO_BYTES)]),
    "access_classes_tags_check": ("access_classes", [{"tags": v} for v in WRONG_LISTS]),
    "access_classes_labels_check": ("access_classes", [{"labels": v} for v in WRONG_LISTS]),
    "access_classes_clearance_check": ("access_classes", [{"clearance": v} for v in ("-1", "32768")]),
    "access_classes_fingerprint_check": (
        "access_classes",
        [
            {"fingerprint": v}
            for v in ("''", r"sha256('\x00')", "docgraph.access_fingerprint('x', '', '{}', '{}', 0)")
        ],
    ),
    "access_grants_tenant_id_check": (
        "access_grants",
        [{"tenant_id": v} for v in ("''", TOO_LONG, TWO_BYTES)],
    ),
    **{
        f"access_grants_{kind}_check": ("access_grants", [{kind: v} for v in WRONG_LISTS])
        for kind in ("repositories", "snapshots", "tags", "labels")
    },
    "access_grants_clearance_check": ("access_grants", [{"clearance": v} for v in ("-1", "32768")]),
    "document_nodes_document_id_check": (
        "document_nodes",
        [{"document_id": v} for v in ("''", TOO_LONG, TWO_BYTES)],
    ),
    "document_nodes_doc_type_check": ("document_nodes", [{"doc_type": v} for v in (TOO_LONG, TWO_BYTES)]),
    "document_nodes_metadata_check": (
        "document_nodes",
        [{"metadata": v} for v in ("'[]'", "'1'", "'null'", "'\"x\"'")],
    ),
    "document_nodes_content_hash_check": (
        "document_nodes",
        [{"content_hash": v} for v in ("''", r"'\x00'", r"sha512('\x00')")],
    ),
    "document_nodes_summary_embedding_check": (
        "document_nodes",
        [{"summary_embedding": v} for v in ("'[0,0,0,0]'", "'[1e-4,0,0,0]'", "'[60000,60000,0,0]'")],
    ),
    "document_relationships_no_self_loop": ("document_relationships", [{"to_document": "'a'"}]),
    "document_relationships_relation_type_check": (
        "document_relationships",
        [{"relation_type": v} for v in ("''", TOO_LONG)],
    ),
    "document_relationships_origin_check": (
        "document_relationships",
        [{"declared": "false", "inferred": "false"}],
    ),
    "document_relationships_evidence_check": (
        "document_relationships",
        [{"evidence": v} for v in ("repeat('x', 4001)", "repeat('é', 2001)")],
    ),
    "embedding_space_singleton_check": ("embedding_space", [{"singleton": "false"}]),
    "embedding_space_model_check": ("embedding_space", [{"model": v} for v in ("''", TOO_LONG)]),
    "embedding_space_dimensions_check": ("embedding_space", [{"dimensions": v} for v in ("0", "-1", "4001")]),
    "embedding_space_metric_check": ("embedding_space", [{"metric": v} for v in ("''", "'L2'", "'hamming'")]),
    "embedding_space_k1_check": ("embedding_space", [{"k1": v} for v in ("-0.1", "10.1", "'NaN'")]),
    "embedding_space_b_check": ("embedding_space", [{"b": v} for v in ("-0.1", "1.1", "'NaN'")]),
    "embedding_space_average_length_check": (
        "embedding_space",
        [{"average_length": v} for v in ("0", "0.99", "1000001", "'NaN'", "'Infinity'")],
    ),
    "next_embedding_space_singleton_check": ("next_embedding_space", [{"singleton": "false"}]),
    "next_embedding_space_model_check": ("next_embedding_space", [{"model": v} for v in ("''", TOO_LONG)]),
    "next_embedding_space_dimensions_check": (
        "next_embedding_space",
        [{"dimensions": v} for v in ("0", "-1", "4001")],
    ),
    "next_embedding_space_metric_check": (
        "next_embedding_space",
        [{"metric": v} for v in ("''", "'L2'", "'hamming'")],
    ),
    "next_vectors_ordinal_check": ("next_vectors", [{"ordinal": "-2"}]),
    "ingestion_requests_tenant_id_check": (
        "ingestion_requests",
        [{"tenant_id": v} for v in ("''", TOO_LONG)],
    ),
    "ingestion_requests_ingestion_id_check": (
        "ingestion_requests",
        [{"ingestion_id": v} for v in ("''", TOO_LONG, TWO_BYTES)],
    ),
    "ingestion_requests_state_check": (
        "ingestion_requests",
        [{"state": v, "finished_at": "now()"} for v in ("''", "'done'", "'Finished'")],
    ),
    "ingestion_requests_finished_at_check": (
        "ingestion_requests",
        [{"state": "'finished'"}, {"state": "'failed'"}, {"finished_at": "now()"}],
    ),
    "ingestion_requests_report_check": ("ingestion_requests", [{"report": v} for v in ("'[]'", "'null'")]),
    "lexical_counts_tenant_id_check": ("lexical_counts", [{"tenant_id": v} for v in ("''", TOO_LONG)]),
    "lexical_counts_term_number_check": ("lexical_counts", [{"term_number": "-1"}]),
    "lexical_counts_entries_check": ("lexical_counts", [{"entries": "-1"}]),
    "lexical_index_ordinal_check": ("lexical_index", [{"ordinal": "-2"}]),
    "lexical_terms_tenant_id_check": ("lexical_terms", [{"tenant_id": v} for v in ("''", TOO_LONG)]),
    "document_references_no_self_loop": ("document_references", [{"to_name": "'a'"}]),
    "document_references_to_name_check": (
        "document_references",
        [{"to_name": v} for v in ("''", TOO_LONG, TWO_BYTES)],
    ),
    "document_references_relation_type_check": (
        "document_references",
        [{"relation_type": v} for v in ("''", TOO_LONG)],
    ),
    "document_references_origin_check": (
        "document_references",
        [{"declared": "false", "inferred": "false"}],
    ),
    "document_references_evidence_check": (
        "document_references",
        [{"evidence": v} for v in ("repeat('x', 4001)", "repeat('é', 2001)")],
    ),
    "document_names_name_check": ("document_names", [{"name": v} for v in ("''", TOO_LONG, TWO_BYTES)]),
    "write_turns_tenant_id_check": ("write_turns", [{"tenant_id": v} for v in ("''", TOO_LONG, TWO_BYTES)]),
    "vector_chunks_ordinal_check": ("vector_chunks", [{"ordinal": "-1"}]),
    "vector_chunks_offsets_check": (
        "vector_chunks",
        [
            {"start_offset": "-1", "end_offset": "1"},
            {"start_offset": "2", "end_offset": "1"},
            {"start_offset": "NULL"},
            {"end_offset": "NULL"},
        ],
    ),
    "vector_chunks_token_count_check": ("vector_chunks", [{"token_count": "-1"}]),
    "vector_chunks_embedding_check": (
        "vector_chunks",
        [{"embedding": v} for v in ("'[0,0,0,0]'", "'[1e-4,0,0,0]'", "'[60000,60000,0,0]'")],
    ),
}


@pytest.fixture(scope="module", autouse=True)
def _every_table_takes_its_valid_row(boss: Connection) -> None:
    """Else a violation could be refused for another reason."""
    boss.execute("BEGIN")
    put_every_row(boss)
    boss.execute("ROLLBACK")


def test_every_check_has_its_violations(boss: Connection) -> None:
    rows = boss.execute(
        "SELECT conname FROM pg_constraint WHERE connamespace = 'docgraph'::regnamespace AND contype = 'c'"
    )
    assert {name for (name,) in rows} == VIOLATIONS.keys()


@pytest.mark.parametrize("name", VIOLATIONS)
def test_refused(boss: Connection, name: str) -> None:
    table, violations = VIOLATIONS[name]
    for changes in violations:
        assert changes.keys() <= VALID[table].keys()
        error = refused(boss, insertion(table, **changes))
        assert (error.diag.sqlstate, error.diag.constraint_name) == ("23514", name), changes


NOT_NULL = [
    (table, column)
    for table, row in VALID.items()
    for column, value in row.items()
    if not value.startswith("NULL")
    and (table, column)
    not in {
        ("access_grants", "snapshots"),
        ("access_grants", "tags"),
        ("access_grants", "labels"),
        ("access_grants", "clearance"),
        ("document_nodes", "ingestion_id"),
        ("document_nodes", "summary_embedding"),
        ("vector_chunks", "start_offset"),
        ("vector_chunks", "end_offset"),
        ("vector_chunks", "embedding"),
    }
]


@pytest.mark.parametrize(("table", "column"), NOT_NULL)
def test_null_is_refused_where_it_has_no_meaning(boss: Connection, table: str, column: str) -> None:
    error = refused(boss, insertion(table, **{column: "NULL"}))
    assert (error.diag.sqlstate, error.diag.column_name) == ("23502", column)
