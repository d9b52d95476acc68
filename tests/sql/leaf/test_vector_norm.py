"""vector_norm: the length that the CHECKs of the vector columns bound."""

from __future__ import annotations

import pytest

from tests.sql.asking import Connection


@pytest.mark.parametrize(("vector", "norm"), [("[3,4]", 5.0), ("[0,0]", 0.0), ("[-1]", 1.0), (None, None)])
def test_length(boss: Connection, vector: str | None, norm: float | None) -> None:
    assert boss.execute("SELECT docgraph.vector_norm(%s)", (vector,)).fetchone() == (norm,)
