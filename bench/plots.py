"""Pictures of the figures: made from the results of the other commands, as `python -m bench report` does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.results import Result, Table, rows_of

Points = Mapping[str, Sequence[tuple[float, float]]]
"""By name, across and up."""

BySize = defaultdict[str, dict[int, float]]

_SIZE = (11, 4.5)
_MARKERS = "osv^D*"
_COLOURS = [*(f"C{number}" for number in range(10)), "navy", "black", "gold", "teal", "crimson", "lime"]
_RECALL = "recall"


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines of points, and what is across and up. All ways but that of recall are logarithmic."""

    across: str
    up: str
    points: Points
    heading: str = ""


TITLES = {
    "latency-recall": "Latency against recall, where everything can be seen",
    "recall-visible": "Recall against the share of rows that can be seen",
    "latency-visible": "Latency against the share of rows that can be seen",
    "cost-size": "Cost against size",
}


def pictures(folder: Path) -> dict[str, Path]:
    """Those that are there, by what they show."""
    paths = {title: folder / f"{name}.svg" for name, title in TITLES.items()}
    return {title: path for title, path in paths.items() if path.exists()}


def draw(results: Iterable[Result], folder: Path) -> None:
    """Each picture for which there are figures, and no other."""
    pyplot = import_module("matplotlib.pyplot")
    # The same figures give the same file.
    import_module("matplotlib").rcParams["svg.hashsalt"] = "docgraph"
    tables = [table for result in results for table in result.tables]
    found = {
        "latency-recall": _latency(tables),
        "recall-visible": _by_share(tables, _RECALL),
        "latency-visible": _by_share(tables, "p50 ms"),
        "cost-size": _by_size(tables),
    }
    for name, panels in found.items():
        (folder / f"{name}.svg").unlink(missing_ok=True)
        if panels:
            folder.mkdir(parents=True, exist_ok=True)
            figure, places = pyplot.subplots(
                1, len(panels), figsize=_SIZE, squeeze=False, layout="constrained"
            )
            styles = _styles(panels)
            for place, panel in zip(places[0], panels, strict=True):
                _paint(place, panel, styles)
            known = {
                name: line
                for place in places[0]
                for line, name in zip(*place.get_legend_handles_labels(), strict=True)
            }
            figure.legend(known.values(), known, loc="outside right upper", fontsize=8)
            figure.suptitle(TITLES[name])
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
            pyplot.close(figure)


def _styles(panels: Iterable[Panel]) -> dict[str, dict[str, Any]]:
    """An engine, which a name begins with, has one colour in a picture; its ways have their own markers."""
    found: dict[str, dict[str, Any]] = {}
    engines: dict[str, int] = {}
    for name in dict.fromkeys(name for panel in panels for name in panel.points):
        engine = name.partition(",")[0]
        ways = engines[engine] = engines.get(engine, -1) + 1
        colour = [*engines].index(engine)
        found[name] = {"color": _COLOURS[colour % len(_COLOURS)], "marker": _MARKERS[ways % len(_MARKERS)]}
    return found


def _paint(place: Any, panel: Panel, styles: Mapping[str, Mapping[str, Any]]) -> None:
    for name, found in panel.points.items():
        line = zip(*sorted(found), strict=True)
        place.plot(*line, markersize=5, linewidth=1, label=name, **styles[name])
    place.set(title=panel.heading, xlabel=panel.across, ylabel=panel.up)
    if panel.across != _RECALL:
        place.set_xscale("log")
        place.xaxis.set_major_formatter("{x:,.10g}")
    if panel.up != _RECALL:
        place.set_yscale("log")
        place.yaxis.set_major_formatter("{x:,.10g}")
    place.grid(visible=True, alpha=0.3)


def _latency(tables: Iterable[Table]) -> list[Panel]:
    points = defaultdict(list)
    for row in rows_of(tables, "All can be seen"):
        family, _, way = str(row["what"]).partition(", ")
        # One with several efforts is a line.
        name = family if way.startswith("ef") else row["what"]
        points[str(name)].append((row[_RECALL], row["p50 ms"]))
    return [Panel(_RECALL, "p50 ms", points)] if points else []


def _by_share(tables: Sequence[Table], column: str) -> list[Panel]:
    panels: list[Panel] = []
    for layout in ("spread", "clustered"):
        points = defaultdict(list)
        for row in rows_of(tables, f"What can be seen is {layout}"):
            points[row["what"]].append((float(row["visible"].rstrip("%")), row[column]))
        if points:
            panels.append(Panel("% of rows that can be seen", column, points, layout))
    return panels


def _by_size(tables: Sequence[Table]) -> list[Panel]:
    """A size that was measured twice has the point of the first run: lines are of one run."""
    times: BySize = defaultdict(dict)
    seconds: BySize = defaultdict(dict)
    room: BySize = defaultdict(dict)
    for row in rows_of(tables, "Retrieval, "):
        times[row["what"]].setdefault(row["chunks"], row["p50 ms"])
    for row in rows_of(tables, "Building what is searched"):
        seconds[row["index"]].setdefault(row["chunks"], row["seconds"])
    for row in rows_of(tables, "Storage, "):
        room[row["table"]].setdefault(row["chunks"], row["table MB"] + row["indexes MB"])
    panels = {
        "retrieval": ("p50 ms", times),
        "building what is searched": ("seconds", seconds),
        "room": ("MB", room),
    }
    return [
        Panel("chunks", up, several, heading)
        for heading, (up, points) in panels.items()
        if (several := {name: [*found.items()] for name, found in points.items() if len(found) > 1})
    ]
