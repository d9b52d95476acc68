"""Refusals in the words of whoever reads them: what a parameter is called there, and how a value is given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from docgraph.errors import InvalidArgument

Written = Callable[[str, str], str]
"""From a name and a value, without quotes, to how the two are written."""

_NAMED = r"(?<![\w.-])[a-z]+(?:_[a-z]+)+\b"
"""A word of every day is no name of a parameter."""
_GIVEN_OR_NAMED = re.compile(rf"""\b(\w+)=("[^"]*"|'[^']*'|\w+(?:\.\w+)*)|{_NAMED}""")
"""In one go: what is written down for one parameter may be the name of another."""

_USUAL = re.compile(r"\b(the usual) (?:limit|one)\b")


@contextmanager
def naming(
    names: Mapping[str, str], written: Written, usual: Mapping[str, str] | None = None
) -> Iterator[None]:
    """A refusal by the database, or before it, uses these names in place of the parameters'.

    Where it says to leave a parameter out, it says what is `usual` for it, as far as that is known.
    """
    try:
        yield
    except InvalidArgument as error:
        first = error.message.partition(" ")[0]
        if first not in names:
            raise
        name, hint = names[first], error.hint or ""
        # A word of every day is a parameter only where the sentence begins.
        message = renamed(error.message.replace(first, name, 1), names)
        if '["' in hint or f"{first}=[" in hint:
            hint = (
                f"Give {name} once for each."
                if name.startswith("-")
                else f"A list: {written(name, '[a, b]')}."
            )
        else:
            hint = _GIVEN_OR_NAMED.sub(lambda said: _said(said, names, written), hint)
        if usual and first in usual:
            hint = _USUAL.sub(rf"\1 {usual[first]}", hint)
        raise InvalidArgument(message, detail=error.detail, hint=hint) from error


@contextmanager
def renaming(names: Mapping[str, str]) -> Iterator[None]:
    """As `naming`, for who calls in Python: there values are written as they are."""
    try:
        yield
    except InvalidArgument as error:
        message, hint = renamed(error.message, names), error.hint and renamed(error.hint, names)
        raise type(error)(message, detail=error.detail, hint=hint) from error.__cause__


def _said(said: re.Match[str], names: Mapping[str, str], written: Written) -> str:
    if said[1] in names:
        return written(names[said[1]], said[2].strip("\"'"))
    return names.get(said[0], said[0])


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A text with other names of parameters in it; a word of every day is no name."""
    return re.sub(_NAMED, lambda word: names.get(word[0], word[0]), text)
