"""`docgraph search | expand | fetch`, each fed by the one before, and `docgraph pipeline`."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from docgraph import Access, DocGraph
from docgraph.cli.stages import EXPAND, FETCH, SEARCH
from docgraph.plan_calls import SEARCH_NODES
from docgraph.stage_calls import EXPAND_DEPENDENCY_TREE, FETCH_NODE_TEXTS
from docgraph.stages import PipelineResult
from tests.cli.conftest import COMMAND, Cli, answer, assert_error, environment, said
from tests.cli.terminal import in_terminal

QUESTION = "How many days of holiday do I have?"
PAGES = {
    "leave.md": "# Leave\n\nThirty days of holiday a year. See [pay](pay.md) and [hr](secret.md).",
    "pay.md": "# Pay\n\nSalaries come on the last day of a month. See [visa](visa.md).\n",
    "secret.md": "---\naccess: {tags: [hr]}\n---\n# Secret\n\nWho has how many days. See [list](list.md).\n",
    "list.md": "# List\n\nNames and numbers.\n",
    "visa.md": "# Visa\n\nPassports and embassies. \u2603\x1b\n",
}
FILE = """
name: what a page leads to
stages:
  search_nodes: {max_nodes: 1}
  expand_dependency_tree: {max_depth: 1, edge_allowlist: [references]}
  fetch_node_texts: {max_chars: 500, prioritization: balanced}
"""


@pytest.fixture(scope="module")
def pages(shared: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with five documents, one of them for some only; its conninfo."""
    folder = tmp_path_factory.mktemp("pages")
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    with DocGraph(shared, access=Access(tags=["hr"])) as client:
        assert client.ingest(folder, root=folder).added == len(PAGES)
    return shared


def piped(conninfo: str, *stages: str) -> subprocess.CompletedProcess[str]:
    """Several commands, each fed by the one before."""
    script = " | ".join(f"{shlex.quote(str(COMMAND))} {stage}" for stage in stages)
    return subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment(conninfo),
        stdin=subprocess.DEVNULL,
    )


MORE = "more lies behind the last step: a higher --depth would find it"
MISSING = "1 document not there, or not to be seen"


def found(done: subprocess.CompletedProcess[str], *notes: str) -> dict[str, Any]:
    """What went into the pipe, and beside it exactly these notes."""
    assert (done.returncode, said(done)) == (0, list(notes))
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


