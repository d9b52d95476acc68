"""What a measurement gives: tables and targets, written as JSON and as Markdown."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

Cell = str | int | float | None


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
    """Of one that is missed: the limit that prevents it."""

    @property
    def met(self) -> bool:
        return self.value >= self.bound if self.sign == ">=" else self.value <= self.bound


@dataclass(slots=True)
class Result:
    """All that one command measured."""

    part: str
    about: dict[str, str]
    tables: list[Table] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Its JSON and its Markdown, under the name of the part."""
        folder.mkdir(parents=True, exist_ok=True)
        self.about["load at the end"] = " ".join(f"{load:.2f}" for load in os.getloadavg())
        data, page = folder / f"{self.part}.json", folder / f"{self.part}.md"
        data.write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n", "utf-8")
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
    )


def markdown(result: Result) -> Iterable[str]:
    """The lines of a page, from the heading of the part on."""
    yield f"## {result.part.capitalize()}\n"
    yield f"`{result.about['command']}`\n"
    yield from _rows(("", ""), [(k, v) for k, v in result.about.items() if k != "command"])
    for table in result.tables:
        yield f"\n### {table.title}\n"
        yield from _rows(table.columns, table.rows)
        if table.note:
            yield f"\n{table.note}"
    if result.targets:
        yield "\n### Targets\n"
        yield from _rows(("figure", "measured", "target", ""), [*map(_target, result.targets)])
        yield from (f"\n{each.what}: {each.note}" for each in result.targets if each.note)


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
        return f"{value:,.3f}" if abs(value) < 10 else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else value.replace("|", "\\|")


def one(rows: Iterable[Mapping[str, Any]], **wanted: object) -> Mapping[str, Any]:
    """The only one of such rows that has these values."""
    (found,) = (row for row in rows if all(row[key] == value for key, value in wanted.items()))
    return found
