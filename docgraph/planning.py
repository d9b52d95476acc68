"""What searches and plans take: their options by name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import TypedDict

from docgraph.adapting import Numbers


class _How(TypedDict, total=False):
    mode: str
    """"semantic" is the default, and the only one yet."""
    search_in: str
    """"summaries" or "chunks"."""
    method: str
    """"auto", "exact" or "approximate"."""


class SearchOptions(_How, total=False):
    """What a search takes beside the question. What is not given, the database decides."""

    max_nodes: int


class SearchArguments(SearchOptions, total=False):
    """What `search_nodes` takes beside tenant and access."""

    query_embedding: Numbers | None
    query_text: str | None


class PlanOptions(_How, total=False):
    """What a plan takes beside question and seeds. What is not given, the database decides."""

    seed_limit: int
    """Seeds that the search may find."""
    relation_types: Collection[str] | None
    """None is all, an empty list is none."""
    expanded_per_seed: int
    max_documents: int
    dominant_scope: str
    """"none", "ingestion", "doc_type" or "cluster"."""
    scope_distance: float | Decimal


class PlanArguments(PlanOptions, total=False):
    """What `plan_retrieval` takes beside tenant and access."""

    query_embedding: Numbers | None
    query_text: str | None
    seeds: Sequence[str] | None
