"""The most memory that a client takes: `python -m bench.speed.memory CONNINFO CHUNKS DIMENSIONS`.

A process of its own, because the peak is counted from its start. DIMENSIONS 0 is without vectors.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

from bench.footprint import peak_mb
from docgraph.client import DocGraph
from docgraph.documents import Chunk, Document

_EACH = 100
_TEXT = "Annual leave is thirty days, and a request for it goes to the manager before the month begins. " * 8


def measure(conninfo: str, chunks: int, dimensions: int) -> dict[str, float]:
    """In another process."""
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-W", "ignore", "-m", "bench.speed.memory", conninfo, str(chunks), str(dimensions)],
        check=True,
        capture_output=True,
        text=True,
    )
    seconds, peak, added = done.stdout.split()
    if int(added) * _EACH != chunks:
        raise RuntimeError(f"{added} documents were added, not {chunks // _EACH}")
    return {"chunks": chunks, "dimensions": dimensions, "seconds": float(seconds), "peak_mb": float(peak)}


def _documents(chunks: int, dimensions: int) -> Iterator[Document]:
    for number in range(chunks // _EACH):
        yield Document(
            id=f"d{number:06}",
            chunks=[
                Chunk(f"{number} {ordinal} {_TEXT}", 200, _vector(number * _EACH + ordinal, dimensions))
                for ordinal in range(_EACH)
            ],
        )


def _vector(number: int, dimensions: int) -> list[float] | None:
    """Some vector; here it matters only how long it is."""
    step = 1 + number % 997
    return [((place * step + number) % 1009) / 1009 - 0.5 for place in range(dimensions)] or None


def main(conninfo: str, chunks: int, dimensions: int) -> None:
    began = time.perf_counter()
    with DocGraph(conninfo) as client:
        added = client.put(_documents(chunks, dimensions)).added
    print(time.perf_counter() - began, peak_mb(), added)  # noqa: T201 - read by the process that measures


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
