"""A Python file to its definitions, the names they bind, and their calls. Nothing is executed."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from docgraph.ingest.code.expressions import bound_names, chain_of, parameters
from docgraph.ingest.code.scopes import Alias, Call, Definition, Import, Module, Receiver, Scope
from docgraph.ingest.code.signatures import signature
from docgraph.ingest.code.sources import Source

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_MOST_LINES = 5
"""Of a call, as evidence."""
_OF_CLASSES = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})


class _Where(NamedTuple):
    """In whose text something stands, where its names are looked up, and which of them mean nothing there."""

    owner: Definition
    scope: Scope
    hidden: frozenset[str] = frozenset()


_Step: TypeAlias = "tuple[ast.AST, _Where]"


def collect(source: Source, place: str) -> Module:
    """ValueError says why this cannot be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the author's escapes
            tree = ast.parse(source.text)
        return _Collector(source, place, tree).run()
    except SyntaxError as error:
        raise ValueError(f"line {error.lineno or 1}: no Python that can be parsed: {error.msg}") from None
    except (RecursionError, MemoryError):
        raise ValueError("nested too deeply to be read") from None


class _Collector:
    """Walks with a stack of its own: what is nested deeply needs no deep recursion."""

    def __init__(self, source: Source, place: str, tree: ast.Module) -> None:
        top = Definition("module", "", None, 1, 1, source.line_count, docstring=_docstring(tree))
        top.scope = Scope(top, None)
        self.module = top.module = Module(source, place, top)
        self._tree = tree
        self._numbers: dict[tuple[int, str], int] = {}
        self._handlers: dict[type[ast.AST], Callable[..., Iterable[_Step]]] = {
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.ClassDef: self._class,
            ast.Lambda: self._lambda,
            ast.Call: self._call,
            ast.Assign: self._assign,
            ast.AnnAssign: self._assign,
            ast.Import: self._import,
            ast.ImportFrom: self._import_from,
            **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), self._comprehension),
        }

    def run(self) -> Module:
        where = _Where(self.module.definition, self.module.definition.scope)
        waiting: list[_Step] = [(self._tree, where)]
        while waiting:
            node, where = waiting.pop()
            waiting += list(self._handlers.get(type(node), self._other)(node, where))[::-1]
        return self.module

    def _other(self, node: ast.AST, where: _Where) -> Iterator[_Step]:
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            for name in node.names:
                where.scope.outer[name] = "global" if isinstance(node, ast.Global) else "nonlocal"
        for name in bound_names(node):
            if name not in where.hidden:
                where.scope.bind(name, None)
        return _all(ast.iter_child_nodes(node), where)

    # ---------------------------------------------------------------- definitions

    def _define(self, node: _Function | ast.ClassDef, where: _Where) -> Definition:
        within = where.scope.owner
        number = self._numbers[id(within), node.name] = self._numbers.get((id(within), node.name), 0) + 1
        last = node.end_lineno or node.lineno
        found = Definition(
            "class" if isinstance(node, ast.ClassDef) else "function",
            node.name if number == 1 else f"{node.name}#{number}",
            within,
            min([node.lineno, *(each.lineno for each in node.decorator_list)]),
            node.lineno,
            last,
            indented=node.col_offset > 0,
            signature=signature(self.module.source.lines(node.lineno, last)),
            docstring=_docstring(node),
        )
        found.module, found.scope = self.module, Scope(found, where.scope)
        within.contents.append(found)
        where.scope.bind(node.name, found)
        for parameter in getattr(node, "type_params", ()):
            found.scope.bind(parameter.name, None)
        for decorator in node.decorator_list:
            if not isinstance(decorator, ast.Call):  # `@cache` calls it as `@cache()` does
                self._called(decorator, decorator, _Where(found, where.scope))
        return found

    def _function(self, node: _Function, where: _Where) -> Iterator[_Step]:
        found = self._define(node, where)
        receiver = _receiver(node, where.scope.owner)
        for at, name in enumerate(parameters(node.args)):
            found.scope.bind(name, receiver if at == 0 else None)
        header = _Where(found, where.scope)
        returns = [node.returns] if node.returns else []
        yield from _all([*node.decorator_list, node.args, *returns], header)
        yield from _all(node.body, _Where(found, found.scope))

    def _class(self, node: ast.ClassDef, where: _Where) -> Iterator[_Step]:
        found = self._define(node, where)
        found.bases = [chain_of(base) or ("",) for base in node.bases]
        yield from _all([*node.decorator_list, *node.bases, *node.keywords], _Where(found, where.scope))
        yield from _all(node.body, _Where(found, found.scope))

    # ---------------------------------------------------------------- expressions

    def _lambda(self, node: ast.Lambda, where: _Where) -> Iterator[_Step]:
        yield node.args, where
        yield node.body, where._replace(hidden=where.hidden.union(parameters(node.args)))

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, where: _Where
    ) -> Iterator[_Step]:
        targets = (
            name for each in node.generators for part in ast.walk(each.target) for name in bound_names(part)
        )
        return _all(ast.iter_child_nodes(node), where._replace(hidden=where.hidden.union(targets)))

    def _call(self, node: ast.Call, where: _Where) -> Iterator[_Step]:
        self._called(node.func, node, where)
        return _all(ast.iter_child_nodes(node), where)

    def _called(self, what: ast.expr, node: ast.expr, where: _Where) -> None:
        chain = chain_of(what)
        if chain and chain[0] in where.hidden:
            chain = None
        last = min(node.end_lineno or node.lineno, node.lineno + _MOST_LINES)
        self.module.calls.append(Call(where.owner, where.scope, chain, node.lineno, last))

    def _assign(self, node: ast.Assign | ast.AnnAssign, where: _Where) -> Iterator[_Step]:
        chain = chain_of(node.value) if isinstance(node.value, (ast.Name, ast.Attribute)) else None
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if chain and isinstance(target, ast.Name):
                where.scope.bind(target.id, Alias(chain))
        return _all(ast.iter_child_nodes(node), where)

    # ---------------------------------------------------------------- imports

    def _import(self, node: ast.Import, where: _Where) -> Iterable[_Step]:
        for each in node.names:
            whole = tuple(each.name.split("."))
            self._imported(Import(0, whole), node)
            where.scope.bind(each.asname or whole[0], Import(0, whole if each.asname else whole[:1]))
        return ()

    def _import_from(self, node: ast.ImportFrom, where: _Where) -> Iterable[_Step]:
        module = tuple(node.module.split(".")) if node.module else ()
        for each in node.names:
            found = Import(node.level, module, each.name)
            self._imported(found, node)
            if each.name == "*":
                where.scope.stars.append(found)
            else:
                where.scope.bind(each.asname or each.name, found)
        return ()

    def _imported(self, found: Import, node: ast.stmt) -> None:
        self.module.imports.append((found, node.lineno, node.end_lineno or node.lineno))


def _all(nodes: Iterable[ast.AST], where: _Where) -> Iterator[_Step]:
    return ((node, where) for node in nodes)


def _docstring(node: ast.Module | ast.ClassDef | _Function) -> str:
    return ast.get_docstring(node) or ""


def _receiver(node: _Function, owner: Definition) -> Receiver | None:
    """Of a method that is no static one: the instance, or the class."""
    decorators = {each.id for each in node.decorator_list if isinstance(each, ast.Name)}
    if owner.kind != "class" or "staticmethod" in decorators or not (node.args.posonlyargs or node.args.args):
        return None
    return Receiver(owner, "classmethod" in decorators or node.name in _OF_CLASSES)
