"""Where the home and the socket may be, and who may get there."""

from __future__ import annotations

import hashlib
import os
import pwd
import tempfile
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from docgraph.embedded import EmbeddedServer
from docgraph.errors import EmbeddedServerError
from tests.engine.embedded import (
    AS_ROOT,
    only_root,
    query,
    running,
    server_at,
)


def test_where_the_home_is(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCGRAPH_HOME", str(home / "from the environment"))
    assert EmbeddedServer().home == home / "from the environment"
    assert EmbeddedServer(home).home == home
    monkeypatch.delenv("DOCGRAPH_HOME")
    if AS_ROOT:
        assert EmbeddedServer().home == Path("/var/lib/docgraph")
    else:
        assert EmbeddedServer().home.name == "docgraph"


@pytest.mark.parametrize(
    "name", ["x" * 220, "a b", "ünïcödé", 'it\'s "quoted"', "a,b", "$HOME `id` \\", "-D"], ids=str
)
def test_odd_paths(home: Path, name: str) -> None:
    with server_at(home.parent / name) as server:
        assert query(server, "SELECT 1") == [(1,)]
        folder = server.status().socket_dir
        assert folder
        assert folder == server.home or folder.parent == Path(tempfile.gettempdir())
        assert folder.stat().st_mode & 0o777 == 0o700
        assert len(conninfo_to_dict(server.conninfo)["host"]) < 90  # type: ignore[arg-type]  # a folder is a text
    assert not running(server.home)
    if folder != server.home:
        folder.rmdir()


@pytest.mark.parametrize("kind", ["link", "open"])
def test_a_socket_folder_of_somebody_else_is_not_used(home: Path, kind: str) -> None:
    long = home / ("x" * 100)
    uid = pwd.getpwnam("docgraph").pw_uid if AS_ROOT else os.geteuid()
    with server_at(home):  # makes the system user, if need be
        pass
    digest = hashlib.sha256(os.fsencode(long)).hexdigest()[:12]
    planted = Path(tempfile.gettempdir()) / f"docgraph-{uid}-{digest}"
    if kind == "link":
        planted.symlink_to(home)
    else:
        planted.mkdir()
        planted.chmod(0o777)
    try:
        with pytest.raises(EmbeddedServerError, match="not a folder that only"):
            server_at(long).start()
    finally:
        planted.unlink() if kind == "link" else planted.rmdir()
    assert not running(long)


def test_a_folder_that_others_may_write_to(home: Path) -> None:
    home.mkdir()
    home.chmod(0o777)
    with pytest.raises(EmbeddedServerError, match="Other system users may write"):
        server_at(home).start()


def test_a_home_that_is_a_file(home: Path) -> None:
    home.touch()
    with pytest.raises(EmbeddedServerError) as caught:
        server_at(home / "below").start()
    assert str(home) in str(caught.value)


@only_root
def test_a_home_below_a_closed_folder(home: Path) -> None:
    closed = home.parent / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(EmbeddedServerError, match=f"may not enter the folder {closed}\\.") as caught:
        server_at(closed / "a" / "home").start()
    assert "DOCGRAPH_HOME" in str(caught.value)
    assert not any(closed.iterdir())
    assert closed.stat().st_mode & 0o777 == 0o700


@only_root
def test_a_folder_with_other_things_in_it_is_left_alone(home: Path) -> None:
    home.mkdir()
    (home / "file").touch()
    with pytest.raises(EmbeddedServerError, match="does not belong to the system user docgraph"):
        server_at(home).start()
    assert not server_at(home).status().running
    assert not server_at(home).stop()
    assert home.stat().st_uid == 0
    assert [path.name for path in home.iterdir()] == ["file"]
