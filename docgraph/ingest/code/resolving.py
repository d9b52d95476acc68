"""What a name means in the tree. Only what the text alone tells: no types, no values."""

from __future__ import annotations

from collections.abc import Mapping

from docgraph.ingest.code.places import Places
from docgraph.ingest.code.scopes import (
    CALLED,
    Alias,
    Binding,
    Chain,
    Definition,
    Import,
    Module,
    Receiver,
    Scope,
)
from docgraph.ingest.code.values import OUTSIDE, UNKNOWN, Instance, Place, Untold, Value

_DEEPEST = 30
"""Names that stand for names that stand for names: more than that is nobody's code."""
_MOST_STEPS = 2000
"""For one name. Two assignments to each of 20 names, of the next, are a million ways."""
_MOST_BASES = 1000


class Tree:
    """All modules of a run, by their places."""

    def __init__(self, modules: Mapping[str, Module], places: Places) -> None:
        self._modules = modules
        self._places = places
        self._asked: set[tuple[int, str]] = set()
        self._known: dict[tuple[int, str], Value] = {}
        self._steps = 0
        self._stars: dict[Module, list[Module]] = {}
        self._lines: dict[Definition, list[Definition]] = {}
        self._depth = 0

    def value(self, scope: Scope, chain: Chain) -> Value:
        """What a chain of names means where it is written."""
        if self._depth >= _DEEPEST:
            return UNKNOWN
        self._depth += 1
        try:
            found, rest = self._first(scope, chain)
            for name in rest:
                found = self._called(found) if name == CALLED else self._attribute(found, name)
            return found
        finally:
            self._depth -= 1

    def bases(self, of: Definition) -> list[Value]:
        """Of a class, in their order."""
        around = of.scope.parent
        return [self.value(around, base) for base in of.bases] if around else []

    def imported(self, module: Module, found: Import) -> Module | None:
        """The module of the tree that an import reads: where the name is from, or which it is."""
        place = self._origin(module, found)
        if place is None:
            return None
        if found.name not in {"", "*"} and isinstance(inside := self._of_module(place, found.name), Place):
            place = inside.path
        return self._modules.get(place)

    # ---------------------------------------------------------------- names

    def _first(self, scope: Scope, chain: Chain) -> tuple[Value, Chain]:
        found = self._name(scope, chain[0])
        if chain[:2] == ("super", CALLED) and found is OUTSIDE:
            around = scope.class_around
            return (Instance(around, above=True) if around else UNKNOWN), chain[2:]
        return found, chain[1:]

    def _name(self, scope: Scope, name: str) -> Value:
        """As Python looks it up: here, in the functions around, in the module, outside of it."""
        at: Scope | None = scope
        while at is not None:
            said = at.outer.get(name)
            if said == "global":
                at = at.owner.module.definition.scope
            if said != "nonlocal" and name in at.bindings and (at is scope or at.owner.kind != "class"):
                return self._bound(at, name)
            at = at.parent
        return self._starred(scope.owner.module, name)

    def _bound(self, scope: Scope, name: str) -> Value:
        """The last thing of the tree that a name is bound to in a scope: so it would be when all has run."""
        asked = (id(scope), name)
        if self._asked:
            return self._looked_up(scope, name, asked)
        # What is asked for the sake of another name is not remembered: it may have been cut short.
        if asked not in self._known:
            self._steps = 0
            self._known[asked] = self._looked_up(scope, name, asked)
        return self._known[asked]

    def _looked_up(self, scope: Scope, name: str, asked: tuple[int, str]) -> Value:
        self._steps += 1
        if asked in self._asked or len(self._asked) >= _DEEPEST or self._steps > _MOST_STEPS:
            return UNKNOWN
        self._asked.add(asked)
        untold: Value = UNKNOWN
        try:
            for each in reversed(scope.bindings[name]):
                found = self._binding(scope, each)
                if not isinstance(found, Untold):
                    return found
                untold = OUTSIDE if OUTSIDE in (found, untold) else UNKNOWN
        finally:
            self._asked.remove(asked)
        return untold

    def _binding(self, scope: Scope, binding: Binding) -> Value:
        match binding:
            case Definition():
                return binding
            case Receiver():
                return binding.of if binding.is_class else Instance(binding.of)
            case Alias():
                return self.value(scope, binding.chain)
            case Import():
                place = self._origin(scope.owner.module, binding)
                if place is None:
                    return OUTSIDE
                return self._attribute(Place(place), binding.name) if binding.name else Place(place)
            case None:
                return UNKNOWN

    def _starred(self, module: Module, name: str) -> Value:
        if not name.startswith("_"):
            for each in self._behind_stars(module):
                if name in each.definition.scope.bindings:
                    found = self._bound(each.definition.scope, name)
                    if not isinstance(found, Untold):
                        return found
        return OUTSIDE

    def _behind_stars(self, module: Module) -> list[Module]:
        """Whose names `import *` brings in, and so on; the last one counts most."""
        if module in self._stars:
            return self._stars[module]
        found: dict[Module, None] = {}
        waiting = [module]
        while waiting:
            at = waiting.pop()
            if at not in found:
                found[at] = None
                places = (self._origin(at, star) for star in at.definition.scope.stars)
                waiting += [self._modules[place] for place in places if place and place in self._modules]
        self._stars[module] = list(found)[1:]
        return self._stars[module]

    def _origin(self, module: Module, found: Import) -> str | None:
        if found.level:
            return self._places.relative(module.place, module.is_package, found.level, found.module)
        return self._places.absolute(module.place, found.module)

    # ---------------------------------------------------------------- attributes

    def _called(self, value: Value) -> Value:
        if isinstance(value, Definition) and value.kind == "class":
            return Instance(value)
        return OUTSIDE if value is OUTSIDE else UNKNOWN

    def _attribute(self, value: Value, name: str) -> Value:
        match value:
            case Place():
                return self._of_module(value.path, name)
            case Instance():
                return self._of_class(value.of, name, skipped=int(value.above))
            case Definition(kind="class"):
                return self._of_class(value, name)
            case Untold():
                return value
        return UNKNOWN

    def _of_module(self, place: str, name: str) -> Value:
        module = self._modules.get(place)
        found: Value = UNKNOWN
        if module and name in module.definition.scope.bindings:
            found = self._bound(module.definition.scope, name)
        elif module and (starred := self._starred(module, name)) is not OUTSIDE:
            found = starred
        inside = self._places.inside(place, name) if isinstance(found, Untold) else None
        return found if inside is None else Place(inside)

    def _of_class(self, of: Definition, name: str, skipped: int = 0) -> Value:
        for each in self._line_of(of)[skipped:]:
            if name in each.scope.bindings:
                return self._bound(each.scope, name)
        return UNKNOWN

    def _line_of(self, of: Definition) -> list[Definition]:
        """A class and its bases, as far as they are of the tree, in the order in which they are asked.

        Depth first, each as late as it occurs: what Python does, but for contrived hierarchies.
        """
        if of in self._lines:
            return self._lines[of]
        self._lines[of] = [of]  # for a class that needs itself to be told
        visited: list[Definition] = []
        waiting = [of]
        while waiting and len(visited) < _MOST_BASES:
            visited.append(waiting.pop())
            bases = [base for base in self.bases(visited[-1]) if isinstance(base, Definition)]
            waiting += [base for base in bases if base.kind == "class" and base is not of][::-1]
        self._lines[of] = list(dict.fromkeys(visited[::-1]))[::-1]
        return self._lines[of]
