"""`docgraph plan diff | show | verify`: plans that were stored as `docgraph plan --json` writes them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docgraph.cli.console import err, fail, json_line, out, plain, print_tree, write
from docgraph.cli.options import DatabaseUrl, Home, Json, Mermaid
from docgraph.cli.setup import saying_how_to_set_up
from docgraph.client import DocGraph
from docgraph.errors import DocgraphError, InvalidArgument
from docgraph.plan import RetrievalPlan
from docgraph.plan.parts import to_json

if TYPE_CHECKING:
    from docgraph.plan.diff import PlanDiff

_STDIN = "-"
_HOW_TO_STORE = '`docgraph plan "..." --json > FILE` stores a plan.'
_HOW_TO_SEAL = "docgraph.seal_plan in SQL, or client.seal_plan in Python, seals a change that was intended"
_STYLES = {"+": "green", "-": "red", "~": "yellow"}

File = Annotated[str, typer.Argument(metavar="FILE", help="A stored plan; - is standard input.")]


def diff(
    before: Annotated[str, typer.Argument(metavar="A", help="A stored plan; - is standard input.")],
    after: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    *,
    as_json: Json = False,
) -> None:
    """Compare two stored plans. Exit code 0: the same, 1: they differ, 2: one of them is no plan.

    No database is needed. + is what only B has, - what only A has, ~ what is otherwise in B.
    """
    with _errors_as(2):
        if before == after == _STDIN:
            raise InvalidArgument("A and B are both standard input", hint="Give a file for one of them.")
        old, new = read_plan(before), read_plan(after)
    for file, plan in ((before, old), (after, new)):
        if not plan.hash_holds:
            err.print(
                f"{plain(file)}: its hash does not hold: it was changed after it was sealed.", style="yellow"
            )
    found = old.diff(new)
    if as_json:
        json_line(_diff_as_json(found))
    else:
        for line in str(found).splitlines():
            out.print(line, style=_STYLES.get(line[0]))
    if found:
        raise typer.Exit(1)


def show(file: File, *, as_mermaid: Mermaid = False) -> None:
    """Show a stored plan as a tree. No database is needed."""
    plan = read_plan(file)
    if not plan.hash_holds:
        raise InvalidArgument(
            f'"{file}": the hash does not hold: the plan was changed after it was sealed',
            hint=f"`docgraph plan diff` compares it with another; {_HOW_TO_SEAL}.",
        )
    if as_mermaid:
        write(plan.to_mermaid())
    else:
        print_tree(plan)


def verify(file: File, *, database_url: DatabaseUrl = None, home: Home = None, as_json: Json = False) -> None:
    """Ask the database whether a stored plan may be executed. Exit code 0: yes, 1: no, 2: it cannot be told.

    It may if it is well formed, its hash holds, and it is of the same embedding space. An upgrade of the
    functions does not void it. Whether its documents may be seen, each execution asks anew.
    """
    with _errors_as(2):
        found = _read_object(file)
        with saying_how_to_set_up(database_url, home), DocGraph(database_url, home=home) as client:
            check = client.verify_plan(found)
    if as_json:
        json_line({**asdict(check), "ok": check.ok})
    else:
        for question, answer in (
            ("well formed", check.well_formed),
            ("hash holds", check.hash_holds),
            ("same embedding space", check.same_embedding_space),
            ("same revision", check.same_revision),
            # What was changed in secret does not say so.
            ("edited", check.edited if check.hash_holds else None),
        ):
            if answer is not None:
                out.print(f"{question:22}{'yes' if answer else 'no'}")
    if check.problem:
        err.print(f"Problem: {plain(check.problem)}")
    if check.well_formed and not check.hash_holds:
        err.print(
            "Hint: It was changed after it was sealed. `docgraph plan diff` compares it with another; "
            f"{_HOW_TO_SEAL}.",
            style="yellow",
        )
    elif check.well_formed and not check.same_embedding_space:
        err.print(
            "Hint: It was made with vectors of another model than this database has now: plan again.",
            style="yellow",
        )
    if not check.ok:
        raise typer.Exit(1)


@contextmanager
def _errors_as(code: int) -> Iterator[None]:
    """For commands whose exit code 1 means something else."""
    try:
        yield
    except DocgraphError as error:
        fail(error, code)


def _read(file: str) -> bytes:
    try:
        if file == _STDIN:
            with os.fdopen(0, "rb", closefd=False) as stdin:
                return stdin.read()
        return Path(file).read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidArgument(f'"{file}" cannot be read: {why}', hint=_HOW_TO_STORE) from error


@contextmanager
def _of(file: str) -> Iterator[None]:
    """Of two files, the error says which."""
    try:
        yield
    except InvalidArgument as error:
        raise InvalidArgument(f'"{file}": {error.message}', hint=error.hint) from error


def read_plan(file: str) -> RetrievalPlan:
    """A stored plan; whether its hash holds is not looked at."""
    found = _read(file)
    with _of(file):
        return RetrievalPlan.from_json(found)


def _read_object(file: str) -> dict[str, Any]:
    """What is an object but no plan, the database says."""
    try:
        found = json.loads(_read(file))
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f'"{file}" is not JSON: {error}', hint=_HOW_TO_STORE) from error
    if not isinstance(found, dict):
        raise InvalidArgument(f'"{file}" is not a JSON object', hint=_HOW_TO_STORE)
    return found


def _diff_as_json(found: PlanDiff) -> dict[str, Any]:
    as_it_is = {f.name: to_json(getattr(found, f.name)) for f in fields(found)}
    reasons = {
        name: [{"document_id": key, **via.to_dict()} for key, via in getattr(found, name)]
        for name in ("via_added", "via_removed")
    }
    changed = [
        {"name": change.name, "before": to_json(change.before), "after": to_json(change.after)}
        for change in found.changed
    ]
    return {**as_it_is, **reasons, "changed": changed}
