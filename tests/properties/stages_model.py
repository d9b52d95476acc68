"""The rules of expansion and of texts once more, in plain Python: what the database must agree with.

Written from the rules and not from the SQL: one queue where the database goes step by step, strings where it
has chunks. What a caller may not see is taken away before anything else happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.properties.model import Attributes
from tests.properties.pages import Page, page
from tests.properties.planner import Shelf, ordered

Json = dict[str, Any]
Link = tuple[bytes, bytes, bool, str]
"""Type, other end, whether it leads here; and the other end as a text."""


@dataclass(frozen=True)
class Expansion:
    """What expand_dependency_tree is asked."""

    seeds: tuple[str, ...]
    max_depth: int = 2
    max_nodes: int = 200
    fan_out: int = 50
    edge_allowlist: tuple[str, ...] | None = None
    direction: str = "outgoing"


@dataclass(frozen=True)
class Fetch:
    """What fetch_node_texts is asked, beside nodes."""

    seeds: tuple[str, ...] | None = None
    max_chars: int | None = None
    budget_tokens: int | None = None
    prioritization: str = "seed_first"


def links_of(shelf: Shelf, node: str, asked: Expansion) -> list[Link]:
    """Everything that may be followed from a node, in the order in which it is."""
    found: list[Link] = []
    for origin, kind, target in shelf.edges:
        if asked.edge_allowlist is not None and kind not in asked.edge_allowlist:
            continue
        if origin == node and asked.direction != "incoming":
            found.append((kind.encode(), target.encode(), False, target))
        if target == node and asked.direction != "outgoing":
            found.append((kind.encode(), origin.encode(), True, origin))
    return sorted(found)


def expand(shelf: Shelf, asked: Expansion) -> Json:
    """The whole answer."""
    named = list(dict.fromkeys(asked.seeds))
    seeds = [each for each in named if each in shelf.documents]
    nodes: dict[str, tuple[int, str | None]] = dict.fromkeys(seeds[: asked.max_nodes], (0, None))
    truncated = {"nodes"} if len(seeds) > asked.max_nodes else set()
    edges: set[tuple[str, str, str]] = set()
    queue = list(nodes)
    for node in queue:
        depth = nodes[node][0]
        links = links_of(shelf, node, asked)
        followed = links[: asked.fan_out]
        if depth == asked.max_depth:
            if any(other not in nodes for *_, other in followed):
                truncated.add("depth")
            continue
        if len(links) > len(followed):
            truncated.add("fan_out")
        for kind, _, leads_here, other in followed:
            if other not in nodes:
                if len(nodes) == asked.max_nodes:
                    truncated.add("nodes")
                    continue
                nodes[other] = (depth + 1, node)
                queue.append(other)
            edges.add((other, kind.decode(), node) if leads_here else (node, kind.decode(), other))
    places = list(nodes)
    return {
        "nodes": [
            {"id": each, "depth": depth, "parent": parent, "is_seed": depth == 0}
            for each, (depth, parent) in nodes.items()
        ],
        "edges": [
            {"from": origin, "relation_type": kind, "to": target}
            for origin, kind, target in sorted(
                edges, key=lambda edge: (places.index(edge[0]), edge[1].encode(), edge[2].encode())
            )
        ],
        "truncated": sorted(truncated),
        "omitted": len(named) - len(seeds),
    }


def text_of(found: Page) -> tuple[str, int] | None:
    """The text of a document and its tokens; None if it has none."""
    if not found.pieces:
        return (found.about, max(1, (len(found.about.encode()) + 3) // 4)) if found.about else None
    text, tokens = "", 0
    before = None
    for piece in found.pieces:
        again = 0
        touches = False
        if before is not None and before.offsets and piece.offsets:
            overlap = before.offsets[1] - piece.offsets[0]
            inside = before.offsets[0] <= piece.offsets[0] < before.offsets[1]
            start = piece.text[:overlap] if inside else ""
            if inside and len(start) == overlap and before.text[-overlap:] == start:
                again = overlap
            touches = overlap == 0
        if before is not None and not again and not touches:
            text += "\n\n"
        text += piece.text[again:]
        tokens += piece.tokens - (piece.tokens * again // len(piece.text) if again else 0)
        before = piece
    return text, tokens


def in_order(nodes: Sequence[Json], asked: Fetch, visible: Shelf) -> list[Json]:
    """Nodes that can be seen, each once, in the order in which they get room."""
    if not nodes:
        nodes = [{"id": each, "depth": 0, "parent": None, "is_seed": True} for each in asked.seeds or ()]
    named = list(dict.fromkeys(asked.seeds or ()))
    first: dict[str, Json] = {}
    for node in nodes:
        first.setdefault(node["id"], {**node, "is_seed": node["is_seed"] or node["id"] in named})
    seen = [node for node in first.values() if node["id"] in visible.documents]
    seeds = [node for node in seen if node["is_seed"]]
    seeds.sort(key=lambda node: named.index(node["id"]) if node["id"] in named else len(named))
    graph = [node for node in seen if not node["is_seed"]]
    graph.sort(key=lambda node: (node["depth"], node["id"].encode()))
    if asked.prioritization == "seed_first":
        return seeds + graph
    if asked.prioritization == "graph_first":
        return graph + seeds
    both = min(len(seeds), len(graph))
    mixed = [node for pair in zip(seeds, graph, strict=False) for node in pair]
    return mixed + seeds[both:] + graph[both:]


def fetch(nodes: Sequence[Json], asked: Fetch, visible: Shelf, needed: dict[str, Attributes]) -> list[Any]:
    """The rows, and at the end the accounting."""
    given = {node["id"] for node in nodes} or set(asked.seeds or ())
    ordered_nodes = in_order(nodes, asked, visible)
    unit = "tokens" if asked.max_chars is None else "characters"
    room = asked.budget_tokens if asked.max_chars is None else asked.max_chars
    assert room is not None
    rows: list[Any] = []
    used = without_text = passed_over = 0
    for node in ordered_nodes:
        found = text_of(page(visible.documents[node["id"]]))
        if found is None:
            without_text += 1
            continue
        text, tokens = found
        size = tokens if unit == "tokens" else len(text)
        if used + size > room:
            passed_over += 1
            continue
        used += size
        shown = (node["id"], node["is_seed"], node["depth"], node["parent"], text, tokens, used)
        rows.append((len(rows) + 1, *shown))
    asks = [needed[row[1]] for row in rows]
    rows.append(
        {
            "format": 1,
            "nodes": {
                "given": len(given),
                "missing": len(given) - len(ordered_nodes),
                "without_text": without_text,
                "shown": len(rows),
            },
            "left_out": {"budget": passed_over},
            "budget": {"unit": unit, "limit": room, "used": used},
            "prioritization": asked.prioritization,
            "sensitivity": {
                "tags": ordered(tag for each in asks for tag in each.tags),
                "labels": ordered(label for each in asks for label in each.labels),
                "clearance": max((each.clearance for each in asks), default=0),
            },
        }
    )
    return rows
