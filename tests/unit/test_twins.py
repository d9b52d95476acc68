"""The blocking client is the async one without `await`: one is written, the other made from it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import docgraph

PACKAGE = Path(docgraph.__file__).parent
DOCSTRING = '"""The blocking client. Made from async_client.py, where it is explained: change it there."""'
WORDS = {
    "docgraph, for asyncio.": "docgraph, blocking.",
    "Connection, of\n    either kind; without": "Connection;\n    without",
    "async def ": "def ",
    "async with ": "with ",
    "await ": "",
    "ask_version_async": "ask_version",
    "fetch_async": "fetch",
    "drive_async": "drive",
}


def blocking(text: str) -> str:
    """What to wait for is there already."""
    for before, after in WORDS.items():
        assert before in text, before
        text = text.replace(before, after)
    text = re.sub(r"__a(enter|exit)__", r"__\1__", text)
    text = re.sub(r"\bAsync(?=DocGraph|Database)", "", text)
    return re.sub(r'\A""".*?"""', DOCSTRING, text, flags=re.DOTALL)


def tidy(text: str) -> str:
    """Lines and imports as the checks want them."""
    for arguments in (["check", "--select", "I", "--fix"], ["format"]):
        command = [
            sys.executable,
            "-m",
            "ruff",
            *arguments,
            "--quiet",
            "--stdin-filename",
            str(PACKAGE / "client.py"),
            "-",
        ]
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, check=True, cwd=PACKAGE.parent
        )
        text = done.stdout
    return text


def test_the_blocking_client_is_made_from_the_async_one() -> None:
    made = blocking((PACKAGE / "async_client.py").read_text(encoding="utf-8"))
    twin = PACKAGE / "client.py"
    if os.environ.get("UPDATE_GOLDEN"):
        twin.write_text(tidy(made), encoding="utf-8")
    assert parts(twin.read_text(encoding="utf-8")) == parts(made)


def parts(text: str) -> list[str]:
    """Statement by statement, however the lines are broken; imports in any order."""
    (*others, client) = ast.parse(text).body
    assert isinstance(client, ast.ClassDef)
    return [*sorted(map(ast.unparse, others)), *map(ast.unparse, client.body)]
