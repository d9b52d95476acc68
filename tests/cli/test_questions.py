"""A question that was written otherwise than meant: what to write instead is said."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Cli

COMMANDS = [("plan",), ("context",), ("search",), ("embed",), ("pipeline", "settings.yaml")]


def refused(quick: Cli, *args: str) -> str:
    """What is said, as if nothing were wrapped."""
    done = quick(*args, conninfo="host=/nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    return " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_without_quotes(quick: Cli, command: tuple[str, ...]) -> None:
    assert "A question of several words is put in quotes" in refused(quick, *command, "how", "do", "I")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_options_behind_the_two_dashes(quick: Cli, command: tuple[str, ...]) -> None:
    said = refused(quick, *command, "--", "-draft", "--mode", "bm25")
    assert "put --mode, and what belongs to it, before the --." in said
    assert "quotes" not in said


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_question_that_begins_with_a_dash(quick: Cli, command: tuple[str, ...]) -> None:
    said = refused(quick, *command, "-draft")
    assert "No such option: -d. A question that begins with a dash comes after two" in said
    assert "comes after two" not in refused(quick, *command, "--draft")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_dash_is_not_looked_for(quick: Cli, command: tuple[str, ...]) -> None:
    for args in (("-",), ("--", "-")):
        said = refused(quick, *command, *args)
        assert '"-" is no question' in said
        assert f'docgraph {command[0]} "$(cat FILE)"' in said


@pytest.mark.parametrize(
    ("args", "meant"),
    [
        (("shw", "a.json"), "show"),
        (("verfy", "-"), "verify"),
        (("dif", "a.json", "b.json"), "diff"),
        (("how", "do", "I"), None),
        (("shw", "me"), None),
        (("salaries", "a.json"), None),
    ],
)
def test_a_command_for_stored_plans_misspelt(quick: Cli, args: tuple[str, ...], meant: str | None) -> None:
    said = refused(quick, "plan", *args)
    assert ("Did you mean" in said) is (meant is not None)
    assert meant is None or f"Did you mean {meant}?" in said
    assert "put in quotes; the commands are diff, show, verify" in said
