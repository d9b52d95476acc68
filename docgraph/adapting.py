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
Vectors: TypeAlias = Sequence[Numbers] | Array
"""Several vectors, or an array that has two dimensions."""

CASTS = {
    # Named in full: somebody's search path may have another text. The others are words of the grammar.
    "text": "pg_catalog.text",
    "text[]": "pg_catalog.text[]",
    "jsonb": "pg_catalog.jsonb",
    "integer": "integer",
    "integer[]": "integer[]",
    "boolean": "boolean",
    "numeric": "numeric",
    "double precision": "double precision",
    "double precision[]": "double precision[]",
}
"""The types of parameters, and how a value is cast to each."""

_TYPES: dict[str, tuple[Any, str, str]] = {
    "text": ((str,), "a text", '"..."'),
    "integer": ((int,), "a whole number", "3"),
    "integer[]": ((list, tuple), "a list of whole numbers", "[0, 3]"),
    "boolean": ((bool,), "True or False", "True"),
    "numeric": ((int, float, Decimal), "a number", "0.35"),
    "double precision": ((int, float), "a number", "100.0"),
    "double precision[]": (object, "a list of numbers", "[0.25, -1.5]"),
    "text[]": ((list, tuple, set, frozenset), "a list of texts", '["a", "b"]'),
    "jsonb": ((dict, list, tuple), "an object or a list", '{"tags": ["a", "b"]}'),
}


def adapt(name: str, kind: str, value: Any) -> object:
    """A value for a parameter of that name and type; None is NULL."""
    accepted, what, example = _TYPES[kind]
    hint = f"For example {name}={_EXAMPLES.get(name, example)}."
    if value is None:
        return None
    if kind == "double precision[]" and isinstance(value, Vector):
        return value
    if kind == "jsonb" and isinstance(value, str):
        hint = "JSON goes as a value and not as a text: json.loads reads one."
    if (isinstance(value, bool) and kind != "boolean") or not isinstance(value, accepted):
        raise InvalidArgument(f"{name} must be {what}, not {type(value).__name__}", hint=hint)
    if kind == "jsonb":
        return _json(name, value, hint)
    if kind == "double precision[]":
        return Vector(_packed(_numbers(value, f"{name} must be {what}", hint)))
    if kind == "numeric" and isinstance(value, float):
        # As it is written in Python: the database would round it to 15 digits.
        return Decimal(float.__repr__(value))
    if kind == "integer" and not -_INTEGERS <= value < _INTEGERS:
        # The cast would refuse it too, but not say which parameter it is. Narrower bounds the database has.
        raise InvalidArgument(f"{name} must be {what} that fits into PostgreSQL's integer", hint=hint)
    if kind in _ENTRIES and not all(entry is None or isinstance(entry, _ENTRIES[kind]) for entry in value):
        raise InvalidArgument(f"{name} must be {what}", hint=hint)
    # psycopg sends a list as an array, but a tuple as a record.
    return list(value) if isinstance(value, (tuple, set, frozenset)) else value


def _json(name: str, value: Any, hint: str) -> str:
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArgument(f"{name} cannot be written as JSON: {error}", hint=hint) from error


def vectors(name: str, value: Any) -> Vector | None:
    """An array of two dimensions: a list of vectors, or an array of NumPy's that has two."""
    if value is None:
        return None
    what, hint = f"{name} must be a list of vectors", f"For example {name}=[[0.25, -1.5], [1, 0]]."
    rows = [_numbers(row, what, hint) for row in _entries(value, what, hint)]
    lengths = {len(row) for row in rows}
    if len(lengths) > 1:
        raise InvalidArgument(f"{what} of the same length", hint=hint)
    if lengths == {0}:
        # An array without elements has no rows either: nobody would be told that nothing was asked.
        raise InvalidArgument(f"{what}, none of them empty", hint=hint)
    return Vector(_packed([number for row in rows for number in row], len(rows)))


class Vector(bytes):
    """An array of double precision as PostgreSQL reads it fastest: in its binary format."""

    __slots__ = ()


class VectorDumper(Dumper):
    """Sends a `Vector` as it is: several times faster than a list of numbers, or the text of one."""

    format = Format.BINARY
    oid = 1022  # double precision[], the same in every database

    def dump(self, obj: Vector) -> Buffer:
        return obj


def _entries(value: Any, refusal: str, hint: str) -> Sequence[Any]:
    """What is in a list, or in an array of NumPy's or the like."""
    found = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(found, (str, bytes, bytearray, memoryview)) or not isinstance(found, Sequence):
        raise InvalidArgument(f"{refusal}, not {type(value).__name__}", hint=hint)
    return found


def _numbers(value: Any, refusal: str, hint: str) -> Sequence[Any]:
    """As `_entries`, of numbers; None is for the database to refuse."""
    found = _entries(value, refusal, hint)
    kinds = set(map(type, found))
    for kind in kinds:
        if issubclass(kind, bool) or not issubclass(kind, (Real, Decimal, type(None))):
            raise InvalidArgument(f"{refusal}, not with {kind.__name__} in it", hint=hint)
    if kinds == {float}:
        return found
    try:
        return [None if number is None else float(number) for number in found]
    except (OverflowError, ValueError):  # too large, or a signalling NaN
        raise InvalidArgument(f"{refusal} of double precision", hint=hint) from None


def _packed(numbers: Sequence[float | None], rows: int | None = None) -> bytes:
    """With `rows` in two dimensions. Their number, whether there are nulls, and the type of the elements; of
    each dimension its length and first index; then each element with its length in bytes.
    """
    if not numbers:
        return struct.pack(">3i", 0, 0, _ELEMENT)
    lengths = [len(numbers)] if rows is None else [rows, len(numbers) // rows]
    nulls = None in numbers
    head = struct.pack(">3i", len(lengths), nulls, _ELEMENT)
    head += b"".join(struct.pack(">2i", length, 1) for length in lengths)
    if nulls:
        null = struct.pack(">i", -1)
        return head + b"".join(null if n is None else struct.pack(">id", 8, n) for n in numbers)
    interleaved: list[Any] = [8] * (2 * len(numbers))
    interleaved[1::2] = numbers
    return head + struct.pack(f">{'id' * len(numbers)}", *interleaved)


_ENTRIES = {"text[]": str, "integer[]": int}
"""What lists have in them."""
_EXAMPLES = {
    "tenant": '"default"',
    "login": '"alice"',
    "model": '"wordllama/l2_supercat_256"',
    "metric": '"cosine"',
    "text_search": '"english"',
    "ingestion": '"2026-05-01"',
    "source": '"wiki"',
    "ingested_from": '"wiki"',
    "state": '"finished"',
    "document": '"a.md"',
    "query_text": '"How do I ...?"',
    "budget_tokens": "2000",
    "max_chars": "8000",
    "selection": '"similarity"',
    "mode": '"semantic"',
    "chunk_mode": '"hybrid"',
    "direction": '"outgoing"',
    "prioritization": '"seed_first"',
    "rerank": '"keyword"',
    "search_in": '"summaries"',
    "method": '"auto"',
    "dominant_scope": '"none"',
    "plan": "client.plan(...)",
    "nodes": 'client.expand_dependency_tree(seeds=["a.md"])',
}
"""Where the one for the type would be of no use."""
_INTEGERS = 2**31
"""So many that PostgreSQL's integer has below zero, and so many from there."""
_ELEMENT = 701
"""The number of the type double precision, the same in every database."""
