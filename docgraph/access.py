"""What a call claims to be allowed, and what it is allowed: plain values, no driver needed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields

from docgraph.errors import InvalidArgument


def _frozen(value: object) -> object:
    """Collections become tuples. Anything else stays as it is, so that the database refuses it by name."""
    return tuple(value) if isinstance(value, (list, tuple, set, frozenset)) else value


@dataclass(frozen=True, slots=True)
class Access:
    """A claim. The database intersects it with the ceiling of the login, so it can only narrow.

    `repositories` and `snapshots`: None is all that the ceiling allows. `tags`, `labels` and `clearance` must
    be claimed: `Access()` sees public, unlabelled documents of level 0 only.
    """

    repositories: Collection[str] | None = None
    snapshots: Collection[str] | None = None
    tags: Collection[str] = ()
    labels: Collection[str] = ()
    clearance: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            given = getattr(self, field.name)
            if field.name != "clearance" and isinstance(given, (str, bytes)):
                # As the database says it of others, but here it is seen where it is written.
                raise InvalidArgument(
                    f'access: "{field.name}" must be a list of strings, not one',
                    hint=f'For example Access({field.name}=["a", "b"]).',
                )
            object.__setattr__(self, field.name, _frozen(given))

    def to_dict(self) -> dict[str, object]:
        """The claim as the database takes it: what is None is left out."""
        return {
            field.name: value for field in fields(self) if (value := getattr(self, field.name)) is not None
        }


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most a login may see in a tenant. None in a field is all of that kind, an empty tuple is none.

    No field has a default: each would widen or narrow in silence.
    """

    login: str
    repositories: tuple[str, ...] | None
    snapshots: tuple[str, ...] | None
    tags: tuple[str, ...] | None
    labels: tuple[str, ...] | None
    clearance: int | None


@dataclass(frozen=True, slots=True)
class Identity:
    """What a call would be allowed: its claim within the ceiling of the login."""

    login: str
    repositories: tuple[str, ...] | None
    snapshots: tuple[str, ...] | None
    tags: tuple[str, ...]
    labels: tuple[str, ...]
    clearance: int


@dataclass(frozen=True, slots=True)
class EmbeddingSpace:
    """The one embedding space of a database, and the settings of its lexical index."""

    model: str
    dimensions: int
    metric: str
    text_search: str
    average_length: float


@dataclass(frozen=True, slots=True)
class LexicalIndex:
    """What `rebuild_lexical` has made."""

    entries: int
    """One for each chunk, and one for each document's title and summary."""
    mean_length: float | None
    """Words of a chunk on average; None if there are none."""
