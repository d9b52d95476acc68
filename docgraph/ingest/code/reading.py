"""A tree of source files to the nodes of its graph."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from docgraph.ingest.code.collecting import collect
from docgraph.ingest.code.nodes import Node
from docgraph.ingest.code.places import Places, place_of
from docgraph.ingest.code.python import python_nodes
from docgraph.ingest.code.relating import CallCounts
from docgraph.ingest.code.scopes import Module
from docgraph.ingest.code.sources import Source
from docgraph.ingest.code.sql import SqlFile, look_through, sql_nodes
from docgraph.ingest.links.names import BYTES
from docgraph.ingest.markup.suffixes import markup_of
from docgraph.ingest.types import Problem, Raw, Reader

PYTHON, SQL = "code:python", "code:sql"
MARKUPS = frozenset({PYTHON, SQL})


class CodeReader:
    """Nodes of the files that another reader finds. `above` is the package that their root is, if any."""

    def __init__(self, files: Reader, above: tuple[str, ...] = ()) -> None:
        self.files = files
        self._above = above
        self.read_whole: dict[str, int] = {}
        """The files that were understood, with the number of their nodes: there are no others in them."""
        self.notes: list[str] = []

    def read(self) -> Iterator[Raw | Problem]:
        found = list(self.files.read())
        yield from (each for each in found if isinstance(each, Problem))
        raws = sorted((each for each in found if isinstance(each, Raw)), key=lambda raw: raw.path)
        # Also those that cannot be read: they are packages all the same.
        python = [each.path for each in found if markup_of(each.path) == PYTHON]
        del found
        modules: list[Module] = []
        files: list[SqlFile] = []
        for raw in raws:
            if markup_of(raw.path) not in MARKUPS:
                yield Problem(
                    raw.path, "neither Python nor SQL: bring it in as an ordinary document", failed=False
                )
                continue
            try:
                self._look_through(raw, modules, files)
            except ValueError as error:
                yield Problem(raw.path, str(error))
        del raws
        yield from self._nodes(modules, files, Places(python, self._above))

    def _look_through(self, raw: Raw, modules: list[Module], files: list[SqlFile]) -> None:
        if markup_of(raw.path) == PYTHON:
            modules.append(collect(Source.of(raw), place_of(raw.path)))
        else:
            files.append(look_through(Source.of(raw)))

    def _nodes(self, modules: list[Module], files: list[SqlFile], places: Places) -> Iterator[Raw | Problem]:
        counts = CallCounts()
        for node in chain(python_nodes(modules, places, counts), sql_nodes(files)):
            file = str(node.metadata["file"])
            self.read_whole[file] = self.read_whole.get(file, 0) + 1
            yield _as_raw(node)
        if modules:
            self.notes.append(
                f"Calls in Python: {counts.inside:,} lead to something in this tree, {counts.outside:,} to "
                f"builtins and libraries, {counts.unknown:,} to what only types could tell."
            )


def _as_raw(node: Node) -> Raw | Problem:
    size = len(node.id.encode())
    if size > BYTES:
        return Problem(node.id, f"its id has {size} bytes, more than {BYTES}: give it a shorter name")
    return node.to_raw()
