"""The retriever, through LangChain's own interface."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
import threading
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.runnables import ConfigurableField, RunnableLambda
from pydantic import ValidationError

from docgraph import Access, AsyncDocGraph, DocGraph
from docgraph.errors import DocgraphError, InvalidArgument
from docgraph.ingest.embedding import resolve_embedder
from docgraph.integrations.langchain import DocGraphRetriever
from tests.integrations.conftest import HR, QUESTION

QUESTIONS = [QUESTION, "When are salaries paid?", "Where do I get a passport?"]


def invoked(conninfo: str, question: str = QUESTION, **settings: Any) -> list[Document]:
    with DocGraph(conninfo) as client:
        return DocGraphRetriever(client=client, **settings).invoke(question)


def ids(found: list[Document]) -> set[str]:
    return {document.metadata["document_id"] for document in found}


def test_a_document_for_each_chunk_in_the_order_of_the_context(handbook: str) -> None:
    with DocGraph(handbook) as client:
        context = client.retrieve(QUESTION, seed_limit=1, conceptual_share=0)
        found = DocGraphRetriever(client=client, options={"seed_limit": 1}).invoke(QUESTION)
    assert [(each.metadata["document_id"], each.page_content) for each in found] == [
        (chunk.document_id, chunk.text) for chunk in context.chunks
    ]
    leave, pay = found[0], found[-1]
    assert "Thirty days" in leave.page_content
    assert leave.metadata == {
        "document_id": "leave.md",
        "chunk": 0,
        "title": "Leave",
        "source": context.documents[0].source,
        "section_path": list(context.chunks[0].section_path),
        "position": 1,
        "role": "seed",
        "why": "seed 1, found by search",
        "relations": [],
        "score": context.chunks[0].score,
        "chosen": 1,
        "chosen_by": "similarity",
        "plan_hash": context.plan.plan_hash,
    }
    assert (pay.id, pay.metadata["role"]) == ("pay.md#0", "expanded")
    assert pay.metadata["relations"] == [{"from": "leave.md", "relation_type": "references"}]
    assert pay.metadata["why"] == "leave.md references this"
    assert json.loads(json.dumps(pay.metadata)) == pay.metadata


def test_the_whole_budget_is_for_chunks_unless_something_else_is_said(handbook: str) -> None:
    with DocGraph(handbook) as client:
        needed = sum(chunk.tokens for chunk in client.retrieve(QUESTION).chunks)
        expected = DocGraphRetriever(client=client).invoke(QUESTION)
        retriever = DocGraphRetriever(client=client, options={"budget_tokens": needed})
        assert retriever.invoke(QUESTION) == expected
        shared = DocGraphRetriever(
            client=client, options={"budget_tokens": needed, "conceptual_share": 0.5}
        ).invoke(QUESTION)
        assert 0 < len(shared) < len(expected)


def test_ids_are_stable_and_each_is_another(handbook: str) -> None:
    first, again = invoked(handbook), invoked(handbook)
    assert first == again
    assert len({each.id for each in first}) == len(first) > 1


@pytest.mark.parametrize("native", [True, False], ids=["async client", "in a thread"])
def test_async_gives_the_same(handbook: str, native: bool) -> None:
    expected = [invoked(handbook, question) for question in QUESTIONS]

    async def ask() -> None:
        with DocGraph(handbook) as blocking:
            async with AsyncDocGraph(handbook) as client:
                clients = {"async_client": client} if native else {"client": blocking}
                retriever = DocGraphRetriever(**clients)
                assert await retriever.ainvoke(QUESTION) == expected[0]
                assert await retriever.abatch(QUESTIONS) == expected

    asyncio.run(ask())


def test_with_both_clients_async_calls_ask_the_async_one(handbook: str) -> None:
    async def ask() -> None:
        with DocGraph(handbook) as blocking:
            async with AsyncDocGraph(handbook, tenant="rival") as client:
                retriever = DocGraphRetriever(client=blocking, async_client=client)
                assert ids(await retriever.ainvoke(QUESTION)) == {"rival.md"}
                assert "leave.md" in ids(retriever.invoke(QUESTION))

    asyncio.run(ask())


def test_batch_asks_from_several_threads(handbook: str) -> None:
    """All at a time: each waits until the others have begun."""
    threads = set()
    begun = threading.Barrier(len(QUESTIONS), timeout=30)

    class Meeting(BaseCallbackHandler):
        raise_error = True

        def on_retriever_start(self, *_: Any, **__: Any) -> None:
            threads.add(threading.get_ident())
            begun.wait()

    with DocGraph(handbook) as client:
        retriever = DocGraphRetriever(client=client)
        found = retriever.batch(QUESTIONS, config={"callbacks": [Meeting()]})
        assert found == [retriever.invoke(question) for question in QUESTIONS]
    assert len(threads) == len(QUESTIONS)
    assert found[0] != found[1] != found[2]


def test_in_a_chain(handbook: str) -> None:
    with DocGraph(handbook) as client:
        chain = DocGraphRetriever(client=client) | RunnableLambda(lambda found: found[0].page_content)
        assert "Thirty days" in chain.invoke(QUESTION)


class TestAccess:
    """By the clients, or by the retriever's own settings; never by the question."""

    def test_claim_and_tenant(self, handbook: str) -> None:
        assert "secret.md" not in ids(invoked(handbook))
        assert "secret.md" in ids(invoked(handbook, access=HR))
        assert ids(invoked(handbook, tenant="rival")) == {"rival.md"}
        with DocGraph(handbook, access=HR) as client:
            assert "secret.md" in ids(DocGraphRetriever(client=client).invoke(QUESTION))
            assert "secret.md" not in ids(DocGraphRetriever(client=client, access=Access()).invoke(QUESTION))

    def test_a_claim_as_json_has_it(self, handbook: str) -> None:
        claim: Any = {"tags": ["hr"], "clearance": 0}
        expected = invoked(handbook, access=Access(tags=["hr"]))
        assert ids(expected) > ids(invoked(handbook))
        assert invoked(handbook, access=claim) == expected
        with pytest.raises(InvalidArgument, match="access has an unknown key"):
            invoked(handbook, access={"tag": []})

    def test_configured_by_the_call(self, handbook: str) -> None:
        with DocGraph(handbook) as client:
            retriever = DocGraphRetriever(client=client).configurable_fields(
                access=ConfigurableField(id="access")
            )
            assert "secret.md" not in ids(retriever.invoke(QUESTION))
            assert "secret.md" in ids(retriever.invoke(QUESTION, config={"configurable": {"access": HR}}))

    @pytest.mark.parametrize("asked", [["hr"], "hr"])
    def test_a_claim_is_an_access(self, handbook: str, asked: Any) -> None:
        with pytest.raises(ValidationError, match="instance of Access"):
            invoked(handbook, access=asked)

    @pytest.mark.parametrize("brought", [{"access": HR}, {"tenant": "rival"}], ids=["access", "tenant"])
    def test_a_call_does_not_bring_it(self, handbook: str, brought: dict[str, Any]) -> None:
        with DocGraph(handbook) as client, pytest.raises(InvalidArgument, match="there is no option"):
            DocGraphRetriever(client=client).invoke(QUESTION, **brought)


