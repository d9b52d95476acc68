"""Where the command line writes: results to standard output, errors and remarks to standard error."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from rich.console import Console

from docgraph.plain import plain

if TYPE_CHECKING:
    from rich.console import RenderableType

    from docgraph.errors import DocgraphError

__all__ = [
    "can_ask",
    "err",
    "fail",
    "json_line",
    "lines",
    "one_line",
    "out",
    "plain",
    "say_error",
    "show_warning",
    "write",
    "write_any_character",
    "write_as_it_is",
    "write_json",
]

# No markup and no emoji: paths and messages may have brackets and colons in them. No wrapping: scripts read
# this too.
out = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
err = Console(stderr=True, markup=False, emoji=False, highlight=False, soft_wrap=True)

_WIDE = 100_000

_shown: set[str] = set()


def can_ask() -> bool:
    """Whether somebody sits there to answer."""
    return sys.stdin is not None and sys.stdin.isatty()


def write_any_character() -> None:
    """What the terminal has no character for is spelt out, what was closed takes all: neither is a crash."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # as by `docgraph ls >&-`
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def lines(text: str) -> str:
    """As `plain`, for a text of several lines."""
    return plain(text, keep="\n\t")


def one_line(text: str) -> str:
    """As `plain`, with a space for each stretch of white space."""
    return plain(" ".join(text.split()))


def write(text: str) -> None:
    """A text as it is, with its tabs. Flushed, so that a pipe that was closed is noticed here."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def write_as_it_is(text: str) -> None:
    """Into a pipe or a file the very characters, as UTF-8; in a terminal what steers it is spelt out."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    write(lines(text) if out.is_terminal else text)


def write_json(text: str) -> None:
    """The bytes that the database writes; in a terminal, if need be, the same JSON in harmless characters."""
    steers = out.is_terminal and plain(text) != text
    write_as_it_is(json.dumps(json.loads(text)) if steers else text)


def print_tree(tree: RenderableType) -> None:
    """In a terminal folded to its width, elsewhere each line whole: an id must be there to be copied."""
    out.print(tree, soft_wrap=False, width=None if out.is_terminal else _WIDE)


def json_line(found: Mapping[str, object]) -> None:
    """One object on one line, in ASCII: whoever reads it gets the same characters."""
    write(json.dumps(found))


def show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """In place of `warnings.showwarning`: what to know, once, without the line of code that says so."""
    if str(message) not in _shown:
        _shown.add(str(message))
        err.print(f"Warning: {lines(str(message))}", style="yellow")


def say_error(error: DocgraphError) -> None:
    """What went wrong and what to do about it."""
    err.print(f"Error: {lines(error.message)}", style="red")
    if error.detail:
        err.print(lines(error.detail))
    if error.hint:
        err.print(f"Hint: {lines(error.hint)}", style="yellow")


def fail(error: DocgraphError, code: int = 1) -> NoReturn:
    """Say what went wrong and what to do about it, and end."""
    say_error(error)
    raise SystemExit(code) from error
