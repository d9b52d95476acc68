"""How often each thing is tried."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    calls: int
    """Through PgBouncer."""
    strings: int
    """Put in place of each text that a function takes."""
    cancels: int


SIZES = {
    "safety-small": Size(calls=10_000, strings=50, cancels=100),
    "safety-full": Size(calls=1_000_000, strings=500, cancels=1_000),
}
