"""Search among what a caller may see: how much is found, and how fast, the smaller a part of all that is.

docgraph searches as an ordinary login whose access says what it sees; pgvector by hand, on the same table,
with a condition that says it; the others by filters of their own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from bench import machine
from bench.corpora import chunks, corpus, visible
from bench.reader import reader
from bench.results import Cell, Measured, Say, Table
from bench.speed import filtered_calls
from bench.speed.loads import Loads
from bench.speed.sizes import Size
from bench.timing import WARM, Contender, by_turns
from docgraph.access import EmbeddingSpace

COLUMNS = ("visible", "what", "calls", "p50 ms", "p95 ms", "p99 ms", "recall")

_METHODS = ("auto", "exact", "approximate")


def measure(server: str, size: Size, say: Say) -> Measured:
    space = EmbeddingSpace("bench", size.dimensions, "cosine", "english", 100.0)
    count = size.chunks[-1]
    asked = visible.make(count, size.rounds + WARM, size.dimensions)
    measured = Measured()
    with ExitStack() as stack:
        superuser = stack.enter_context(machine.database(server, "filtered", space))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="docgraph-bench-")))
        loads = Loads(superuser, folder)
        with loads.of("the texts and vectors alone"):
            for _ in chunks.of(asked.documents, range(len(asked.documents.ids))):
                pass
        with loads.of("docgraph, by COPY"), chunks.loading(superuser, count) as connection:
            chunks.load(connection, asked.documents)
            known = corpus.access_classes(connection, asked.documents)
        peers, with_other_efforts = filtered_calls.peers(loads, asked, say)
        measured.tables.append(loads.table(count))
        say(f"{count:,} chunks loaded and indexed everywhere")
        tags = [tag for one in asked.documents.tags.values() for tag in one]
        login = stack.enter_context(reader(superuser, tags))

        for layout in visible.LAYOUTS:
            rows: list[Sequence[Cell]] = []
            for share in visible.SHARES:
                name = visible.class_of(layout, share)
                # What fails here does not take the others with it.
                with say.peer(f"{share:.1%} visible, {layout}"), ExitStack() as connections:
                    database = filtered_calls.Database(connections, superuser, login, asked.questions)
                    everybody = [
                        *database.docgraph([name], _METHODS),
                        *database.by_hand(known[name]),
                        *filtered_calls.contenders(peers, [name], say),
                    ]
                    rows += _rows(f"{share:.1%}", asked, [name], everybody, size)
                say(f"{share:.1%} visible, {layout}: measured")
            title = f"What can be seen is {layout}, {count:,} chunks"
            measured.tables.append(Table(title, COLUMNS, rows))

        database = filtered_calls.Database(stack, superuser, login, asked.questions)
        everybody = [
            *database.docgraph(tags, _METHODS[1:]),
            *database.with_effort(),
            *filtered_calls.contenders(peers | with_other_efforts, None, say),
        ]
        rows = [*_rows("100%", asked, None, everybody, size)]
        measured.tables.append(Table(f"All can be seen, {count:,} chunks", COLUMNS, rows))
    return measured


def _rows(
    share: str,
    asked: visible.Asked,
    classes: list[str] | None,
    everybody: Sequence[Contender],
    size: Size,
) -> Iterator[Sequence[Cell]]:
    found = by_turns(everybody, size.rounds, size.patience)
    wanted = [asked.nearest(number, classes) for number in range(size.rounds)]
    for contender in everybody:
        timed = found[contender.name]
        recalls = [
            len({*contender.read(answer)[0]} & wanted[number]) / len(wanted[number])
            for number, answer in timed.answers.items()
        ]
        times = (timed.milliseconds(part) for part in (0.5, 0.95, 0.99))
        yield share, contender.name, len(timed.seconds), *times, sum(recalls) / len(recalls)
