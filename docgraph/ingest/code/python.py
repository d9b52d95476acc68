"""Files of Python to nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docgraph.ingest.code.nodes import Node
from docgraph.ingest.code.outline import summary_of, text_of
from docgraph.ingest.code.places import Places
from docgraph.ingest.code.relating import CallCounts, definitions_of, relate
from docgraph.ingest.code.resolving import Tree
from docgraph.ingest.code.scopes import Definition, Module


def python_nodes(modules: Sequence[Module], places: Places, counts: CallCounts) -> Iterator[Node]:
    """One for each module, class and function."""
    by_place: dict[str, Module] = {}
    for module in modules:
        by_place.setdefault(module.place, module)  # of mod.py and mod.pyi the first is meant
    tree = Tree(by_place, places)
    for module in modules:
        links = relate(module, tree, counts)
        dotted = places.dotted(module.place) or "__init__"  # of a root that nobody can name
        for found in definitions_of(module):
            title = f"{dotted}.{_plain(found)}" if found.parent else dotted
            text, parts = text_of(found)
            yield Node(
                id=found.id,
                doc_type=found.kind,
                title=title,
                language="python",
                text=text,
                summary=summary_of(found, title),
                location=module.source.location,
                metadata={
                    "kind": _kind(found),
                    "language": "python",
                    "file": module.source.path,
                    "lines": [found.first, found.last],
                },
                names=[title],
                contents=[each.name.partition("#")[0] for each in found.contents],
                parts=parts,
                links=links.get(found, []),
            )


def _plain(found: Definition) -> str:
    return ".".join(part.partition("#")[0] for part in found.path.split("."))


def _kind(found: Definition) -> str:
    if found.kind == "module" and found.module.is_package:
        return "package"
    is_method = found.kind == "function" and found.parent is not None and found.parent.kind == "class"
    return "method" if is_method else found.kind
