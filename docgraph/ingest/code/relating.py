"""What leads from one definition to another: contains, imports, inherits and calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docgraph.documents import Link
from docgraph.ingest.code.resolving import Tree
from docgraph.ingest.code.scopes import Definition, Module
from docgraph.ingest.code.values import OUTSIDE
from docgraph.ingest.links.found import cut


@dataclass(slots=True)
class CallCounts:
    """What became of the calls of a tree."""

    inside: int = 0
    outside: int = 0
    """To builtins and libraries."""
    unknown: int = 0
    """Only types could tell."""


def relate(module: Module, tree: Tree, counts: CallCounts) -> dict[Definition, list[Link]]:
    """Links of each definition of a module, the first of each type and target, in the order of the text."""
    links: dict[Definition, dict[tuple[str, str], Link]] = {}
    found = [
        *_contained(module),
        *_inherited(module, tree),
        *_called(module, tree, counts),
        *_read(module, tree),
    ]
    for owner, relation_type, target, words in found:
        if target is not owner:
            link = Link(relation_type, target.id, cut(words))
            links.setdefault(owner, {}).setdefault((relation_type, target.id), link)
    return {owner: list(each.values()) for owner, each in links.items()}


def definitions_of(module: Module) -> Iterator[Definition]:
    """Each before those in it, in the order of the text."""
    waiting = [module.definition]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += found.contents[::-1]


_Found = tuple[Definition, str, Definition, str]


def _contained(module: Module) -> Iterable[_Found]:
    for owner in definitions_of(module):
        for inner in owner.contents:
            yield owner, "contains", inner, inner.signature


def _inherited(module: Module, tree: Tree) -> Iterable[_Found]:
    for owner in definitions_of(module):
        for base in tree.bases(owner):
            if isinstance(base, Definition) and base.kind == "class":
                yield owner, "inherits", base, owner.signature


def _called(module: Module, tree: Tree, counts: CallCounts) -> Iterable[_Found]:
    for call in sorted(module.calls, key=lambda each: each.line):
        value = tree.value(call.scope, call.chain) if call.chain else None
        if isinstance(value, Definition):
            counts.inside += 1
            yield call.owner, "calls", value, module.source.lines(call.line, call.last)
        elif value is OUTSIDE:
            counts.outside += 1
        else:
            counts.unknown += 1


def _read(module: Module, tree: Tree) -> Iterable[_Found]:
    for found, first, last in module.imports:
        target = tree.imported(module, found)
        if target:
            yield module.definition, "imports", target.definition, module.source.lines(first, last)
