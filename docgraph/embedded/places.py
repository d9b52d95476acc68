"""Where a server has its things: its home folder, and a folder for the socket. Both are its own alone."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from docgraph.embedded.accounts import we_are_root
from docgraph.embedded.hints import not_installed
from docgraph.errors import EmbeddedServerError

if TYPE_CHECKING:
    from docgraph.embedded.accounts import Account

_PLAIN = re.compile(r"/[\w./+-]*", re.ASCII)


def default_home() -> Path:
    """DOCGRAPH_HOME, or the place where this system keeps such data."""
    if given := os.environ.get("DOCGRAPH_HOME"):
        return Path(given)
    if we_are_root():
        # Not below /root: the server runs as another user, who cannot and should not get in there.
        return Path("/var/lib/docgraph")
    try:
        from platformdirs import user_data_path  # noqa: PLC0415 - part of the optional extra
    except ImportError:
        raise not_installed() from None
    return user_data_path("docgraph", appauthor=False)


class Places:
    """The files and folders of one server."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.pgdata = home / "pgdata"
        self.log = home / "server.log"
        self.keep = home / "keep"
        """It exists if the server is to stay when nobody uses it."""

    def made(self) -> bool:
        """Whether this is a home: looking at a folder must not make files in it."""
        return (self.home / "start.lock").exists()

    def make(self, account: Account) -> None:
        """A home for the account alone. Folders that others made keep their permissions."""
        missing = [folder for folder in self.home.parents if not folder.exists()]
        if account.user:
            _require_way(self.home.parents[len(missing)], account)
        for folder in reversed(missing):
            with suppress(FileExistsError):
                folder.mkdir()
                if account.user:
                    folder.chmod(0o755)  # whatever root's umask is, the server's user has to pass
        with suppress(FileExistsError):
            self.home.mkdir(mode=0o700)
        if account.user and self.home.stat().st_uid == 0 and not any(self.home.iterdir()):
            account.own(self.home)
        found = self.home.stat()
        if found.st_uid != account.uid:
            raise EmbeddedServerError(
                f"The folder {self.home} does not belong to the system user {account.name}.",
                hint="Give an empty or a new folder in DOCGRAPH_HOME.",
            )
        if found.st_mode & 0o022:
            raise EmbeddedServerError(
                f"Other system users may write to the folder {self.home}.",
                hint=f"Run: chmod 700 '{self.home}'",
            )

    def open_file(self, name: str) -> int:
        """A descriptor of a file in the home, made if need be."""
        path, flags = self.home / name, os.O_RDWR | os.O_NOFOLLOW
        try:
            fd = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return os.open(path, flags)
        if we_are_root():
            os.fchown(fd, self.home.stat().st_uid, -1)  # so that the server's user can take it too
        return fd

    def socket_dir(self) -> Path:
        """The home if its path fits into a socket address, else a folder of ours in the temporary one."""
        if _fits(self.home):
            return self.home
        uid = self.home.stat().st_uid if self.home.exists() else os.geteuid()
        name = f"docgraph-{uid}-{hashlib.sha256(os.fsencode(self.home)).hexdigest()[:12]}"
        folder = Path(tempfile.gettempdir()) / name
        return folder if _fits(folder) else Path("/tmp") / name  # noqa: S108 - checked before each use

    def make_socket_dir(self, account: Account) -> Path:
        folder = self.socket_dir()
        if folder != self.home:
            with suppress(FileExistsError):
                folder.mkdir(mode=0o700)
                account.own(folder)
            self.require_private(folder)
        return folder

    def require_private(self, folder: Path) -> None:
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


def _require_way(folder: Path, account: Account) -> None:
    """The server's user must be able to get there; what keeps it out is never opened by us."""
    if not folder.is_dir() or account.may_enter(folder):
        return
    way = [*reversed(folder.parents), folder]
    closed = next((step for step in way if not account.may_enter(step)), folder)
    raise EmbeddedServerError(
        f"The system user {account.name}, who runs the server, may not enter the folder {closed}.",
        hint="Give a folder outside it in DOCGRAPH_HOME, such as /var/lib/docgraph.",
    )


def _fits(folder: Path) -> bool:
    """A socket address holds about 100 bytes; settings and connection strings split at some characters."""
    path = str(folder)
    return len(path) < 80 and _PLAIN.fullmatch(path) is not None
