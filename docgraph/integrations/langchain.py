"""A retriever for LangChain: the chunks of a planned context, as LangChain's documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from docgraph.access import Access
from docgraph.async_client import AsyncDocGraph
from docgraph.client import DocGraph
from docgraph.context import RetrievedContext
from docgraph.errors import InvalidArgument
from docgraph.ingest.types import AnyEmbedder
from docgraph.integrations import ExtraMissing
from docgraph.retrieving import RetrieveOptions
from docgraph.unknown import listed, probably

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import run_in_executor
    from pydantic import ConfigDict, Field, InstanceOf, field_validator, model_validator
except ImportError as error:
    raise ExtraMissing("langchain", "langchain-core", error) from error


class DocGraphRetriever(BaseRetriever):
    """A document for each chunk, in the order of the context; in `metadata` where it is from, and why.

    `client` serves `invoke` and `batch`, from any number of threads; `async_client` serves `ainvoke` and
    `abatch` of its event loop. Without it those ask `client` in a thread, as LangChain does for everyone.

    Nothing about access comes from the question. The claim is that of the client, or `tenant` and `access`
    here: make a retriever for each user, which costs nothing, or declare the two as configurable fields.

    A call may bring options of its own, as `invoke("...", k=3)`; `k` is LangChain's word for `max_chunks`.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    client: InstanceOf[DocGraph] | None = None
    async_client: InstanceOf[AsyncDocGraph] | None = None
    tenant: str | None = None
    """In place of the client's."""
    access: InstanceOf[Access] | dict[str, Any] | None = None
    """The claim, in place of the client's; as JSON has it, too."""
    seeds: Sequence[str] | None = None
    """Ids of documents to begin with, beside those that the question finds."""
    embedder: Any = None
    """As `retrieve` takes it, or LangChain's `Embeddings`: of the model that the database records."""
    options: dict[str, Any] = Field(default_factory=dict)
    """See `docgraph.retrieving.RetrieveOptions`.

    Summaries and section titles are in no chunk, so the whole budget is for chunks: `conceptual_share` is 0.
    """

    @field_validator("options")
    @classmethod
    def _are_known(cls, options: dict[str, Any]) -> dict[str, Any]:
        if refusal := _refusal(options):
            raise ValueError(refusal)
        return options

    @model_validator(mode="after")
    def _has_a_client(self) -> Self:
        if self.client is None and self.async_client is None:
            raise ValueError("give client, a DocGraph, or async_client, an AsyncDocGraph, or both")
        return self

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **call: Any
    ) -> list[Document]:
        asked = self._asked(call)
        if self.client is None:
            raise InvalidArgument(
                "this retriever has no client for blocking calls",
                hint="Give it a DocGraph as client, or use ainvoke and abatch.",
            )
        return _documents(self.client.retrieve(query, **asked))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **call: Any
    ) -> list[Document]:
        if self.async_client is None:
            # As the base class does it, which forgets what the call has brought.
            blocking = self._get_relevant_documents
            return await run_in_executor(None, blocking, query, run_manager=run_manager.get_sync(), **call)
        return _documents(await self.async_client.retrieve(query, **self._asked(call)))

    def _asked(self, call: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "tenant": self.tenant,
            "access": self.access,
            "seeds": self.seeds,
            "embedder": _embedder(self.embedder),
            "conceptual_share": 0,
            **self.options,
            **_options_of(call),
        }


def _refusal(options: Mapping[str, Any]) -> str | None:
    known = RetrieveOptions.__annotations__
    unknown = sorted(options.keys() - known.keys())
    if not unknown:
        return None
    meant = probably(unknown[0], known).strip()
    return f"there is no option {unknown[0]}: they are {listed(known)}{f'. {meant}' if meant else ''}"


def _options_of(call: Mapping[str, Any]) -> dict[str, Any]:
    """What a call brings along. `verbose` is for LangChain itself, which hands it on all the same."""
    options = {name: value for name, value in call.items() if name != "verbose"}
    if "k" in options:
        if "max_chunks" in options:
            raise InvalidArgument("k and max_chunks are both given", hint="They are the same: give one.")
        options["max_chunks"] = options.pop("k")
    if refusal := _refusal(options):
        raise InvalidArgument(
            refusal, hint="In a call k is max_chunks. All else is a setting of the retriever."
        )
    return options


def _embedder(given: AnyEmbedder | Embeddings) -> AnyEmbedder:
    """LangChain's do not say of which model they are: they are taken at their word, as functions are."""
    if isinstance(given, Embeddings):
        return lambda questions: [given.embed_query(question) for question in questions]
    return given


def _documents(found: RetrievedContext) -> list[Document]:
    relations = found.plan.expansion_metadata
    return [
        Document(
            # The number is behind the last "#", whatever the document is called.
            id=f"{chunk.document_id}#{chunk.chunk}",
            page_content=chunk.text,
            metadata={
                "document_id": document.document_id,
                "chunk": chunk.chunk,
                "title": document.title,
                "source": document.source,
                "section_path": list(chunk.section_path),
                "position": document.position,
                "role": document.role,
                "why": document.why,
                "relations": [via.to_dict() for via in relations.get(document.document_id, ())],
                "score": chunk.score,
                "chosen": chunk.chosen,
                "chosen_by": chunk.chosen_by,
                "plan_hash": found.plan.plan_hash,
            },
        )
        for document in found
        for chunk in document.chunks
    ]
