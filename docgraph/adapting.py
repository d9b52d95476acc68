"""Values as psycopg shall send them, by the type that a parameter has in the database.

Only the type of a value is looked at: whether it will do, the database says. Without that look a cast would
take 1.5 or True for a whole number and '{a,b}' for a list, in silence.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, Protocol, TypeAlias

from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format

from docgraph.errors import InvalidArgument


class Array(Protocol):
    """An array of NumPy's, or of another library that has the method."""

    def tolist(self) -> Any: ...


Numbers: TypeAlias = Sequence[float] | Array
"""A vector."""

CASTS = {
    # Named in full: somebody's search path may have another text. The others are words of the grammar.
    "text": "pg_catalog.text",
    "text[]": "pg_catalog.text[]",
    "jsonb": "pg_catalog.jsonb",
    "integer": "integer",
    "numeric": "numeric",
    "double precision": "double precision",
    "double precision[]": "double precision[]",
}
"""The types of parameters, and how a value is cast to each."""

_TYPES: dict[str, tuple[Any, str, str]] = {
    "text": ((str,), "a text", '"default"'),
    "integer": ((int,), "a whole number", "3"),
    "numeric": ((int, float, Decimal), "a number", "0.35"),
    "double precision": ((int, float), "a number", "100.0"),
    "double precision[]": (object, "a list of numbers", "[0.25, -1.5]"),
    "text[]": ((list, tuple, set, frozenset), "a list of texts", '["a", "b"]'),
    "jsonb": ((dict, list, tuple), "an object or a list", '{"tags": ["a", "b"]}'),
}


def adapt(name: str, kind: str, value: Any) -> object:
    """A value for a parameter of that name and type; None is NULL."""
    accepted, what, example = _TYPES[kind]
    hint = f"For example {name}={example}."
    if value is None:
        return None
    if kind == "jsonb" and isinstance(value, str):
        hint = "JSON goes as a value and not as a text: json.loads reads one."
    if isinstance(value, bool) or not isinstance(value, accepted):
        raise InvalidArgument(f"{name} must be {what}, not {type(value).__name__}", hint=hint)
    if kind == "jsonb":
        try:
            return json.dumps(value, allow_nan=False, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidArgument(f"{name} cannot be written as JSON: {error}", hint=hint) from error
    if kind == "double precision[]":
        return Vector(_packed(_numbers(value, f"{name} must be {what}", hint)))
    if kind == "numeric" and isinstance(value, float):
        # As it is written in Python: the database would round it to 15 digits.
        return Decimal(float.__repr__(value))
    if kind == "text[]" and not all(entry is None or isinstance(entry, str) for entry in value):
        raise InvalidArgument(f"{name} must be {what}", hint=hint)
    # psycopg sends a list as an array, but a tuple as a record.
    return list(value) if isinstance(value, (tuple, set, frozenset)) else value


class Vector(bytes):
    """An array of double precision as PostgreSQL reads it fastest: in its binary format."""

    __slots__ = ()


class VectorDumper(Dumper):
    """Sends a `Vector` as it is: several times faster than a list of numbers, or the text of one."""

    format = Format.BINARY
    oid = 1022  # double precision[], the same in every database

    def dump(self, obj: Vector) -> Buffer:
        return obj


def _numbers(value: Any, refusal: str, hint: str) -> Sequence[Any]:
    """What is in a list, or in an array of NumPy's or the like; None is for the database to refuse."""
    found = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(found, (str, bytes, bytearray, memoryview)) or not isinstance(found, Sequence):
        raise InvalidArgument(f"{refusal}, not {type(value).__name__}", hint=hint)
    for kind in set(map(type, found)):
        if issubclass(kind, bool) or not issubclass(kind, (Real, Decimal, type(None))):
            raise InvalidArgument(f"{refusal}, not with {kind.__name__} in it", hint=hint)
    try:
        return [None if number is None else float(number) for number in found]
    except OverflowError:
        raise InvalidArgument(f"{refusal} of double precision", hint=hint) from None


def _packed(numbers: Sequence[float | None]) -> bytes:
    """Dimensions, whether there are nulls, the type of the elements; then each with its length in bytes."""
    if not numbers:
        return struct.pack(">3i", 0, 0, _ELEMENT)
    head = struct.pack(">5i", 1, None in numbers, _ELEMENT, len(numbers), 1)
    if None in numbers:
        null = struct.pack(">i", -1)
        return head + b"".join(null if n is None else struct.pack(">id", 8, n) for n in numbers)
    interleaved: list[Any] = [8] * (2 * len(numbers))
    interleaved[1::2] = numbers
    return head + struct.pack(f">{'id' * len(numbers)}", *interleaved)


_ELEMENT = 701
"""The number of the type double precision, the same in every database."""
