"""How often each thing is tried."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    worlds: int
    """Random ones, for each test of them."""
    calls: int
    """Through PgBouncer."""
    strings: int
    """Put in place of each text that a function takes."""
    kills: int
    cancels: int
    timings: int
    """Of each call about what is hidden."""
    seconds: float
    """Of coming and going."""


SIZES = {
    "safety-small": Size(worlds=100, calls=10_000, strings=5, kills=10, cancels=20, timings=200, seconds=60),
    "safety-full": Size(
        worlds=10_000, calls=1_000_000, strings=500, kills=500, cancels=1_000, timings=10_000, seconds=3600
    ),
}
