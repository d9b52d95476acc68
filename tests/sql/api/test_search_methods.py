"""The methods of a search: exact looks at all, approximate at some, and auto goes by what may be seen."""

from __future__ import annotations

import pytest

from docgraph.resources import SQL
from tests.documents import put_class
from tests.sql.asking import Connection
from tests.sql.planning import NORTH, found, hits, plan, seeds_of
from tests.sql.writing import put

LAW = {"tags": ["law"]}
FEW = ["v1", "v2", "v3", "v4", "v5"]

_MANY = """
WITH numbered AS (
    SELECT n, format('[1,%%s,%%s,%%s]', sin(n) / 9, cos(n) / 9, sin(n * n) / 9) AS vector
    FROM generate_series(1, %(count)s) AS n
), nodes AS (
    INSERT INTO docgraph.document_nodes
        (tenant_id, document_id, access_class, content_hash, summary_embedding)
    SELECT 'default', 'many ' || n, %(class)s, sha256(''), vector::halfvec FROM numbered
)
INSERT INTO docgraph.vector_chunks
    (tenant_id, document_id, ordinal, access_class, token_count, text, embedding)
SELECT 'default', 'many ' || n, 0, %(class)s, 1, 't', vector::halfvec FROM numbered
"""


@pytest.fixture(scope="module", autouse=True)
def _world(boss: Connection) -> None:
    """3,000 documents of the lawyers near to NORTH, and five far from it that everybody sees."""
    boss.execute(_MANY, {"count": 3000, "class": put_class(boss, tags=("law",))})
    put(
        boss,
        *(
            {"id": each, "summary_embedding": vector, "chunks": [{"text": "t", "embedding": vector}]}
            for each, vector in ((each, [-1, number, 0, 0]) for number, each in enumerate(FEW))
        ),
    )
    boss.execute("ANALYZE docgraph.document_nodes, docgraph.vector_chunks")


def exact_up_to(connection: Connection, rows: int) -> None:
    """For the rest of the transaction, and so small that a test can go beyond it."""
    text = (SQL / "functions/leaf/bound.sql").read_text(encoding="utf-8")
    usual = "WHEN 'exact_rows' THEN 50000"
    assert text.count(usual) == 1
    connection.execute(text.replace(usual, f"WHEN 'exact_rows' THEN {rows}").encode())


def index_scans(connection: Connection) -> int:
    """How often this transaction has read an index of vectors."""
    ((scans,),) = connection.execute(
        "SELECT sum(pg_stat_get_xact_numscans(indexrelid)) FROM pg_index"
        " WHERE indexrelid::regclass::text LIKE 'docgraph.%embedding_idx'"
    ).fetchall()
    return int(scans)


@pytest.mark.parametrize("search_in", ["summaries", "chunks"])
class TestFewVisibleAmongManyHidden:
    @pytest.mark.parametrize("most", [0, 1, 4, 5, 6, 200])
    def test_never_fewer_than_there_are_to_be_seen(
        self, undone: Connection, search_in: str, most: int
    ) -> None:
        for method in ("approximate", "exact"):
            rows = hits(undone, search_in=search_in, method=method, max_nodes=most)
            assert [row[1] for row in rows] == FEW[::-1][:most]
            assert {row[3] for row in rows} <= {method}

    def test_also_where_the_index_gives_up_early(self, undone: Connection, search_in: str) -> None:
        undone.execute(
            """
            ALTER FUNCTION docgraph.nearest_approximately SET hnsw.max_scan_tuples = 1;
            ALTER FUNCTION docgraph.nearest_approximately SET hnsw.ef_search = 1
            """
        )
        rows = hits(undone, search_in=search_in, method="approximate")
        assert [row[1] for row in rows] == FEW[::-1]
        assert {row[3] for row in rows} == {"approximate"}

    def test_in_a_plan_too(self, undone: Connection, search_in: str) -> None:
        made = plan(undone, query_embedding=NORTH, search_in=search_in, method="approximate", seeds=["v5"])
        assert seeds_of(made) == ["v5", "v4", "v3", "v2", "v1"]
        assert made["made_by"]["method"] == "approximate"


@pytest.mark.parametrize("search_in", ["summaries", "chunks"])
def test_approximate_reads_the_index_and_exact_does_not(undone: Connection, search_in: str) -> None:
    for method, expected in (("exact", 0), ("auto", 0), ("approximate", 1)):
        before = index_scans(undone)
        rows = hits(undone, search_in=search_in, method=method, access=LAW)
        assert len(rows) == 10
        assert index_scans(undone) - before == expected


@pytest.mark.parametrize("search_in", ["summaries", "chunks"])
def test_approximate_finds_nearly_the_nearest_in_the_exact_order(undone: Connection, search_in: str) -> None:
    for query in ([1.0, 0.0, 0.1, 0.0], [0.9, 0.1, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]):
        how = {"query_embedding": query, "search_in": search_in, "access": LAW}
        nearest = found(undone, **how, method="exact", max_nodes=200)
        some = found(undone, **how, method="approximate", max_nodes=20)
        assert len(set(some) & set(nearest[:20])) >= 18
        assert [each for each in nearest if each in some] == [each for each in some if each in nearest]


@pytest.mark.parametrize("search_in", ["summaries", "chunks"])
def test_auto_goes_by_the_number_of_rows_that_may_be_seen(undone: Connection, search_in: str) -> None:
    how = {"search_in": search_in, "method": "auto", "query_embedding": NORTH}

    def method(**claim: object) -> set[str]:
        planned = plan(undone, access=claim, **how)["made_by"]["method"]
        rows = {row[3] for row in hits(undone, access=claim, **how)}
        assert rows == {planned}
        return rows

    assert method() == {"exact"}
    exact_up_to(undone, 5)
    assert method() == {"exact"}
    assert method(**LAW) == {"approximate"}
    assert method(tags=["other"]) == {"exact"}
    exact_up_to(undone, 4)
    assert method() == {"approximate"}


def test_auto_counts_rows_without_an_embedding(undone: Connection) -> None:
    """Chunks of their own, documents of their own."""
    exact_up_to(undone, 5)
    put(undone, {"id": "without", "chunks": [{"text": "t"}]})
    for search_in in ("summaries", "chunks"):
        assert {row[3] for row in hits(undone, search_in=search_in)} == {"approximate"}
    exact_up_to(undone, 6)
    put(undone, {"id": "without", "chunks": [{"text": "t"}, {"text": "u"}]})
    assert {row[3] for row in hits(undone, search_in="summaries")} == {"exact"}
    assert {row[3] for row in hits(undone, search_in="chunks")} == {"approximate"}


def test_what_is_said_is_kept(undone: Connection) -> None:
    for rows, method in ((0, "exact"), (50_000, "approximate")):
        exact_up_to(undone, rows)
        assert {row[3] for row in hits(undone, method=method)} == {method}
        assert plan(undone, query_embedding=NORTH, method=method)["made_by"]["method"] == method


@pytest.mark.parametrize(
    ("search_in", "index"),
    [("summaries", "document_nodes_summary_embedding_idx"), ("chunks", "vector_chunks_embedding_idx")],
)
def test_without_the_vector_index_nothing_without_a_vector_is_found(
    undone: Connection, search_in: str, index: str
) -> None:
    """After a restore without indexes, or a build that failed."""
    undone.execute(f"DROP INDEX docgraph.{index}".encode())
    put(undone, *({"id": f"without {number}", "chunks": [{"text": "t"}]} for number in range(20)))
    rows = hits(undone, search_in=search_in, method="approximate", max_nodes=20)
    assert [row[1] for row in rows] == FEW[::-1]
