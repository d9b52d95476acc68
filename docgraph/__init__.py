"""Relationship-aware, deterministic, access-controlled retrieval, decided in PostgreSQL."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docgraph.access import Access, Ceiling, EmbeddingSpace, Identity
    from docgraph.async_client import AsyncDocGraph
    from docgraph.client import DocGraph
    from docgraph.context import RetrievedContext
    from docgraph.documents import Chunk, Document, Link
    from docgraph.errors import DocgraphError
    from docgraph.plan import RetrievalPlan
    from docgraph.stages import PipelineResult, PipelineSettings

__version__ = "0.1.0"

__all__ = [
    "Access",
    "AsyncDocGraph",
    "Ceiling",
    "Chunk",
    "DocGraph",
    "DocgraphError",
    "Document",
    "EmbeddingSpace",
    "Identity",
    "Link",
    "PipelineResult",
    "PipelineSettings",
    "RetrievalPlan",
    "RetrievedContext",
]

_MODULES = {
    "Access": "access",
    "Ceiling": "access",
    "EmbeddingSpace": "access",
    "Identity": "access",
    "AsyncDocGraph": "async_client",
    "DocGraph": "client",
    "RetrievedContext": "context",
    "DocgraphError": "errors",
    "Chunk": "documents",
    "Document": "documents",
    "Link": "documents",
    "PipelineResult": "stages",
    "PipelineSettings": "stages",
    "RetrievalPlan": "plan",
}


def __dir__() -> list[str]:
    return ["__version__", *__all__]


def __getattr__(name: str) -> object:
    """Imported when first used: the plain values need no driver."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
