"""What processes have taken of memory. Imports nothing of ours: that would be counted."""

from __future__ import annotations

import ctypes
import gc
import re
import resource
from collections.abc import Iterable
from pathlib import Path

PEAK, ALL, OWN = "VmHWM", "VmRSS", "RssAnon"
"""The most so far; now; and of that what is shared with nobody."""


def of_process(pid: int | str, what: str) -> float | None:
    """In MB; None where it is not to be seen."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    found = re.search(rf"^{what}:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) / 2**10 if found else None


def peak_mb() -> float:
    """The most that this process has taken so far."""
    # What getrusage says on Linux counts the process that started this one, too.
    found = of_process("self", PEAK)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20 if found is None else found


def held_mb() -> float | None:
    """What this process has to itself now, without what it has freed and not yet given back."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError):
        return None
    return of_process("self", OWN)


def of_server(host: str, pids: Iterable[int]) -> float | None:
    """What these processes of a server have to themselves; None where it is not reached by a socket.

    By the network it may be another machine, or a container, in which the same numbers are other processes.
    """
    if not host.startswith("/"):
        return None
    found = [of_process(pid, OWN) for pid in pids]
    known = [each for each in found if each is not None]
    return sum(known) if known and len(known) == len(found) else None
