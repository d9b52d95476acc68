"""An expansion as lines for people: each document below the one that led to it, with the relationship."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docgraph.plain import plain
from docgraph.stages.tree import TreeEdge, TreeNode


def outline(nodes: Sequence[TreeNode], edges: Sequence[TreeEdge]) -> Iterator[str]:
    """`-> calls b`: the document above calls b; `<- calls b`: b calls the document above."""
    between: dict[tuple[str, str], list[str]] = {}
    for edge in edges:
        between.setdefault((edge.origin, edge.target), []).append(f"-> {edge.relation_type}")
        between.setdefault((edge.target, edge.origin), []).append(f"<- {edge.relation_type}")
    below: dict[str | None, list[TreeNode]] = {}
    for node in nodes:
        below.setdefault(node.parent, []).append(node)
    # A stack and not recursion: what leads on and on would be too deep for it.
    waiting = below.get(None, [])[::-1]
    while waiting:
        node = waiting.pop()
        led = "" if node.parent is None else f"{', '.join(between.get((node.parent, node.id), []))} "
        yield f"{'  ' * node.depth}{plain(led)}{plain(node.id)}"
        waiting += below.get(node.id, [])[::-1]


def beside_the_tree(nodes: Sequence[TreeNode], edges: Sequence[TreeEdge]) -> int:
    """How many relationships the lines do not show: those of documents that did not lead to one another."""
    led = {(node.parent, node.id) for node in nodes}
    return sum(
        (edge.origin, edge.target) not in led and (edge.target, edge.origin) not in led for edge in edges
    )
