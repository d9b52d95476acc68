"""What a call does not take: refused by name, with what was probably meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from docgraph.errors import InvalidArgument


def refuse_unknown(by: str, given: Iterable[str], known: Collection[str]) -> None:
    """`by` is what does not take it."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise InvalidArgument(
            f"{by} does not take {unknown[0]}",
            hint=f"{probably(unknown[0], known)}It takes {listed(known)}.",
        )


def refuse_other(name: str, given: object, kind: type, hint: str) -> None:
    """Of a value that is used here, and not sent to the database, which would refuse it."""
    if not isinstance(given, kind):
        raise InvalidArgument(
            f"{name} must be of type {kind.__name__}, not {type(given).__name__}", hint=hint
        )


def listed(known: Iterable[str]) -> str:
    return ", ".join(known)


def probably(word: str, known: Iterable[str]) -> str:
    """A question that ends with a space, or nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a slip

    found = get_close_matches(word, list(known), n=1)
    return f"Did you mean {found[0]}? " if found else ""