class TestOptionsOfACall:
    """Such as `k`, which is LangChain's word for max_chunks."""

    def test_they_go_before_those_of_the_retriever(self, handbook: str) -> None:
        expected = invoked(handbook, options={"max_chunks": 2})
        assert len(expected) == 2 < len(invoked(handbook))
        with DocGraph(handbook) as client:
            retriever = DocGraphRetriever(client=client, options={"max_chunks": 1, "reserve": 0})
            assert retriever.invoke(QUESTION, k=2, reserve=0.4) == expected
            assert retriever.invoke(QUESTION, max_chunks=2, reserve=0.4, verbose=True) == expected
            assert retriever.bind(k=2, reserve=0.4).invoke(QUESTION) == expected
            assert [len(found) for found in retriever.batch(QUESTIONS, k=2)] == [2] * len(QUESTIONS)
            # They are of that call alone.
            assert len(retriever.invoke(QUESTION)) == 1

    @pytest.mark.parametrize("native", [True, False], ids=["async client", "in a thread"])
    def test_async(self, handbook: str, native: bool) -> None:
        expected = invoked(handbook, options={"max_chunks": 2})

        async def ask() -> None:
            with DocGraph(handbook) as blocking:
                async with AsyncDocGraph(handbook) as client:
                    clients = {"async_client": client} if native else {"client": blocking}
                    retriever = DocGraphRetriever(**clients)
                    assert await retriever.ainvoke(QUESTION, k=2) == expected
                    assert [len(found) for found in await retriever.abatch(QUESTIONS, k=1)] == [1, 1, 1]
                    with pytest.raises(InvalidArgument, match="there is no option top_k"):
                        await retriever.ainvoke(QUESTION, top_k=2)

        asyncio.run(ask())

    @pytest.mark.parametrize(
        ("brought", "message"),
        [
            ({"top_k": 3}, r"there is no option top_k: they are .*max_chunks"),
            ({"max_chunk": 3}, r"there is no option max_chunk: they are .*Did you mean max_chunks\?"),
            ({"k": 3, "max_chunks": 3}, "k and max_chunks are both given"),
            ({"k": -1}, "max_chunks must be from 0 to 1000"),
            ({"k": "3"}, "max_chunks must be a whole number"),
        ],
    )
    def test_refused(self, handbook: str, brought: dict[str, Any], message: str) -> None:
        with DocGraph(handbook) as client:
            retriever = DocGraphRetriever(client=client)
            for ask in (retriever.invoke, lambda asked, **more: retriever.batch([asked], **more)):
                with pytest.raises(InvalidArgument, match=message) as refused:
                    ask(QUESTION, **brought)
                assert refused.value.hint


