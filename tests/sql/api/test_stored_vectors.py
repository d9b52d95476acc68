"""What the vector columns refuse once the space is configured, whoever writes."""

from __future__ import annotations

import pytest

from tests.documents import put_document
from tests.sql.asking import Connection, refused

COLUMNS = {
    "vector_chunks": "UPDATE docgraph.vector_chunks SET embedding = %s",
    "document_nodes": "UPDATE docgraph.document_nodes SET summary_embedding = %s",
}

NORM = "23514"
WRONG = {
    "zero": ("[0,0,0,0]", NORM),
    "norm of 1e-4": ("[0.0001,0,0,0]", NORM),
    "norm just below 1e-3": ("[0.00099,0,0,0]", NORM),
    "vanishes in half precision": ("[5e-8,5e-9,0,0]", NORM),
    "norm above 6e4": ("[60000,60000,0,0]", NORM),
    "three elements": ("[1,0,0]", "22000"),
    "five elements": ("[1,0,0,0,0]", "22000"),
    "none": ("[]", "22000"),
    "NaN": ("[NaN,0,0,0]", "22000"),
    "infinity": ("[Infinity,0,0,0]", "22000"),
    "beyond half precision": ("[1e20,0,0,0]", "22003"),
    "beyond single precision": ("[1e39,0,0,0]", "22003"),
    "no vector": ("1,0,0,0", "22P02"),
}
RIGHT = ["[0.0011,0,0,0]", "[59900,0,0,0]", "[1,2,3,4]", "[-1,0,0,0]"]


@pytest.fixture(scope="module", autouse=True)
def _a_document(boss: Connection) -> None:
    put_document(boss, "a")


@pytest.mark.parametrize("table", COLUMNS)
@pytest.mark.parametrize("wrong", WRONG)
def test_degenerate_vectors_are_refused(boss: Connection, table: str, wrong: str) -> None:
    vector, state = WRONG[wrong]
    assert refused(boss, COLUMNS[table], vector).diag.sqlstate == state


@pytest.mark.parametrize("table", COLUMNS)
@pytest.mark.parametrize("vector", RIGHT)
def test_vectors_within_the_bounds_are_stored(boss: Connection, table: str, vector: str) -> None:
    assert boss.execute(COLUMNS[table].encode(), (vector,)).rowcount == 1
