"""A folder of Markdown files through `ingest`, with the default offline embedder."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from bench.corpora.made import name, write_folder
from docgraph.client import DocGraph
from docgraph.ingest.report import Report

_AGAIN = 3


def measure(conninfo: str, files: int) -> dict[str, float]:
    """First time, again (the median of three), one file edited, one removed."""
    with tempfile.TemporaryDirectory() as temporary, DocGraph(conninfo) as client:
        folder = Path(temporary) / "notes"
        write_folder(folder, files)
        first, report = _timed(client, folder)
        _require(report.added == files and not report.failed, report)
        chunks = report.chunks
        again = []
        for _ in range(_AGAIN):
            seconds, report = _timed(client, folder)
            _require(report.unchanged == files and not report.embedded, report)
            again.append(seconds)
        path = folder / name(files // 2)
        path.write_text(
            path.read_text(encoding="utf-8") + "\n## Appendix\n\nWords were added.\n", encoding="utf-8"
        )
        edited, report = _timed(client, folder)
        _require(report.changed == 1 and report.unchanged == files - 1, report)
        path.unlink()
        pruned, report = _timed(client, folder, prune=True)
        _require(report.deleted == 1, report)
    return {
        "files": files,
        "chunks": chunks,
        "first_seconds": first,
        "again_seconds": median(again),
        "times_faster": first / median(again),
        "edited_seconds": edited,
        "pruned_seconds": pruned,
    }


def _timed(client: DocGraph, folder: Path, **options: Any) -> tuple[float, Report]:
    began = time.perf_counter()
    report = client.ingest(folder, **options)
    return time.perf_counter() - began, report


def _require(held: bool, report: Report) -> None:  # noqa: FBT001 - an assertion
    if not held:
        raise RuntimeError(f"not what was expected: {report.to_dict()}")
