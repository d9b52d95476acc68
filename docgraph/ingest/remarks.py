"""What a run has to say of its documents beside counting them."""

from __future__ import annotations

from docgraph.documents import Document
from docgraph.ingest.access_changes import AccessChanges
from docgraph.ingest.code.nodes import NODE_KEYS, ParsedNode
from docgraph.ingest.overlooked import Overlooked
from docgraph.ingest.types import Parsed
from docgraph.stored import StoredDocument, Written


class Remarks:
    """Looks at what is to be written; what is unchanged has been remarked upon before."""

    def __init__(self) -> None:
        self._taken_over = ""
        self._other_kind = ""
        self._overlooked = Overlooked()
        self._changes = AccessChanges()

    def look(self, parsed: Parsed, document: Document, stored: StoredDocument | None) -> None:
        """Before it is written."""
        self._overlooked.look(parsed)
        if stored:
            self._changes.look(stored, document)
            # Each said once.
            is_node = isinstance(parsed, ParsedNode)
            if not self._other_kind and is_node != (stored.metadata.keys() >= NODE_KEYS):
                were = "ordinary ones" if is_node else "nodes of code"
                self._other_kind = (
                    f'Documents that were {were} had the same ids: "{document.id}" for one. It loses what '
                    "led from it as such. If both are to stay, give one of them a repository."
                )
            # Two sources with the same ids replace each other's documents.
            if stored.source not in {"", document.source} and not self._taken_over:
                self._taken_over = (
                    f'Documents of another place had the same ids: "{document.id}" was {stored.source} '
                    "before. If both are to stay, give each source a repository."
                )

    def happened(self, written: Written) -> Written:
        """What the database has taken. Gives it back."""
        return self._changes.happened(written)

    @property
    def notes(self) -> list[str]:
        replaced = [note for note in (self._taken_over, self._other_kind) if note]
        return [*replaced, *self._overlooked.notes, *self._changes.notes]
