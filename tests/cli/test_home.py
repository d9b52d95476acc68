"""A folder that was mistyped: no command but those that are for it makes a server there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from typer.core import TyperArgument, TyperCommand, TyperGroup
from typer.main import get_command

from docgraph.cli import app
from tests.cli.conftest import Cli, assert_error, said

Words: TypeAlias = tuple[str, ...]

MAKERS = {("init",), ("demo",), ("db", "start")}
LOOKERS = {("db", "status"), ("db", "stop")}
"""For them it is no error."""
IN_A_PROCESS = {("db", "psql"), ("mcp",)}
"""They have to be run as programs: psql below, mcp where its protocol is tested."""


def _commands(group: TyperGroup, path: Words = ()) -> Iterator[tuple[Words, TyperCommand]]:
    """Those that take --home."""
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from _commands(command, (*path, name))
        if any("--home" in each.opts for each in command.params):
            yield (*path, name), command  # type: ignore[misc]  # a group that is a command too


def _commands_with_home() -> dict[Words, TyperCommand]:
    found = get_command(app)
    assert isinstance(found, TyperGroup)
    return dict(_commands(found))


COMMANDS = _commands_with_home()


def _required(command: TyperCommand, file: str) -> Iterator[str]:
    """A value for all that must be given."""
    for each in command.params:
        if isinstance(each, TyperArgument):
            yield "base" if each.name == "revision" else file
        elif each.required:
            yield from (each.opts[0], "1")
        elif "--yes" in each.opts:
            yield "--yes"


def test_there_are_such_commands() -> None:
    assert set(COMMANDS) >= {*MAKERS, *LOOKERS, ("ls",), ("plan",), ("context",), ("ingest",), ("mcp",)}


@pytest.mark.parametrize("path", sorted(COMMANDS.keys() - MAKERS - IN_A_PROCESS), ids=" ".join)
def test_no_server_is_made(quick: Cli, tmp_path: Path, path: Words) -> None:
    home, file = tmp_path / "typo", tmp_path / "file.json"
    file.write_text('{"stages": {}}')
    done = quick(*path, *_required(COMMANDS[path], str(file)), "--home", str(home))
    assert not home.exists()
    if path in LOOKERS:
        assert (done.stdout, said(done)) == (f"Not running: embedded PostgreSQL, in {home}\n", [])
        return
    assert done.returncode in {1, 2}
    first, hint = said(done)
    assert first == f"Error: There is no docgraph server in the folder {home}."
    assert f"docgraph init --home {home}" in hint


def test_nor_by_psql(cli: Cli, tmp_path: Path) -> None:
    done = cli("db", "psql", "--home", str(tmp_path / "typo"), "--", "-c", "SELECT 1")
    assert_error(done, "There is no docgraph server in the folder", "docgraph init --home")
    assert not (tmp_path / "typo").exists()
