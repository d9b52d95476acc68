"""What a measurement gives: tables and targets, written as JSON. How they are shown: `bench.report`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

Cell = str | int | float | None
INSTALL = "Run: pip install '.[bench,test]'"
_COUNT = re.compile(r"([\d,]+) chunks$")


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
    """Rows under headings; None is what was not measured. `bench.report.tables` says what columns mean."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    """What is true of this run alone."""


@dataclass(frozen=True, slots=True)
class Target:
    """A figure, and what it should be. How it reads stands in `bench.report.targets`."""

    what: str
    value: float
    sign: str
    bound: float
    by_hand: Mapping[str, float] = field(default_factory=dict)
    """The same figure of SQL that is written by hand, by its name: how near one gets."""

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

    def write(self, folder: Path) -> Path:
        """Its JSON, under the name of the part."""
        folder.mkdir(parents=True, exist_ok=True)
        self.about["load at the end"] = " ".join(f"{load:.2f}" for load in os.getloadavg())
        data = folder / f"{self.part}.json"
        # Whole or not at all: what was there before stays until then.
        written = data.with_suffix(".part")
        written.write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n", "utf-8")
        written.replace(data)
        return data


def read(path: Path) -> Result:
    """What `write` wrote."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return Result(
        found["part"],
        found["about"],
        [Table(**each) for each in found["tables"]],
        [_target(each) for each in found["targets"]],
        found.get("without", []),
    )


_BY_HAND = re.compile(r"([\d.]+) by «(.+?)»")


def _target(found: Mapping[str, Any]) -> Target:
    """In older results what SQL by hand reached stands in a note, and reasons that the report has now."""
    by_hand = {name: float(figure) for figure, name in _BY_HAND.findall(found.get("note", ""))}
    figures = {name: found[name] for name in ("what", "value", "sign", "bound")}
    return Target(**figures, by_hand=found.get("by_hand", by_hand))


def all_of(folder: Path) -> list[Result]:
    """What the commands wrote there."""
    return [read(path) for path in sorted(folder.glob("*.json"))]


def rows_of(tables: Iterable[Table], title: str) -> Iterator[dict[str, Any]]:
    """The rows of tables whose title begins so, by heading; `chunks` is what the title says."""
    for table in tables:
        if table.title.startswith(title):
            count = _COUNT.search(table.title)
            for row in table.rows:
                yield dict(zip(table.columns, row, strict=True)) | (
                    {"chunks": int(count[1].replace(",", ""))} if count else {}
                )
