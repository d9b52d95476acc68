"""What a process has taken of memory. Imports nothing of ours: that would be counted."""

from __future__ import annotations

import re
import resource
from pathlib import Path


def peak_mb() -> float:
    """The most that this process has taken so far."""
    status = Path("/proc/self/status")
    if status.exists():
        # What getrusage says on Linux counts the process that started this one, too.
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0]) / 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
