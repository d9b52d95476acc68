"""Moves a database to another embedding space: new vectors of stored text, the old ones serving till then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter

from docgraph import calls
from docgraph.access import EmbeddingSpace
from docgraph.documents import vector_text
from docgraph.errors import NotConfigured, ReembeddingIncomplete
from docgraph.ingest.composing import embedding_text
from docgraph.ingest.embedding import check_vectors, resolve_embedder
from docgraph.ingest.flow import Flow, Work
from docgraph.ingest.types import AnyEmbedder, Embedder
from docgraph.stored import OldText

_PAGE = 500
_ROUNDS = 10
"""Writers may change texts until the switch. Each round does what they changed in the one before."""


def reembed(
    given: AnyEmbedder,
    model: str | None,
    dimensions: int | None,
    *,
    metric: str | None = None,
    base_url: str | None = None,
    progress: Callable[[int], object] | None = None,
) -> Flow[int]:
    """Gives the number of vectors made; 0 and no switch if the database is in that space already."""
    space: EmbeddingSpace | None = yield calls.embedding_space()
    if space is None:
        raise NotConfigured("this database has no embedding space yet", hint="Run: docgraph init")
    embedder: Embedder = yield Work(
        lambda: resolve_embedder(given, model=model, dimensions=dimensions, base_url=base_url)
    )
    metric = metric or space.metric
    if (embedder.name, embedder.dimensions, metric) == (space.model, space.dimensions, space.metric):
        return 0
    yield calls.begin_reembedding(embedder.name, embedder.dimensions, metric)
    made = 0
    for last in range(_ROUNDS, 0, -1):
        after: tuple[str, str, str] | None = None
        while texts := (yield calls.texts_to_reembed(after, _PAGE)):
            vectors = yield Work(lambda texts=texts: _vectors(embedder, texts))  # type: ignore[misc]  # mypy: a lambda with a default
            # Of one tenant a call: its writers wait, and who writes in several is in no circle with it.
            for _, ours in groupby(vectors, key=itemgetter("tenant")):
                made += yield calls.put_new_vectors(embedder.name, ours)
            after = texts[-1].key
            if progress:
                progress(made)
        try:
            yield calls.switch_embedding_space()
        except ReembeddingIncomplete:
            if last == 1:
                raise
        else:
            break
    return made


def _vectors(embedder: Embedder, texts: Sequence[OldText]) -> list[dict[str, object]]:
    words = [embedding_text(old.title, old.section_path, old.text) for old in texts]
    vectors = check_vectors(embedder, embedder.embed_documents(words), len(words))
    return [
        {
            "tenant": old.tenant,
            "document": old.document,
            "digest": old.digest,
            "embedding": vector_text(vector),
        }
        | ({} if old.ordinal is None else {"ordinal": old.ordinal})
        for old, vector in zip(texts, vectors, strict=True)
    ]
