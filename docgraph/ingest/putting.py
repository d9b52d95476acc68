"""Documents into the database, any number of them, a batch in a transaction at a time."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from docgraph import calls
from docgraph.access import Access
from docgraph.documents import Chunk, Document
from docgraph.errors import AccessDenied, DocgraphError, InvalidArgument, SerializationFailed
from docgraph.ingest.flow import Flow, Work
from docgraph.ingest.report import Progress, Report
from docgraph.ingest.types import Problem
from docgraph.plain import counted
from docgraph.stored import Written

Given: TypeAlias = Document | Mapping[str, object]

BATCH_DOCUMENTS = 100
BATCH_CHUNKS = 500
"""What goes into one transaction, whichever comes first. More is hardly faster, holds the turn longer, and
takes memory: 0.1 MB for each vector of 1536 numbers until it is sent."""

_TRIES = 5


@dataclass(frozen=True, slots=True)
class Where:
    """Whose documents, by which claim, and in which run."""

    tenant: str
    access: Access
    ingestion: str | None = None
    model: str | None = None
    """Of the vectors."""


def put(
    documents: Iterable[Given],
    where: Where,
    *,
    strict: bool = False,
    progress: Progress | None = None,
    commits: bool = True,
) -> Flow[Report]:
    """Brings documents in as they come. One that is refused is reported, and does not stop the others."""
    if isinstance(documents, (str, bytes, Mapping, Document)) or not isinstance(documents, Iterable):
        raise InvalidArgument(
            f"documents must be several documents, not a {type(documents).__name__}",
            hint="Give a list, a generator or another iterable of Document.",
        )
    report = Report(ingestion=where.ingestion)
    # What no document can mend (no right to write, no ceiling, no embedding space) is said once, at once.
    yield calls.put_documents(where.tenant, where.access, [], where.ingestion, where.model)

    def by(batch: Sequence[Given], where: Where) -> Flow[Written]:
        written = yield from write(batch, where)
        stored = {*written.added, *written.changed}
        report.without_vector += sum(_without_vector(each) for each in batch if _id(each) in stored)
        return written

    batches = _batches(iter(documents))
    while batch := (yield Work(lambda: next(batches, None))):
        yield from store(batch, where, report, strict=strict, by=by)
        if progress:
            progress(report)
    if report.without_vector:
        report.notes.append(
            f"{counted(report.without_vector, 'text')} (chunks, summaries) stored without an embedding: no "
            "search finds them. put stores the vectors that it is given, ingest makes them."
        )
    if commits:
        report.wal = yield calls.wal_position()
    return report


def write(batch: Sequence[Given], where: Where) -> Flow[Written]:
    """All of them or none."""
    written: Written = yield calls.put_documents(
        where.tenant, where.access, batch, where.ingestion, where.model
    )
    return written


def store(
    batch: Sequence[Given],
    where: Where,
    report: Report,
    *,
    strict: bool,
    by: Callable[[Sequence[Given], Where], Flow[Written]] = write,
) -> Flow[None]:
    """One transaction; or, if a document is refused, as many as it takes to leave out that one alone."""
    for attempt in itertools.count(1):
        try:
            written = yield from by(batch, where)
            break
        except SerializationFailed:
            if attempt == _TRIES:
                raise
        except (InvalidArgument, AccessDenied) as error:
            if strict or error.message.startswith("ingestion "):
                raise _named(batch, error) from error
            if len(batch) == 1:
                claim = _claim_of(batch[0]) if isinstance(error, AccessDenied) else None
                report.trouble(Problem(_id(batch[0]), reason_of(error), claim=claim))
                return
            half = len(batch) // 2
            yield from store(batch[:half], where, report, strict=strict, by=by)
            yield from store(batch[half:], where, report, strict=strict, by=by)
            return
    report.take(written)
    stored = {*written.added, *written.changed}
    report.chunks += sum(_chunks(document) for document in batch if _id(document) in stored)


def _named(batch: Sequence[Given], error: DocgraphError) -> DocgraphError:
    """The error with the id of its document in place of its number."""
    for number, document in enumerate(batch):
        if error.message.startswith(f"documents[{number}]"):
            rest = error.message.removeprefix(f"documents[{number}]")
            named = type(error)(f'document "{_id(document)}"{rest}', detail=error.detail, hint=error.hint)
            if isinstance(named, AccessDenied):
                named.claim = _claim_of(document)
            return named
    return error


def reason_of(error: DocgraphError) -> str:
    """Of one document, in one line."""
    message = error.message.removeprefix("documents[0]").lstrip(". ")
    return f"{message.rstrip('.')}. {error.hint}" if error.hint else message


def _claim_of(document: Given) -> Access:
    """What the document asks of its readers. The database has looked at it: it is of the right kind."""
    tags, labels, clearance = (_get(document, key) for key in ("tags", "labels", "clearance"))
    return Access(tags=tags or (), labels=labels or (), clearance=clearance or 0)


def _batches(documents: Iterator[Given]) -> Iterator[list[Given]]:
    batch: list[Given] = []
    chunks = 0
    seen: set[str] = set()
    for document in documents:
        # The same id twice in a call is an error; one after the other it is a change.
        if batch and (
            len(batch) >= BATCH_DOCUMENTS
            or chunks + _chunks(document) > BATCH_CHUNKS
            or _id(document) in seen
        ):
            yield batch
            batch, chunks, seen = [], 0, set()
        batch.append(document)
        chunks += _chunks(document)
        seen.add(_id(document))
    if batch:
        yield batch


def _get(document: Given, key: str) -> Any:
    if isinstance(document, Document):
        return getattr(document, key)
    return document.get(key) if isinstance(document, Mapping) else None


def _id(document: Given) -> str:
    return str(_get(document, "id"))


def _chunks(document: Given) -> int:
    found = _get(document, "chunks")
    return len(found) if isinstance(found, Sequence) else 0


def _without_vector(document: Given) -> int:
    """Its texts that no search will find."""
    found = _get(document, "chunks") or ()
    vectors = [each.embedding if isinstance(each, Chunk) else each.get("embedding") for each in found]
    if _get(document, "summary"):
        vectors.append(_get(document, "summary_embedding"))
    return sum(vector is None for vector in vectors)
