"""From a source to stored documents: read, split, link, summarise, embed, write.

What is stored already with the same content is not looked into; a text that has a vector is not embedded
again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from docgraph import calls
from docgraph.access import EmbeddingSpace
from docgraph.documents import Document
from docgraph.errors import AccessDenied, DocgraphError, InvalidArgument, NotConfigured, ServerUnavailable
from docgraph.ingest.attributes import Attributes, claim_for
from docgraph.ingest.code.forgetting import forget
from docgraph.ingest.code.reading import CodeReader
from docgraph.ingest.composing import Composer, Draft, keeping
from docgraph.ingest.embedding import resolve_embedder
from docgraph.ingest.enclosing import stored_from_above
from docgraph.ingest.flow import Flow, Work
from docgraph.ingest.putting import BATCH_CHUNKS, Given, Where, reason_of, store, write
from docgraph.ingest.reading import nothing_found
from docgraph.ingest.remarks import Remarks
from docgraph.ingest.report import Progress, Report
from docgraph.ingest.types import AnyEmbedder, Embedder, Problem, Raw, Reader
from docgraph.ingest.vectors import Vectors
from docgraph.plain import counted
from docgraph.stored import Written

_BATCH_FILES = 100
_BATCH_BYTES = 4_000_000
_PAGE = 200


@dataclass(frozen=True, slots=True)
class Job:
    """What to bring in, and how."""

    reader: Reader
    composer: Composer
    where: Where
    source: str
    """Name of the source: pruning takes away what came from it before."""
    code: CodeReader | None = None
    """The reader, if it reads code."""
    embedder: AnyEmbedder = None
    base_url: str | None = None
    attributes: Attributes = field(default_factory=Attributes)
    widen: bool = True
    """Whether the claim is widened by `attributes`; never by what a file says of itself."""
    prune: bool = False
    dry_run: bool = False
    strict: bool = False


def ingest(job: Job, *, progress: Progress | None = None, commits: bool = True) -> Flow[Report]:
    """Brings a source in, batch by batch."""
    run = _Run(job)
    space: EmbeddingSpace | None = yield calls.embedding_space()
    if space is None:
        raise NotConfigured("this database has no embedding space yet", hint="Run: docgraph init")
    run.embedder = yield Work(
        lambda: resolve_embedder(
            job.embedder, model=space.model, dimensions=space.dimensions, base_url=job.base_url
        )
    )
    yield from run.begin()
    if progress:
        progress(run.report)
    try:
        batches = _batches(job.reader.read())
        while batch := (yield Work(lambda: next(batches, None))):
            yield from run.bring_in(batch)
            if progress:
                progress(run.report)
        if job.code:
            yield from forget(job.code, run.where, job.attributes, run.delete)
            run.report.notes += [*job.code.notes, *_for_prose(space, run.report)]
        if job.prune:
            yield from run.prune()
        if run.report.added:
            files = job.code.files if job.code else job.reader
            run.report.notes += yield from stored_from_above(files, run.where, job.attributes)
    except Exception:
        # If this cannot be said either, the run stays open: the same command takes it up again.
        with suppress(DocgraphError):
            yield from run.finish("failed")
        raise
    yield from run.finish("finished")
    if commits:
        run.report.wal = yield calls.wal_position()
    return run.report


def _batches(items: Iterable[Raw | Problem]) -> Iterator[list[Raw | Problem]]:
    batch: list[Raw | Problem] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.data) if isinstance(item, Raw) else 0
        if len(batch) >= _BATCH_FILES or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Run:
    """One ingestion under way."""

    embedder: Embedder

    def __init__(self, job: Job) -> None:
        self.job = job
        self.report = Report(ingestion=None if job.dry_run else job.where.ingestion)
        # The ids of a run, for pruning and against doubles: as numbers, because a source may have a million.
        self._seen: set[int] = set()
        self._remarks = Remarks()
        self._vectors = Vectors()
        self._there: set[str] = set()
        """Of the batch, those that are to be seen in the database: in a dry run they would be changed."""

    @property
    def where(self) -> Where:
        """The claim has to hold what documents are given; the ceiling bounds it all the same."""
        where = replace(self.job.where, model=self.embedder.name)
        if self.job.widen:
            where = replace(where, access=claim_for(where.access, self.job.attributes))
        return where

    def begin(self) -> Flow[None]:
        where = self.where
        if not self.job.dry_run and where.ingestion:
            yield calls.begin_ingestion(where.tenant, where.access, where.ingestion, self.job.source)

    def bring_in(self, batch: Sequence[Raw | Problem]) -> Flow[None]:
        """One batch: only what has changed is parsed, and only its new texts are embedded."""
        self._there.clear()
        drafts: list[Draft] = yield Work(lambda: self._drafts(batch))
        unchanged = yield from self._unchanged(drafts)
        self.report.unchanged += len(unchanged)
        ready: list[Document] = []
        for draft in drafts:
            if draft.id in unchanged:
                continue
            document = yield from self._document(draft)
            if document:
                ready.append(document)
            if sum(len(d.chunks) for d in ready) >= BATCH_CHUNKS:
                yield from self._store(ready)
                ready = []
        yield from self._store(ready)

    def _drafts(self, batch: Iterable[Raw | Problem]) -> list[Draft]:
        drafts = []
        for item in batch:
            if isinstance(item, Problem):
                # What is left out is not gone.
                self._seen.add(_number(self.job.attributes.scoped(item.path)))
                self._trouble(item)
                continue
            try:
                draft = self.job.composer.identify(item, self.job.attributes)
            except ValueError as error:
                self._trouble(Problem(item.path, str(error)))
                continue
            if _number(draft.id) in self._seen:
                reason = f'another document of this source has the id "{draft.id}": give one another id'
                self._trouble(Problem(item.path, reason))
                continue
            self._seen.add(_number(draft.id))
            drafts.append(draft)
        return drafts

    def _trouble(self, problem: Problem) -> None:
        if problem.failed and self.job.strict:
            raise InvalidArgument(
                f"{problem.path}: {problem.reason}",
                hint="Mend it, or leave strict out: then the others go on.",
            )
        self.report.trouble(problem)

    def _unchanged(self, drafts: Sequence[Draft]) -> Flow[set[str]]:
        where = self.where
        run = None if self.job.dry_run else where.ingestion
        try:
            found = yield calls.unchanged_documents(
                where.tenant, where.access, [draft.outline() for draft in drafts], run
            )
        except (InvalidArgument, AccessDenied):
            # One of them is refused: by itself, when it is put, and not the others with it.
            return set()
        return set(found)

    def _document(self, draft: Draft) -> Flow[Document | None]:
        composer, where = self.job.composer, self.where
        try:
            parsed = draft.parsed or (yield Work(lambda: composer.parser.parse(draft.raw)))
            summary = yield Work(lambda: composer.summariser(parsed))
            document: Document = yield Work(
                lambda: composer.compose(draft, parsed, summary, self.embedder.count_tokens)
            )
            stored = yield calls.get_document(where.tenant, where.access, draft.id)
        except ServerUnavailable:
            raise
        except Exception as error:
            # Steps may be the caller's own. What one document makes of them must not stop the others.
            if isinstance(error, DocgraphError):
                reason = reason_of(error)
            else:
                reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            self._trouble(Problem(draft.raw.path, reason))
            return None
        if stored:
            self._there.add(draft.id)
        self._remarks.look(parsed, document, stored)
        return keeping(document, stored)

    def _store(self, documents: Sequence[Document]) -> Flow[None]:
        if not documents:
            return
        if self.job.dry_run:
            yield from store(documents, self.where, self.report, strict=self.job.strict, by=self._look)
            return
        embedded = yield Work(lambda: self._vectors.complete(documents, self.embedder))
        yield from store(embedded, self.where, self.report, strict=self.job.strict, by=self._write)

    def _write(self, batch: Sequence[Given], where: Where) -> Flow[Written]:
        written = yield from write(batch, where)
        self.report.embedded += self._vectors.stored(written)
        return self._remarks.happened(written)

    def _look(self, batch: Sequence[Given], where: Where) -> Flow[Written]:
        """What writing would do. To tell what is unchanged, the database checks documents as it does then."""
        same = set((yield calls.unchanged_documents(where.tenant, where.access, batch, None)))
        ids = [document.id for document in batch if isinstance(document, Document)]
        found = Written(
            added=tuple(each for each in ids if each not in self._there | same),
            changed=tuple(each for each in ids if each in self._there - same),
            unchanged=tuple(each for each in ids if each in same),
        )
        return self._remarks.happened(found)

    def prune(self) -> Flow[None]:
        """Deletes what came from this source before, and was not found in it now."""
        if self.report.failed:
            failed = counted(self.report.failed, "document")
            self.report.notes.append(
                f"Nothing was pruned, because {failed} could not be brought in. Mend what failed, or leave "
                "it out (--exclude FILE): what is stored of it then goes too."
            )
            return
        if not self.report.done:
            self.report.notes.append(
                "Nothing was pruned, because nothing at all was found. Is the source there?"
            )
            return
        where, after = self.where, None
        while rows := (yield calls.list_documents(where.tenant, where.access, after, _PAGE, self.job.source)):
            after = rows[-1].document_id
            yield from self.delete([row.document_id for row in rows])

    def delete(self, stored: list[str]) -> Flow[None]:
        """Deletes those of them that were not found now."""
        gone = [document_id for document_id in stored if _number(document_id) not in self._seen]
        self._seen.update(map(_number, gone))
        if gone and not self.job.dry_run:
            written = yield calls.delete_documents(self.where.tenant, self.where.access, gone)
            gone = list(written.deleted)
        self.report.deleted += len(gone)

    def finish(self, state: str) -> Flow[None]:
        """Closes the run, with what it did."""
        where = self.where
        self.report.notes += self._remarks.notes
        if not (self.report.done or self._seen or self.job.prune):
            self.report.notes.append(nothing_found(self.job.reader))
        if not self.job.dry_run and where.ingestion:
            found = yield calls.finish_ingestion(
                where.tenant, where.access, where.ingestion, state, self.report.counts()
            )
            # A run whose source has no name leaves documents that were there to the one they came from.
            if self.job.source or not (self.report.changed or self.report.unchanged):
                self.report.waiting = found["waiting"]


def _for_prose(space: EmbeddingSpace, report: Report) -> Iterator[str]:
    """A note for who has brought in code, and may ask for it by name."""
    if report.added and space.text_search != "code":
        yield (
            f'The text search of this database is "{space.text_search}", for prose. With "code", words find '
            "identifiers by their whole names and by their parts, however they are written, and prose "
            "without stemming. An administrator changes it: "
            "SELECT docgraph.rebuild_lexical(text_search => 'code')"
        )


def _number(document_id: str) -> int:
    data = document_id.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
