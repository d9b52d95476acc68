"""Who uses a server, so that whoever leaves last can stop it.

What makes this safe is the kernel: every process that uses the server holds a shared `flock` on
`clients.lock`, which is let go however the process ends. Starts and stops take turns through `start.lock`.
"""

from __future__ import annotations

import atexit
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

with suppress(ImportError):  # Windows, where the server is refused before any of this is used
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from docgraph.embedded.places import Places


@dataclass
class _Hold:
    """This process's lock on one server, shared by all of its handles."""

    fd: int
    handles: int


_holds: dict[Path, _Hold] = {}
"""By home. Changed only in the turn of that home, which keeps threads apart just as processes."""


def _forget_after_fork() -> None:
    """A forked child is no client until it starts a handle itself: it cannot stop its parent's server."""
    for hold in _holds.values():
        os.close(hold.fd)
    _holds.clear()


if os.name == "posix":
    os.register_at_fork(after_in_child=_forget_after_fork)


class Sharing:
    """One handle's share in the server of a home. `at_exit` is called if the process ends with it."""

    def __init__(self, places: Places, at_exit: Callable[[], None]) -> None:
        self._places = places
        self._at_exit = at_exit
        self._held_by: int | None = None

    @property
    def held(self) -> bool:
        """Whether this handle has its share, and did not just inherit it by a fork."""
        return self._held_by == os.getpid()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Alone with the home: no other process or thread starts, stops, joins or leaves in the meantime."""
        fd = self._places.open_file("start.lock")
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            # Closing alone would not do: a child forked in the meantime has a copy of the descriptor.
            fcntl.flock(fd, fcntl.LOCK_UN)
            os.close(fd)

    def hold(self) -> None:
        if self.held:
            return
        home = self._places.home
        if home not in _holds:
            fd = self._places.open_file("clients.lock")
            fcntl.flock(fd, fcntl.LOCK_SH)
            _holds[home] = _Hold(fd, 0)
        _holds[home].handles += 1
        self._held_by = os.getpid()
        atexit.register(self._at_exit)

    def drop(self) -> None:
        if not self.held:
            return
        atexit.unregister(self._at_exit)
        self._held_by = None
        hold = _holds[self._places.home]
        hold.handles -= 1
        if not hold.handles:
            del _holds[self._places.home]
            fcntl.flock(hold.fd, fcntl.LOCK_UN)
            os.close(hold.fd)

    def nobody_holds(self) -> bool:
        """In our turn only: for a moment this lock looks like a client to others who ask the same."""
        fd = self._places.open_file("clients.lock")
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(fd)
        return True
