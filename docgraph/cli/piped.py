"""What one stage hands to the next through a pipe: one object of JSON with the artefacts so far."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from docgraph.cli.console import can_ask
from docgraph.errors import InvalidArgument

SEEDS, NODES, EDGES, TEXTS = "retrieval_seed_nodes", "expanded_nodes", "dependency_edges", "node_texts"
_CHAIN = 'docgraph search "How do I ...?" | docgraph expand | docgraph fetch'


def artefacts(ids: Sequence[str] | None, stage: str) -> dict[str, Any]:
    """What came through the pipe; ids that are named take its place."""
    if ids:
        hits = [
            {"rank": rank, "document_id": each, "chunk": None, "found_by": "given"}
            for rank, each in enumerate(dict.fromkeys(ids), 1)
        ]
        return {SEEDS: hits}
    hint = f"Name documents, `docgraph {stage} ID`, or let another stage hand them over: `{_CHAIN}`."
    if sys.stdin is None or can_ask():
        raise InvalidArgument("there is no document to begin with", hint=hint)
    text = sys.stdin.read()
    if not text.strip():
        raise InvalidArgument(
            "nothing came through the pipe", hint=f"If the stage before failed, it said why. {hint}"
        )
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"what came through the pipe is not JSON: {error}", hint=hint) from error
    if not isinstance(found, dict) or not found.keys() & {SEEDS, NODES}:
        raise InvalidArgument(
            f"what came through the pipe has neither {SEEDS} nor {NODES}",
            hint=f"`docgraph search` and `docgraph expand` write them: `{_CHAIN}`.",
        )
    for key, wrote in (SEEDS, "search"), (NODES, "expand"), (EDGES, "expand"):
        if not isinstance(found.get(key, []), list):
            raise InvalidArgument(
                f"{key} must be a list of objects", hint=f"Take what `docgraph {wrote}` wrote."
            )
    if not isinstance(found.get("accounting", {}), dict):
        raise InvalidArgument("accounting must be an object", hint="Take what `docgraph expand` wrote.")
    return found


def seed_ids(found: dict[str, Any]) -> list[str] | None:
    """The documents that the search found, each once; None if it was not asked."""
    hits = found.get(SEEDS)
    if hits is None:
        return None
    try:
        ids = [*dict.fromkeys(hit["document_id"] for hit in hits)]
        if all(isinstance(each, str) for each in ids):
            return ids
        raise TypeError
    except (KeyError, TypeError) as error:
        raise InvalidArgument(
            f'{SEEDS} must be a list of objects with "document_id"', hint="Take what `docgraph search` wrote."
        ) from error
