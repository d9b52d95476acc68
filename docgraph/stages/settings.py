"""A pipeline written down: its stages and their settings, as YAML. It says how, never on whose behalf.

name: what calls this
stages:
  search_nodes: {max_nodes: 3}
  expand_dependency_tree: {direction: incoming, edge_allowlist: [calls], max_depth: 4}
  fetch_node_texts: {budget_tokens: 2000, prioritization: graph_first}
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, cast

import yaml

from docgraph.errors import InvalidArgument
from docgraph.naming import naming
from docgraph.stages.options import RENAMED, STAGES, PipelineOptions
from docgraph.unknown import listed, probably

_EXAMPLE = "For example:\nstages:\n  search_nodes: {max_nodes: 3}\n  fetch_node_texts: {budget_tokens: 2000}"

_A_FILE = "Give a file that has the settings of the stages, as YAML."


class _Loader(yaml.SafeLoader):
    """Plain values only. Of a key that comes twice, YAML would keep the last one in silence."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - PyYAML's own
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for place, (key, (where, _)) in enumerate(zip(keys, node.value, strict=True)):
            if key in keys[:place]:
                raise yaml.constructor.ConstructorError(None, None, f"{key} is there twice", where.start_mark)
        return dict(super().construct_mapping(node, deep))


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """A pipeline as it was written down."""

    name: str
    """What it is for; may be empty."""
    options: PipelineOptions
    """For `client.pipeline(question, **settings.options)`."""

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """From a file."""
        try:
            text = Path(path).read_bytes()
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise InvalidArgument(f'"{path}" cannot be read: {why}', hint=_A_FILE) from error
        with _of(path):
            return cls.from_yaml(text)

    @classmethod
    def from_yaml(cls, text: str | bytes) -> Self:
        """From YAML. What is not known is refused, and what may stand there is named."""
        try:
            found = yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader that takes still less
        except yaml.MarkedYAMLError as error:
            place = f" in line {error.problem_mark.line + 1}" if error.problem_mark else ""
            raise InvalidArgument(f"this is no YAML{place}: {error.problem}", hint=_EXAMPLE) from error
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise InvalidArgument(f"this is no YAML: {error}", hint=_EXAMPLE) from error
        _check_keys("the pipeline", found, ("name", "stages"))
        name = found.get("name", "")
        if not isinstance(name, str):
            raise InvalidArgument("name must be a text", hint="Leave it out, or put it in quotes.")
        stages = found.get("stages")
        _check_keys("stages", stages, STAGES)
        options: dict[str, Any] = {}
        for stage, settings in stages.items():
            if settings is None:  # a stage named, and nothing said of it
                continue
            _check_keys(f"stages.{stage}", settings, STAGES[stage].__annotations__)
            for setting, value in settings.items():
                options[RENAMED.get((stage, setting), setting)] = value
        return cls(name, cast("PipelineOptions", options))


@contextmanager
def naming_settings(path: Path | str) -> Iterator[None]:
    """A refusal names the setting where it stands in that file, in place of the parameter."""
    with _of(path, _PLACES), naming(_PLACES, lambda place, value: f"{place.rpartition('.')[2]}: {value}"):
        yield


@contextmanager
def _of(path: Path | str, places: Mapping[str, str] | None = None) -> Iterator[None]:
    """Refusals name the file; those of a call as far as they are of these places."""
    try:
        yield
    except InvalidArgument as error:
        if places is not None and error.message.partition(" ")[0] not in places.values():
            raise
        raise InvalidArgument(f'"{path}": {error.message}', detail=error.detail, hint=error.hint) from error


def _check_keys(what: str, found: Any, known: Collection[str]) -> None:
    """Of what ought to be an object; a mere mention of the stages is none."""
    if not isinstance(found, Mapping):
        is_it = "is missing" if found is None else f"must be keys with values, not {type(found).__name__}"
        raise InvalidArgument(f"{what} {is_it}", hint=f"The keys are {listed(known)}. {_EXAMPLE}")
    unknown = [key for key in found if key not in known]
    if unknown:
        raise InvalidArgument(
            f'{what} has an unknown key "{unknown[0]}"',
            hint=f"{probably(str(unknown[0]), known)}The keys are {listed(known)}.",
        )


_PLACES = {
    RENAMED.get((stage, name), name): f"stages.{stage}.{name}"
    for stage, options in STAGES.items()
    for name in options.__annotations__
}
