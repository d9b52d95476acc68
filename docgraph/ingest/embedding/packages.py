"""Packages that come by an extra: imported, or found on disk, when they are needed."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from docgraph.errors import InvalidArgument


def required(module: str, extra: str, wanted_by: str) -> Any:
    """The module, or an error that says which extra to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise _missing(module, extra, wanted_by) from error


def file_of(package: str, path: str, extra: str, wanted_by: str) -> Path:
    """A data file of an installed package, which is not imported: it may do more than hold the file."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise _missing(package, extra, wanted_by)
    found = Path(spec.submodule_search_locations[0], path)
    if not found.is_file():
        raise InvalidArgument(
            f"{wanted_by} needs {path} of the package {package}, and the installed release has no such file.",
            hint=f"Install a release that docgraph knows: pip install --upgrade 'docgraph[{extra}]'",
        )
    return found


def _missing(module: str, extra: str, wanted_by: str) -> InvalidArgument:
    return InvalidArgument(
        f"{wanted_by} needs the package {module.partition('.')[0]}, which is not installed.",
        hint=f"Run: pip install 'docgraph[{extra}]'",
    )