class TestByHand:
    def test_each_reads_what_the_one_before_wrote(self, pages: str) -> None:
        """And in the end there is what the pipeline gives."""
        done = piped(
            pages, f'search "{QUESTION}" --nodes 1', "expand --depth 1", "fetch --prioritization balanced"
        )
        with DocGraph(pages) as client:
            whole = client.pipeline(QUESTION, seed_limit=1, max_depth=1, prioritization="balanced")
        assert PipelineResult.from_dict(found(done, MORE)) == whole
        assert [text.id for text in whole] == ["leave.md", "pay.md"]

    def test_without_an_expansion_the_texts_are_those_of_the_seeds(self, pages: str) -> None:
        answer = found(piped(pages, f'search "{QUESTION}" --nodes 2', "fetch"))
        assert [text["id"] for text in answer["node_texts"]] == [
            hit["document_id"] for hit in answer["retrieval_seed_nodes"]
        ]

    def test_an_expansion_without_room_leads_to_no_text(self, pages: str) -> None:
        done = piped(pages, f'search "{QUESTION}" --nodes 1', "expand --nodes 0", "fetch")
        with DocGraph(pages) as client:
            whole = client.pipeline(QUESTION, seed_limit=1, max_nodes=0)
        room = "more was found than there is room for: a higher --nodes would show it"
        assert PipelineResult.from_dict(found(done, room)) == whole
        assert (len(whole.retrieval_seed_nodes), len(whole)) == (1, 0)

    def test_documents_can_be_named(self, quick: Cli, pages: str) -> None:
        (line,) = answer(quick, "expand", "leave.md", "leave.md", "--depth", "2", conninfo=pages)
        tree = json.loads(line)
        assert [node["id"] for node in tree["expanded_nodes"]] == ["leave.md", "pay.md", "visa.md"]
        assert [hit["document_id"] for hit in tree["retrieval_seed_nodes"]] == ["leave.md"]
        (line,) = answer(quick, "fetch", "visa.md", "pay.md", "--max-chars", "999", conninfo=pages)
        assert [text["id"] for text in json.loads(line)["node_texts"]] == ["visa.md", "pay.md"]

    def test_each_stage_has_a_claim_of_its_own(self, pages: str) -> None:
        """What one may see, the next may not: nothing is passed on that is not authorised anew."""
        first = f'search "{QUESTION}" --nodes 1'
        everything = found(piped(pages, first, "expand --tags hr", "fetch --tags hr"))
        assert "secret.md" in [text["id"] for text in everything["node_texts"]]
        assert everything["accounting"]["texts"]["sensitivity"]["tags"] == ["hr"]
        narrow = found(piped(pages, first, "expand --tags hr", "fetch"), MISSING)
        assert "Who has how many days" not in json.dumps(narrow["node_texts"])
        assert narrow["accounting"]["texts"]["nodes"]["missing"] == 1

    @pytest.mark.parametrize(
        ("stage", "note"), [("expand", "1 seed not there, or not to be seen"), ("fetch", MISSING)]
    )
    def test_what_is_not_there_is_said_beside_the_json(
        self, quick: Cli, pages: str, stage: str, note: str
    ) -> None:
        for more in ((), ("--json",)):
            done = quick(stage, "nowhere.md", *more, conninfo=pages)
            assert found(done, note)["accounting"]

    def test_in_a_terminal_it_is_for_people(self, pages: str) -> None:
        shown = in_terminal("search", QUESTION, "--nodes", "2", conninfo=pages, columns=200)
        assert shown.returncode == 0
        assert "Rank" in shown.text
        assert "leave.md" in shown.text
        shown = in_terminal(
            "expand", "pay.md", "--direction", "both", "--depth", "1", conninfo=pages, columns=200
        )
        lines = shown.text.splitlines()
        assert [line for line in lines if not line.startswith("Warning")][:3] == [
            "pay.md",
            "  <- references leave.md",
            "  -> references visa.md",
        ]
        shown = in_terminal("expand", "pay.md", "visa.md", "--depth", "1", conninfo=pages, columns=200)
        assert "1 more relationship among these documents: --json has all." in shown.text
        shown = in_terminal("fetch", "visa.md", "--budget-tokens", "100", conninfo=pages, columns=200)
        assert "[1] visa.md  seed, " in shown.text
        assert "Passports and embassies. \u2603" in shown.text
        assert "of 100 tokens" in shown.text
        for command in (["search", QUESTION], ["expand", "pay.md"], ["fetch", "pay.md"]):
            shown = in_terminal(*command, "--json", conninfo=pages, columns=200)
            assert json.loads(shown.text.splitlines()[-1])


