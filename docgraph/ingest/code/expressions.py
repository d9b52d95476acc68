"""What an expression or a statement of Python names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from docgraph.ingest.code.scopes import CALLED, Chain

_LITERALS = (
    ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def chain_of(node: ast.expr | None) -> Chain | None:
    """Names, attributes and calls; None for what is computed otherwise. `Base[int]` is Base."""
    found: list[str] = []
    while node is not None:
        match node:
            case ast.Attribute():
                found.append(node.attr)
                node = node.value
            case ast.Call():
                found.append(CALLED)
                node = node.func
            case ast.Subscript():
                node = node.value
            case ast.Name():
                return (node.id, *reversed(found))
            case _:
                return ("", *reversed(found)) if isinstance(node, _LITERALS) else None
    return None


def bound_names(node: ast.AST) -> Iterator[str]:
    """Names that this very node binds, and not what stands in it, to something that is not known."""
    match node:
        case ast.Name(ctx=ast.Store()):
            yield node.id
        case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() if node.name:
            yield node.name
        case ast.MatchMapping() if node.rest:
            yield node.rest


def parameters(given: ast.arguments) -> Iterator[str]:
    """In their order."""
    yield from (each.arg for each in (*given.posonlyargs, *given.args))
    yield from (each.arg for each in (given.vararg, *given.kwonlyargs, given.kwarg) if each)
