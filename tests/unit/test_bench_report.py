"""The pages of figures: every figure has a unit and a meaning, and a reason stands only where it applies."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from bench.plots import pictures
from bench.quality import sets
from bench.report import pages, safety, tables, targets, texts
from bench.results import Result, Table, Target, all_of
from bench.safety.checks import NAMES
from tests.docs.blocks import ROOT

FOUND = all_of(ROOT / "bench/results")
PAGE = ROOT / "docs/benchmarks.md"
README = ROOT / "README.md"
SMALL = Result(
    "speed-small",
    {"command": "python -m bench speed", "machine": "one | another"},
    [
        Table(
            "Anything", ("what", "p50 ms"), [("a|b", 1.23456), ("none", None), ("many", 12_345)], "A note."
        ),
        Table("1 clients at once, 10 chunks", ("what", "calls a second"), [("docgraph, threads", 2.5)]),
        Table("Bringing documents in", ("what", "figure", ""), [("memory", "peak mb", 75.4)], "Of old."),
    ],
    [
        Target("A table: plan to scan", 1.5, "<=", 2),
        Target("Plans, 10 documents: client-side plan, exact to plan, exact", 1.6, ">=", 2),
    ],
)


def test_the_pages_of_figures_are_those_of_the_results() -> None:
    """`python -m bench report` makes them; nobody else writes into them."""
    shown = pictures(ROOT / "docs/plots")
    assert PAGE.read_text("utf-8") == pages.main_page(FOUND, shown, "benchmarks")
    assert {path.stem for path in (ROOT / "docs/benchmarks").iterdir()} == {*texts.COMMANDS}
    for command in texts.COMMANDS:
        page = ROOT / f"docs/benchmarks/{command}.md"
        assert page.read_text("utf-8") == pages.tables_page(command, FOUND, PAGE.name)


def test_links_of_the_pages_lead_somewhere() -> None:
    for page in (PAGE, *(ROOT / "docs/benchmarks").iterdir()):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page} links to {target}"


def test_every_target_has_a_unit_and_every_table_a_meaning() -> None:
    for result in FOUND:
        for target in result.targets:
            assert targets.reads(target)[1], target
    known = [family.title for family in tables.FAMILIES]
    for each in safety.others(FOUND):
        assert any(re.match(title, each.title) for title in known), each.title


def test_a_page_of_one_result_has_its_figures_and_says_what_was_missed() -> None:
    page = pages.alone(SMALL)
    for line in (
        "| machine | one \\| another |",
        "| a\\|b | 1.235 |",
        "| none | - |",
        "| many | 12,345 |",
        "\nA note.\n",
        "## Clients at once: 1, 10 chunks",
        "| memory | most memory of the client | 75.4 | MB |",
        "| A table: median time of «plan» ÷ of «scan» | times | 1.500 | at most 2 | met |",
        "| times | 1.600 | at least 2 | **missed** |",
    ):
        assert line in page
    # What the report says itself is not said again in the words of an older run.
    assert "Of old." not in page


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (Target("Plans, 10 documents: client-side plan, exact to plan, exact", 1.023, ">=", 2), "same scan"),
        (Target("Plans, 10 documents: client-side plan, exact to plan, exact", 1.639, ">=", 2), "Not looked"),
        (
            Target(
                "Within plans, 10 chunks: execute_plan to ANY by hand", 4, "<=", 1.5, {"a plan by hand": 2}
            ),
            "trusts the plan",
        ),
        (
            Target(
                "Within plans, 10 chunks: execute_plan to ANY by hand", 4, "<=", 1.5, {"a plan by hand": 6}
            ),
            "Not looked",
        ),
        (Target("8 clients as threads: docgraph to LangChain", 0.5, ">=", 3, {"by hand": 1.8}), "cores"),
        (Target("8 clients as threads: docgraph to LangChain", 0.5, ">=", 3, {"by hand": 3.8}), "Not looked"),
        (Target("anything", 3, "<=", 2), "Not looked"),
    ],
)
def test_a_reason_stands_only_where_it_applies(target: Target, reason: str) -> None:
    assert reason in targets.why(target)
    assert targets.why(target) in "\n".join(targets.missed([("here", target)]))


def test_only_columns_that_are_there_are_explained() -> None:
    def shown(*columns: str) -> str:
        table = Table("one: 20 questions, 30 documents", columns, [[None] * len(columns)])
        return "\n".join(tables.shown([table, table], "##"))

    assert "**±**" in shown("way", "R@5", "±")
    assert "**±**" not in shown("way", "R@5")
    assert "held out" in shown("way", "one half", "other half")
    assert shown("way", "R@5").count("rrf_k") == 1


def test_the_summary_has_the_best_of_each_and_the_run_with_more_beside_it() -> None:
    def retrieval(**times: float) -> Table:
        rows = [(name.replace("_", ", "), 1, time) for name, time in times.items()]
        return Table("Retrieval, 1,000 chunks", ("what", "calls", "p50 ms"), rows)

    quality = Table(
        "one: 20 questions, 30 documents, 40 links",
        ("way", "R@5"),
        [("flat, dense", 0.5), ("flat, BM25", 0.6), ("planned, hybrid, bridge", 0.75)],
    )
    page = pages.main_page(
        [
            Result("quality-minilm", {"command": ""}, [quality]),
            Result("scale-full", {"command": ""}, [retrieval(retrieve_approximate=9)]),
            Result(
                "speed-full",
                {"command": ""},
                [retrieval(retrieve_approximate=3, LangChain_psycopg=2, LangChain_asyncpg=1.8)],
            ),
        ],
        {"Cost": Path("plots/cost.svg")},
        "benchmarks",
    )
    assert "| one | 20 | 30 | minilm | 60.0% | 75.0% | +15.0 points |" in page
    assert "| 1,000 | 3.0 ms | not measured | not measured | 1.8 to 2.0 ms |" in page
    assert "![Cost](plots/cost.svg)" in page


def test_parts_of_safety_without_a_result_are_named() -> None:
    counts = ("DOCGRAPH_EXAMPLES=10,000", 5, 1, 0, 9.5)
    title = "Random worlds, each layer alone: like a model in Python: what a call sees"
    result = Result("safety-full-access", {"command": ""}, [Table(title, ("",) * 5, [counts])])
    missing = safety.without_result([result])
    assert missing == [*(name for name in NAMES if name != "access"), "identities", "timing", "soak"]
    page = pages.tables_page("safety", [result], "benchmarks.md")
    assert "control alone: what a call sees | 10,000 random worlds | 5 | 1 | 0 | 9.500 |" in page
    for name in missing:
        assert f"- {name}: `python -m bench safety --size full --only {name}`" in page
    (tried,) = safety.tried([result])
    assert tried[1:] == ("4 tests of 10,000 worlds each", "0 leaks or other differences")


def test_a_command_without_a_result_says_so() -> None:
    assert "No result yet: `python -m bench scale --size full`." in pages.tables_page("scale", [], "x.md")


def test_a_set_as_the_page_describes_it_is_read(tmp_path: Path) -> None:
    (described,) = re.findall(r"```json\n(.+?)```", texts.SETS, re.DOTALL)
    (tmp_path / "ghsa-authority.json.gz").write_bytes(gzip.compress(described.encode()))
    made = sets.read(tmp_path, "ghsa-authority")
    assert made.links == {"a1": [("settled_by", "r1")]}
    assert [(each.id, each.gold) for each in made.questions] == [("a1", frozenset({"r1"}))]
    assert [document["id"] for document in made.documents] == ["a1", "r1"]


def test_the_figures_of_the_first_page_are_those_of_the_page() -> None:
    measured = README.read_text(encoding="utf-8").partition("## Measured")[2].partition("## ")[0]
    rows = [line for line in measured.splitlines() if line.startswith("| ")][2:]
    assert len(rows) == 3
    assert set(rows) <= set(PAGE.read_text(encoding="utf-8").splitlines())
