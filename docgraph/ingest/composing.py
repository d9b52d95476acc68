"""One file to one document: everything but its vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from docgraph.documents import Chunk, Document
from docgraph.ingest.attributes import Attributes
from docgraph.ingest.decoding import BYTE_ORDER_MARKS
from docgraph.ingest.linking import DocumentLinker
from docgraph.ingest.links.names import BYTES
from docgraph.ingest.parsing import DocumentParser
from docgraph.ingest.splitting import TextSplitter
from docgraph.ingest.summarising import summarise
from docgraph.ingest.types import Linker, Parsed, Parser, Raw, Splitter, Summariser
from docgraph.stored import StoredDocument

VERSION = "2"
"""Part of every content hash: raise it when the same file gives another document."""

# In another encoding than UTF-8 front matter looks otherwise.
_MAY_HAVE_FRONT_MATTER = (b"---", b"+++", *BYTE_ORDER_MARKS)
_OWN_KEYS = frozenset({"id", "title", "doc_type", "access"})
_LINE_BYTES = 4000
_MOST_SECTIONS = 1000
_MOST_NAMES = 50


@dataclass(frozen=True, slots=True)
class Draft:
    """A document of which is known what it takes to tell whether it is stored already."""

    raw: Raw
    id: str
    attributes: Attributes
    content_hash: str
    parsed: Parsed | None
    """Only if it had to be looked into for the above."""

    def outline(self) -> dict[str, object]:
        """What `unchanged_documents` asks for."""
        return {"id": self.id, "content_hash": self.content_hash, **_as_dict(self.attributes)}


@dataclass(frozen=True)
class Composer:
    """The steps that make a document, each replaceable."""

    parser: Parser = field(default_factory=DocumentParser)
    splitter: Splitter = field(default_factory=TextSplitter)
    linker: Linker = field(default_factory=DocumentLinker)
    summariser: Summariser = summarise
    doc_type: str = ""
    """Of documents that do not say their own."""

    @cached_property
    def fingerprint(self) -> str:
        """Of all settings that go into a document. A step that cannot say its own counts by its name."""
        steps = (self.parser, self.splitter, self.linker, self.summariser)
        return "|".join([VERSION, self.doc_type, *(_fingerprint(step) for step in steps)])

    def identify(self, raw: Raw, attributes: Attributes) -> Draft:
        """Looks into a file only where it has front matter, which may say its id and who may see it."""
        parsed = None
        local = raw.path
        if raw.data.startswith(_MAY_HAVE_FRONT_MATTER):
            parsed = self.parser.parse(raw)
            attributes = attributes.narrowed(parsed.front_matter.get("access", {}))
            local = _text(parsed.front_matter, "id") or local
        if (size := len(attributes.scoped(local).encode("utf-8", "surrogatepass"))) > BYTES:
            raise ValueError(
                f"its id has {size} bytes, more than {BYTES}: give it a shorter one in front matter"
            )
        digest = hashlib.sha256()
        for part in (self.fingerprint.encode(), raw.path.encode("utf-8", "surrogatepass"), raw.data):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
        return Draft(raw, attributes.scoped(local), attributes, digest.hexdigest(), parsed)

    def compose(self, draft: Draft, parsed: Parsed, summary: str, count: Callable[[str], int]) -> Document:
        """The whole document. No chunk has a vector yet."""
        scoped = draft.attributes.scoped
        named = (draft.raw.path, *self.linker.names(parsed))
        names = list(dict.fromkeys(name for n in named if (name := scoped(n)) != draft.id))[:_MOST_NAMES]
        links = {
            (link.relation_type, scoped(link.to)): replace(link, to=scoped(link.to))
            for link in self.linker.links(parsed)
        }
        metadata: dict[str, Any] = {k: v for k, v in parsed.front_matter.items() if k not in _OWN_KEYS}
        if parsed.fields:
            metadata["fields"] = dict(parsed.fields)
        return Document(
            id=draft.id,
            title=shortened(parsed.title, _LINE_BYTES),
            doc_type=_text(parsed.front_matter, "doc_type") or self.doc_type,
            source=draft.raw.location,
            summary=summary,
            section_titles=[shortened(h.title, _LINE_BYTES) for h in parsed.headings[:_MOST_SECTIONS]],
            metadata=metadata,
            names=sorted(names),
            links=[link for _, link in sorted(links.items()) if link.to not in {draft.id, *names}],
            chunks=[
                Chunk(
                    text=piece.text,
                    token_count=count(piece.text),
                    section_path=[shortened(title, _LINE_BYTES) for title in piece.section_path],
                    start=piece.start,
                    end=piece.end,
                )
                for piece in self.splitter.split(parsed)
            ],
            content_hash=draft.content_hash,
            **_as_dict(draft.attributes),
        )


def _as_dict(attributes: Attributes) -> dict[str, Any]:
    return {
        "repository": attributes.repository,
        "snapshot": attributes.snapshot,
        "tags": list(attributes.tags),
        "labels": list(attributes.labels),
        "clearance": attributes.clearance,
    }


def _fingerprint(step: object) -> str:
    own = getattr(step, "fingerprint", None)
    if isinstance(own, str):
        return own
    named = step if hasattr(step, "__qualname__") else type(step)
    return f"{getattr(named, '__module__', '')}.{getattr(named, '__qualname__', '')}"


def _text(found: Mapping[str, object], key: str) -> str:
    value = found.get(key, "")
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise ValueError(f"front matter: {key} must be a text")
    return str(value).strip()


def shortened(text: str, size: int) -> str:
    """At most so many bytes of UTF-8, whole characters."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= size else data[:size].decode("utf-8", "ignore")


# -------------------------------------------------------------------- vectors


def embedding_text(title: str, section_path: Sequence[str], text: str) -> str:
    """What is embedded for a chunk: its text, under the titles that say what it is about."""
    titles = [title, *(t for t in section_path if t != title)]
    return "\n".join([" > ".join(t for t in titles if t), text]).strip()


def keeping(document: Document, stored: StoredDocument | None) -> Document:
    """With "keep" in place of every vector that is stored for the very same words."""
    if stored is None:
        return document
    known: dict[str, set[str]] = {}
    for chunk in stored.chunks:
        words = embedding_text(stored.title, chunk.section_path, chunk.text) if chunk.embedded else ""
        known.setdefault(chunk.text, set()).add(words)
    chunks = [
        # The same text under two titles has two vectors: which one is kept could not be told.
        replace(chunk, embedding="keep")
        if known.get(chunk.text) == {embedding_text(document.title, chunk.section_path, chunk.text)}
        else chunk
        for chunk in document.chunks
    ]
    same_summary = stored.summary_embedded and stored.summary == document.summary
    return replace(document, chunks=chunks, summary_embedding="keep" if same_summary else None)


def missing_texts(document: Document) -> Iterator[str]:
    """What is still to be embedded, in the order in which `with_vectors` takes the vectors."""
    for chunk in document.chunks:
        if chunk.embedding is None:
            yield embedding_text(document.title, chunk.section_path, chunk.text)
    if document.summary and document.summary_embedding is None:
        yield document.summary


def with_vectors(document: Document, vectors: Iterator[Sequence[float]]) -> Document:
    """With a vector for each of its missing texts."""
    chunks = [
        replace(chunk, embedding=next(vectors)) if chunk.embedding is None else chunk
        for chunk in document.chunks
    ]
    summary = document.summary_embedding
    if document.summary and summary is None:
        summary = next(vectors)
    return replace(document, chunks=chunks, summary_embedding=summary)
