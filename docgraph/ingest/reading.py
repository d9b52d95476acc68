"""Files from folders, in one order, one at a time; what is left out comes as a line that says why."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore import GitIgnorePatternError

from docgraph.errors import InvalidArgument
from docgraph.ingest.decoding import BYTE_ORDER_MARKS
from docgraph.ingest.markup.suffixes import NO_DOCUMENTS, markup_of, suffix_of
from docgraph.ingest.types import Problem, Raw

AnyPath: TypeAlias = "str | os.PathLike[str]"

NEVER_READ = frozenset({"node_modules", "__pycache__", "venv"})
"""Folders that hold no documents; nor does what is hidden (.git, .venv, .env), nor a backup (notes.md~)."""
IGNORE_FILES = (".gitignore", ".docgraphignore")

_CONTROL = frozenset(range(0x20)) - frozenset(b"\t\n\f\r\x1b")
_HEAD = 8192
_OUTSIDE = "symbolic link to something outside of what is read"


@dataclass(frozen=True, slots=True)
class _Rules:
    """The ignore files of one folder, after those of the folders above it."""

    folder: str
    spec: GitIgnoreSpec
    above: _Rules | None

    def ignore(self, path: str) -> bool:
        """The deepest folder that says anything decides, as in git."""
        rules: _Rules | None = self
        while rules is not None:
            said = rules.spec.check_file(path[len(rules.folder) :]).include
            if said is not None:
                return said
            rules = rules.above
        return False


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file or folder to look at. `path` is relative to the root, and "" for the root itself."""

    path: str
    place: str
    rules: _Rules | None
    named: bool = False


class FolderReader:
    """Reads files, and folders with all that is in them. Nothing is opened before it is known to be a file.

    `.gitignore` and `.docgraphignore` count in the folders named and below; `excludes` are patterns like
    theirs, and stronger. What is named itself is read whatever they say. With `markups` only files of these
    are looked at in folders, and empty ones are read too: an empty module is one.
    """

    def __init__(
        self,
        paths: AnyPath | Iterable[AnyPath],
        root: AnyPath | None = None,
        excludes: Iterable[str] = (),
        max_bytes: int = 50_000_000,
        markups: Collection[str] = (),
    ) -> None:
        listed = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
        if not listed:
            raise InvalidArgument("There is no path to read.", hint="Name a file or a folder.")
        if max_bytes < 1:
            raise InvalidArgument(f"max_bytes is {max_bytes}.", hint="Give a number of bytes above 0.")
        for path in listed:
            if not os.path.lexists(path):
                raise InvalidArgument(f"There is no {path}.", hint="Name a file or a folder that exists.")
        places = sorted({_absolute(path) for path in listed}, key=os.fsencode)
        self.root = _absolute(root) if root is not None else _common_folder(places)
        if not Path(self.root).is_dir():
            raise InvalidArgument(f"The root {self.root} is not a folder.", hint="Name a folder as root.")
        self.max_bytes = max_bytes
        self._markups = frozenset(markups)
        self._named = {place: _below(place, self.root) for place in places}
        try:
            self._excludes = GitIgnoreSpec.from_lines(
                [excludes] if isinstance(excludes, str) else list(excludes)
            )
        except (GitIgnorePatternError, TypeError) as error:
            raise InvalidArgument(
                f"excludes: {error}", hint="Write patterns as in .gitignore: drafts/, *.log"
            ) from None

    @property
    def places(self) -> list[str]:
        """The files and folders named, as they can be shown."""
        return [_shown(place) for place in self._named]

    def read(self) -> Iterator[Raw | Problem]:
        walked = [os.path.realpath(place) for place in self._named if Path(place).is_dir()]
        seen: dict[tuple[int, int], str] = {}
        # A stack and not recursion: folders may be nested deeper than Python calls.
        waiting = [_Entry(path, place, None, named=True) for place, path in self._named.items()][::-1]
        while waiting:
            entry = waiting.pop()
            try:
                shown = _shown(entry.path)
                found = Path(entry.place).stat()
                if shown != entry.path:
                    yield Problem(shown, "its name is not valid UTF-8: rename it")
                elif stat.S_ISDIR(found.st_mode):
                    if refusal := _refused(entry, found, walked, seen):
                        yield Problem(shown, refusal, failed=False)
                        continue
                    seen[found.st_dev, found.st_ino] = shown or "the root"
                    inside, problems = self._inside(entry)
                    yield from problems
                    waiting += inside[::-1]
                elif _leads_outside(entry, walked):
                    yield Problem(shown, _OUTSIDE, failed=False)
                else:
                    yield self._file(entry, found)
            except OSError as error:
                yield Problem(_shown(entry.path) or ".", _why(error, entry.place))

    def _inside(self, folder: _Entry) -> tuple[list[_Entry], list[Problem]]:
        """What is to be looked at in a folder, ordered by the bytes of the whole path."""
        prefix = f"{folder.path}/" if folder.path else ""
        with os.scandir(folder.place) as found:
            children = [(each.name, _is_folder(each)) for each in found]
        lines, problems = _ignore_lines(folder, {name for name, _ in children})
        rules = _Rules(prefix, GitIgnoreSpec.from_lines(lines), folder.rules) if lines else folder.rules
        inside = []
        for name, is_folder in sorted(children, key=lambda child: os.fsencode(child[0] + "/" * child[1])):
            path, place = prefix + name, os.path.join(folder.place, name)  # noqa: PTH118 - a Path is slow
            asked = path + "/" * is_folder
            excluded = self._excludes.check_file(asked).include
            if excluded is None:
                excluded = rules is not None and rules.ignore(asked)
            skipped = name.startswith(".") or name.endswith("~") or (is_folder and name in NEVER_READ)
            skipped = skipped or bool(
                self._markups and not is_folder and markup_of(name) not in self._markups
            )
            if not (skipped or excluded or place in self._named):
                inside.append(_Entry(path, place, rules))
        return inside, problems

    def _file(self, entry: _Entry, found: os.stat_result) -> Raw | Problem:
        path = entry.path
        if reason := _no_document(path, found.st_mode):
            return Problem(path, reason, failed=False)
        known = markup_of(path) is not None
        if found.st_size > self.max_bytes:
            reason = f"{found.st_size} bytes, more than the limit of {self.max_bytes}"
            return Problem(path, reason, failed=known)
        with Path(entry.place).open("rb") as file:
            data = file.read(_HEAD)
            if known or not _is_binary(data):
                data += file.read(self.max_bytes + 1 - len(data))
        if len(data) > self.max_bytes:
            return Problem(path, f"grew beyond the limit of {self.max_bytes} bytes while it was read")
        if not self._markups and (not data.strip() or data in BYTE_ORDER_MARKS):
            return Problem(path, "empty", failed=False)
        if not known and _is_binary(data):
            return Problem(path, f"binary file, suffix {suffix_of(path) or '(none)'}", failed=False)
        return Raw(path, data, _shown(entry.place))


