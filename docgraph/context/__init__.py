"""What a plan's documents say, as values, no driver needed: read, shown, stored. The database chooses it."""

from docgraph.context.accounting import Accounting, Budget, ChunkCounts, DocumentCounts, LeftOut, Revisions
from docgraph.context.parts import ContextChunk, ContextDocument, Source
from docgraph.context.retrieved import RetrievedContext
from docgraph.context.rows import ContextRow, EvidenceRow

__all__ = [
    "Accounting",
    "Budget",
    "ChunkCounts",
    "ContextChunk",
    "ContextDocument",
    "ContextRow",
    "DocumentCounts",
    "EvidenceRow",
    "LeftOut",
    "RetrievedContext",
    "Revisions",
    "Source",
]
