"""What searches and plans take: their options by name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import TypedDict

from docgraph.adapting import Numbers
from docgraph.reranking import Reranker


class _How(TypedDict, total=False):
    mode: str
    """"semantic" compares vectors, "bm25" words, "hybrid" both."""
    search_in: str
    """"summaries" or "chunks"."""
    method: str
    """"auto", "exact" or "approximate"."""
    rrf_k: int
    """For "hybrid": the lower, the more the first places of each list count."""
    title_hits: bool
    """For "hybrid" in summaries: documents whose title stands in the question are a third list."""


class _Search(_How, total=False):
    max_nodes: int
    rerank_lexical: bool
    """Reranks what "bm25" and "hybrid" find, too."""


class SearchStage(_Search, total=False):
    """A search as one stage of several, decided by the database alone."""

    rerank: str
    """"keyword": candidates with words of the question come first."""


class SearchOptions(_Search, total=False):
    """What a search takes beside the question. What is not given, the database decides."""

    rerank: str | Reranker
    """"keyword", or what scores texts for a question, such as a cross-encoder."""
    widen: int
    """Times as many candidates as `max_nodes` for a reranker of your own; 6 if not given."""


class SearchArguments(SearchStage, total=False):
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
