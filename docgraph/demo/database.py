"""The demo's database: an embedded server with a folder of its own, made at the first run and used again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docgraph.embedded import default_home, package_bin_dir
from docgraph.embedded.hints import USE_A_URL
from docgraph.errors import DocgraphError, InvalidArgument

_MARK = "made-by-docgraph-demo"
_BEGINNINGS = {"clients.lock", "start.lock"}
"""What a first run leaves that was stopped before there was a server."""
_SAID_OTHERWISE = {
    USE_A_URL: "",
    "in DOCGRAPH_HOME": "with --home",
    "such as /var/lib/docgraph.": "such as /var/lib/docgraph-demo.",
}
"""The demo uses no other server, and its folder is given by an option."""


def find_home(given: Path | None) -> Path:
    """The folder given, or one beside the home of the user's own server; an error if it cannot be used."""
    with saying_what_to_do():
        package_bin_dir()
        if given is None:
            home = default_home().expanduser().resolve()
            return home.parent / f"{home.name}-demo"
    home = given.expanduser().resolve()
    # A folder that somebody names may hold what is theirs.
    theirs = {each.name for each in home.iterdir()} - _BEGINNINGS if home.is_dir() else set()
    if theirs and not (home / _MARK).exists():
        raise InvalidArgument(
            f"--home: {home} is not empty, and the demo did not make it",
            hint="Give a new folder, or leave --home out: the demo has a folder of its own.",
        )
    return home


def mark_as_ours(home: Path) -> None:
    """Once the server has made it."""
    (home / _MARK).touch()


@contextmanager
def saying_what_to_do(home: Path | None = None) -> Iterator[None]:
    """Hints as they are for the demo. Nothing of value is in its folder."""
    try:
        yield
    except DocgraphError as error:
        hint = error.hint or ""
        for usual, here in _SAID_OTHERWISE.items():
            hint = hint.replace(usual, here).strip()
        if home and home.is_dir():
            hint = f"{hint} The demo's folder may be deleted, it is then made anew: {home}".strip()
        raise type(error)(error.message, detail=error.detail, hint=hint) from error
