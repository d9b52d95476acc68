"""How fast documents come in:

- rows through `put`, beside a raw COPY of the same rows into the same indexed tables, by turns on one server;
- deleting some of many documents;
- a folder of Markdown files with the default offline embedder: first time, again, one edited, one removed;
- the most memory that the client takes.
"""

from __future__ import annotations

from bench import machine
from bench.results import Measured, Say, Table, Target
from bench.speed import deleting, folder, loading, memory
from bench.speed.sizes import Size
from docgraph import defaults
from docgraph.access import EmbeddingSpace

_TARGETS = {
    ("put", "ratio"): (">=", 0.5),
    ("deleting", "seconds"): ("<=", 1.0),
    ("folder", "times_faster"): (">=", 10.0),
    ("memory", "peak_mb"): ("<=", 300.0),
}
_CHUNKS = 10
_ROUNDS = 5


def measure(server: str, size: Size, say: Say) -> Measured:
    own = EmbeddingSpace("bench", size.dimensions, "cosine", "english", 100.0)
    default = EmbeddingSpace(defaults.MODEL, defaults.DIMENSIONS, "cosine", "english", 100.0)
    count = size.put_documents
    found: dict[str, dict[str, float]] = {}
    with machine.database(server, "put", own) as put, machine.database(server, "copy", own) as copy:
        found["put"] = loading.compare(
            put, copy, count=count, chunks=_CHUNKS, dimensions=size.dimensions, rounds=_ROUNDS
        )
    say(f"{count:,} documents put")
    with machine.database(server, "delete", own) as database:
        found["deleting"] = deleting.measure(database, 5 * count, count // 20, size.dimensions)
    with machine.database(server, "folder", default) as database:
        found["folder"] = folder.measure(database, size.files)
    with machine.database(server, "memory", own) as database:
        found["memory"] = memory.measure(database, _CHUNKS * count, size.dimensions)
    say("documents brought in")
    rows = [(part, name.replace("_", " "), value) for part, of in found.items() for name, value in of.items()]
    return Measured(
        [Table("Bringing documents in", ("what", "figure", "value"), rows)],
        [
            Target(f"{part}: {name.replace('_', ' ')}", found[part][name], sign, bound)
            for (part, name), (sign, bound) in _TARGETS.items()
        ],
    )