class TestRefused:
    @pytest.mark.parametrize("stage", ["expand", "fetch"])
    @pytest.mark.parametrize(
        ("stdin", "message"),
        [
            ("", "nothing came through the pipe"),
            (" \n", "nothing came through the pipe"),
            ("[1] leave.md", "what came through the pipe is not JSON"),
            ("[]", "what came through the pipe has neither retrieval_seed_nodes nor expanded_nodes"),
            ('{"seeds": []}', "what came through the pipe has neither"),
            ('{"retrieval_seed_nodes": [1]}', "retrieval_seed_nodes must be a list of objects"),
            ('{"retrieval_seed_nodes": 1}', "retrieval_seed_nodes must be a list of objects"),
            ('{"retrieval_seed_nodes": {}}', "retrieval_seed_nodes must be a list of objects"),
            ('{"retrieval_seed_nodes": [], "expanded_nodes": 5}', "expanded_nodes must be a list of objects"),
            (
                '{"expanded_nodes": [], "dependency_edges": "junk"}',
                "dependency_edges must be a list of objects",
            ),
            (
                '{"retrieval_seed_nodes": [{"document_id": 1}]}',
                "retrieval_seed_nodes must be a list of objects",
            ),
        ],
    )
    def test_what_comes_through_the_pipe(
        self, quick: Cli, pages: str, stage: str, stdin: str, message: str
    ) -> None:
        done = quick(stage, conninfo=pages, stdin=stdin)
        assert_error(done, message)
        assert "Hint: " in done.stderr

    def test_nodes_that_are_none(self, quick: Cli, pages: str) -> None:
        stdin = '{"expanded_nodes": [{"id": "pay.md"}], "accounting": []}'
        assert_error(quick("fetch", conninfo=pages, stdin=stdin), "accounting must be an object")
        stdin = '{"expanded_nodes": [{"id": "pay.md"}]}'
        assert_error(quick("fetch", conninfo=pages, stdin=stdin), "nodes[0].depth must be")

    def test_a_search_that_found_nothing(self, quick: Cli, ready: str) -> None:
        done = quick("search", QUESTION, conninfo=ready)
        assert json.loads(done.stdout) == {"retrieval_seed_nodes": []}
        assert "Nothing that this claim may see" in done.stderr
        nothing = json.loads(quick("expand", conninfo=ready, stdin=done.stdout).stdout)
        assert nothing["expanded_nodes"] == nothing["dependency_edges"] == []
        assert_error(
            quick("expand", conninfo=ready, stdin='{"expanded_nodes": []}'), "has no retrieval_seed_nodes"
        )
        texts = json.loads(quick("fetch", conninfo=ready, stdin=done.stdout).stdout)
        assert texts["node_texts"] == []

    @pytest.mark.parametrize(
        ("args", "message", "hint"),
        [
            (("search", " "), "the question is empty", "Ask"),
            (
                ("search", "x", "--nodes", "201"),
                "--nodes must be from 0 to 200",
                "Leave it out for the usual 10.",
            ),
            (
                ("search", "x", "--method", "quick"),
                "--method must be auto, exact or approximate",
                "--method auto",
            ),
            (
                ("search", "x", "--title-hits"),
                "--title-hits must be false but for mode hybrid in summaries",
                "add --mode hybrid, or leave it out",
            ),
            (
                ("expand", "a", "--depth", "11"),
                "--depth must be from 0 to 10",
                "Leave it out for the usual 2.",
            ),
            (("expand", "a", "--nodes", "10001"), "--nodes must be from 0 to 10000", "Leave it out"),
            (("expand", "a", "--fan-out", "-1"), "--fan-out must be from 0 to 1000", "Leave it out"),
            (
                ("expand", "a", "--direction", "up"),
                "--direction must be outgoing, incoming or both",
                "outgoing",
            ),
            (
                ("expand", "a", "--edge", ""),
                "--edge must be a plain list of ids",
                "Give --edge once for each.",
            ),
            (
                ("search", "x", "--mode", "bm25", "--rerank", "keyword"),
                "--rerank must be none in mode bm25",
                "rerank it nevertheless: --rerank-lexical.",
            ),
            (
                ("expand", "a", "--nodes", "10000", "--fan-out", "1000"),
                "--nodes times --fan-out must",
                "Hint",
            ),
            (
                ("fetch", "a", "--max-chars", "0"),
                "--max-chars must be from 1 to 10000000",
                "How much text there may be in all: for example --max-chars 8000.",
            ),
            (("fetch", "a", "--prioritization", "x"), "--prioritization must be seed_first", "seed_first"),
            (
                ("fetch", "a", "--max-chars", "1", "--budget-tokens", "1"),
                "are both given",
                "Give one of them",
            ),
        ],
    )
    def test_options(self, quick: Cli, pages: str, args: tuple[str, ...], message: str, hint: str) -> None:
        assert_error(quick(*args, conninfo=pages), message, hint)

    def test_why_a_search_found_nothing(self, quick: Cli, pages: str) -> None:
        """Said on standard error, and no error."""
        for args, reason in (
            (("x", "--nodes", "0"), "--nodes is 0"),
            (("the of", "--mode", "bm25"), "has no word that can be looked for"),
            (("--mode", "bm25", "--", "-holiday"), "nor is what a minus excludes"),
            (("unheard", "--mode", "bm25"), "has a word of the question"),
        ):
            done = quick("search", *args, conninfo=pages)
            assert (done.returncode, json.loads(done.stdout)) == (0, {"retrieval_seed_nodes": []})
            assert reason in done.stderr

    def test_a_relation_type_that_leads_nowhere(self, quick: Cli, pages: str) -> None:
        done = quick("expand", "leave.md", "--edge", "refrences", "--json", conninfo=pages)
        shown = in_terminal("expand", "leave.md", "--edge", "refrences", conninfo=pages, columns=200)
        for text in (done.stderr, shown.text):
            assert "No relationship of type refrences leads to another document" in text

    def test_in_a_terminal_with_nothing_to_begin_with(self, pages: str) -> None:
        shown = in_terminal("expand", conninfo=pages, columns=200)
        assert shown.returncode == 1
        assert "there is no document to begin with" in shown.text
        assert "docgraph search" in shown.text


def test_every_option_stands_for_a_parameter() -> None:
    assert SEARCH.keys() <= SEARCH_NODES.parameters.keys()
    assert EXPAND.keys() == EXPAND_DEPENDENCY_TREE.parameters.keys() - {"tenant", "access"}
    assert FETCH.keys() == FETCH_NODE_TEXTS.parameters.keys() - {"tenant", "access", "nodes"}


