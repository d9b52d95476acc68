"""`docgraph plan`: which documents may take part in answering a question, and why each of them."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, NoReturn, cast

import typer
from typer.core import TyperGroup

from docgraph.cli.claims import describe_identity, on_documents
from docgraph.cli.console import err, out, plain, print_tree, write
from docgraph.cli.options import Json, Mermaid
from docgraph.cli.plan_files import diff, show, verify
from docgraph.client import DocGraph
from docgraph.errors import InvalidArgument
from docgraph.plan import RetrievalPlan
from docgraph.planning import PlanOptions

_OPTIONS = {
    "seeds": "--seed",
    "seed_limit": "--seeds",
    "relation_types": "--relation",
    "expanded_per_seed": "--expanded-per-seed",
    "max_documents": "--max-documents",
    "dominant_scope": "--scope",
    "scope_distance": "--scope-distance",
    "search_in": "--search-in",
    "method": "--method",
}
"""Parameters of the database by the options that give them."""


class _QuestionOrCommand(TyperGroup):
    """A group that is a command too: a first word that names none of its commands is a question."""

    allow_interspersed_args = True

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        if args and args[0] in self.commands:
            named = self.commands[args[0]]
            return named.make_context(f"{info_name} {args[0]}", args[1:], parent=parent, **extra)
        return super().make_context(info_name, args, parent=parent, **extra)

    def resolve_command(self, ctx: Any, args: list[str]) -> NoReturn:
        """For words that are left behind the question."""
        raise typer.BadParameter(
            f"a question of several words is put in quotes; the commands are {', '.join(self.commands)}",
            ctx=ctx,
        )


def register(app: typer.Typer) -> None:
    """Adds `plan`, and the commands for plans that are stored, to the command line."""
    plan = typer.Typer(
        cls=_QuestionOrCommand,
        invoke_without_command=True,
        no_args_is_help=True,
        subcommand_metavar="| COMMAND [ARGS]...",
    )
    plan.callback()(on_documents(ask))
    for each in (diff, show, verify):
        plan.command()(each)
    app.add_typer(plan, name="plan")


def ask(
    client: DocGraph,
    question: Annotated[
        str | None,
        typer.Argument(
            metavar="QUESTION", help="In quotes. May be left out with --seed.", show_default=False
        ),
    ] = None,
    *,
    seed: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Begin with this document; may be given several times."),
    ] = None,
    relation: Annotated[
        list[str] | None,
        typer.Option(metavar="TYPE", help="Only along this relation type; may be given several times."),
    ] = None,
    seeds: Annotated[int | None, typer.Option(metavar="N", help="So many that the question finds.")] = None,
    expanded_per_seed: Annotated[
        int | None, typer.Option(metavar="N", help="So many that one seed brings in, at most.")
    ] = None,
    max_documents: Annotated[
        int | None, typer.Option(metavar="N", help="So many documents in all, at most.")
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(
            metavar="none|ingestion|doc_type|cluster", help="Of those found, keep what belongs to the first."
        ),
    ] = None,
    scope_distance: Annotated[
        float | None, typer.Option(metavar="X", help="How far from the first a cluster reaches.")
    ] = None,
    search_in: Annotated[
        str | None, typer.Option(metavar="summaries|chunks", help="What the question is compared with.")
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(metavar="auto|exact|approximate", help="How the nearest are found. Default: auto."),
    ] = None,
    as_json: Json = False,
    as_mermaid: Mermaid = False,
) -> None:
    """Plan an answer: which documents may take part, and why. Or compare, show and verify stored plans.

    The documents nearest to the question and those of --seed are the seeds; each brings in what it refers to,
    one step. Nothing is fetched yet. `docgraph plan "..." --json > a.json` stores the plan as it is.

    A question that is the name of a command comes after two dashes: `docgraph plan -- diff`.
    """
    _check_question(question, seed)
    if as_json and as_mermaid:
        raise InvalidArgument("--json and --mermaid are both given", hint="Give one of them.")
    if scope_distance is not None and scope != "cluster":
        raise InvalidArgument("--scope-distance is for --scope cluster", hint="Give both, or neither.")
    options = {
        "seed_limit": seeds,
        "relation_types": relation,
        "expanded_per_seed": expanded_per_seed,
        "max_documents": max_documents,
        "dominant_scope": scope,
        "scope_distance": scope_distance,
        "search_in": search_in,
        "method": method,
    }
    given = cast("PlanOptions", {name: value for name, value in options.items() if value is not None})
    with _naming_options():
        plan = client.plan(question, seeds=seed or None, **given)
    if as_json:
        _write_json(plan)
    elif as_mermaid:
        write(plan.to_mermaid())
    elif out.is_terminal:
        print_tree(plan)
    else:
        write(client.explain_plan(plan))
    _say_what_is_missing(client, plan, seed or (), relation or ())


def _check_question(question: str | None, seed: Collection[str] | None) -> None:
    what_to_do = 'Ask, `docgraph plan "How do I ...?"`, or begin with a document, `docgraph plan --seed ID`.'
    if question is None and not seed:
        raise InvalidArgument("there is no question, nor a document to begin with", hint=what_to_do)
    if question is not None and not question.strip():
        raise InvalidArgument("the question is empty", hint=what_to_do)


@contextmanager
def _naming_options() -> Iterator[None]:
    """A refusal by the database names the option in place of the parameter."""
    try:
        yield
    except InvalidArgument as error:
        name = error.message.partition(" ")[0]
        if name not in _OPTIONS:
            raise
        option, hint = _OPTIONS[name], error.hint or ""
        if "ARRAY[" in hint:
            hint = f"Give {option} once for each."
        raise InvalidArgument(
            error.message.replace(name, option, 1),
            detail=error.detail,
            hint=re.sub(rf"{name} => '(.*)'", rf"{option} \1", hint),
        ) from error


def _write_json(plan: RetrievalPlan) -> None:
    """The bytes that the database writes, whatever the terminal's encoding."""
    text = plan.to_json()
    if out.is_terminal and plain(text) != text:
        # The same JSON, in characters that do not steer a terminal.
        text = json.dumps(plan.to_dict())
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    write(text)


