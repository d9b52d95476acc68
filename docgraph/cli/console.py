"""Where the command line writes: results to standard output, errors and remarks to standard error."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn

from rich.console import Console

if TYPE_CHECKING:
    from docgraph.errors import DocgraphError

# No markup and no emoji: paths and messages may have brackets and colons in them. No wrapping: scripts read
# this too.
out = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
err = Console(stderr=True, markup=False, emoji=False, highlight=False, soft_wrap=True)

_STEERING = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, line separators, what turns the direction of a text round, and halves of characters."""

_shown: set[str] = set()


def write_any_character() -> None:
    """What the terminal has no character for is spelt out, in place of a crash."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def plain(text: str, keep: str = "") -> str:
    """A text of somebody else's for the terminal: what would steer it is spelt out."""
    return _STEERING.sub(
        lambda found: found[0] if found[0] in keep else found[0].encode("unicode_escape").decode(), text
    )


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
