"""The page about other frameworks: its examples, and what they print."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from docgraph.cli import app
from docgraph.integrations.langchain import DocGraphRetriever
from docgraph.retrieving import RetrieveOptions
from tests.docs.blocks import ROOT, block
from tests.docs.following import follow

PAGE = "docs/integrations.md"


def test_every_example_prints_what_the_page_shows(tmp_path: Path) -> None:
    assert len(follow(PAGE, tmp_path)) == 2


def test_the_settings_of_a_program_name_a_command_and_its_options() -> None:
    (server,) = json.loads(block(PAGE, "Model Context Protocol", "json"))["mcpServers"].values()
    name, *args = server["args"]
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]  # a group has them
    assert server["command"] == "docgraph"
    assert command.make_context(name, args).params["repository"] == ["handbook"]


def test_names_on_the_page_are_there() -> None:
    text = (ROOT / PAGE).read_text()
    own = DocGraphRetriever.model_fields.keys() - DocGraphRetriever.__mro__[1].model_fields.keys()  # type: ignore[attr-defined]  # the base of the framework has them
    for name in own:
        assert f"`{name}`" in text
    for name in ("relation_types", "max_chunks", "selection"):
        assert name in RetrieveOptions.__annotations__
        assert f"`{name}`" in text