class TestRefused:
    def test_without_a_client(self) -> None:
        with pytest.raises(ValidationError, match="give client, a DocGraph, or async_client"):
            DocGraphRetriever()

    def test_an_unknown_option(self, handbook: str) -> None:
        with pytest.raises(ValidationError, match=r"there is no option acces: they are .*budget_tokens"):
            invoked(handbook, options={"acces": HR})
        for elsewhere in ("tenant", "access", "seeds", "embedder"):
            with pytest.raises(ValidationError, match=f"there is no option {elsewhere}"):
                invoked(handbook, options={elsewhere: None})

    def test_an_unknown_setting(self, handbook: str) -> None:
        with pytest.raises(ValidationError, match="acces\n"):
            invoked(handbook, acces=HR)

    def test_blocking_calls_of_an_async_client(self, handbook: str) -> None:
        retriever = DocGraphRetriever(async_client=AsyncDocGraph(handbook))
        with pytest.raises(InvalidArgument, match="no client for blocking calls") as refused:
            retriever.invoke(QUESTION)
        assert "ainvoke" in str(refused.value)

    def test_errors_are_ours_and_callbacks_hear_of_them(self, handbook: str) -> None:
        heard = []

        class Ear(BaseCallbackHandler):
            def on_retriever_error(self, error: BaseException, **_: Any) -> None:
                heard.append(error)

        with DocGraph(handbook) as client:
            retriever = DocGraphRetriever(client=client, options={"max_chunks": -1})
            with pytest.raises(InvalidArgument, match="max_chunks") as refused:
                retriever.invoke(QUESTION, config={"callbacks": [Ear()]})
            with pytest.raises(InvalidArgument, match="blank"):
                DocGraphRetriever(client=client).invoke(" ")
        assert heard == [refused.value]


class _Fixed(Embeddings):
    """LangChain's, in which every question is the same one."""

    def __init__(self, question: str) -> None:
        self._question = question

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise AssertionError("a question is no document")

    def embed_query(self, text: str) -> list[float]:
        found = resolve_embedder(None, model=None, dimensions=None)
        return list(map(float, found.embed_query(self._question)))


def test_an_embedder_and_seeds_of_ones_own(handbook: str) -> None:
    settings: dict[str, Any] = {"options": {"seed_limit": 1}}
    passports = invoked(handbook, QUESTIONS[2], **settings)
    assert passports != invoked(handbook, **settings)
    assert invoked(handbook, embedder=_Fixed(QUESTIONS[2]), **settings) == passports
    model = resolve_embedder(None, model=None, dimensions=None)
    assert invoked(handbook, embedder=model, **settings) == invoked(handbook, **settings)
    found = invoked(handbook, seeds=["visa.md"], options={"seed_limit": 0})
    assert [(each.id, each.metadata["why"]) for each in found] == [("visa.md#0", "seed 1, given")]


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "docgraph.integrations.langchain")
    monkeypatch.setitem(sys.modules, "langchain_core.retrievers", None)
    with pytest.raises(ImportError, match="langchain-core") as refused:
        importlib.import_module("docgraph.integrations.langchain")
    assert isinstance(refused.value, DocgraphError)
    assert refused.value.hint == "Run: pip install 'docgraph[langchain]'"