def _absolute(path: AnyPath) -> str:
    """Links stay as they are: a document is called by the name it is found under."""
    return os.path.abspath(path)  # noqa: PTH100 - resolve() would follow them


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself, for one: said when it is looked at
        return False


def _common_folder(places: list[str]) -> str:
    folders = [place if Path(place).is_dir() else os.path.dirname(place) for place in places]  # noqa: PTH120 - a Path is slow
    try:
        return os.path.commonpath(folders)
    except ValueError:  # on several drives
        raise InvalidArgument("The paths have no folder in common.", hint="Read them one by one.") from None


def _below(place: str, root: str) -> str:
    try:
        path = Path(place).relative_to(root).as_posix()
    except ValueError:
        raise InvalidArgument(
            f"{place} is not in the root {root}.", hint="Name a root that holds every path."
        ) from None
    return "" if path == "." else path


def _refused(
    entry: _Entry, found: os.stat_result, walked: list[str], seen: dict[tuple[int, int], str]
) -> str | None:
    """Why this folder is not entered: each real folder is read once, under its own name if it has one."""
    if Path(entry.place).is_symlink() and not entry.named:
        target = Path(os.path.realpath(entry.place))
        if Path(os.path.realpath(os.path.dirname(entry.place))).is_relative_to(target):  # noqa: PTH120 - a Path is slow
            return "symbolic link to a folder that contains it"
        if any(target.is_relative_to(folder) for folder in walked):
            return f"symbolic link into a folder that is read itself, to {_shown(str(target))}"
        return _OUTSIDE
    before = seen.get((found.st_dev, found.st_ino))
    return None if before is None else f"the same folder as {before}, which is read already"


def _leads_outside(entry: _Entry, walked: list[str]) -> bool:
    """Whoever may put a link into a folder must not have other files of the machine read by it."""
    if entry.named or not Path(entry.place).is_symlink():
        return False
    target = Path(os.path.realpath(entry.place))
    return not any(target.is_relative_to(folder) for folder in walked)


def _ignore_lines(folder: _Entry, names: set[str]) -> tuple[list[str], list[Problem]]:
    lines: list[str] = []
    problems = []
    for name in IGNORE_FILES:
        if name not in names:
            continue
        place = Path(folder.place, name)
        path = f"{folder.path}/{name}" if folder.path else name
        try:
            text = os.fsdecode(place.read_bytes()) if place.is_file() else ""
        except OSError as error:
            problems.append(Problem(path, f"its patterns are unknown: {_why(error, str(place))}"))
            continue
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
            try:
                GitIgnoreSpec.from_lines([line])
            except GitIgnorePatternError:
                problems.append(Problem(path, f"line {number} is no pattern, and is ignored", failed=False))
            else:
                lines.append(line)
    return lines, problems


def nothing_found(reader: object) -> str:
    """Of a source that had nothing in it, in words."""
    where = f" in {', '.join(reader.places)}" if isinstance(reader, FolderReader) else ""
    return f"No {'files' if where else 'documents'} were found{where}."


def _is_binary(data: bytes) -> bool:
    """With NUL, or with control characters that no text has and not UTF-8 either."""
    if data.startswith(BYTE_ORDER_MARKS):
        return False
    if b"\0" in data:
        return True
    if data.isascii() or _CONTROL.isdisjoint(data):
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start < len(data) - 3  # else it may be the cut in the middle of a character
    return False


def _no_document(path: str, mode: int) -> str | None:
    """Why it is not even opened."""
    if not stat.S_ISREG(mode):
        return f"{_kind(mode)}, not a file"
    suffix = suffix_of(path)
    return f"no document, by its suffix {suffix}" if suffix in NO_DOCUMENTS else None


def _kind(mode: int) -> str:
    kinds = ((stat.S_ISFIFO, "named pipe"), (stat.S_ISSOCK, "socket"))
    return next((name for is_kind, name in kinds if is_kind(mode)), "device")


def _why(error: OSError, place: str) -> str:
    if isinstance(error, PermissionError):
        return "no permission to read it"
    if isinstance(error, FileNotFoundError):
        is_link = Path(place).is_symlink()
        return "symbolic link to something that is not there" if is_link else "vanished while it was read"
    return f"cannot be read: {error.strerror or error}"


def _shown(path: str) -> str:
    """Without what no report can print: names that are not UTF-8."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
