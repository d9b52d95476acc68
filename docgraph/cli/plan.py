"""`docgraph plan`: which documents may take part in answering a question, and why each of them."""

from __future__ import annotations

import typer

from docgraph.cli.claims import on_documents
from docgraph.cli.console import out, print_tree, write, write_json
from docgraph.cli.options import Json, Mermaid, unwrapped
from docgraph.cli.plan_files import diff, show, verify
from docgraph.cli.plan_options import OPTIONS, Asked, naming_options, on_a_question, say_what_is_missing
from docgraph.cli.questions import QuestionOrCommand
from docgraph.cli.usual import RETRIEVE
from docgraph.client import DocGraph
from docgraph.errors import InvalidArgument


def register(app: typer.Typer) -> None:
    """Adds `plan`, and the commands for plans that are stored, to the command line."""
    plan = typer.Typer(
        cls=QuestionOrCommand,
        invoke_without_command=True,
        no_args_is_help=True,
        subcommand_metavar="| COMMAND [ARGS]...",
    )
    plan.callback()(on_documents(on_a_question(ask)))
    for each in (diff, show, verify):
        plan.command()(unwrapped(each))
    app.add_typer(plan, name="plan")


def ask(client: DocGraph, asked: Asked, *, as_json: Json = False, as_mermaid: Mermaid = False) -> None:
    """Plan an answer: which documents may take part, and why. Or compare, show and verify stored plans.

    The documents that answer the question best and those of --seed are the seeds; each brings in what it
    refers to, one step. With --seed there need be no question. Nothing is fetched yet.

    `docgraph plan "..." --json > a.json` stores the plan, `docgraph context "..." --plan a.json` executes it.

    A question that is the name of a command comes after two dashes: `docgraph plan -- diff`.
    """
    _check_question(asked)
    if as_json and as_mermaid:
        raise InvalidArgument("--json and --mermaid are both given", hint="Give one of them.")
    with naming_options(OPTIONS, RETRIEVE):
        plan = client.plan(asked.question, seeds=asked.seeds, **asked.options)
    if as_json:
        write_json(plan.to_json())
    elif as_mermaid:
        write(plan.to_mermaid())
    elif out.is_terminal:
        print_tree(plan)
    else:
        write(client.explain_plan(plan))
    say_what_is_missing(client, plan, asked)


def _check_question(asked: Asked) -> None:
    what_to_do = 'Ask, `docgraph plan "How do I ...?"`, or begin with a document, `docgraph plan --seed ID`.'
    if asked.question is None and not asked.seeds:
        raise InvalidArgument("there is no question, nor a document to begin with", hint=what_to_do)
    if asked.question is not None and not asked.question.strip():
        raise InvalidArgument("the question is empty", hint=what_to_do)
