"""JSON from elsewhere, looked at before a context is made of it: exactly the keys and types it must have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from math import isfinite
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from docgraph.context.accounting import Accounting
from docgraph.context.jsonb import keys
from docgraph.context.parts import ContextDocument
from docgraph.errors import InvalidArgument

Check = Callable[[Any, str], None]

_HINT = (
    "Take a context as retrieve gave it, or as its to_json() or `docgraph context --format json` wrote it."
)


def refuse(what: str, hint: str = _HINT) -> InvalidArgument:
    """For something that is no context."""
    return InvalidArgument(f"context: {what}", hint=hint)


def check_context(found: Any) -> None:
    """A whole context. Its plan is looked at by itself."""
    documents = check_of(tuple[ContextDocument, ...])
    check_object(
        found,
        "it",
        {
            "plan": lambda value, name: None,
            "context": lambda value, name: check_object(value, name, {"documents": documents}),
            "accounting": check_of(Accounting),
        },
    )


def check_object(found: Any, name: str, expected: Mapping[str, Check]) -> None:
    """An object with these keys and no others, each as its check wants it."""
    if not isinstance(found, Mapping):
        raise refuse(f"{name} must be an object, not {type(found).__name__}")
    for what, wrong in (("lacks", expected.keys() - found.keys()), ("has", found.keys() - expected.keys())):
        if wrong:
            raise refuse(f"{name} {what} {', '.join(sorted(map(repr, wrong)))}")
    for key, check in expected.items():
        check(found[key], f"{name}.{key}")


@cache
def check_of(hint: Any) -> Check:
    """How a value of that type is looked at."""
    if is_dataclass(hint):
        return _check_of_part(hint)
    if get_origin(hint) is tuple:
        return _list_of(check_of(get_args(hint)[0]))
    if isinstance(hint, UnionType):
        check = check_of(get_args(hint)[0])
        return lambda value, name: None if value is None else check(value, name)
    return _SIMPLE[hint]


def _check_of_part(part: Any) -> Check:
    hints = get_type_hints(part)
    expected = {key: check_of(hints[key]) for key in keys(part)}
    return lambda value, name: check_object(value, name, expected)


def _list_of(check: Check) -> Check:
    def check_list(value: Any, name: str) -> None:
        if not isinstance(value, (list, tuple)):
            raise refuse(f"{name} must be a list, not {type(value).__name__}")
        for place, entry in enumerate(value):
            check(entry, f"{name}[{place}]")

    return check_list


def _exactly(kind: type, what: str) -> Check:
    def check(value: Any, name: str) -> None:
        # Not isinstance: True is an int.
        if type(value) is not kind:
            raise refuse(f"{name} must be {what}, not {type(value).__name__}")

    return check


def _text(value: Any, name: str) -> None:
    _exactly(str, "a text")(value, name)
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise refuse(f"{name} has a character that no text in the database can have")


def _number(value: Any, name: str) -> None:
    if type(value) not in {int, float}:
        raise refuse(f"{name} must be a number, not {type(value).__name__}")
    try:
        finite = isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        raise refuse(f"{name} must be a finite number")


_SIMPLE: dict[Any, Check] = {
    str: _text,
    int: _exactly(int, "a whole number"),
    bool: _exactly(bool, "true or false"),
    float: _number,
}
