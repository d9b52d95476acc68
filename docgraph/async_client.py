"""The clients: a method is one call of one SQL function, or takes a flow to its end.

The blocking client is this file without `await`: change it here, and have the other one written by
`UPDATE_GOLDEN=1 python -m pytest tests/unit/test_twins.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self, TypeVar, Unpack

from docgraph import calls
from docgraph.access import Access, Ceiling, EmbeddingSpace, Identity, LexicalIndex
from docgraph.any_client import DEFAULT_TENANT, AnyClient, check_version
from docgraph.documents import Document
from docgraph.engine import AsyncDatabase, Source
from docgraph.ingest.flow import drive_async
from docgraph.ingest.putting import Where, put
from docgraph.questions import Question, Questions
from docgraph.reranking import naming_rerankers
from docgraph.stored import DocumentRow, OldText, Relationship, StoredDocument, Written

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from docgraph.adapting import Numbers, Vectors
    from docgraph.context import ContextRow, EvidenceRow, RetrievedContext
    from docgraph.ingest.jobs import IngestOptions, Origin
    from docgraph.ingest.report import Report
    from docgraph.ingest.types import AnyEmbedder
    from docgraph.plan import RetrievalPlan
    from docgraph.plan.rows import PlanCheck, PlanRow, SearchHit
    from docgraph.plan_calls import AnyPlan
    from docgraph.planning import PlanArguments, PlanOptions, SearchArguments, SearchOptions
    from docgraph.retrieving import (
        ContextArguments,
        EvidenceArguments,
        ExecuteOptions,
        ManyArguments,
        RetrieveOptions,
    )
    from docgraph.stages import DependencyTree, NodeTexts, PipelineResult
    from docgraph.stages.options import (
        AnyNodes,
        ExpandArguments,
        FetchArguments,
        PipelineArguments,
        PipelineOptions,
    )

T = TypeVar("T")


class AsyncDocGraph(AnyClient):
    """docgraph, for asyncio.

    `source` is a URL, a libpq string, a psycopg connection or pool, or a SQLAlchemy Engine or Connection, of
    either kind; without one DOCGRAPH_DATABASE_URL decides, and without that the embedded server is used.
    """

    def __init__(
        self,
        source: Source = None,
        *,
        tenant: str = DEFAULT_TENANT,
        access: Access | None = None,
        home: Path | None = None,
        keep: bool = False,
    ) -> None:
        self.database = AsyncDatabase(source, home=home, keep=keep)
        super().__init__(tenant, access)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Gives back what was opened here. A connection, pool or engine of the caller's stays as it is."""
        await self.database.close()

    async def _run(self, request: calls.Request[T]) -> T:
        opened = self.database.statement if request.call.alone else self.database.connection
        async with opened() as connection:
            if not self._checked:
                check_version(await calls.ask_version_async(connection))
                self._checked = True
            return await calls.fetch_async(connection, request)

    async def _write(self, request: calls.Request[Written]) -> Written:
        done = await self._run(request)
        if self.database.commits:
            position = await self._run(calls.wal_position())
            done = replace(done, wal=position)
        return done

    async def whoami(self, *, tenant: str | None = None, access: Access | None = None) -> Identity:
        """What a call with this claim would be allowed."""
        return await self._run(calls.whoami(*self._who(tenant, access)))

    async def embedding_space(self) -> EmbeddingSpace | None:
        """The embedding space in use; None before it is configured."""
        return await self._run(calls.embedding_space())

    async def configure_embedding_space(self, space: EmbeddingSpace) -> bool:
        """Records the embedding space; True if something changed. For members of docgraph_admin."""
        return await self._run(calls.configure_embedding_space(space))

    async def grant_access(self, ceiling: Ceiling, *, tenant: str | None = None) -> None:
        """Gives a login its ceiling in a tenant. For members of docgraph_admin."""
        return await self._run(calls.grant_access(self.tenant if tenant is None else tenant, ceiling))

    async def revoke_access(self, login: str, *, tenant: str | None = None) -> bool:
        """Takes a login's ceiling away; True if there was one. For members of docgraph_admin."""
        return await self._run(calls.revoke_access(self.tenant if tenant is None else tenant, login))

    async def list_access(self, *, tenant: str | None = None) -> list[Ceiling]:
        """The ceilings of a tenant, by login. For members of docgraph_admin."""
        return await self._run(calls.list_access(self.tenant if tenant is None else tenant))

    async def begin_ingestion(
        self, ingestion: str, source: str, *, tenant: str | None = None, access: Access | None = None
    ) -> None:
        """Opens a run that brings documents in, or takes it up again. For members of docgraph_writer."""
        return await self._run(calls.begin_ingestion(*self._who(tenant, access), ingestion, source))

    async def finish_ingestion(
        self,
        ingestion: str,
        state: str,
        report: Mapping[str, object],
        *,
        tenant: str | None = None,
        access: Access | None = None,
    ) -> dict[str, int]:
        """Closes a run as "finished" or "failed"; how many of its references wait. For docgraph_writer."""
        return await self._run(calls.finish_ingestion(*self._who(tenant, access), ingestion, state, report))

    async def unchanged_documents(
        self,
        documents: Iterable[Document | Mapping[str, object]],
        *,
        ingestion: str | None = None,
        tenant: str | None = None,
        access: Access | None = None,
    ) -> list[str]:
        """Those documents that `put_documents` would leave as they are. For members of docgraph_writer."""
        return await self._run(calls.unchanged_documents(*self._who(tenant, access), documents, ingestion))

    async def put_documents(
        self,
        documents: Iterable[Document | Mapping[str, object]],
        *,
        ingestion: str | None = None,
        model: str | None = None,
        tenant: str | None = None,
        access: Access | None = None,
    ) -> Written:
        """Brings a batch of documents in, all or none. Any number: `put`. For members of docgraph_writer.

        `model` says of which embedding model the vectors are; another one than the recorded is refused.
        """
        return await self._write(calls.put_documents(*self._who(tenant, access), documents, ingestion, model))

    async def delete_documents(
        self, documents: Collection[str], *, tenant: str | None = None, access: Access | None = None
    ) -> Written:
        """Takes documents away, with all that hangs on them. For members of docgraph_writer."""
        return await self._write(calls.delete_documents(*self._who(tenant, access), documents))

    async def set_document_access(
        self,
        documents: Collection[str],
        attributes: Mapping[str, object],
        *,
        tenant: str | None = None,
        access: Access | None = None,
    ) -> Written:
        """Changes who may see documents. For members of docgraph_writer."""
        return await self._write(calls.set_document_access(*self._who(tenant, access), documents, attributes))

    async def put_relationships(
        self,
        relationships: Iterable[Mapping[str, object]],
        *,
        tenant: str | None = None,
        access: Access | None = None,
    ) -> Written:
        """Declares relationships: from, relation_type, to, evidence. For members of docgraph_writer."""
        return await self._write(calls.put_relationships(*self._who(tenant, access), relationships))

    async def delete_relationships(
        self,
        relationships: Iterable[Mapping[str, object]],
        *,
        tenant: str | None = None,
        access: Access | None = None,
    ) -> Written:
        """Takes relationships away: from, relation_type, to. For members of docgraph_writer."""
        return await self._write(calls.delete_relationships(*self._who(tenant, access), relationships))

    async def get_document(
        self, document: str, *, tenant: str | None = None, access: Access | None = None
    ) -> StoredDocument | None:
        """A document with its chunks; None if there is none to be seen."""
        return await self._run(calls.get_document(*self._who(tenant, access), document))

    async def list_documents(
        self,
        *,
        after: str | None = None,
        page: int = 100,
        ingested_from: str | None = None,
        tenant: str | None = None,
        access: Access | None = None,
    ) -> list[DocumentRow]:
        """A page of the visible documents, by id; `after` is the last id of the page before."""
        return await self._run(calls.list_documents(*self._who(tenant, access), after, page, ingested_from))

    async def list_relationships(
        self,
        document: str,
        direction: str = "out",
        *,
        after: Collection[str] | None = None,
        page: int = 100,
        tenant: str | None = None,
        access: Access | None = None,
    ) -> list[Relationship]:
        """A page of what leads from a document ("out") or to it ("in"); `after` is type and other end."""
        return await self._run(
            calls.list_relationships(*self._who(tenant, access), document, direction, after, page)
        )

    async def wal_position(self) -> str:
        """How far the write-ahead log has come; on a standby, how far it has been replayed."""
        return await self._run(calls.wal_position())

    async def put(
        self,
        documents: Iterable[Document | Mapping[str, object]],
        *,
        ingestion: str | None = None,
        model: str | None = None,
        strict: bool = False,
        progress: Callable[[Report], object] | None = None,
        tenant: str | None = None,
        access: Access | None = None,
    ) -> Report:
        """Brings any number of documents in, as they come, a batch in a transaction at a time.

        A document that is refused is reported and does not stop the others, unless `strict`.
        """
        where = Where(*self._who(tenant, access), ingestion, model)
        flow = put(documents, where, strict=strict, progress=progress, commits=self.database.commits)
        return await drive_async(flow, self._run)

    async def ingest(
        self,
        source: Origin,
        *,
        tenant: str | None = None,
        access: Access | None = None,
        **options: Unpack[IngestOptions],
    ) -> Report:
        """Brings files in: read, split, link, summarise, embed, write. See `docgraph.ingest.IngestOptions`.

        What is stored already with the same content is left alone. Without `access` the claim of this client
        is widened by the tags, labels and clearance among the options, never by what a file says.
        """
        from docgraph.ingest.jobs import make_job  # noqa: PLC0415 - loads what reads and splits
        from docgraph.ingest.pipeline import ingest  # noqa: PLC0415 - likewise

        job = make_job(source, self._who(tenant, None)[0], access, self.access, options)
        flow = ingest(job, progress=options.get("progress"), commits=self.database.commits)
        return await drive_async(flow, self._run)

    async def search_nodes(
        self, *, tenant: str | None = None, access: Access | None = None, **arguments: Unpack[SearchArguments]
    ) -> list[SearchHit]:
        """The documents, or with search_in="chunks" the chunks, that fit a query best; ids and ranks only."""
        return await self._run(calls.search_nodes(*self._who(tenant, access), **arguments))

    async def candidate_texts(
        self,
        documents: Sequence[str],
        chunks: Sequence[int] | None = None,
        *,
        tenant: str | None = None,
        access: Access | None = None,
    ) -> dict[int, str]:
        """The texts of what a search has found, by place from 1. For reranking: see `search`."""
        return await self._run(calls.candidate_texts(*self._who(tenant, access), documents, chunks))

    async def plan_retrieval(
        self, *, tenant: str | None = None, access: Access | None = None, **arguments: Unpack[PlanArguments]
    ) -> RetrievalPlan:
        """Which documents may take part, and why: seeds, and one hop from them. For a question: `plan`."""
        return await self._run(calls.plan_retrieval(*self._who(tenant, access), **arguments))

    async def plan_documents(self, plan: AnyPlan) -> list[PlanRow]:
        """The documents of a plan, a row for each reason."""
        return await self._run(calls.plan_documents(plan))

    async def explain_plan(self, plan: AnyPlan) -> str:
        """A plan as a tree of text."""
        return await self._run(calls.explain_plan(plan))

    async def seal_plan(self, plan: AnyPlan) -> RetrievalPlan:
        """A plan that was changed by hand, with a new hash and marked as edited."""
        return await self._run(calls.seal_plan(plan))

    async def verify_plan(self, plan: AnyPlan) -> PlanCheck:
        """Whether a plan is well formed, its hash holds, and it was made for this embedding space."""
        return await self._run(calls.verify_plan(plan))

    async def execute_plan(
        self,
        plan: AnyPlan,
        *,
        tenant: str | None = None,
        access: Access | None = None,
        **arguments: Unpack[EvidenceArguments],
    ) -> list[EvidenceRow]:
        """The chunks of a plan's documents that fit a query best, and of nothing else."""
        return await self._run(calls.execute_plan(*self._who(tenant, access), plan, **arguments))

    async def assemble_context(
        self,
        plan: AnyPlan,
        *,
        tenant: str | None = None,
        access: Access | None = None,
        **arguments: Unpack[ContextArguments],
    ) -> list[ContextRow]:
        """Summaries, section titles and chunks of a plan within a budget, as rows; the last is the bill."""
        return await self._run(calls.assemble_context(*self._who(tenant, access), plan, **arguments))

    async def retrieve_by_plan(
        self,
        plan: AnyPlan,
        *,
        tenant: str | None = None,
        access: Access | None = None,
        **arguments: Unpack[ContextArguments],
    ) -> RetrievedContext:
        """What `retrieve` gives, by a plan that was made before. For a question in words: `execute`."""
        return await self._run(calls.retrieve_by_plan(*self._who(tenant, access), plan, **arguments))

    async def retrieve_many(
        self, *, tenant: str | None = None, access: Access | None = None, **arguments: Unpack[ManyArguments]
    ) -> list[RetrievedContext]:
        """What `retrieve` gives for each of several vectors, in one call. In words: `retrieve_all`."""
        return await self._run(calls.retrieve_many(*self._who(tenant, access), **arguments))

    async def expand_dependency_tree(
        self, *, tenant: str | None = None, access: Access | None = None, **arguments: Unpack[ExpandArguments]
    ) -> DependencyTree:
        """What documents lead to over relationships, breadth first and within limits; ids only."""
        return await self._run(calls.expand_dependency_tree(*self._who(tenant, access), **arguments))

    async def fetch_node_texts(
        self,
        nodes: AnyNodes = None,
        *,
        tenant: str | None = None,
        access: Access | None = None,
        **arguments: Unpack[FetchArguments],
    ) -> NodeTexts:
        """The texts of nodes, or of seeds, within a budget of characters or tokens; and the bill.

        `nodes` is a tree, or a list of its nodes.
        """
        return await self._run(calls.fetch_node_texts(*self._who(tenant, access), nodes, **arguments))

    async def run_pipeline(
        self,
        *,
        tenant: str | None = None,
        access: Access | None = None,
        **arguments: Unpack[PipelineArguments],
    ) -> PipelineResult:
        """Search, expansion and texts in one call and one snapshot. For a question in words: `pipeline`."""
        return await self._run(calls.run_pipeline(*self._who(tenant, access), **arguments))

    async def search(
        self,
        query: str | None = None,
        *,
        embedding: Numbers | None = None,
        embedder: AnyEmbedder = None,
        tenant: str | None = None,
        access: Access | None = None,
        **options: Unpack[SearchOptions],
    ) -> list[SearchHit]:
        """What answers a question best: ids in order, by meaning, by words, or by both (`mode`).

        The question is embedded as `plan` does it, unless words alone are compared. `rerank` puts what was
        found in another order: "keyword", or a model of your own. See `docgraph.planning.SearchOptions`.
        """
        flow = self._asking.search(self._who(tenant, access), Question(query, embedding, embedder), options)
        with naming_rerankers():
            return await drive_async(flow, self._run)

    async def embed(self, query: str, *, embedder: AnyEmbedder = None) -> list[float]:
        """A question as a vector, as `plan` embeds it: for psql, or for many calls with one question."""
        return await drive_async(self._asking.embed(query, embedder), self._run)

    async def plan(
        self,
        query: str | None = None,
        *,
        embedding: Numbers | None = None,
        seeds: Sequence[str] | None = None,
        embedder: AnyEmbedder = None,
        tenant: str | None = None,
        access: Access | None = None,
        **options: Unpack[PlanOptions],
    ) -> RetrievalPlan:
        """The plan for a question, in words or as a vector, for given seeds, or for both.

        The question is embedded with the model that the database records: by the embedder its name calls for,
        which then stays loaded, or by `embedder`. See `docgraph.planning.PlanOptions`.
        """
        question = Question(query, embedding, embedder)
        return await drive_async(
            self._asking.plan(self._who(tenant, access), question, seeds, options), self._run
        )

    async def retrieve(
        self,
        query: str | None = None,
        *,
        embedding: Numbers | None = None,
        seeds: Sequence[str] | None = None,
        embedder: AnyEmbedder = None,
        tenant: str | None = None,
        access: Access | None = None,
        **options: Unpack[RetrieveOptions],
    ) -> RetrievedContext:
        """What there is to answer a question from: a plan, what its documents say, and the bill.

        The question, in words or as a vector, is embedded as `plan` does it, and all the rest is one call and
        one snapshot. See `docgraph.retrieving.RetrieveOptions`.
        """
        question = Question(query, embedding, embedder)
        return await drive_async(
            self._asking.retrieve(self._who(tenant, access), question, seeds, options), self._run
        )

    async def execute(
        self,
        plan: AnyPlan,
        query: str | None = None,
        *,
        embedding: Numbers | None = None,
        embedder: AnyEmbedder = None,
        tenant: str | None = None,
        access: Access | None = None,
        **options: Unpack[ExecuteOptions],
    ) -> RetrievedContext:
        """What `retrieve` gives, by a plan made before: stored, approved, or changed and sealed anew.

        Each document is authorised anew; nothing is added. See `docgraph.retrieving.ExecuteOptions`.
        """
        question = Question(query, embedding, embedder)
        return await drive_async(
            self._asking.execute(self._who(tenant, access), plan, question, options), self._run
        )

    async def retrieve_all(
        self,
        questions: Sequence[str] | None = None,
        *,
        embeddings: Vectors | None = None,
        seeds: Sequence[str] | None = None,
        embedder: AnyEmbedder = None,
        tenant: str | None = None,
        access: Access | None = None,
        **options: Unpack[RetrieveOptions],
    ) -> list[RetrievedContext]:
        """What `retrieve` gives for each of up to 100 questions, in their order: one call, one snapshot."""
        asked = Questions(questions, embeddings, embedder)
        return await drive_async(
            self._asking.retrieve_all(self._who(tenant, access), asked, seeds, options), self._run
        )

    async def pipeline(
        self,
        query: str | None = None,
        *,
        embedding: Numbers | None = None,
        seeds: Sequence[str] | None = None,
        embedder: AnyEmbedder = None,
        tenant: str | None = None,
        access: Access | None = None,
        **options: Unpack[PipelineOptions],
    ) -> PipelineResult:
        """What a question finds, what that leads to, and the texts, with what each of the three stages gave.

        One call and one snapshot. `seeds` take the place of a question. See `docgraph.stages.options`.
        """
        question = Question(query, embedding, embedder)
        return await drive_async(
            self._asking.pipeline(self._who(tenant, access), question, seeds, options), self._run
        )

    async def begin_reembedding(self, model: str, dimensions: int, metric: str) -> None:
        """Says to which embedding space the database shall move. For members of docgraph_admin."""
        return await self._run(calls.begin_reembedding(model, dimensions, metric))

    async def texts_to_reembed(
        self, *, after: Collection[str] | None = None, page: int = 100
    ) -> list[OldText]:
        """A page of texts without a vector of the next space. For members of docgraph_admin."""
        return await self._run(calls.texts_to_reembed(after, page))

    async def put_new_vectors(self, model: str, vectors: Iterable[Mapping[str, object]]) -> int:
        """Stores vectors of the next space, beside the old ones. For members of docgraph_admin."""
        return await self._run(calls.put_new_vectors(model, vectors))

    async def switch_embedding_space(self) -> None:
        """Makes the next space the one in use; others wait meanwhile. For members of docgraph_admin."""
        return await self._run(calls.switch_embedding_space())

    async def rebuild_lexical(
        self,
        *,
        average_length: float | None = None,
        text_search: str | None = None,
        k1: float | None = None,
        b: float | None = None,
    ) -> LexicalIndex:
        """Makes the index of words anew, while others wait. For members of docgraph_admin."""
        return await self._run(calls.rebuild_lexical(average_length, text_search, k1, b))

    async def reembed(
        self,
        embedder: AnyEmbedder = None,
        *,
        model: str | None = None,
        dimensions: int | None = None,
        metric: str | None = None,
        base_url: str | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> int:
        """Moves the database to another embedding space; the number of vectors made. For docgraph_admin.

        The old space serves until the switch. Stopped in the middle, it goes on where it was.
        """
        from docgraph.ingest.reembedding import reembed  # noqa: PLC0415 - loads what embeds

        flow = reembed(embedder, model, dimensions, metric=metric, base_url=base_url, progress=progress)
        return await drive_async(flow, self._run)
