"""The `docgraph` command in a terminal, as somebody sits before it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from typing import NamedTuple

from tests.cli.conftest import COMMAND, environment

_STYLES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Shown(NamedTuple):
    returncode: int
    raw: str
    """All that went to the terminal."""

    @property
    def text(self) -> str:
        """Without colours and movements of the cursor."""
        return _STYLES.sub("", self.raw).replace("\r\n", "\n")


def in_terminal(
    *args: str, conninfo: str | None = None, typed: str = "", columns: int = 80, **env: str
) -> Shown:
    """Runs `docgraph` in a terminal in which something has been typed already."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.write(ours, typed.encode())
    kept = {k: v for k, v in environment(conninfo, **env).items() if k not in {"COLUMNS", "LINES"}}
    process = subprocess.Popen(
        [COMMAND, *args], stdin=theirs, stdout=theirs, stderr=theirs, env={"TERM": "xterm"} | kept
    )
    os.close(theirs)
    shown = b""
    try:
        while data := os.read(ours, 65536):
            shown += data
    except OSError:
        pass  # the other end is closed: it has ended
    finally:
        os.close(ours)
    return Shown(process.wait(timeout=60), shown.decode())
