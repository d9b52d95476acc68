"""Questions in words while the database moves to another model: never compared with vectors of that one."""

from __future__ import annotations

import pytest

from docgraph.client import DocGraph
from docgraph.documents import Chunk, Document
from docgraph.errors import EmbeddingSpaceInUse
from tests.conftest import Installed
from tests.ingest.conftest import Do
from tests.ingest.embedders import WordEmbedder

OLD = WordEmbedder()
QUESTION = "quiet harbours"


class Moving:
    """Embeds as the model of the moment does; the database moves on right after the first few questions."""

    def __init__(self, conninfo: str, moves: int) -> None:
        self._conninfo, self._moves = conninfo, moves
        self.model = OLD
        self.asked = 0

    def __call__(self, texts: list[str]) -> list[list[float]]:
        vectors = [self.model.embed_query(text) for text in texts]
        self.asked += 1
        if self.asked <= self._moves:
            self.model = WordEmbedder(f"model {self.asked}")
            with DocGraph(self._conninfo) as administrator:
                administrator.reembed(self.model)
        return vectors


@pytest.fixture
def filled(client: DocGraph) -> DocGraph:
    words = ["busy harbours", "quiet rivers", "loud towns", "quiet towns", "old harbours"]
    client.put(
        Document(
            id=f"{number}.md",
            summary=text,
            summary_embedding=OLD.embed_query(text),
            chunks=[Chunk(text, 2, OLD.embed_query(text))],
        )
        for number, text in enumerate(words)
    )
    return client


@pytest.mark.parametrize("method", ["search", "plan", "retrieve", "pipeline"])
def test_the_question_is_embedded_once_more(
    do: Do, database: Installed, filled: DocGraph, method: str
) -> None:
    model = Moving(database.conninfo, moves=1)
    found = do(method, QUESTION, embedder=model)
    assert model.asked == 2
    assert found == do(method, embedding=model.model.embed_query(QUESTION))
    assert found != do(method, embedding=OLD.embed_query(QUESTION))


def test_several_questions_are_embedded_once_more(do: Do, database: Installed, filled: DocGraph) -> None:
    model = Moving(database.conninfo, moves=1)
    (found,) = do("retrieve_all", [QUESTION], embedder=model)
    assert found == do("retrieve", embedding=model.model.embed_query(QUESTION))


def test_a_database_that_does_not_stand_still(do: Do, database: Installed, filled: DocGraph) -> None:
    with pytest.raises(EmbeddingSpaceInUse, match="has changed each time"):
        do("retrieve", QUESTION, embedder=Moving(database.conninfo, moves=9))


def test_a_plan_of_the_model_before_is_refused(do: Do, database: Installed, filled: DocGraph) -> None:
    plan = filled.plan(embedding=OLD.embed_query(QUESTION))
    with pytest.raises(EmbeddingSpaceInUse):
        do("execute", plan, QUESTION, embedder=Moving(database.conninfo, moves=1))
