"""The calls of the three stages beside the search. What a caller does not say is not sent, as for plans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docgraph.access import Access
from docgraph.calling import CLAIM, Call, Request, Row, claim
from docgraph.errors import InvalidArgument
from docgraph.plan.rows import SearchHit
from docgraph.plan_calls import SEARCH_NODES, refuse_unordered
from docgraph.stages import DependencyTree, NodeTexts, PipelineResult, TreeNode


def _tree(rows: Sequence[Row]) -> DependencyTree:
    return DependencyTree.from_json(rows[0][0])


def _result(rows: Sequence[Row]) -> PipelineResult:
    return PipelineResult.from_dict(rows[0][0])


_EXPANSION = {
    "max_depth": "integer",
    "max_nodes": "integer",
    "fan_out": "integer",
    "edge_allowlist": "text[]",
    "direction": "text",
}
_TEXTS = {"max_chars": "integer", "budget_tokens": "integer", "prioritization": "text"}
_SEEDS = {"seeds": "text[]"}
_QUERY = ("query_embedding", "query_text")
_HOW_TO_SEARCH = {
    name: kind for name, kind in SEARCH_NODES.parameters.items() if name not in {*CLAIM, *_QUERY, "max_nodes"}
}

EXPAND_DEPENDENCY_TREE: Call[DependencyTree] = Call(
    "expand_dependency_tree", {**CLAIM, **_SEEDS, **_EXPANSION}, _tree, alone=True
)
FETCH_NODE_TEXTS: Call[NodeTexts] = Call(
    "fetch_node_texts", {**CLAIM, "nodes": "jsonb", **_SEEDS, **_TEXTS}, NodeTexts.from_rows, alone=True
)
RUN_PIPELINE: Call[PipelineResult] = Call(
    "run_pipeline",
    {
        **CLAIM,
        **{name: SEARCH_NODES.parameters[name] for name in _QUERY},
        **_SEEDS,
        **_HOW_TO_SEARCH,
        "seed_limit": "integer",
        **_EXPANSION,
        **_TEXTS,
    },
    _result,
    alone=True,
)


def expand_dependency_tree(tenant: str, access: Access, **arguments: object) -> Request[DependencyTree]:
    # Sent also where it is not given: the database has no default for it, and refuses it by name.
    given = {"seeds": None, **_with_ids(arguments)}
    return EXPAND_DEPENDENCY_TREE(tenant=tenant, access=claim(access), **given)


def fetch_node_texts(
    tenant: str, access: Access, nodes: Any = None, **arguments: object
) -> Request[NodeTexts]:
    return FETCH_NODE_TEXTS(tenant=tenant, access=claim(access), nodes=_plain(nodes), **_with_ids(arguments))


def run_pipeline(tenant: str, access: Access, **arguments: object) -> Request[PipelineResult]:
    return RUN_PIPELINE(tenant=tenant, access=claim(access), **_with_ids(arguments))


def _with_ids(arguments: dict[str, Any]) -> dict[str, Any]:
    """Of what a search found, the ids."""
    seeds = arguments.get("seeds")
    refuse_unordered(seeds)
    if not isinstance(seeds, (list, tuple)):
        return arguments
    return {
        **arguments,
        "seeds": [seed.document_id if isinstance(seed, SearchHit) else seed for seed in seeds],
    }


def _plain(nodes: Any) -> Any:
    """Nodes as JSON has them; what is no list of them stays as it is, for the database to refuse."""
    if isinstance(nodes, DependencyTree):
        return nodes.to_dict()["nodes"]
    if not isinstance(nodes, (list, tuple)):
        return nodes
    if any(isinstance(node, (str, SearchHit)) for node in nodes):
        raise InvalidArgument(
            "nodes must be those of an expansion",
            hint="Ids, and what a search found, are seeds: seeds=[...].",
        )
    return [
        {"id": node.id, "depth": node.depth, "parent": node.parent, "is_seed": node.is_seed}
        if isinstance(node, TreeNode)
        else node
        for node in nodes
    ]
