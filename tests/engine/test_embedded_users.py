"""Who runs the server: an ordinary user, or for root a system user."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from docgraph.embedded import package_bin_dir
from tests.engine.embedded import (
    CLIENT,
    only_root,
    query,
    running,
    server_at,
)
from tests.servers import temporary_home

REPOSITORY = Path(__file__).parents[2]


@only_root
@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_as_an_ordinary_user(umask: int) -> None:
    python = next((p for p in ("/usr/bin/python3", sys.executable) if _usable_by_nobody(p)), None)
    if python is None:
        pytest.skip("no Python here that another user can run with these packages")
    with temporary_home() as home:
        home.mkdir()
        os.chown(home, 65534, 65534)
        code = CLIENT + "print(os.geteuid())"
        done = _as_nobody([python, "-c", code, str(home / "h")], umask)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split()[1] == "65534"
        assert (home / "h").stat().st_uid == 65534
        assert not running(home / "h")


def _as_nobody(command: list[str], umask: int = 0o022) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{REPOSITORY}:{Path(psycopg.__file__).parents[1]}"}
    return subprocess.run(
        command,
        check=False,
        user=65534,
        group=65534,
        extra_groups=[],
        umask=umask,
        env=env,
        cwd="/",
        input="\n",
        text=True,
        capture_output=True,
    )


def _usable_by_nobody(python: str) -> bool:
    try:
        return _as_nobody([python, "-c", "import docgraph.embedded"]).returncode == 0
    except OSError:
        return False


@only_root
def test_programs_below_a_closed_folder_are_copied(home: Path) -> None:
    closed = home.parent / "closed"
    package = package_bin_dir().parents[1]
    shutil.copytree(package, closed / package.name, symlinks=True)
    shutil.copytree(f"{package}.libs", closed / f"{package.name}.libs")
    closed.chmod(0o700)
    bin_dir = closed / package.name / "pginstall" / "bin"
    with server_at(home, bin_dir=bin_dir) as server:
        query(server, "CREATE EXTENSION vector")
        (copy,) = home.glob("server-*")
        made = copy.stat().st_mtime_ns
    with server_at(home, bin_dir=bin_dir) as server:
        assert query(server, "SELECT '[1]'::vector::text") == [("[1]",)]
    assert [path.stat().st_mtime_ns for path in home.glob("server-*")] == [made]
    assert closed.stat().st_mode & 0o777 == 0o700
    # A package that is in reach, but with files that are not.
    closed.chmod(0o755)
    (bin_dir.parent / "share/extension/vector.control").chmod(0o600)
    (bin_dir / "postgres").touch()
    with server_at(home, bin_dir=bin_dir) as server:
        assert query(server, "SELECT '[1]'::vector::text") == [("[1]",)]
    assert [path.name for path in home.glob("server-*")] != [copy.name]


@only_root
def test_copied_programs_are_not_put_where_a_shell_would_read_their_path(home: Path) -> None:
    closed = home.parent / "closed"
    package = package_bin_dir().parents[1]
    shutil.copytree(package, closed / package.name, symlinks=True)
    shutil.copytree(f"{package}.libs", closed / f"{package.name}.libs")
    closed.chmod(0o700)
    odd = home.with_name('it\'s "$HOME" `id`')
    with server_at(odd, bin_dir=closed / package.name / "pginstall" / "bin") as server:
        assert query(server, "SELECT 1") == [(1,)]
