"""What a plan is made from, as options, for every command that makes one; and what to remark about it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Annotated, Any, cast

import typer

from docgraph.cli.claims import describe_identity
from docgraph.cli.console import err, plain
from docgraph.cli.options import take_options_of_both
from docgraph.cli.usual import RETRIEVE, default
from docgraph.client import DocGraph
from docgraph.context.views import leading_nowhere, why_empty, zero_limit
from docgraph.errors import InvalidArgument
from docgraph.naming import naming, renamed
from docgraph.plan import RetrievalPlan
from docgraph.planning import PlanOptions

OPTIONS = {
    "seeds": "--seed",
    "seed_limit": "--seeds",
    "relation_types": "--relation",
    "expanded_per_seed": "--expanded-per-seed",
    "max_documents": "--max-documents",
    "dominant_scope": "--scope",
    "scope_distance": "--scope-distance",
    "mode": "--mode",
    "search_in": "--search-in",
    "method": "--method",
    "rrf_k": "--rrf-k",
    "title_hits": "--title-hits",
}
"""Parameters of the database by the options that give them."""

RRF_K = "For hybrid alone: the lower, the more the first places of each list count."
THE_PLAN = "The plan"
"""Over the options that say how it is made."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The question, and what the plan for it is made from beside it."""

    question: str | None
    seeds: list[str] | None
    options: PlanOptions

    @property
    def given(self) -> list[str]:
        """The options that were given."""
        return [OPTIONS[name] for name in (*(["seeds"] if self.seeds else []), *self.options)]


def _option(metavar: str, what: str, parameter: str | None = None) -> Any:
    """With what is usual for the parameter."""
    usual = f" {default(RETRIEVE, parameter)}" if parameter else ""
    return typer.Option(metavar=metavar, help=f"{what}{usual}", rich_help_panel=THE_PLAN)


def on_a_question(command: Callable[..., None]) -> Callable[..., None]:
    """A command that is handed a client and what is `Asked`, with the options that say so."""

    def run(
        client: DocGraph,
        question: Annotated[
            str | None, typer.Argument(metavar="QUESTION", help="In quotes.", show_default=False)
        ] = None,
        *,
        seed: Annotated[
            list[str] | None, _option("ID", "Begin with this document; may be given several times.")
        ] = None,
        relation: Annotated[
            list[str] | None, _option("TYPE", "Only along this relation type; may be given several times.")
        ] = None,
        seeds: Annotated[int | None, _option("N", "So many that the question finds.", "seed_limit")] = None,
        expanded_per_seed: Annotated[
            int | None, _option("N", "So many that one seed brings in, at most.", "expanded_per_seed")
        ] = None,
        max_documents: Annotated[
            int | None, _option("N", "So many documents in all, at most.", "max_documents")
        ] = None,
        scope: Annotated[
            str | None,
            _option(
                "none|ingestion|doc_type|cluster",
                "Of those found, keep what belongs to the first.",
                "dominant_scope",
            ),
        ] = None,
        scope_distance: Annotated[
            float | None,
            _option("X", "For --scope cluster: how far from the first it reaches.", "scope_distance"),
        ] = None,
        mode: Annotated[
            str | None,
            _option("semantic|bm25|hybrid", "How: by meaning, by words, or by both.", "mode"),
        ] = None,
        search_in: Annotated[
            str | None, _option("summaries|chunks", "What the question is compared with.", "search_in")
        ] = None,
        method: Annotated[
            str | None, _option("auto|exact|approximate", "How the nearest by meaning are found.", "method")
        ] = None,
        rrf_k: Annotated[int | None, _option("N", RRF_K, "rrf_k")] = None,
        title_hits: Annotated[
            bool,
            typer.Option(
                "--title-hits",
                help="For hybrid: documents whose title stands in the question count once more.",
                rich_help_panel=THE_PLAN,
            ),
        ] = False,
        **own: Any,
    ) -> None:
        if scope_distance is not None and scope != "cluster":
            raise InvalidArgument("--scope-distance is for --scope cluster", hint="Give both, or neither.")
        options = {
            "seed_limit": seeds,
            "relation_types": relation,
            "expanded_per_seed": expanded_per_seed,
            "max_documents": max_documents,
            "dominant_scope": scope,
            "scope_distance": scope_distance,
            "mode": mode,
            "search_in": search_in,
            "method": method,
            "rrf_k": rrf_k,
            "title_hits": title_hits or None,
        }
        given = {name: value for name, value in options.items() if value is not None}
        command(client, Asked(question, seed or None, cast("PlanOptions", given)), **own)

    return take_options_of_both(run, command, handed=2)


def naming_options(options: Mapping[str, str], usual: Mapping[str, str]) -> AbstractContextManager[None]:
    """A refusal names the option in place of the parameter, and what is usual for it."""
    return naming(options, lambda option, value: option if value == "True" else f"{option} {value}", usual)


def say_what_is_missing(client: DocGraph, plan: RetrievalPlan, asked: Asked, *, noted: bool = False) -> None:
    """Remarks, apart from the plan itself. `noted`: what notes say is said already."""
    if plan.omitted:
        _say_what_is_omitted(plan, asked.seeds or ())
    if not plan.documents:
        _say_why_empty(client, plan, noted=noted)
    elif types := leading_nowhere(plan):
        if not noted:
            named = plain(", ".join(types))
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


_FOUND = {
    "ids": "an embedding",
    "semantic": "an embedding",
    "bm25": "one of its words",
    "hybrid": "an embedding or one of its words",
}


def _say_why_empty(client: DocGraph, plan: RetrievalPlan, *, noted: bool) -> None:
    if not noted:
        err.print(f"{renamed(why_empty(plan), OPTIONS).replace('the', 'The', 1)}.")
    if zero_limit(plan):
        return
    who = client.whoami()
    where = f'In tenant "{client.tenant}", login "{who.login}"'
    err.print(plain(f"{where}, this claim covers {describe_identity(who)}."))
    if client.list_documents(page=1):
        found = _FOUND[plan.made_by.mode]
        hint = (
            f"`docgraph ls` lists what this claim may see. A question finds what has {found}; "
            "--seed begins with any."
        )
    else:
        hint = (
            "Bring documents in with `docgraph ingest PATH`, or claim more with --access, --tags, --labels "
            "or --clearance."
        )
    err.print(f"Hint: {hint}", style="yellow")
