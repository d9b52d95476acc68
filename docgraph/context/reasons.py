"""Why something is in a context, in sentences."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from docgraph.context.jsonb import text_of
from docgraph.context.parts import ContextChunk
from docgraph.errors import InvalidArgument
from docgraph.plain import plain

if TYPE_CHECKING:
    from docgraph.context import RetrievedContext

_CHOSEN_BY = {
    "similarity": "it was the nearest left",
    "reserve": "in a place reserved for documents that relationships brought in",
}
_CHOSEN_BY_BRIDGE = {"similarity": "in its own place, as a chunk of a seed"}


def why(context: RetrievedContext, what: ContextChunk | str) -> str:
    """Of a document by its id, or of a chunk."""
    if isinstance(what, ContextChunk):
        if what not in context.chunks:
            raise InvalidArgument("the chunk is not in this context", hint="Give one of context.chunks.")
        return f"{_of_document(context, what.document_id)} {_of_chunk(context, what)}"
    if not isinstance(what, str):
        raise InvalidArgument(
            f"why takes a chunk or the id of a document, not {type(what).__name__}",
            hint="For example context.why(context.chunks[0]).",
        )
    return _of_document(context, what)


def _of_document(context: RetrievedContext, document_id: str) -> str:
    name = plain(json.dumps(document_id, ensure_ascii=False))
    for document in context.documents:
        if document.document_id == document_id:
            return f"{name} is in the plan: {plain(document.why)}."
    if document_id in {document.document_id for document in context.plan.documents}:
        reasons = "; ".join(plain(str(reason)) for reason in context.plan.why(document_id))
        return f"{name} is in the plan ({reasons}), but nothing of it is in the context."
    raise InvalidArgument(
        f"{name} is neither in this context nor in its plan",
        hint="Give a chunk of context.chunks, or the document_id of one of context.plan.documents.",
    )


def _of_chunk(context: RetrievedContext, chunk: ContextChunk) -> str:
    place = f"number {chunk.chosen} of {context.accounting.chunks.chosen}"
    # What is no word of these says it itself: "bridge, 1 behind a.md".
    words = _CHOSEN_BY_BRIDGE if context.accounting.selection == "bridge" else _CHOSEN_BY
    by = words.get(chunk.chosen_by, plain(chunk.chosen_by))
    return f"Its chunk {chunk.chunk} was chosen as {place}, with a score of {text_of(chunk.score)}: {by}."
