"""Python: its classes, methods and functions are its sections."""

from __future__ import annotations

import ast
import warnings
from pathlib import PurePosixPath

from docgraph.ingest.markup.lines import Found, line_starts
from docgraph.ingest.types import Heading

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def headings(text: str, path: str) -> list[Found]:
    """None for what this Python cannot parse: templates, Python 2."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the author's escapes
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    starts = line_starts(text)
    found: list[Found] = []
    _collect(module.body, Heading(1, _module_name(path), 0), "", starts, found)
    return found


def _collect(
    body: list[ast.stmt], owner: Heading, prefix: str, starts: list[int], found: list[Found]
) -> None:
    found.append(Found(owner, owner.start))
    after_definition = False
    for statement in body:
        if isinstance(statement, _DEFINITIONS):
            line = min([statement.lineno, *(each.lineno for each in statement.decorator_list)])
            name = f"{prefix}{statement.name}"
            inner = Heading(owner.level + 1, name, starts[line - 1])
            inside = statement.body if isinstance(statement, ast.ClassDef) else []
            _collect(inside, inner, f"{name}.", starts, found)
            after_definition = True
        elif after_definition:  # what comes after a definition is not in it
            start = starts[statement.lineno - 1]
            if start > found[-1].heading.start:
                found.append(Found(Heading(owner.level, owner.title, start), start))
            after_definition = False


def _module_name(path: str) -> str:
    parts = PurePosixPath(path).with_suffix("").parts
    if len(parts) > 1 and parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)
