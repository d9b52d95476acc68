"""`docgraph context`: what it refuses, and what it makes harmless."""

from __future__ import annotations

import pytest

from docgraph import DocGraph, RetrievedContext
from docgraph.documents import Chunk, Document, Link
from docgraph.ingest.embedding import resolve_embedder
from tests.cli.conftest import Cli, answer, assert_error
from tests.cli.terminal import in_terminal


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        ([], ["there is no question", "Hint: Chunks are chosen by a question"]),
        (["--seed", "a"], ["there is no question", "Hint: "]),
        ([" "], ["the question is empty", "Hint: "]),
        (
            ["q", "--budget-tokens", "9", "--max-chars", "9"],
            ["--budget-tokens and --max-chars are both given"],
        ),
        (["q", "--plan", "x", "--seeds", "1"], ["--plan and --seeds are both given", "Hint: A stored plan"]),
        (["q", "--plan", "x", "--seed", "a"], ["--plan and --seed are both given", "Hint: "]),
        (["q", "--plan", "x", "--relation", "a"], ["--plan and --relation are both given", "Hint: "]),
        (["q", "--budget-tokens", "0"], ["--budget-tokens must be", "Hint: "]),
        (["q", "--max-chars", "-1"], ["--max-chars must be", "Hint: "]),
        (["q", "--chunks", "1001"], ["--chunks must be from 0 to 1000", "Hint: "]),
        (["q", "--chunks", "1000000000000"], ["--chunks must be a whole number that fits", "--chunks 3."]),
        (["q", "--seeds", str(2**40)], ["--seeds must be a whole number that fits", "--seeds 3."]),
        (["q", "--per-document", "-1"], ["--per-document must be", "Hint: "]),
        (["q", "--reserve", "2"], ["--reserve must be from 0 to 1", "leave it out for the usual 0.4."]),
        (["q", "--reserve", "nan"], ["--reserve must be from 0 to 1", "Hint: "]),
        (["q", "--conceptual-share", "-1"], ["--conceptual-share must be from 0 to 1", "Hint: "]),
        (["q", "--selection", "best"], ["--selection must be", "Hint: For example --selection similarity."]),
        (["q", "--seeds", "201"], ["--seeds must be from 0 to 200", "Hint: "]),
        (["q", "--scope-distance", "0.1"], ["--scope-distance is for --scope cluster", "Hint: Give both"]),
        (["q", "--tenant", "other"], ["this login has no access to this tenant", "Hint: "]),
        (["half \udcff"], ["Hint: "]),
    ],
    ids=lambda value: (
        " ".join(value).encode("ascii", "replace").decode() if isinstance(value, list) else None
    ),
)
def test_what_is_refused_names_the_option(quick: Cli, shared: str, args: list[str], parts: list[str]) -> None:
    done = quick("context", *args, conninfo=shared)
    assert_error(done, *parts)
    assert done.stdout == ""


def test_an_unknown_format(quick: Cli) -> None:
    done = quick("context", "q", "--format", "xml")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'text', 'markdown', 'json'" in " ".join(done.stderr.replace("│", " ").split())


def test_a_database_that_is_not_set_up(quick: Cli, empty: str) -> None:
    assert_error(quick("context", "q", conninfo=empty), "Hint: Run: docgraph init")


HOSTILE = "[red]x[/] \x1b[31m\x07\x9b31m\u202eabc\r\nnext"
SPELT = r"[red]x[/] \x1b[31m\x07\x9b31m\u202eabc\r"


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_nothing_that_a_document_says_steers_the_terminal(ready: str, form: str) -> None:
    embedder = resolve_embedder(None, model="wordllama/l2_supercat_256", dimensions=256)
    vector = embedder.embed_query(HOSTILE)
    hostile = Document(
        id=HOSTILE,
        title=HOSTILE,
        source=HOSTILE,
        summary=HOSTILE,
        summary_embedding=vector,
        section_titles=[HOSTILE],
        chunks=[Chunk(HOSTILE, 1, vector, [HOSTILE])],
        links=[Link("r" + HOSTILE, "to")],
    )
    with DocGraph(ready) as client:
        report = client.put([hostile, Document(id="to", chunks=[Chunk("to", 1, vector)])])
    assert report.added == 2
    quiet = {"NO_COLOR": "1", "PYTHONWARNINGS": "ignore"}
    shown = in_terminal("context", HOSTILE, "--format", form, conninfo=ready, columns=1000, **quiet)
    assert shown.returncode == 0
    for steering in ("\x1b[31m", "\x07", "\x9b", "\u202e"):
        assert steering not in shown.raw
    if form == "json":
        found = RetrievedContext.from_json(shown.text.splitlines()[-1])
        assert [chunk.text for chunk in found.chunks] == [HOSTILE, "to"]
    else:
        assert SPELT in shown.text


def test_text_in_a_pipe_is_harmless_too(quick: Cli, ready: str) -> None:
    vector = resolve_embedder(None, model="wordllama/l2_supercat_256", dimensions=256).embed_query("a")
    with DocGraph(ready) as client:
        client.put([Document(id="a", chunks=[Chunk(HOSTILE, 1, vector)])])
    lines = answer(quick, "context", "a", "--search-in", "chunks", conninfo=ready)
    assert lines[3:5] == [SPELT, "next"]
