"""embedding_space: what configure_embedding_space recorded, for every reader."""

from __future__ import annotations

from docgraph import calls, migrate
from docgraph.access import EmbeddingSpace
from docgraph.client import DocGraph
from tests.conftest import SPACE, Installed
from tests.sql.asking import ask


def test_before_it_is_configured_there_is_none(empty: str) -> None:
    migrate.upgrade(empty)
    with DocGraph(empty) as client:
        assert client.embedding_space() is None


def test_it_is_what_was_configured(client: DocGraph) -> None:
    assert client.embedding_space() == SPACE
    other = EmbeddingSpace("other", 7, "ip", "simple", 33.5)
    client.configure_embedding_space(other)
    assert client.embedding_space() == other


def test_a_reader_without_a_ceiling_may_ask(shared: Installed) -> None:
    login = shared.cluster.login("space_reader", member_of="docgraph_reader")
    with shared.connect(login) as connection:
        assert ask(connection, calls.EMBEDDING_SPACE) == SPACE
