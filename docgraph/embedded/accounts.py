"""Whom the server belongs to. PostgreSQL refuses to run as root, so root has it run by a system user."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docgraph.embedded.hints import USE_A_URL
from docgraph.errors import EmbeddedServerError

with suppress(ImportError):  # Windows, where the server is refused before any of this is used
    import pwd

if TYPE_CHECKING:
    from pathlib import Path

SYSTEM_USER = "docgraph"

_USERADD = ("--system", "--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin")


@dataclass(frozen=True)
class Account:
    """Who owns the files of a server and runs its programs: `user`, or ourselves if that is None."""

    user: pwd.struct_passwd | None

    @property
    def uid(self) -> int:
        return self.user.pw_uid if self.user else os.geteuid()

    @property
    def name(self) -> str:
        try:
            return pwd.getpwuid(self.uid).pw_name
        except KeyError:  # in a container there may be nothing but the number
            return str(self.uid)

    def own(self, path: Path) -> None:
        """Take over a file or folder that we just made."""
        if self.user:
            os.chown(path, self.user.pw_uid, self.user.pw_gid, follow_symlinks=False)

    def may_enter(self, folder: Path) -> bool:
        """The system is asked: modes are not all there is."""
        return self.run("/bin/sh", "-c", 'cd "$1"', "sh", folder).returncode == 0

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a program as this user, in a folder that the user can be in, without PG* variables."""
        env = {k: v for k, v in os.environ.items() if not k.startswith("PG")}
        env |= {"LC_ALL": "C", "TZ": "UTC"}
        user = self.user
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


def we_are_root() -> bool:
    return os.name == "posix" and os.geteuid() == 0


def account_for_server() -> Account:
    """The one that a server started by us belongs to."""
    return Account(_system_user() if we_are_root() else None)


def _system_user() -> pwd.struct_passwd:
    """Made if it is not there."""
    useradd = shutil.which("useradd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    said = "There is no program useradd."
    for _ in range(25):
        with suppress(KeyError):
            return pwd.getpwnam(SYSTEM_USER)
        if useradd is None:
            break
        done = subprocess.run(  # noqa: S603 - no shell, and no argument from outside
            [useradd, *_USERADD, SYSTEM_USER], check=False, capture_output=True, text=True, cwd="/"
        )
        said = done.stderr.strip()
        if done.returncode:
            time.sleep(0.2)  # another process may be making it
    raise EmbeddedServerError(
        f"PostgreSQL does not run as root, and the system user {SYSTEM_USER} cannot be made: {said}",
        hint=f"Make a system user named {SYSTEM_USER}, or run as an ordinary user. {USE_A_URL}",
    )
