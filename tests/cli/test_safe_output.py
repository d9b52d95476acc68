"""What documents say of themselves reaches the terminal as text, whatever it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from docgraph import DocGraph
from docgraph.documents import Chunk, Document, Link
from tests.cli.conftest import Cli, answer, assert_error
from tests.cli.terminal import in_terminal

if TYPE_CHECKING:
    from tests.conftest import Installed

HOSTILE = "[red]x[/] [/] :smile: \x1b[31m\x07\x9b31m\u202eabc\r\nnext"
SPELT = r"[red]x[/] [/] :smile: \x1b[31m\x07\x9b31m\u202eabc\r\nnext"


def put(database: Installed, document: Document) -> None:
    with DocGraph(database.conninfo) as client:
        assert client.put([document]).added == 1


@pytest.fixture
def hostile(database: Installed) -> str:
    """Everything that a document can say of itself, made to take the terminal over."""
    put(
        database,
        Document(
            id=HOSTILE,
            title=HOSTILE,
            doc_type=HOSTILE,
            source=HOSTILE,
            summary=HOSTILE,
            section_titles=[HOSTILE],
            names=["name " + HOSTILE],
            chunks=[Chunk(HOSTILE, 1, None, [HOSTILE])],
            links=[Link("r" + HOSTILE, "to " + HOSTILE, HOSTILE)],
        ),
    )
    return database.conninfo


@pytest.mark.parametrize("terminal", [False, True])
def test_nothing_that_a_document_says_steers_the_terminal(quick: Cli, hostile: str, terminal: bool) -> None:
    for command in (["ls"], ["show"], ["show", "--text"], ["links"], ["rm"]):
        args = command if command == ["ls"] else [*command, HOSTILE]
        if terminal:
            # Without colours of our own, all that are left would be of the document.
            text = in_terminal(*args, conninfo=hostile, columns=1000, typed="y\n", NO_COLOR="1").raw
        else:
            done = quick(*args, conninfo=hostile)
            assert done.returncode == 0
            text = done.stdout
        assert SPELT in text
        for steering in ("\x1b[31m", "\x07", "\x9b", "\u202e"):
            assert steering not in text


def test_an_error_does_not_steer_the_terminal_either(quick: Cli, database: Installed) -> None:
    done = quick("show", "\x1b[31m[/]", conninfo=database.conninfo)
    assert_error(done, r'"\x1b[31m[/]"')
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(
    "env", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_a_terminal_without_the_characters(cli: Cli, database: Installed, env: dict[str, str]) -> None:
    put(database, Document(id="caf\u00e9", title="\u2603"))
    assert answer(cli, "ls", conninfo=database.conninfo, **env) == [
        r"caf\xe9" + "\t" + r"\u2603\t\t".replace(r"\t", "\t")
    ]
    (line,) = answer(cli, "ls", "--json", conninfo=database.conninfo, **env)
    assert json.loads(line)["document_id"] == "caf\u00e9"
