"""The pages: one with the summary and all targets, and one of tables for each command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from bench.report import safety, summary, tables, targets, texts
from bench.report.markdown import table
from bench.results import Result, Target

_LABELS = {"load": "load before", "load at the end": "load after", "sets": "sets, by their digests"}
_COMMAND = "command"
_SAFETY = "safety"


def main_page(found: Sequence[Result], pictures: Mapping[str, Path], folder: str) -> str:
    """Summary, targets and pictures; `folder` has the other pages."""
    every = [
        (f"[{result.part}]({folder}/{_command(result)}.md)", target) for result, target in _targets(found)
    ]
    lines = [texts.TITLE, "## In short", *summary.lines(found), ""]
    lines += [
        "## Tables\n",
        *(f"- [{title}]({folder}/{name}.md)" for name, title in texts.COMMANDS.items()),
        "",
    ]
    if missed := [*targets.missed(every)]:
        lines += ["## Why targets were missed\n", texts.MISSED, *missed]
    if every:
        lines += ["## All targets\n", texts.TARGETS, *targets.whole(every), ""]
    if pictures:
        lines.append("## Pictures\n")
        lines += [f"![{shown}]({path.parent.name}/{path.name})\n" for shown, path in pictures.items()]
    lines += ["## How it is measured\n", texts.HOW, "## Sets of questions\n", texts.SETS.rstrip()]
    return "\n".join(lines) + "\n"


def tables_page(command: str, found: Sequence[Result], back: str) -> str:
    """All tables of a command; `back` is the main page."""
    own = [result for result in found if _command(result) == command]
    lines = [
        f"# {texts.COMMANDS[command]}\n",
        f"Summary and targets: [{back}](../{back}).",
        f"What p50 and calls are, and how it is measured: [further below](../{back}#how-it-is-measured).",
    ]
    if not own:
        lines += ["", f"No result yet: `python -m bench {command} --size full`."]
    elif command == _SAFETY:
        lines += ["", *_of_safety(own)]
    else:
        for result in own:
            lines += ["", f"## {result.part}", *_of_one(result, "###")]
    return "\n".join(lines) + "\n"


def alone(result: Result) -> str:
    """A page of one result, with its targets."""
    own = [("", target) for target in result.targets]
    lines = [f"# {result.part}", *_of_one(result, "##")]
    if own:
        lines += ["\n## Targets\n", texts.TARGETS, *targets.whole(own)]
    if missed := [*targets.missed(own)]:
        lines += ["\n## Why targets were missed\n", texts.MISSED, *missed]
    return "\n".join(lines).rstrip() + "\n"


def _command(result: Result) -> str:
    return result.part.partition("-")[0]


def _targets(found: Iterable[Result]) -> Iterator[tuple[Result, Target]]:
    return ((result, target) for result in found for target in result.targets)


def _of_one(result: Result, heading: str) -> Iterator[str]:
    yield from ("", f"`{result.about[_COMMAND]}`\n", *_about([result]))
    yield from _without([result])
    yield from tables.shown(result.tables, heading)


def _of_safety(found: Sequence[Result]) -> Iterator[str]:
    """The tests of all runs are one table."""
    yield from (texts.SAFETY, *safety.whole(found))
    yield from _without(found)
    yield from tables.shown(safety.others(found), "##")
    if missing := safety.without_result(found):
        yield "\n## Parts without a result yet\n"
        yield from (f"- {name}: `python -m bench safety --size full --only {name}`" for name in missing)
    yield from ("\n## Runs\n", *_about(found))


def _about(found: Sequence[Result]) -> Iterator[str]:
    """Where and with what: once what is true of all, and then what differs."""
    keys = dict.fromkeys(key for result in found for key in result.about)
    same = {key: found[0].about.get(key) for key in keys if len({each.about.get(key) for each in found}) == 1}
    shown = [key for key in same if key != _COMMAND]
    yield from table(("", ""), ((_LABELS.get(key, key), same[key]) for key in shown))
    if differing := [key for key in keys if key not in same]:
        yield ""
        rows = ([each.about.get(key) for key in differing] for each in found)
        yield from table([_LABELS.get(key, key) for key in differing], rows)
    if any("load" in key for key in keys):
        yield f"\n{texts.LOAD.rstrip()}"


def _without(found: Sequence[Result]) -> Iterator[str]:
    if missing := [each for result in found for each in result.without]:
        yield "\nNot measured:\n"
        yield from (f"- {each}" for each in missing)
