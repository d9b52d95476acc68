"""How tables read: titles, what their columns mean, and what has to be said of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bench.report import markdown
from bench.results import Cell, Table


@dataclass(frozen=True, slots=True)
class Family:
    """Tables whose title begins so."""

    title: str
    reads: str = ""
    """In place of the part of the title that matches; `\\1` is its first group."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """What they mean: said of those that are there."""
    note: str = ""
    own: bool = False
    """Whether what a run noted itself is shown as well."""


_DOCUMENTS = "documents of an answer, on average"
_QUESTIONS = {
    "first": "share of the questions whose first document is one of those that answer them",
    "R@5": "share of the documents that answer a question that are among its first 5, on average",
    "±": "how far R@5 of other questions of the kind may be from it, in 95 of 100 samples",
    "all": "share of the questions for which all documents that answer are among the first 5",
    "in 1000 tokens": "share of the documents that answer of which a context of 1,000 tokens has a chunk",
    "in the plan": "share of the documents that answer that are in the plan: more it cannot give",
    "one half, other half": "R@5 of the questions whose id has an even digest, and of the others. **Neither"
    " was held out**: settings were chosen with all of them at hand, so that the halves show how much chance"
    " there is in R@5, and no more",
}
_TUNED = (
    "Chosen with these very questions at hand: rrf_k 5; that titles in more than 50 documents lead nowhere;"
    " how many places are fused; from how many characters on a title is looked for; the steps of the bridge."
)
_VISIBLE = Family(
    r"(?:What can be seen is|All can be seen)",
    columns={
        "visible": "share of the chunks that the caller may see",
        "recall": "share of the 10 nearest chunks that may be seen that are among those found, on average",
    },
    note="Here all engines hold all chunks, and filter by themselves. pgvector, exact: by the index of the"
    " access classes; otherwise: by that setting of hnsw.iterative_scan, where its planner may take the index"
    " of the access classes as well. docgraph, approximate: compares all that may be seen where its index"
    " gives too few; auto: chooses between the two. Chroma and FAISS are in the memory of the process that"
    " asks; FAISS knows places in a matrix, and no documents.",
)

FAMILIES = (
    Family(
        r"ghsa-authority: \d+ questions",
        note="Here the link is the answer: each advisory has one to the release that settles it, and that"
        " release is wanted. Most other documents are passages of the sets above.",
    ),
    Family(r".+: \d+ questions", columns=_QUESTIONS, note=_TUNED),
    Family(
        r"Worse links",
        columns={
            "R@5": "of «planned, hybrid, bridge»",
            "to flat": "that R@5 minus R@5 of the best flat search, which follows no links",
        },
        note="The same documents and questions with links that were made worse. What is drawn by lot is drawn"
        " from fixed seeds.",
    ),
    Family(
        r"Questions that need one document",
        columns={"R@1, R@5": "share of the questions whose document is the first, or among the first 5"},
        note="The questions of ghsa-authority, where now the advisory itself is wanted, not the release that"
        " settles it: links cannot help, and are to do no harm. How much they do is how far a plan is from"
        " the search that it begins with; for the best plan that is «flat, hybrid».",
    ),
    Family(r"Published elsewhere", own=True),
    Family(
        r"Plans, ",
        columns={
            "recall": "share of the seeds of an exact search of the same rows that are found",
            "documents": _DOCUMENTS,
        },
    ),
    Family(
        r"Building what is searched",
        note="docgraph's vectors are of half precision. langchain_chunks has only what the login may see, in"
        " single precision. docgraph's other indexes are kept while rows come in.",
    ),
    Family(r"Storage, ", note="Tables of more than 1 MB."),
    Family(
        r"Retrieval, ",
        columns={"chunks, documents": "of an answer, on average"},
        note="bare HNSW and LangChain give the ten nearest of all chunks that they hold, and nothing else."
        " three queries by hand: seeds, their links, and the nearest chunks of both, without access rules,"
        " reserve, reasons, texts about documents and account. docgraph (and these queries) look for seeds"
        " among the summaries of documents, a tenth as many vectors as there are chunks here, and after that"
        " only at the chunks of planned documents. bare HNSW looks among all chunks. That is why it slows"
        " down as chunks become more, and a retrieval hardly does, and why with very many chunks a whole"
        " retrieval may take less than one bare query. «hybrid» searches by words as well, which takes the"
        " longer the more there is.",
    ),
    Family(
        r"Within plans, ",
        columns={
            "chunks, documents": "of an answer, on average",
            "nearest": "share of the ten nearest chunks of the plan's documents that are in the answer",
        },
        note="nearest is below 1 by intent for docgraph: `execute_plan` keeps a reserve of places for"
        " documents that links brought in, and takes at most three chunks of a document; a plan by hand has"
        " the second limit alone. The target about nearest chunks compares `execute_plan` without either with"
        " «ANY by hand».",
    ),
    Family(
        r"Memory, ",
        columns={
            "client MB, empty, first call, after …": "the most memory of the client's process until then;"
            " empty: Python and the questions alone",
            "server's process MB": "what the server's process for it has to itself at the end, without shared"
            " memory",
        },
    ),
    Family(
        r"(\d+) clients? at once",
        reads=r"Clients at once: \1",
        columns={
            "calls a second": "of all clients together, the median of three rounds",
            "p50 ms, p95 ms, p99 ms": "of single calls, in all rounds",
        },
        note="«threads» are clients in one process, «processes» have one each. The threads of LangChain share"
        " one event loop, as its engines do in one process.",
    ),
    Family(
        r"Where .+ spends its time",
        columns={
            "ms, its own": "without the functions that it calls",
            "share": "of the whole call, by its own ms",
        },
        own=True,
    ),
    Family(
        r"Bringing in ",
        columns={
            "seconds": "rows and indexes, and what the first row takes for the texts; FAISS does without"
            " them",
            "MB on disk": "how much the database, or the engine's folder, grew",
            "MB in memory": "about how much the process that asks grew, libraries of the engine included;"
            " what a server holds is its cache of the files",
        },
        note="docgraph's tables are filled by COPY here, with documents, summaries and links, which the"
        " others do not have, and without the index of words. How long `put` takes stands under «Bringing"
        " documents in».",
    ),
    _VISIBLE,
    Family(r"Search by words, ", own=True),
    Family(
        r"Expansion, ",
        columns={"nodes": _DOCUMENTS},
        note="To depth 3. `expand_dependency_tree` gives at most 500 documents, and only those that may be"
        " seen; the others have no limit, and the recursive CTE no access rules.",
    ),
    Family(
        r"Plans from one document",
        columns={
            "targets seen": "which of the linked documents the caller may see; «all, twice»: all, with two"
            " relationships to each, to half as many",
            "query plans": "of PostgreSQL (plan_cache_mode): generic, made once for all parameters; custom,"
            " made anew for each call",
            "documents": "in the plan",
            "truncated": "which limit left documents out",
            "grew by MB": "the most that the server's process had beyond what it had after its first plan",
        },
    ),
    Family(
        r"Bringing documents in",
        note="put: `put` of documents, and COPY of the rows that come of them into the same indexed tables,"
        " by turns in five rounds. memory: `put` alone, in a process of its own.",
    ),
    Family(
        r"\d+ minutes of coming and going",
        columns={
            "recall": "share of the seeds of an exact search that method approximate finds, since the row"
            " before",
            "client MB, server's process MB": "memory at that moment",
        },
        note="Documents are deleted and others put in their place all the time. The tables are vacuumed once"
        " for each row.",
    ),
    Family(
        r"What the clock tells of hidden documents",
        columns={
            "hidden p50 ms, absent p50 ms": "median time about a document that is hidden from the caller, and"
            " about one that does not exist",
            "slower where hidden": "share of all pairs of two such calls in which the first took longer: 0.5"
            " is chance, 1 or 0 would tell the two apart in a single call",
            "±": "how far from 0.5 chance alone brings it, in 95 of 100 cases",
        },
        note="The control is about a document that may be seen. Not looked at: hybrid searches, and titles.",
    ),
    Family(r"Calls through PgBouncer", own=True),
)
"""The first that matches counts."""

_UNITS = {
    "put rows": ("rows that come of the documents", "rows"),
    "put chunks": ("chunks among them", "chunks"),
    "put put seconds": ("`put`", "s"),
    "put copy seconds": ("COPY", "s"),
    "put put rows per second": ("`put`", "rows a second"),
    "put copy rows per second": ("COPY", "rows a second"),
    "put put chunks per second": ("`put`", "chunks a second"),
    "put ratio": ("seconds of COPY ÷ seconds of `put`", "times"),
    "put ratio lowest round": ("the same, of the lowest round", "times"),
    "put ratio median round": ("the same, of the median round", "times"),
    "deleting documents": ("stored", "documents"),
    "deleting deleted": ("deleted in one call", "documents"),
    "deleting seconds": ("median of three calls", "s"),
    "deleting slowest seconds": ("slowest of three calls", "s"),
    "folder files": ("Markdown files", "files"),
    "folder chunks": ("chunks that come of them", "chunks"),
    "folder first seconds": ("first `ingest`", "s"),
    "folder again seconds": ("again, nothing changed", "s"),
    "folder times faster": ("seconds of the first ÷ seconds again", "times"),
    "folder edited seconds": ("again, one file edited", "s"),
    "folder pruned seconds": ("again, one file removed", "s"),
    "memory chunks": ("put", "chunks"),
    "memory dimensions": ("of each vector", "dimensions"),
    "memory seconds": ("`put`", "s"),
    "memory peak mb": ("most memory of the client", "MB"),
}
"""Of figures that stand in rows of their own."""
_FIGURES = ("what", "figure")
_FORMATS = {"minute": "{:.1f}"}


def shown(tables: Iterable[Table], heading: str) -> Iterator[str]:
    """Lines of all of them. What is to be said of a family is said below its first table."""
    said: set[str] = set()
    for table in tables:
        family = next((each for each in FAMILIES if re.match(each.title, table.title)), None)
        title = (
            re.sub(family.title, family.reads, table.title, count=1)
            if family and family.reads
            else table.title
        )
        yield f"\n{heading} {title}\n"
        yield from _rows(table)
        if family is None:
            notes = [table.note]
        else:
            known = [*_meanings(family, table.columns), family.note] if family.title not in said else []
            notes = [*known, table.note if family.own else ""]
            said.add(family.title)
        yield from (f"\n{note}" for note in notes if note)


def _rows(table: Table) -> Iterator[str]:
    columns = [name or "value" for name in table.columns]
    rows: list[Sequence[Cell]] = [
        [_formatted(name, value) for name, value in zip(columns, row, strict=True)] for row in table.rows
    ]
    if tuple(columns[:2]) == _FIGURES:
        columns.append("unit")
        rows = [_with_unit(row) for row in rows]
    yield from markdown.table(columns, rows)


def _formatted(column: str, value: Cell) -> Cell:
    return _FORMATS[column].format(value) if column in _FORMATS else value


def _with_unit(row: Sequence[Cell]) -> Sequence[Cell]:
    what, figure, value = row
    reads, unit = _UNITS.get(f"{what} {figure}", (figure, ""))
    return what, reads, value, unit


def _meanings(family: Family, columns: Sequence[str]) -> Iterator[str]:
    """One line, of the columns that are there."""
    known = [
        f"**{names}**: {meaning}"
        for names, meaning in family.columns.items()
        if any(column in names for column in columns)
    ]
    if known:
        yield "; ".join(known) + "."
