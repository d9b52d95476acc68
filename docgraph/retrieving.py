"""What retrieval takes: its options by name, for whoever asks in words, with a vector, or with a plan."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TypedDict

from docgraph.adapting import Numbers, Vectors
from docgraph.planning import PlanOptions


class _Choice(TypedDict, total=False):
    """How chunks are chosen within a plan."""

    chunk_mode: str | None
    """"semantic" compares vectors, "bm25" words, "hybrid" both. `retrieve` takes its `mode` if not given."""
    max_chunks: int
    per_document: int
    """Chunks of one document at most."""
    reserve: float | Decimal
    """The part of the chunks kept for documents that relationships brought in, from 0 to 1."""
    selection: str
    """"similarity" or "bridge"."""


class _Budget(TypedDict, total=False):
    max_chars: int | None
    budget_tokens: int | None
    """This or `max_chars`, not both."""
    conceptual_share: float | Decimal
    """The part of the budget that summaries and section titles may take, from 0 to 1."""


class EvidenceOptions(_Choice, total=False):
    """How chunks are chosen within a plan. What is not given, the database decides."""

    rrf_k: int
    """For "hybrid": the lower, the more the first places of each list count."""


class ExecuteOptions(EvidenceOptions, _Budget, total=False):
    """What executing a plan takes beside plan and question. What is not given, the database decides."""


class RetrieveOptions(PlanOptions, _Choice, _Budget, total=False):
    """What retrieval takes beside question and seeds: for the plan, the choice of chunks, and the budget."""


class EvidenceArguments(EvidenceOptions, total=False):
    """What `execute_plan` takes beside tenant, access and plan."""

    query_embedding: Numbers | None
    query_text: str | None


class ContextArguments(ExecuteOptions, total=False):
    """What `assemble_context` and `retrieve_by_plan` take beside tenant, access and plan."""

    query_embedding: Numbers | None
    query_text: str | None


class ManyArguments(RetrieveOptions, total=False):
    """What `retrieve_many` takes beside tenant and access."""

    query_embeddings: Vectors | None
    """A vector for each question."""
    query_texts: Sequence[str] | None
    """The questions in words, for modes that compare them."""
    seeds: Sequence[str] | None
