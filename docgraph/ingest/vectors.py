"""Vectors for what is brought in, and for how many of its texts they had to be made."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.documents import Document
from docgraph.ingest.composing import missing_texts, with_vectors
from docgraph.ingest.embedding import check_vectors
from docgraph.ingest.types import Embedder
from docgraph.stored import Written


class Vectors:
    """Of one batch after the other."""

    def __init__(self) -> None:
        self._made: dict[str, int] = {}

    def complete(self, documents: Sequence[Document], embedder: Embedder) -> list[Document]:
        """The documents with a vector for every text that has none."""
        missing = {document.id: list(missing_texts(document)) for document in documents}
        self._made = {document_id: len(texts) for document_id, texts in missing.items()}
        texts = [text for each in missing.values() for text in each]
        if not texts:
            return list(documents)
        vectors = iter(check_vectors(embedder, embedder.embed_documents(texts), len(texts)))
        return [with_vectors(document, vectors) for document in documents]

    def stored(self, written: Written) -> int:
        """How many of those just made are in: what is refused is not."""
        ids = (each for each in (*written.added, *written.changed) if isinstance(each, str))
        return sum(self._made.get(each, 0) for each in ids)