class TestPipeline:
    @pytest.fixture
    def file(self, tmp_path: Path) -> str:
        (tmp_path / "pipeline.yaml").write_text(FILE)
        return str(tmp_path / "pipeline.yaml")

    def test_for_people(self, quick: Cli, pages: str, file: str) -> None:
        lines = answer(quick, "pipeline", file, QUESTION, conninfo=pages)
        assert lines[:4] == [
            "what a page leads to",
            "1 seed, 2 nodes, 1 edge, 2 texts",
            "leave.md",
            "  -> references pay.md",
        ]
        assert "Thirty days of holiday" in "\n".join(lines)
        assert lines[-2].endswith(" of 500 characters")
        assert lines[-1] == "more lies behind the last step: a higher max_depth would find it"

    def test_as_json_it_is_what_the_client_gives(self, quick: Cli, pages: str, file: str) -> None:
        (line,) = answer(quick, "pipeline", file, QUESTION, "--json", "--tags", "hr", conninfo=pages)
        with DocGraph(pages, access=Access(tags=["hr"])) as client:
            expected = client.pipeline(
                QUESTION,
                seed_limit=1,
                max_depth=1,
                edge_allowlist=["references"],
                max_chars=500,
                prioritization="balanced",
            )
        assert json.loads(line) == expected.to_dict()
        assert expected.accounting.sensitivity.tags == ("hr",)
        lines = answer(quick, "pipeline", file, QUESTION, "--tags", "hr", conninfo=pages)
        assert lines[-1] == "treat it as: tags hr; labels none; clearance 0"

    def test_what_the_lines_do_not_show_is_counted(self, quick: Cli, pages: str, file: str) -> None:
        done = quick("pipeline", file, "--seed", "pay.md", "--seed", "visa.md", conninfo=pages)
        assert done.stdout.splitlines()[1].startswith("2 seeds, 2 nodes, 1 edge,")
        assert said(done) == ["1 more relationship among these documents: --json has all."]

    def test_from_a_document(self, quick: Cli, pages: str, file: str) -> None:
        lines = answer(quick, "pipeline", file, "--seed", "pay.md", conninfo=pages)
        assert lines[2:4] == ["pay.md", "  -> references visa.md"]
        assert "\x1b" not in "\n".join(lines)

    @pytest.mark.parametrize(
        ("text", "args", "parts"),
        [
            (
                "stages: {fetch_nodes_text: {}}",
                (QUESTION,),
                ['stages has an unknown key "fetch_nodes_text"', "Did you mean fetch_node_texts?"],
            ),
            (
                "stages: {search_nodes: {max_nodes: 201}}",
                (QUESTION,),
                ["stages.search_nodes.max_nodes must be from 0 to 200"],
            ),
            (
                "stages: {expand_dependency_tree: {max_depth: two}}",
                (QUESTION,),
                ["stages.expand_dependency_tree.max_depth must be a whole number, not str"],
            ),
            ("stages: {}", (), ["there is no question, nor a document to begin with"]),
            ("stages: {}", (QUESTION, "--seed", "a"), ["a question and --seed are both given"]),
            ("stages: {}", (" ",), ["the question is empty"]),
            (
                "stages: {search_nodes: {mode: [bm25]}}",
                (QUESTION,),
                ['.yaml": stages.search_nodes.mode must be'],
            ),
            (
                "stages: {search_nodes: {mode: bm25, rerank: keyword}}",
                (QUESTION,),
                ["stages.search_nodes.rerank must be none in mode bm25", "rerank_lexical: True"],
            ),
            ("stages: {fetch_node_texts: {prioritization: x}}", (QUESTION,), ["prioritization: seed_first"]),
            ("stages: [", (QUESTION,), ["this is no YAML in line 1"]),
        ],
    )
    def test_refused(
        self, quick: Cli, pages: str, tmp_path: Path, text: str, args: tuple[str, ...], parts: list[str]
    ) -> None:
        (tmp_path / "x.yaml").write_text(text)
        assert_error(quick("pipeline", str(tmp_path / "x.yaml"), *args, conninfo=pages), *parts, "Hint: ")

    def test_no_file(self, quick: Cli, pages: str, tmp_path: Path) -> None:
        for file in ("nowhere.yaml", str(tmp_path)):
            done = quick("pipeline", file, QUESTION, conninfo=pages)
            assert_error(done, f'"{file}" cannot be read', "Hint: Give a file that has the settings")
            assert "For example" not in done.stderr
