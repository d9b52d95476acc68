"""The command line explains itself."""

from __future__ import annotations

from typing import Any

import pytest
import typer

import docgraph
from docgraph.cli import app
from tests.cli.conftest import Cli

Path = tuple[str, ...]


def commands(command: Any, path: Path = ()) -> dict[Path, Any]:
    """Every command by the words that call it."""
    found = {path: command}
    for name, each in getattr(command, "commands", {}).items():
        found |= commands(each, (*path, name))
    return found


ALL = commands(typer.main.get_command(app))


def test_there_are_the_commands_that_the_guides_name() -> None:
    assert {" ".join(path) for path in ALL} >= {
        *("init", "ingest", "ls", "show", "links", "rm"),
        *(f"db {name}" for name in ("upgrade", "downgrade", "current", "history", "sql", "verify")),
        *(f"db {name}" for name in ("start", "stop", "status", "url", "psql")),
    }


@pytest.mark.parametrize("path", ALL, ids=lambda path: " ".join(("docgraph", *path)))
def test_help_says_what_a_command_does_and_what_its_options_are_for(quick: Cli, path: Path) -> None:
    command = ALL[path]
    done = quick(*path, "--help", COLUMNS="200", TERM="dumb")
    assert (done.returncode, done.stderr) == (0, "")
    # Without the frame, and as if nothing were wrapped.
    text = " ".join(done.stdout.replace("│", " ").split())
    assert command.help.split("\n")[0] in text
    for parameter in command.params:
        if parameter.param_type_name == "option":
            assert parameter.opts[0] in text
            assert parameter.help in text


@pytest.mark.parametrize("path", ALL, ids=lambda path: " ".join(("docgraph", *path)))
def test_a_paragraph_of_help_is_one_line_which_the_terminal_breaks(path: Path) -> None:
    assert "\n" not in ALL[path].help.replace("\n\n", "")


@pytest.mark.parametrize("path", [(), ("plan",), ("plan", "diff"), ("db", "start")])
def test_a_short_option_asks_for_help_too(quick: Cli, path: Path) -> None:
    short, long = (quick(*path, option, COLUMNS="200", TERM="dumb") for option in ("-h", "--help"))
    assert (short.returncode, short.stdout) == (0, long.stdout)


@pytest.mark.parametrize("word", ["retrieve", "ask", "query", "how long do we keep it?"])
def test_who_asks_in_other_words_is_told_ours(quick: Cli, word: str) -> None:
    done = quick(word, "x", COLUMNS="200", TERM="dumb")
    assert done.returncode == 2
    assert 'To ask: docgraph context "How do I ...?"; for the plan alone: docgraph plan' in done.stderr


def test_version(cli: Cli) -> None:
    done = cli("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{docgraph.__version__}\n", "")


@pytest.mark.parametrize("path", [(), ("db",)])
def test_without_a_command_there_is_help(cli: Cli, path: Path) -> None:
    done = cli(*path)
    assert "Usage: docgraph" in done.stdout
    assert "Commands" in done.stdout
    assert "Traceback" not in done.stderr
