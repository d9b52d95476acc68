"""Commands that take a question, and what they say where it was written otherwise than meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from typer.core import TyperCommand, TyperGroup

from docgraph.unknown import listed, probably


class OneQuestion(TyperCommand):
    """A command that says of further words what to do with them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        with _explaining_dashes(ctx):
            left = super().parse_args(ctx, args)
        _refuse_dash(ctx)
        if left:
            _refuse_options_behind_dashes(ctx, left)
            ctx.fail("A question of several words is put in quotes.")
        return []


class QuestionOrCommand(TyperGroup):
    """A group that is a command too: a first word that names none of its commands is a question."""

    allow_interspersed_args = True

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        if args and args[0] in self.commands:
            named = self.commands[args[0]]
            return named.make_context(f"{info_name} {args[0]}", args[1:], parent=parent, **extra)
        return super().make_context(info_name, args, parent=parent, **extra)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _explaining_dashes(ctx):
            left = super().parse_args(ctx, args)
        _refuse_dash(ctx)
        return left

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """For words that are left behind the question."""
        _refuse_options_behind_dashes(ctx, args)
        meant = _meant(ctx.params["question"], args, self.commands)
        ctx.fail(
            f"{meant}A question of several words is put in quotes; the commands are {listed(self.commands)}"
        )


@contextmanager
def _explaining_dashes(ctx: Any) -> Iterator[None]:
    """A question such as -draft is taken for options of one letter."""
    try:
        yield
    except Exception as error:  # Typer has the class in a module of its own or in Click's
        option = getattr(error, "option_name", "")
        if len(option) == 2 and option[1] != "-":
            ctx.fail(
                f'No such option: {option}. A question that begins with a dash comes after two: -- "-word"'
            )
        raise


def _meant(first: str, others: Sequence[str], commands: Collection[str]) -> str:
    """The command, if what follows its name are files: in a question, "how" is no "show"."""
    return probably(first, commands) if all(each == "-" or Path(each).suffix for each in others) else ""


def _refuse_dash(ctx: Any) -> None:
    """Elsewhere it stands for standard input. To look for a dash would find anything."""
    if ctx.params.get("question") == "-":
        ctx.fail(
            f'"-" is no question, and none is read from standard input: {ctx.command_path} "$(cat FILE)"'
        )


def _refuse_options_behind_dashes(ctx: Any, left: Sequence[str]) -> None:
    """Only there an option is left over."""
    options = [word for word in left if word.startswith("-") and word != "-"]
    if options:
        ctx.fail(f"Behind -- there are no options: put {options[0]}, and what belongs to it, before the --.")
