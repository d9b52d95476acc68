"""A folder of Markdown files that link to each other in every way, and the relationships it must give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from docgraph.ingest.reading import FolderReader
from docgraph.ingest.types import Problem, Raw

NOTES = 108
DECISIONS = 12

Edge = tuple[str, str, str]


def note(number: int) -> str:
    return f"team-{number % 4}/note-{number:03}.md"


def decision(number: int) -> str:
    return f"decisions/adr-{number:03}-plan.md"


def write_wiki(folder: Path) -> set[Edge]:
    """Writes 120 files; the edges that stand in them."""
    edges: set[Edge] = set()
    for number in range(NOTES):
        a, b, c = ((number + step) % NOTES for step in (1, 2, 3))
        origin = note(number)
        lines = [
            f"# Note {number}\n\nWords of note {number} about harbours.\n",
            f"## Links\n\nThe [next one](../{note(a)}#links), and [the one after][after].\n",
            f"[after]: ../{note(b)}\n",
        ]
        edges |= {(origin, "references", note(a)), (origin, "references", note(b))}
        if number % 3 == 0:
            lines.append(f"## More\n\nAlso [[note-{c:03}]] of another team.\n")
            edges.add((origin, "references", note(c)))
        if number % 3 == 1:
            lines.append(f"## Why\n\nIt was decided in ADR-{number % DECISIONS:03}.\n")
            edges.add((origin, "references", decision(number % DECISIONS)))
        _write(folder / origin, "\n".join(lines))
    for number in range(DECISIONS):
        origin = decision(number)
        front = [f"requires: ../{note(number)}", "status: accepted"]
        edges.add((origin, "requires", note(number)))
        if number:
            front.append(f"supersedes: ADR-{number - 1:03}")
            edges.add((origin, "supersedes", decision(number - 1)))
        title = f"# ADR-{number:03}: Plan {number}"
        _write(
            folder / origin, "---\n" + "\n".join(front) + f"\n---\n\n{title}\n\nWe plan {number} harbours.\n"
        )
    return edges


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Backwards:
    """A folder, read from the end."""

    folder: Path
    name: str

    def read(self) -> Iterator[Raw | Problem]:
        yield from reversed(list(FolderReader([self.folder]).read()))
