"""Questions in words: embedded with the model that the database records, by either client."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from docgraph import AsyncDocGraph, DocGraph, RetrievalPlan, defaults
from docgraph.access import EmbeddingSpace
from docgraph.documents import Document
from docgraph.errors import InvalidArgument, NotConfigured
from docgraph.ingest.embedding import WordLlamaEmbedder
from tests.conftest import SPACE, Installed
from tests.ingest.embedders import WordEmbedder
from tests.servers import Server
from tests.sql.api.planned import BOARD, DOCUMENTS, VECTOR, Ask, asking
from tests.sql.scratch import scratch_database

DEFAULT = EmbeddingSpace(defaults.MODEL, defaults.DIMENSIONS, defaults.METRIC, "english", 100.0)


@pytest.fixture(scope="module")
def filled(shared: Installed) -> Installed:
    with DocGraph(shared.conninfo) as client:
        client.put_documents(DOCUMENTS, access=BOARD)
    return shared


@pytest.fixture(params=["sync", "async"])
def ask(request: pytest.FixtureRequest, filled: Installed) -> Ask:
    return asking(request.param, filled.conninfo)


class TestQuestionsInWords:
    """Embedded with the model that the database records."""

    def test_by_an_embedder_that_is_given(self, ask: Ask) -> None:
        embedder = WordEmbedder()
        vector = embedder.embed_query("annual leave")
        expected = ask("plan", embedding=vector)
        assert ask("plan", "annual leave", embedder=embedder) == expected
        assert ask("plan", "annual leave", embedder=_vectors) == expected
        assert ask("search", "annual leave", embedder=embedder) == ask("search", embedding=vector)

    def test_by_a_coroutine_function(self, ask: Ask) -> None:
        async def later(texts: list[str]) -> list[list[float]]:
            await asyncio.sleep(0)
            return _vectors(texts)

        assert ask("plan", "annual leave", embedder=later) == ask(
            "plan", embedding=_vectors(["annual leave"])[0]
        )

    def test_with_seeds_beside_it(self, ask: Ask) -> None:
        found = ask("plan", "leave", seeds=["forms.md"], embedder=_vectors, seed_limit=1)
        assert [seed.origin for seed in found.seed_documents] == ["given", "search"]

    def test_an_embedder_of_another_model(self, ask: Ask) -> None:
        with pytest.raises(InvalidArgument, match="other-model, not of test-model"):
            ask("plan", "leave", embedder=WordEmbedder("other-model"))

    def test_no_embedder_for_the_recorded_model(self, ask: Ask) -> None:
        with pytest.raises(InvalidArgument, match="no embedding model 'test-model'") as caught:
            ask("plan", "leave")
        assert "embedder" in str(caught.value.hint)

    @pytest.mark.parametrize("vector", [[float("nan")] * 4, [0.0] * 4, [1.0], None])
    def test_a_vector_that_is_none(self, ask: Ask, vector: Any) -> None:
        with pytest.raises(InvalidArgument, match="The model test-model"):
            ask("plan", "leave", embedder=lambda texts: [vector for _ in texts])

    @pytest.mark.parametrize("blank", ["", " \n"])
    def test_a_blank_question(self, ask: Ask, blank: str) -> None:
        with pytest.raises(InvalidArgument, match="query must not be blank"):
            ask("plan", blank)

    def test_seeds_without_an_order(self, ask: Ask) -> None:
        for unordered in ({"a"}, frozenset(["a"])):
            with pytest.raises(InvalidArgument, match="seeds must be a list: their order counts"):
                ask("plan", seeds=unordered)

    def test_an_option_that_is_unknown_is_refused_before_anything_is_embedded(self, ask: Ask) -> None:
        def never(texts: list[str]) -> list[list[float]]:
            raise AssertionError(texts)

        with pytest.raises(InvalidArgument, match="plan does not take seed_limits") as caught:
            ask("plan", "leave", embedder=never, seed_limits=1)
        assert "seed_limit" in str(caught.value.hint)
        with pytest.raises(InvalidArgument, match="search does not take seeds"):
            ask("search", "leave", embedder=never, seeds=[])


def _vectors(texts: Sequence[str]) -> list[list[float]]:
    return [WordEmbedder().embed_query(text) for text in texts]


def texts_of_all_kinds() -> list[Document]:
    texts = {
        "leave.md": "How many days of holiday an employee may take in a year",
        "engine.md": "Torque and fuel consumption of a diesel engine",
        "bread.md": "Flour, water, yeast and salt make a loaf of bread",
    }
    vectors = WordLlamaEmbedder().embed_documents(list(texts.values()))
    return [
        Document(key, summary=text, summary_embedding=vector)
        for (key, text), vector in zip(texts.items(), vectors, strict=True)
    ]


@pytest.fixture(scope="module")
def real(server: Server, worker: str, template: str) -> Iterator[Installed]:
    """A database as `docgraph init` configures it."""
    with scratch_database(server, worker, template) as found:
        with DocGraph(found.conninfo) as client:
            client.configure_embedding_space(DEFAULT)
            client.put(texts_of_all_kinds(), model=defaults.MODEL)
        yield found


class TestTheDefaultModel:
    """A database as `docgraph init` configures it."""

    def test_finds_what_is_meant(self, real: Installed) -> None:
        question = "vacation days for staff"
        vector = WordLlamaEmbedder().embed_query(question)
        with DocGraph(real.conninfo) as client:
            found = client.plan(question, seed_limit=1)
            assert found.seed_document_ids == ("leave.md",)
            assert found == client.plan(embedding=vector, seed_limit=1)
            assert client.search("baking", max_nodes=1)[0].document_id == "bread.md"

        async def awaited() -> RetrievalPlan:
            async with AsyncDocGraph(real.conninfo) as client:
                return await client.plan(question, seed_limit=1)

        assert asyncio.run(awaited()) == found

    def test_the_model_is_loaded_once(self, real: Installed, monkeypatch: pytest.MonkeyPatch) -> None:
        loaded = []
        load = WordLlamaEmbedder.__init__

        def counting(self: WordLlamaEmbedder) -> None:
            loaded.append(self)
            load(self)

        monkeypatch.setattr(WordLlamaEmbedder, "__init__", counting)
        with DocGraph(real.conninfo) as client:
            client.plan(embedding=[1.0] * defaults.DIMENSIONS)
            assert loaded == []
            for _ in range(2):
                client.plan("bread")
                client.search("bread")
            assert len(loaded) == 1


def test_a_database_that_moves_to_another_model(database: Installed) -> None:
    """The vector of a question is never of the model before."""
    with DocGraph(database.conninfo) as client:
        client.configure_embedding_space(DEFAULT)
        assert client.plan("leave").seed_documents == ()
        client.configure_embedding_space(SPACE)
        with pytest.raises(InvalidArgument, match="no embedding model 'test-model'"):
            client.plan("leave")
        assert client.plan("leave", embedder=WordEmbedder()).made_by.embedding_space is not None


def test_before_the_embedding_space_is_configured(database: Installed) -> None:
    with database.connect() as connection:
        connection.execute("DELETE FROM docgraph.embedding_space")
    with DocGraph(database.conninfo) as client:
        for call in (
            lambda: client.plan("leave"),
            lambda: client.plan("leave", embedder=WordEmbedder()),
            lambda: client.search("leave"),
            lambda: client.plan(embedding=VECTOR),
        ):
            with pytest.raises(NotConfigured, match="no embedding space yet"):
                call()
        assert client.plan(seeds=["a"]).omitted == 1
