"""Where the SQL and the migrations lie: inside the package in a wheel, beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    # Inside first: what lies beside an installed package is somebody else's, and migrations are code.
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


SQL = _folder("sql")
MIGRATIONS = _folder("migrations")
