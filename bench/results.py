"""What a measurement gives: tables and targets, written as JSON and as Markdown."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

Cell = str | int | float | None
_SMALL = 0.0005
"""Written as a power of ten below it: else it looked like nothing at all."""
INSTALL = "Run: pip install '.[bench,test]'"


@dataclass(frozen=True, slots=True)
class Say:
    """Where a measurement tells how far it is, and which peers it does without."""

    show: Callable[[str], None]
    without: list[str] = field(default_factory=list)

    def __call__(self, text: str) -> None:
        self.show(text)

    @contextmanager
    def peer(self, name: str) -> Iterator[None]:
        """What goes wrong within is the peer's own, and no end of the measurement."""
        try:
            yield
        except Exception as error:
            hint = f" ({INSTALL})" if isinstance(error, ImportError) else ""
            self.without.append(f"{name}: {type(error).__name__}: {error}{hint}")
            self.show(f"not measured: {self.without[-1]}")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings; None is what was not measured."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """A figure, and what it should be."""

    what: str
    value: float
    sign: str
    bound: float
    note: str = ""
    """How far it can be reached, where that was measured."""
    why: str = ""
    """What keeps it from the target, and what was tried."""

    @property
    def met(self) -> bool:
        return self.value >= self.bound if self.sign == ">=" else self.value <= self.bound


@dataclass(slots=True)
class Measured:
    """What one part of a command gave."""

    tables: list[Table] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)


@dataclass(slots=True)
class Result:
    """All that one command measured."""

    part: str
    about: dict[str, str]
    tables: list[Table] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    """Peers that were not measured, and why."""

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Its JSON and its Markdown, under the name of the part."""
        folder.mkdir(parents=True, exist_ok=True)
        self.about["load at the end"] = " ".join(f"{load:.2f}" for load in os.getloadavg())
        data, page = folder / f"{self.part}.json", folder / f"{self.part}.md"
        # Whole or not at all: what was there before stays until then.
        written = data.with_suffix(".part")
        written.write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n", "utf-8")
        written.replace(data)
        page.write_text("\n".join(markdown(self)) + "\n", "utf-8")
        return data, page


def read(path: Path) -> Result:
    """What `write` wrote."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return Result(
        found["part"],
        found["about"],
        [Table(**each) for each in found["tables"]],
        [Target(**each) for each in found["targets"]],
        found.get("without", []),
    )


_HEAD = """# Benchmarks

Figures of one machine. Each section begins with the command that gives it. Calls that are compared run by
turns, in an order drawn anew for each round, on the same vectors and texts; those of more than 5 ms apart
from the others, whom they would push out of the caches. docgraph asks as an ordinary login behind row
security, with documents of others beside its own. What is written by hand asks as a superuser; the peers have
only what that login may see, but where their own filters are measured. In a checkout
`pip install '.[bench,test]'` brings the peers, each set as its documentation says, and
`python -m bench questions` makes sets of questions for `quality` from what HotpotQA, 2WikiMultihopQA and
MuSiQue publish. What counts are ratios: other machines give other times. This page is made from the files in
`bench/results` by `python -m bench report`.

Targets were set before anything was measured. Beside those of retrieval that were missed stands how near SQL
gets that is written by hand, without access rules, reasons and account.
"""


def all_of(folder: Path) -> list[Result]:
    """What the commands wrote there."""
    return [read(path) for path in sorted(folder.glob("*.json"))]


def whole_page(found: Sequence[Result], pictures: Mapping[str, Path]) -> str:
    """All results as one page, with all targets first, and pictures by what they show."""
    targets = [
        (*_target(each), f"`{result.about['command']}`") for result in found for each in result.targets
    ]
    lines = [_HEAD, "## Targets\n", *_rows(("figure", "measured", "target", "", "command"), targets), ""]
    if missed := [*_reasons((result.part, each) for result in found for each in result.targets)]:
        lines += ["## What keeps those that are missed\n", *missed, ""]
    if pictures:
        lines += [
            "## Pictures\n",
            *(f"![{shown}]({path.parent.name}/{path.name})\n" for shown, path in pictures.items()),
        ]
    for result in found:
        lines += [*markdown(result), ""]
    return "\n".join(lines)


def markdown(result: Result) -> Iterable[str]:
    """The lines of a page, from the heading of the part on."""
    yield f"## {result.part.capitalize()}\n"
    yield f"`{result.about['command']}`\n"
    yield from _rows(("", ""), [(k, v) for k, v in result.about.items() if k != "command"])
    if result.without:
        yield "\nNot measured:\n"
        yield from (f"- {each}" for each in result.without)
    for table in result.tables:
        yield f"\n### {table.title}\n"
        yield from _rows(table.columns, table.rows)
        if table.note:
            yield f"\n{table.note}"
    if result.targets:
        yield "\n### Targets\n"
        yield from _rows(("figure", "measured", "target", ""), [*map(_target, result.targets)])
        yield from (f"\n{each.what}: {each.note}" for each in result.targets if each.note)
        if missed := [*_reasons((result.part, each) for each in result.targets)]:
            yield from ("", *missed)


def _reasons(targets: Iterable[tuple[str, Target]]) -> Iterator[str]:
    """Each reason why targets are missed, under the targets."""
    by_reason: dict[str, list[str]] = {}
    for part, target in targets:
        if not target.met and target.why:
            note = f"; {target.note}" if target.note else ""
            by_reason.setdefault(target.why, []).append(
                f"- {part}, {target.what}: {_cell(target.value)}{note}"
            )
    for why, missed in by_reason.items():
        yield from (*missed, f"\n{why}\n")


def _target(target: Target) -> Sequence[Cell]:
    bound = f"{target.sign} {target.bound:g}"
    return target.what, target.value, bound, "met" if target.met else "**missed**"


def _rows(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterable[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"| {' | '.join('---' for _ in columns)} |"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(value: Cell) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        if 0 < abs(value) < _SMALL:
            return f"{value:.1e}"
        return f"{value:,.3f}" if abs(value) < 10 else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else value.replace("|", "\\|")
