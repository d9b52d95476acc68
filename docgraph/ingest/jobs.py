"""What `ingest` is given, and the job that it makes of it."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from docgraph.access import Access
from docgraph.errors import InvalidArgument
from docgraph.ingest.attributes import Attributes
from docgraph.ingest.code.reading import MARKUPS, CodeReader
from docgraph.ingest.code.steps import code_steps, read_code
from docgraph.ingest.composing import Composer
from docgraph.ingest.pipeline import Job
from docgraph.ingest.putting import Where
from docgraph.ingest.reading import FolderReader
from docgraph.ingest.types import AnyEmbedder, Linker, Parser, Problem, Raw, Reader, Splitter, Summariser
from docgraph.unknown import refuse_other, refuse_unknown

if TYPE_CHECKING:
    from docgraph.ingest.report import Report

Origin: TypeAlias = (
    str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Reader | Iterable[Raw | Problem]
)
"""Files and folders, a reader, or documents as they were found."""


class IngestOptions(TypedDict, total=False):
    """What `ingest` takes beside the source."""

    root: str | os.PathLike[str] | None
    """Ids are paths from here. Default: the folder given."""
    exclude: Collection[str]
    """Patterns as in .gitignore, beside those of .gitignore and .docgraphignore files."""
    code: bool
    """Python and SQL only, as a graph of modules, classes, functions and SQL files."""
    repository: str
    snapshot: str
    tags: Collection[str]
    labels: Collection[str]
    clearance: int
    doc_type: str
    embedder: AnyEmbedder
    base_url: str | None
    parser: Parser
    splitter: Splitter
    linker: Linker
    summariser: Summariser
    name: str | None
    """Name of the source, for pruning. Default: the folder; with a repository, the folder's name in it."""
    ingestion: str | None
    """Name of the run: the same one again continues it."""
    prune: bool
    dry_run: bool
    strict: bool
    progress: Callable[[Report], object] | None


@dataclass(frozen=True, slots=True)
class _Given:
    """Documents that a caller has found by himself."""

    documents: Iterable[Raw | Problem]

    def read(self) -> Iterator[Raw | Problem]:
        for each in self.documents:
            if not isinstance(each, Problem):  # which a reader's own read() may give
                refuse_other("a document", each, Raw, _A_RAW)
                refuse_other("path", each.path, str, _A_RAW)
                refuse_other("data", each.data, bytes, _A_RAW)
            yield each


_A_RAW = 'For example Raw("a.md", b"# A"), or Raw("a.md", text.encode()).'


def make_job(source: Origin, tenant: str, access: Access | None, own: Access, options: IngestOptions) -> Job:
    """The claim is `access`; without one the client's own, widened by what the options give."""
    refuse_unknown("ingest", options, ["source", "tenant", "access", *IngestOptions.__annotations__])
    _check_types(options)
    reader = _reader(source, options)
    attributes = Attributes(
        options.get("repository", ""),
        options.get("snapshot", ""),
        _texts("tags", options.get("tags", ())),
        _texts("labels", options.get("labels", ())),
        options.get("clearance", 0),
    )
    composer = Composer(doc_type=options.get("doc_type", ""))
    steps: dict[str, Any] = {
        key: step for key, step in options.items() if key in {"parser", "splitter", "linker", "summariser"}
    }
    name = options.get("name") or _name_of(source, reader, attributes, options.get("root"))
    code: CodeReader | None = None
    if options.get("code"):
        # Beside the documents of the same folder, which are another source.
        name = options.get("name") or (f"{name} (code)" if name else "")
        reader = code = read_code(reader)
        steps = code_steps(steps)
    if options.get("prune") and not name:
        raise InvalidArgument(
            "prune needs the name of the source", hint='For example name="wiki", or --name wiki.'
        )
    return Job(
        reader=reader,
        composer=replace(composer, **steps),
        where=Where(tenant, own if access is None else access, options.get("ingestion") or uuid.uuid4().hex),
        source=name,
        code=code,
        embedder=options.get("embedder"),
        base_url=options.get("base_url"),
        attributes=attributes,
        widen=access is None,
        prune=options.get("prune", False),
        dry_run=options.get("dry_run", False),
        strict=options.get("strict", False),
    )


def _name_of(
    source: Origin, reader: Reader, attributes: Attributes, root: str | os.PathLike[str] | None
) -> str:
    """A folder is its own name: where it is, or, in a repository, which one of it, on whatever machine.

    Of single files there is none: the others of their folder are not gone.
    """
    paths = [source] if isinstance(source, (str, os.PathLike)) else source
    if not (isinstance(paths, Sequence) and len(paths) == 1 and isinstance(paths[0], (str, os.PathLike))):
        return str(getattr(reader, "name", ""))
    if not Path(paths[0]).is_dir():
        return ""
    # Not resolved: what a symbolic link leads to may be another folder every day.
    folder = os.path.abspath(paths[0])  # noqa: PTH100 - resolve() would follow it
    if not (attributes.repository or attributes.snapshot):
        return folder
    below = os.path.relpath(folder, root or folder)
    return attributes.scoped(Path(folder).name if below == "." else Path(below).as_posix())


def _reader(source: Origin, options: IngestOptions) -> Reader:
    if isinstance(source, (str, os.PathLike)):
        source = [source]
    if isinstance(source, Sequence) and all(isinstance(path, (str, os.PathLike)) for path in source):
        root = options.get("root")
        return FolderReader(
            [Path(path) for path in source if isinstance(path, (str, os.PathLike))],
            root=None if root is None else Path(root),
            excludes=_listed("exclude", options.get("exclude", ())),
            markups=MARKUPS if options.get("code") else (),
        )
    if isinstance(source, Reader):
        return source
    if isinstance(source, Iterable):
        return _Given(source)  # type: ignore[arg-type]  # of Raw, as the type of source says
    raise InvalidArgument(
        f"a {type(source).__name__} is no source of documents",
        hint="Give a path, a list of paths, a reader, or an iterable of Raw.",
    )


def _check_types(options: IngestOptions) -> None:
    """A misunderstood option could widen access or delete: "no" is true, and a text is many characters."""
    for name, (kind, what) in _TYPES.items():
        given: Any = options.get(name)
        if given is not None and (not isinstance(given, kind) or (kind is int and isinstance(given, bool))):
            raise InvalidArgument(f"{name} must be {what}, not {type(given).__name__}", hint=f"Give {what}.")


_TYPES: dict[str, tuple[Any, str]] = {
    "prune": (bool, "True or False"),
    "dry_run": (bool, "True or False"),
    "strict": (bool, "True or False"),
    "code": (bool, "True or False"),
    "clearance": (int, "a whole number"),
    **dict.fromkeys(("repository", "snapshot", "doc_type", "name", "ingestion", "base_url"), (str, "a text")),
    "root": ((str, os.PathLike), "a path"),
}


def _texts(name: str, given: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(set(_listed(name, given))))


def _listed(name: str, given: Collection[str]) -> list[str]:
    if isinstance(given, str) or not all(isinstance(entry, str) for entry in given):
        raise InvalidArgument(f"{name} must be a list of texts", hint=f'For example {name}=["a", "b"].')
    return list(given)
