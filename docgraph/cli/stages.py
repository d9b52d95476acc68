"""`docgraph search | expand | fetch`: the three stages by hand, each fed by the one before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from docgraph.cli import usual
from docgraph.cli.console import err, json_line, lines, out, plain, write
from docgraph.cli.options import Json
from docgraph.cli.piped import EDGES, NODES, SEEDS, TEXTS, artefacts, seed_ids
from docgraph.cli.plan_options import RRF_K, naming_options
from docgraph.cli.tables import Rows
from docgraph.cli.usual import default
from docgraph.client import DocGraph
from docgraph.context.accounting import warnings_in_words
from docgraph.errors import InvalidArgument
from docgraph.naming import renamed
from docgraph.plain import counted
from docgraph.stages import DependencyTree, NodeText, TextAccounting, TreeEdge, TreeNode
from docgraph.stages.outline import beside_the_tree, outline

SEARCH = {
    "max_nodes": "--nodes",
    "mode": "--mode",
    "search_in": "--search-in",
    "method": "--method",
    "rrf_k": "--rrf-k",
    "title_hits": "--title-hits",
    "rerank": "--rerank",
    "rerank_lexical": "--rerank-lexical",
}
EXPAND = {
    "seeds": "ID",
    "max_depth": "--depth",
    "max_nodes": "--nodes",
    "fan_out": "--fan-out",
    "edge_allowlist": "--edge",
    "direction": "--direction",
}
FETCH = {
    "seeds": "ID",
    "max_chars": "--max-chars",
    "budget_tokens": "--budget-tokens",
    "prioritization": "--prioritization",
}
"""Parameters of the database by the options that give them."""

NO_TREE = DependencyTree((), (), (), 0)

Ids = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ID", help="Documents, in place of what the stage before found.", show_default=False
    ),
]


def _option(metavar: str, what: str, said: str = "") -> Any:
    """`said`: what is usual."""
    return typer.Option(metavar=metavar, help=f"{what} {said}".rstrip())


def search(
    client: DocGraph,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In quotes.")],
    *,
    nodes: Annotated[int | None, _option("N", "So many at most.", default(usual.SEARCH, "max_nodes"))] = None,
    mode: Annotated[
        str | None,
        _option("semantic|bm25|hybrid", "By meaning, by words, or by both.", default(usual.SEARCH, "mode")),
    ] = None,
    search_in: Annotated[
        str | None,
        _option(
            "summaries|chunks", "What the question is compared with.", default(usual.SEARCH, "search_in")
        ),
    ] = None,
    method: Annotated[
        str | None,
        _option(
            "auto|exact|approximate", "How the nearest by meaning are found.", default(usual.SEARCH, "method")
        ),
    ] = None,
    rrf_k: Annotated[int | None, _option("N", RRF_K, default(usual.SEARCH, "rrf_k"))] = None,
    title_hits: Annotated[
        bool,
        typer.Option("--title-hits", help="For hybrid: titles that stand in the question count once more."),
    ] = False,
    rerank: Annotated[
        str | None,
        _option(
            "none|keyword",
            "Put those first that have the words of the question.",
            default(usual.SEARCH, "rerank"),
        ),
    ] = None,
    rerank_lexical: Annotated[
        bool, typer.Option("--rerank-lexical", help="Rerank what bm25 and hybrid find, too.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Find the documents that answer a question best: ids in order, no text. The first of three stages.

    Into a pipe or a file, JSON for `docgraph expand` is written; in a terminal, with --json.
    """
    if not question.strip():
        raise InvalidArgument("the question is empty", hint='Ask: `docgraph search "How do I ...?"`.')
    with naming_options(SEARCH, usual.SEARCH):
        hits = client.search(
            question,
            **_given(
                max_nodes=nodes,
                mode=mode,
                search_in=search_in,
                method=method,
                rrf_k=rrf_k,
                title_hits=title_hits or None,
                rerank=rerank,
                rerank_lexical=rerank_lexical or None,
            ),
        )
    if as_json or not out.is_terminal:
        json_line({SEEDS: [asdict(hit) for hit in hits]})
    else:
        Rows("Rank", "Document", "Chunk", numbers=1).print(
            (str(hit.rank), hit.document_id, "" if hit.chunk is None else str(hit.chunk)) for hit in hits
        )
    if not hits:
        err.print(_why_nothing(client, question, mode, nodes))


def _why_nothing(client: DocGraph, question: str, mode: str | None, nodes: int | None) -> str:
    if nodes == 0:
        return "Nothing was asked for: --nodes is 0."
    if mode != "bm25":
        return "Nothing that this claim may see has an embedding to be compared."
    for warning in warnings_in_words(client.pipeline(question, mode="bm25", seed_limit=0).warnings):
        return f"Nothing was looked for: {warning}."
    return "Nothing that this claim may see has a word of the question, or what it demands."


