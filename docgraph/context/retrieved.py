"""The answer to a question before anybody writes one: a plan, what its documents say, and the bill.

The database chooses it. Here it is a value: read, compared, shown, stored. No driver is needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from docgraph.context.accounting import FORMAT, Accounting
from docgraph.context.jsonb import text_of, to_json
from docgraph.context.parts import ContextChunk, ContextDocument, Source
from docgraph.context.reading import check_context, refuse
from docgraph.plan import RetrievalPlan

if TYPE_CHECKING:
    from rich.console import RenderableType

Messages = list[dict[str, str]]
"""As the APIs of language models take them: role and content."""


@dataclass(frozen=True)
class RetrievedContext:
    """What was retrieved for a question. Two are equal if their JSON is.

    It iterates over its documents, in the order of the plan, and is false if there is none. An id is in it if
    that document is, and so are its chunks.
    """

    documents: tuple[ContextDocument, ...]
    """Those that have a chunk, a summary or section titles in the context, in the order of the plan."""
    accounting: Accounting
    _plan: Mapping[str, Any] = field(repr=False, hash=False)
    """As JSON has it: most who retrieve never look at the plan."""

    @classmethod
    def from_database(cls, found: Mapping[str, Any]) -> Self:
        """From what the database has just made. Nothing is checked but the format."""
        accounting = found["accounting"]
        if accounting["format"] != FORMAT:
            raise refuse(
                f"accounting.format must be {FORMAT}",
                hint="A newer docgraph may have made it: upgrade this one.",
            )
        return cls(
            tuple([ContextDocument.from_json(document) for document in found["context"]["documents"]]),
            Accounting.from_json(accounting),
            found["plan"],
        )

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Self:
        """From JSON as Python has it, from anywhere. Refuses what is no context."""
        check_context(found)
        plan = RetrievalPlan.from_dict(found["plan"])
        context = cls.from_database({**found, "plan": plan.to_dict()})
        _check(context)
        return context

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """From JSON, in whatever order and spacing."""
        try:
            found = json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise refuse(f"this is no JSON: {error}") from error
        return cls.from_dict(found)

    @cached_property
    def plan(self) -> RetrievalPlan:
        """The plan that was executed."""
        return RetrievalPlan.from_dict(self._plan)

    @property
    def chunks(self) -> tuple[ContextChunk, ...]:
        """All of them, document by document."""
        return tuple([chunk for document in self.documents for chunk in document.chunks])

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out and why, of the plan and of the context, in words; empty if there is nothing."""
        from docgraph.context.views import notes  # noqa: PLC0415 - only for those who look

        return notes(self)

    def __iter__(self) -> Iterator[ContextDocument]:
        return iter(self.documents)

    def __contains__(self, what: object) -> bool:
        """Of a document or its id, or of a chunk."""
        if isinstance(what, ContextChunk):
            return what in self.chunks
        return any(what in (document.document_id, document) for document in self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it, keys in the order of jsonb."""
        return {
            "plan": self.plan.to_dict(),
            "context": {"documents": to_json(self.documents)},
            "accounting": to_json(self.accounting),
        }

    def to_json(self) -> str:
        """The text that `jsonb::text` gives, byte for byte."""
        return text_of(self.to_dict())

    def why(self, what: ContextChunk | ContextDocument | str) -> str:
        """A sentence: why a document, or its id, is in the plan; for a chunk another, why it was chosen."""
        from docgraph.context.reasons import why  # noqa: PLC0415 - only for those who ask

        return why(self, what.document_id if isinstance(what, ContextDocument) else what)

    def sources(self) -> tuple[Source, ...]:
        """The documents as an answer cites them, numbered as in `to_messages` and `to_markdown`."""
        return tuple(
            Source(number, document.document_id, document.title, document.source)
            for number, document in enumerate(self.documents, 1)
        )

    def to_markdown(self) -> str:
        """For people and models to read: a heading for each document, why it is in, and what it says.

        The texts of documents are in it as they are: whoever makes HTML of it cleans that as any Markdown.
        """
        from docgraph.context.rendering import markdown  # noqa: PLC0415 - only for those who render

        return markdown(self)

    def to_messages(self, question: str | None = None, system: str | None = None) -> Messages:
        """For the API of a language model: what to do as the system, sources and question as the user.

        `system` replaces the instruction to answer from the sources, and to cite them as [1].
        """
        from docgraph.context.rendering import messages  # noqa: PLC0415 - as above

        return messages(self, question, system)

    def __str__(self) -> str:
        from docgraph.context.views import headline  # noqa: PLC0415 - only for those who look

        return headline(self)

    def __rich__(self) -> RenderableType:
        from docgraph.context.views import tree  # noqa: PLC0415 - as above

        return tree(self)

    def _repr_html_(self) -> str:
        from docgraph.context.views import html  # noqa: PLC0415 - as above

        return html(self)


def _check(context: RetrievedContext) -> None:
    """What holds for every context, beyond the types of its values."""
    planned = {document.position: document for document in context.plan.documents}
    last = 0
    for document in context.documents:
        expected = planned.get(document.position)
        if expected is None or (document.document_id, document.role) != (expected.document_id, expected.role):
            raise refuse("documents: each must be a document of the plan, with its position and role there")
        if document.position <= last:
            raise refuse("documents: position must rise")
        last = document.position
    chosen = [chunk.chosen for chunk in context.chunks]
    if len(set(chosen)) != len(chosen):
        raise refuse("chunks: chosen must be another number for each")
