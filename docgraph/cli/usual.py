"""What the database takes where an option is not given, for --help and for hints.

The database decides; a test compares these with the defaults of its functions.
"""

from __future__ import annotations

from collections.abc import Mapping

RETRIEVE: Mapping[str, str] = {
    "mode": "semantic",
    "search_in": "summaries",
    "method": "auto",
    "seed_limit": "5",
    "expanded_per_seed": "10",
    "max_documents": "40",
    "dominant_scope": "none",
    "scope_distance": "0.35",
    "rrf_k": "60",
    "max_chunks": "10",
    "per_document": "3",
    "reserve": "0.4",
    "selection": "similarity",
    "conceptual_share": "0.25",
}
SEARCH: Mapping[str, str] = {
    "mode": "semantic",
    "search_in": "summaries",
    "method": "auto",
    "max_nodes": "10",
    "rrf_k": "60",
    "rerank": "none",
}
EXPAND: Mapping[str, str] = {
    "max_depth": "2",
    "max_nodes": "200",
    "fan_out": "50",
    "direction": "outgoing",
}
FETCH: Mapping[str, str] = {"prioritization": "seed_first"}
TOKENS = 8000
"""The budget where none is given."""


def default(of: Mapping[str, str], parameter: str) -> str:
    """The end of an option's help."""
    return f"Default: {of[parameter]}."
