"""Refusals in the words of whoever reads them: what a parameter is called there, and how a value is given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from docgraph.errors import InvalidArgument

Written = Callable[[str, str], str]
"""From a name and a value, without quotes, to how the two are written."""

_GIVEN = re.compile(r"""\b(\w+)=("[^"]*"|'[^']*'|\w+(?:\.\w+)*)""")


@contextmanager
def naming(names: Mapping[str, str], written: Written) -> Iterator[None]:
    """A refusal by the database, or before it, uses these names in place of the parameters'."""
    try:
        yield
    except InvalidArgument as error:
        first = error.message.partition(" ")[0]
        if first not in names:
            raise
        name, hint = names[first], error.hint or ""
        # A word of every day is a parameter only where the sentence begins.
        message = _in_place(error.message.replace(first, name, 1), names)
        if "ARRAY[" in hint or f"{first}=[" in hint:
            hint = (
                f"Give {name} once for each."
                if name.startswith("-")
                else f"A list: {written(name, '[a, b]')}."
            )
        hint = _in_place(_GIVEN.sub(lambda given: _written(given, names, written), hint), names)
        raise InvalidArgument(message, detail=error.detail, hint=hint) from error


def _written(given: re.Match[str], names: Mapping[str, str], written: Written) -> str:
    return written(names[given[1]], given[2].strip("\"'")) if given[1] in names else given[0]


def _in_place(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"(?<![\w.-])[a-z]+(?:_[a-z]+)+\b", lambda word: names.get(word[0], word[0]), text)
