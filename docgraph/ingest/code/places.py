"""Which file an import means. A place is a path without suffix, of a package or namespace the folder."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePosixPath

_INIT = "__init__"


def place_of(path: str) -> str:
    """Of `pkg/mod.py` that is `pkg/mod`, of `pkg/__init__.py` it is `pkg`."""
    file = PurePosixPath(path)
    return _joined(str(file.parent)) if file.stem == _INIT else _joined(str(file.parent), file.stem)


def package_of_folder(folder: str | os.PathLike[str]) -> tuple[str, ...]:
    """What goes before the names of its modules: a folder may be a package itself, and stand in others."""
    parts: list[str] = []
    at = Path(os.path.abspath(folder))  # noqa: PTH100 - resolve() would follow links
    while (at / f"{_INIT}.py").is_file() and at.name:
        parts.append(at.name)
        at = at.parent
    return tuple(parts[::-1])


class Places:
    """The modules of a tree, found as Python would find them if each folder with a package were on its path.

    `above` is the package that the root itself is.
    """

    def __init__(self, paths: Iterable[str], above: tuple[str, ...] = ()) -> None:
        self.above = above
        self._packages: set[str] = set()
        self.all: set[str] = set()
        """Modules, and the folders above them."""
        for path in paths:
            place = place_of(path)
            if PurePosixPath(path).stem == _INIT:
                self._packages.add(place)
            while place and place not in self.all:
                self.all.add(place)
                place = _parent(place)
        self._bases = sorted({self.base(package) for package in self._packages})

    def base(self, place: str) -> str:
        """The folder from which its absolute imports count: the one around its outermost package."""
        return _parent(self._outermost(place) or place)

    def dotted(self, place: str) -> str:
        """The name of a module as others import it; from the root where no package says otherwise."""
        parts = _parts(place)
        if not self.above and self._outermost(place):
            parts = parts[len(_parts(self.base(place))) :]
        return ".".join((*self.above, *parts))

    def _outermost(self, place: str) -> str | None:
        found, at = None, place
        while at:
            if at in self._packages:
                found = at
            at = _parent(at)
        return found

    def relative(self, place: str, is_package: bool, level: int, parts: tuple[str, ...]) -> str | None:  # noqa: FBT001 - a fact, not a switch
        """`from ..a import b` in the module at `place` has level 2 and the parts ("a",)."""
        folder = _parts(place) if is_package else _parts(place)[:-1]
        if level - 1 > len(folder):
            return None
        return self._known(_joined(*folder[: len(folder) - level + 1], *parts))

    def absolute(self, place: str, parts: tuple[str, ...]) -> str | None:
        """What `import a.b` means in the module at `place`: its own neighbours first, then the whole tree."""
        if self.above:
            inside = parts[: len(self.above)] == self.above
            return self._known(_joined(*parts[len(self.above) :])) if inside else None
        for base in (self.base(place), ""):
            if _joined(base, parts[0]) in self.all:
                return self._known(_joined(base, *parts))
        found = self._elsewhere(parts[0])
        return None if found is None else self._known(_joined(found, *parts))

    @cache  # noqa: B019 - as many as there are first names of imports, and the tree goes with the run
    def _elsewhere(self, package: str) -> str | None:
        """The one folder with a package of this name; of two there is no telling."""
        found = [base for base in self._bases if _joined(base, package) in self._packages]
        return found[0] if len(found) == 1 else None

    def inside(self, place: str, name: str) -> str | None:
        """A module of a package."""
        return self._known(_joined(place, name))

    def _known(self, place: str) -> str | None:
        return place if place in self.all or not place else None


def _parts(place: str) -> tuple[str, ...]:
    return tuple(place.split("/")) if place else ()


def _joined(*parts: str) -> str:
    return "/".join(part for part in parts if part and part != ".")


def _parent(place: str) -> str:
    return place.rpartition("/")[0]
