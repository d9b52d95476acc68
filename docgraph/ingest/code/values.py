"""What a name turns out to mean."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from docgraph.ingest.code.scopes import Definition


class Untold(Enum):
    """What is nothing of the tree."""

    OUTSIDE = 1
    """A builtin, a library."""
    UNKNOWN = 2
    """Only types or a run could tell."""


@dataclass(frozen=True, slots=True)
class Place:
    """A module or a folder of modules."""

    path: str


@dataclass(frozen=True, slots=True)
class Instance:
    """Of a class; `above` are those of its bases, as `super()` is."""

    of: Definition
    above: bool = False


Value: TypeAlias = Definition | Place | Instance | Untold
OUTSIDE, UNKNOWN = Untold.OUTSIDE, Untold.UNKNOWN
