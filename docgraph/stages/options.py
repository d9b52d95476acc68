"""What the stages take: their options by name. What is not given, the database decides."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from docgraph.adapting import Numbers
from docgraph.plan.rows import SearchHit
from docgraph.planning import SearchStage, _How

if TYPE_CHECKING:
    from docgraph.stages.tree import DependencyTree, TreeNode

AnyNodes: TypeAlias = "DependencyTree | Sequence[TreeNode | Mapping[str, Any]] | None"
"""A tree, its nodes, or their JSON as Python has it."""


class ExpandOptions(TypedDict, total=False):
    """How an expansion goes on from its seeds."""

    max_depth: int
    """Steps; 0 is the seeds alone."""
    max_nodes: int
    """Documents in all, seeds included."""
    fan_out: int
    """Relationships of one document that are followed."""
    edge_allowlist: Collection[str] | None
    """Relation types. None is all, an empty list is none."""
    direction: str
    """"outgoing", "incoming" or "both"."""


class FetchOptions(TypedDict, total=False):
    """How much text, and whose first."""

    max_chars: int | None
    budget_tokens: int | None
    """This or `max_chars`, not both."""
    prioritization: str
    """"seed_first", "graph_first" or "balanced"."""


class ExpandArguments(ExpandOptions, total=False):
    """What `expand_dependency_tree` takes beside tenant and access."""

    seeds: Sequence[str | SearchHit] | None
    """Ids, or what a search found."""


class FetchArguments(FetchOptions, total=False):
    """What `fetch_node_texts` takes beside tenant, access and nodes."""

    seeds: Sequence[str | SearchHit] | None


class PipelineOptions(_How, ExpandOptions, FetchOptions, total=False):
    """What a pipeline takes beside question and seeds: for the search, the expansion, and the texts."""

    rerank: str
    """"keyword": candidates with words of the question come first."""
    rerank_lexical: bool
    """Reranks what "bm25" and "hybrid" find, too."""
    seed_limit: int
    """Seeds that the search may find: its `max_nodes`."""


class PipelineArguments(PipelineOptions, total=False):
    """What `run_pipeline` takes beside tenant and access."""

    query_embedding: Numbers | None
    query_text: str | None
    seeds: Sequence[str | SearchHit] | None


STAGES: Mapping[str, type[Any]] = {
    "search_nodes": SearchStage,
    "expand_dependency_tree": ExpandOptions,
    "fetch_node_texts": FetchOptions,
}
"""The options of each stage by themselves."""

RENAMED: Mapping[tuple[str, str], str] = {("search_nodes", "max_nodes"): "seed_limit"}
"""Options of a stage that have another name where all stages are one call."""
