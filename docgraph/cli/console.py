"""Where the command line writes: results to standard output, errors and remarks to standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from rich.console import Console

if TYPE_CHECKING:
    from docgraph.errors import DocgraphError

# No markup: paths and messages may have brackets in them. No wrapping: scripts read this too.
out = Console(markup=False, highlight=False, soft_wrap=True)
err = Console(stderr=True, markup=False, highlight=False, soft_wrap=True)


_shown: set[str] = set()


def show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """In place of `warnings.showwarning`: what to know, once, without the line of code that says so."""
    if str(message) not in _shown:
        _shown.add(str(message))
        err.print(f"Warning: {message}", style="yellow")


def fail(error: DocgraphError, code: int = 1) -> NoReturn:
    """Say what went wrong and what to do about it, and end."""
    err.print(f"Error: {error.message}", style="red")
    if error.detail:
        err.print(error.detail)
    if error.hint:
        err.print(f"Hint: {error.hint}", style="yellow")
    raise SystemExit(code) from error
