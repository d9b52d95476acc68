"""What a plan is made of: plain values with the names that they have in its JSON, no driver needed.

Each looks at the types of what it is given, because true or 1.0 would be other bytes than 1. Which values
will do, the database says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import UnionType
from typing import Any, ClassVar, Self, get_args, get_origin, get_type_hints

from docgraph.errors import InvalidArgument

Reader = Callable[[Any, str], Any]
"""From a value of JSON, or one that is read already, to the value. The text says what it is, for an error."""

_HINT = "Take a plan as plan_retrieval or seal_plan gave it; to change one, use its replace()."


def refuse(what: str, hint: str = _HINT) -> InvalidArgument:
    """For something that is no plan."""
    return InvalidArgument(f"plan: {what}", hint=hint)


def _exactly(kind: type, what: str) -> Reader:
    def read(value: Any, name: str) -> Any:
        # Not isinstance: True is an int.
        if type(value) is not kind:
            raise refuse(f"{name} must be {what}, not {type(value).__name__}")
        return value

    return read


_any_text = _exactly(str, "a text")


def _text(value: Any, name: str) -> str:
    text: str = _any_text(value, name)
    if "\0" in text or not _is_whole(text):
        raise refuse(f"{name} has a character that no text in the database can have")
    return text


def _is_whole(text: str) -> bool:
    """Whether there are no halves of characters in it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _list_of(read: Reader) -> Reader:
    def read_list(value: Any, name: str) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)):
            raise refuse(f"{name} must be a list, not {type(value).__name__}")
        return tuple([read(entry, name) for entry in value])

    return read_list


def _or_none(read: Reader) -> Reader:
    return lambda value, name: None if value is None else read(value, name)


_READERS = {str: _text, int: _exactly(int, "a whole number"), bool: _exactly(bool, "true or false")}


def _reader(hint: Any) -> Reader:
    """How a value of that type is read."""
    if get_origin(hint) is tuple:
        return _list_of(_reader(get_args(hint)[0]))
    if isinstance(hint, UnionType):
        return _or_none(_reader(get_args(hint)[0]))
    read: Reader = _READERS.get(hint) or hint.read
    return read


_SHAPES: dict[type, dict[str, tuple[str, Reader]]] = {}


def _shape(part: type[Part]) -> dict[str, tuple[str, Reader]]:
    """By the key in JSON, in the order of jsonb (length, then bytes): the field, and how it is read."""
    if part not in _SHAPES:
        hints = get_type_hints(part)
        keys = {part.keys.get(f.name, f.name): f.name for f in fields(part)}  # type: ignore[arg-type]  # a Part is a dataclass
        _SHAPES[part] = {
            key: (keys[key], _reader(hints[keys[key]])) for key in sorted(keys, key=lambda k: (len(k), k))
        }
    return _SHAPES[part]


class Part:
    """An object of the plan's JSON."""

    __slots__ = ()

    called: ClassVar[str]
    """What it is called in errors."""
    keys: ClassVar[Mapping[str, str]] = {}
    """Of fields that have another name in JSON."""
    optional: ClassVar[frozenset[str]] = frozenset()
    """Keys that are there only if they say something: where they are not, the field is empty or false."""

    def __post_init__(self) -> None:
        for key, (name, read) in _shape(type(self)).items():
            object.__setattr__(self, name, read(getattr(self, name), f"{self.called}{key}"))

    @classmethod
    def read(cls, found: Any, name: str) -> Self:
        """From JSON. It must have exactly the keys that it has in a plan, but for the optional ones."""
        if isinstance(found, cls):
            return found
        if not isinstance(found, Mapping):
            raise refuse(f"{name} must be an object, not {type(found).__name__}")
        shape = _shape(cls)
        lacking = shape.keys() - found.keys() - cls.optional
        for what, keys in (("lacks", lacking), ("has", found.keys() - shape.keys())):
            if keys:
                raise refuse(f"{name} {what} {', '.join(sorted(map(repr, keys)))}")
        for key in cls.optional & found.keys():
            if not found[key]:
                raise refuse(f"{key} must say something, or not be there")
        return cls(**{shape[key][0]: value for key, value in found.items()})

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it, the keys in the order of jsonb."""
        values = ((key, getattr(self, name)) for key, (name, _) in _shape(type(self)).items())
        return {key: to_json(value) for key, value in values if value or key not in self.optional}


def to_json(value: Any) -> Any:
    """Parts as objects, tuples as lists."""
    if isinstance(value, Part):
        return value.to_dict()
    return [to_json(entry) for entry in value] if isinstance(value, (tuple, list)) else value


@dataclass(frozen=True, slots=True)
class Scope(Part):
    """What the call could see at most; None is all."""

    called = "scope."

    tenant: str
    repositories: tuple[str, ...] | None
    snapshots: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Via(Part):
    """A relationship from a seed: a reason for a document to be in the plan."""

    called = "via: "
    keys = {"from_document": "from"}  # noqa: RUF012 - a ClassVar of the base

    from_document: str
    relation_type: str


@dataclass(frozen=True, slots=True)
class Seed(Part):
    """A document that the plan starts from."""

    called = "seed_documents: "
    optional = frozenset({"via"})

    document_id: str
    rank: int
    origin: str
    """"given" or "search"."""
    via: tuple[Via, ...] = ()
    """Relationships that lead to it from other seeds."""


@dataclass(frozen=True, slots=True)
class Expanded(Part):
    """A document that seeds lead to, with every reason."""

    called = "expanded_documents: "

    document_id: str
    via: tuple[Via, ...]


@dataclass(frozen=True, slots=True)
class Constraints(Part):
    """What bounded the plan."""

    called = "constraints."

    max_relationship_depth: int
    """Always 1."""
    traversal_enabled: bool
    """Always False."""
    direction: str
    """Always "outgoing"."""
    relation_types: tuple[str, ...] | None
    """None is all."""
    seed_limit: int
    expanded_per_seed: int
    max_documents: int
    dominant_scope: str
    scope_distance: str | None
    """A text, because a plan has no fractions; None unless the scope is "cluster"."""


@dataclass(frozen=True, slots=True)
class VectorSpace(Part):
    """The embedding space that the question's vector is of."""

    called = "made_by.embedding_space."

    model: str
    dimensions: int
    metric: str


@dataclass(frozen=True, slots=True)
class MadeBy(Part):
    """How the plan was made."""

    called = "made_by."
    optional = frozenset({"rrf_k", "title_hits"})

    mode: str
    search_in: str | None
    method: str
    """"exact" or "approximate"."""
    embedding_space: VectorSpace | None
    """None if no question took part."""
    revision: str
    """Of the functions in the database."""
    rrf_k: int | None = None
    """How ranks were fused, in mode "hybrid"."""
    title_hits: bool = False
    """Whether titles in the question counted, in mode "hybrid"."""
