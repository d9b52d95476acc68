"""A guide, followed from beginning to end: its commands, and what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.docs.blocks import Block, blocks
from tests.servers import temporary_home


@contextmanager
def new_database() -> Iterator[dict[str, str]]:
    """The environment of a shell that has a database of its own. Its server stays up between commands."""
    with temporary_home() as home:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("DOCGRAPH", "PG", "PYTHON"))}
        environment = clean | {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "DOCGRAPH_HOME": str(home),
            "PYTHONIOENCODING": "utf-8",
        }
        for command in ("db start", "init"):
            subprocess.run(["docgraph", *command.split()], env=environment, check=True, capture_output=True)
        try:
            yield environment
        finally:
            subprocess.run(["docgraph", "db", "stop"], env=environment, check=True, capture_output=True)


def run(shown: Block, folder: Path, environment: dict[str, str]) -> str:
    """What a block prints."""
    (folder / "script").write_text(shown.text)
    program = {
        "python": [sys.executable, "script"],
        "sh": ["bash", "-eu", "script"],
        "sql": ["docgraph", "db", "psql", "--", "-X", "-v", "ON_ERROR_STOP=1", "-f", "script"],
    }[shown.language]
    done = subprocess.run(
        program, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_shown(printed: str, promised: str) -> None:
    """Three dots stand for what is left out."""
    printed, promised = (
        "\n".join(line.rstrip() for line in text.rstrip().splitlines()) for text in (printed, promised)
    )
    assert re.fullmatch(re.escape(promised).replace(r"\.\.\.", "(?s:.*)"), printed), printed


def follow(page: str, folder: Path) -> dict[str, str]:
    """What each example printed: it is what the page shows after it."""
    found = blocks(page, "python", "sh", "sql", "text")
    printed = {}
    with new_database() as environment:
        for example, promised in zip(found[::2], found[1::2], strict=True):
            assert (example.language != "text", promised.language) == (True, "text")
            printed[example.text] = run(example, folder, environment)
            assert_shown(printed[example.text], promised.text)
    return printed