def _say_what_is_missing(
    client: DocGraph, plan: RetrievalPlan, asked: Collection[str], relations: Collection[str]
) -> None:
    """Remarks, apart from the plan itself."""
    if plan.omitted:
        _say_what_is_omitted(plan, asked)
    if not plan.documents:
        _say_why_empty(client, plan)
    elif relations and not plan.expanded_documents and not plan.truncated:
        named = plain(", ".join(relations))
        err.print(
            f"No relationship of type {named} leads from the seeds to another document that may be seen."
        )
        err.print("Hint: `docgraph links ID` lists those of a document, with their types.", style="yellow")


def _say_what_is_omitted(plan: RetrievalPlan, asked: Collection[str]) -> None:
    """By name where it is certain which they are: a limit may have left out others."""
    missing = [each for each in dict.fromkeys(asked) if each not in plan.seed_document_ids]
    if len(missing) == plan.omitted:
        for each in missing:
            err.print(f"Not there, or not to be seen by this claim: {plain(each)}")
    else:
        is_not = "is not" if plan.omitted == 1 else "are not"
        err.print(f"{plan.omitted} of the ids given {is_not} there, or not to be seen by this claim.")


def _say_why_empty(client: DocGraph, plan: RetrievalPlan) -> None:
    limits = {"--max-documents": plan.constraints.max_documents}
    if plan.made_by.mode != "ids":
        limits["--seeds"] = plan.constraints.seed_limit
    if zero := [option for option, limit in limits.items() if limit == 0]:
        err.print(f"The plan is empty: {zero[0]} is 0.")
        return
    who = client.whoami()
    where = f'in tenant "{client.tenant}" by login "{who.login}"'
    err.print(plain(f"The plan is empty: no document to begin with was found {where}."))
    err.print(plain(f"This claim covers {describe_identity(who)}."))
    if client.list_documents(page=1):
        hint = (
            "`docgraph ls` lists what this claim may see. A question finds what has an embedding; "
            "--seed begins with any."
        )
    else:
        hint = (
            "Bring documents in with `docgraph ingest PATH`, or claim more with --access, --tags, --labels "
            "or --clearance."
        )
    err.print(f"Hint: {hint}", style="yellow")