def expand(
    client: DocGraph,
    ids: Ids = None,
    *,
    depth: Annotated[
        int | None, _option("N", "So many steps at most.", default(usual.EXPAND, "max_depth"))
    ] = None,
    nodes: Annotated[
        int | None, _option("N", "So many documents in all, at most.", default(usual.EXPAND, "max_nodes"))
    ] = None,
    fan_out: Annotated[
        int | None,
        _option("N", "Of one document, follow so many relationships.", default(usual.EXPAND, "fan_out")),
    ] = None,
    edge: Annotated[
        list[str] | None, _option("TYPE", "Only along this relation type; may be given several times.")
    ] = None,
    direction: Annotated[
        str | None,
        _option(
            "outgoing|incoming|both",
            "With the relationships, against them, or both.",
            default(usual.EXPAND, "direction"),
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Find what documents lead to over relationships, step by step: ids, no text. The second of three stages.

    Into a pipe or a file, JSON for `docgraph fetch` is written; in a terminal, with --json.
    """
    found = artefacts(ids, "expand")
    options = _given(
        max_depth=depth, max_nodes=nodes, fan_out=fan_out, edge_allowlist=edge, direction=direction
    )
    seeds = seed_ids(found)
    if seeds is None:
        raise InvalidArgument(
            f"what came through the pipe has no {SEEDS}", hint="Take what `docgraph search` wrote."
        )
    with naming_options(EXPAND, usual.EXPAND):
        # A search that found nothing leads to nothing.
        tree = client.expand_dependency_tree(seeds=seeds, **options) if seeds else NO_TREE
    if as_json or not out.is_terminal:
        parts = tree.to_dict()
        bill = {"truncated": parts["truncated"], "omitted": parts["omitted"]}
        json_line({SEEDS: found.get(SEEDS), NODES: parts["nodes"], EDGES: parts["edges"], "accounting": bill})
    else:
        show_tree(tree.nodes, tree.edges)
    _remark(renamed(note, EXPAND) for note in tree.notes)
    if edge and not (tree.edges or tree.truncated):
        named = plain(", ".join(edge))
        err.print(f"No relationship of type {named} leads to another document that may be seen.")
        err.print("Hint: `docgraph links ID` lists those of a document, with their types.", style="yellow")


def fetch(
    client: DocGraph,
    ids: Ids = None,
    *,
    budget_tokens: Annotated[
        int | None, _option("N", "Room for so many tokens.", f"Default: {usual.TOKENS}.")
    ] = None,
    max_chars: Annotated[int | None, _option("N", "Room for so many characters, in place of tokens.")] = None,
    prioritization: Annotated[
        str | None,
        _option(
            "seed_first|graph_first|balanced", "Who gets room first.", default(usual.FETCH, "prioritization")
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Fetch the texts of documents within a budget. The last of three stages, and the only one with text.

    Without a stage before that expanded them, the texts are those of the documents found or named.
    Into a pipe or a file, JSON is written; in a terminal, with --json.
    """
    if budget_tokens is not None and max_chars is not None:
        raise InvalidArgument("--budget-tokens and --max-chars are both given", hint="Give one of them.")
    found = artefacts(ids, "fetch")
    if max_chars is None and budget_tokens is None:
        budget_tokens = usual.TOKENS
    options = _given(max_chars=max_chars, budget_tokens=budget_tokens, prioritization=prioritization)
    with naming_options(FETCH, usual.FETCH):
        # An expansion that had no room leads to no text, as in a pipeline: the seeds are no way round it.
        nodes = found.get(NODES)
        texts = client.fetch_node_texts(nodes, seeds=[] if nodes == [] else seed_ids(found), **options)
    if as_json or not out.is_terminal:
        before = {key: found[key] for key in (SEEDS, NODES, EDGES) if key in found}
        bill = {**(found.get("accounting") or {}), "texts": texts.accounting.to_dict()}
        json_line({**before, TEXTS: [asdict(text) for text in texts], "accounting": bill})
        _remark(texts.accounting.notes)
        return
    show_texts(texts.texts)
    show_bill(texts.accounting, texts.accounting.notes)


def _remark(notes: Iterable[str]) -> None:
    """Beside what goes on through a pipe, which has them in its own way."""
    for note in notes:
        err.print(plain(note))


def show_tree(nodes: Sequence[TreeNode], edges: Sequence[TreeEdge]) -> None:
    """An expansion as lines, and how much of it these do not show."""
    for line in outline(nodes, edges):
        write(line)
    if more := beside_the_tree(nodes, edges):
        err.print(f"{counted(more, 'more relationship')} among these documents: --json has all.")


def show_texts(texts: tuple[NodeText, ...]) -> None:
    """Each with how it came in."""
    for number, text in enumerate(texts, 1):
        space = "\n" if number > 1 else ""
        came = "seed" if text.is_seed else f"depth {text.depth}, from {plain(text.parent or '')}"
        out.print(f"{space}[{number}] {plain(text.id)}", style="bold", end="")
        out.print(f"  {came}, {counted(text.tokens, 'token')}", style="cyan")
        write(lines(text.text))


def show_bill(bill: TextAccounting, notes: tuple[str, ...]) -> None:
    """What is used, what was left out, and what the answer is to be treated as."""
    if bill.nodes.shown:
        out.print()
    out.print(f"{bill.budget.used:,} of {bill.budget.limit:,} {bill.budget.unit}", style="bold")
    for note in notes:
        out.print(plain(note))
    asks = bill.sensitivity
    if asks.tags or asks.labels or asks.clearance:
        out.print(
            plain(
                f"treat it as: tags {', '.join(asks.tags) or 'none'}; "
                f"labels {', '.join(asks.labels) or 'none'}; clearance {asks.clearance}"
            )
        )


def _given(**options: Any) -> Any:
    """What is not said, the database decides."""
    return {name: value for name, value in options.items() if value is not None and value != []}
