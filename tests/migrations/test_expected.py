"""The committed texts of what a database should be: one for each supported PostgreSQL major."""

from __future__ import annotations

import psycopg
import pytest

from docgraph import calls, migrate, verify
from docgraph.access import EmbeddingSpace
from docgraph.errors import ServerUnsupported
from docgraph.resources import MIGRATIONS
from tests.conftest import Cluster
from tests.migrations.tools import Checkout, catalogue, drift

SUPPORTED = (15, 16, 17, 18)


def test_there_is_a_text_for_every_supported_major() -> None:
    found = sorted(int(path.stem) for path in (MIGRATIONS / "catalogue").iterdir())
    assert tuple(found) == SUPPORTED


def test_a_fresh_install_is_what_the_text_of_its_major_says(cluster: Cluster, empty: str) -> None:
    migrate.upgrade(empty)
    expected = verify.expected_catalogue(cluster.server.major, None)
    assert catalogue(empty) == expected
    assert len(expected) > 50


@pytest.mark.parametrize(
    "space",
    [
        EmbeddingSpace("a", 1, "l2", "simple", 1.0),
        EmbeddingSpace("b", 384, "ip", "german", 50.0),
        EmbeddingSpace("c", 4000, "cosine", "english", 100.0),
    ],
    ids=lambda space: f"{space.dimensions} {space.metric}",
)
def test_the_text_follows_the_recorded_embedding_space(
    cluster: Cluster, empty: str, space: EmbeddingSpace
) -> None:
    migrate.upgrade(empty)
    with psycopg.connect(empty) as connection:
        calls.fetch(connection, calls.configure_embedding_space(space))
    assert catalogue(empty) == verify.expected_catalogue(cluster.server.major, space)
    assert drift(empty) == []


def test_the_committed_text_is_what_the_tool_writes(cluster: Cluster, empty: str, checkout: Checkout) -> None:
    major = cluster.server.major
    committed = (MIGRATIONS / "catalogue" / f"{major}.txt").read_bytes()
    folder = checkout.root / "migrations" / "catalogue"
    for path in folder.iterdir():
        path.unlink()
    # ServerVersionWarning goes to standard error; it is no matter here.
    done = checkout.freeze("catalogue", empty, "--also", "99")
    assert done.returncode == 0, done.stderr
    assert (folder / f"{major}.txt").read_bytes() == committed
    assert (folder / "99.txt").read_bytes() == committed


def test_no_text_names_a_schema_of_pgvector() -> None:
    for path in (MIGRATIONS / "catalogue").iterdir():
        text = path.read_text(encoding="utf-8")
        assert "public." not in text
        assert "halfvec({dimensions})" in text


@pytest.mark.parametrize("major", [14, 19])
def test_a_major_without_a_text_is_refused(major: int) -> None:
    with pytest.raises(ServerUnsupported, match=str(major)):
        verify.expected_catalogue(major, None)
