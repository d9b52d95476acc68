"""The page about the three stages: its examples, and what they print, on the project's own code."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import yaml

from docgraph import PipelineSettings
from docgraph.stages.options import STAGES
from tests.docs.blocks import ROOT, block
from tests.docs.following import follow
from tests.sql.leaf.test_bound import given

PAGE = "docs/pipeline.md"
CALLS = r"docgraph\.(visible_classes|make_plan|writable_among|check_relationships)\("


def test_every_example_prints_what_the_page_shows(tmp_path: Path) -> None:
    """In a folder that has what a checkout has."""
    for name in ("docgraph", "sql"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    printed = follow(PAGE, tmp_path)
    assert len(printed) == 4
    assert json.loads((tmp_path / "report.json").read_text())["failed"] == 0
    # Each function of the API that can be found by reading calls the predicate, by way of others.
    callers = set(re.findall(r"sql/functions/api/(\w+)\.sql", next(iter(printed.values()))))
    assert callers == {
        path.stem
        for path in (ROOT / "sql/functions/api").glob("*.sql")
        if re.search(
            r"docgraph\.(visible_classes|make_plan|writable_among|check_relationships)\(", path.read_text()
        )
    }


def test_the_pipeline_of_the_page_is_one() -> None:
    text = block(PAGE, "Pipelines written down", "yaml")
    assert PipelineSettings.from_yaml(text).options
    for stage, options in STAGES.items():
        (said,) = re.findall(rf"^  {stage}: +# (.+)$", text, re.MULTILINE)
        named = set(re.findall(r"\w+", said)) - {"or"}
        assert named == options.__annotations__.keys()
    assert yaml.safe_load(text)["stages"].keys() == STAGES.keys()


def test_the_limits_of_the_page_are_those_of_the_database() -> None:
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    bounds = (ROOT / "sql/functions/leaf/bound.sql").read_text(encoding="utf-8")
    for parameter, name in (("max_depth", "tree_depth"), ("max_nodes", "tree_nodes"), ("fan_out", "fan_out")):
        assert name in given()
        (highest,) = re.findall(rf"^\| `{parameter}`.*\| (\d+) \|$", page, re.MULTILINE)
        assert f"WHEN '{name}' THEN {highest} " in bounds
    assert "WHEN 'tree_edges' THEN 1000000 " in bounds
    assert "at most 1,000,000" in page
