"""Values as JSON has them, and the text that jsonb has for them, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from decimal import Decimal
from functools import cache
from typing import Any

quoted: Callable[[str], str] = json.JSONEncoder(ensure_ascii=False).encode


@cache
def keys(part: type[Any]) -> tuple[str, ...]:
    """The fields of a value that stand in its JSON, in the order of jsonb: by length, then bytes."""
    names = (f.name for f in fields(part) if f.metadata.get("json", True))
    return tuple(sorted(names, key=lambda name: (len(name), name)))


def to_json(value: Any) -> Any:
    """Values as objects, tuples as lists."""
    if is_dataclass(value):
        part: Any = type(value)
        return {name: to_json(getattr(value, name)) for name in keys(part)}
    return [to_json(entry) for entry in value] if isinstance(value, tuple) else value


def text_of(found: Any) -> str:
    """The text of jsonb. The keys of objects are in its order already."""
    if isinstance(found, str):
        return quoted(found)
    if isinstance(found, dict):
        return f"{{{', '.join([f'{quoted(key)}: {text_of(value)}' for key, value in found.items()])}}}"
    if isinstance(found, list):
        return f"[{', '.join(map(text_of, found))}]"
    return _number(found) if isinstance(found, float) else json.dumps(found)


def _number(value: float) -> str:
    """As a number that was double precision stands in jsonb: the shortest digits, never an exponent.

    Python writes 1.0 and 1e-06 where jsonb has 1 and 0.000001.
    """
    return f"{Decimal(repr(value or 0.0)):f}".removesuffix(".0")
