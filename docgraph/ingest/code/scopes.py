"""What the names of a Python file stand for, as its text says; what that is in the tree is told later."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from docgraph.ingest.code.sources import Source

Chain: TypeAlias = tuple[str, ...]
"""`a.b().c` as ("a", "b", "()", "c"). It begins with "" where it begins with a literal."""
CALLED = "()"


@dataclass(frozen=True, slots=True)
class Import:
    """A module, or a name of one. `level` is the number of leading dots."""

    level: int
    module: tuple[str, ...]
    name: str = ""
    """Empty: the module itself; "*": all its names."""


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name for something that has one."""

    chain: Chain


@dataclass(frozen=True, slots=True)
class Receiver:
    """The first parameter of a method."""

    of: Definition
    is_class: bool


Binding: TypeAlias = "Definition | Import | Alias | Receiver | None"
"""None: something that only running the program could tell."""


@dataclass(slots=True, eq=False)
class Scope:
    """Where names are bound: a module, a class or a function."""

    owner: Definition
    parent: Scope | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    outer: dict[str, Literal["global", "nonlocal"]] = field(default_factory=dict)
    stars: list[Import] = field(default_factory=list)

    def bind(self, name: str, binding: Binding) -> None:
        """Where Python would: `global` and `nonlocal` say that it is not here."""
        at: Scope | None = self
        match self.outer.get(name):
            case "global":
                at = self.owner.module.definition.scope
            case "nonlocal":
                at = self.parent
                while at is not None and (at.owner.kind == "class" or name not in at.bindings):
                    at = at.parent
        (at or self).bindings.setdefault(name, []).append(binding)

    @property
    def class_around(self) -> Definition | None:
        """What `super()` means here."""
        at: Scope | None = self
        while at is not None and at.owner.kind != "class":
            at = at.parent
        return at.owner if at else None


@dataclass(slots=True, eq=False)
class Definition:
    """A module, class or function: what becomes a node."""

    kind: Literal["module", "class", "function"]
    name: str
    """With its number, if it is not the first of this name in its scope: `area#2`. Empty for a module."""
    parent: Definition | None
    first: int
    """Its lines: the first of its decorators, the one of its `def`, and the last."""
    header: int
    last: int
    indented: bool = False
    signature: str = ""
    docstring: str = ""
    bases: list[Chain] = field(default_factory=list)
    contents: list[Definition] = field(default_factory=list)
    module: Module = field(init=False)
    scope: Scope = field(init=False)

    @property
    def path(self) -> str:
        """Its name within the module: `Outer.inner`."""
        above = self.parent.path if self.parent else ""
        return f"{above}.{self.name}" if above else self.name

    @property
    def id(self) -> str:
        path = self.module.source.path
        return f"{path}::{self.path}" if self.parent else path


@dataclass(frozen=True, slots=True)
class Call:
    """A call that stands in `owner` and is to be understood in `scope`; without a chain it has no name."""

    owner: Definition
    scope: Scope
    chain: Chain | None
    line: int
    last: int


@dataclass(slots=True, eq=False)
class Module:
    """A file of Python, looked through."""

    source: Source
    place: str
    """Its path without suffix; of a package the folder."""
    definition: Definition
    calls: list[Call] = field(default_factory=list)
    imports: list[tuple[Import, int, int]] = field(default_factory=list)
    """With the lines they stand in."""

    @property
    def is_package(self) -> bool:
        return self.source.path.rpartition("/")[2].startswith("__init__.")
