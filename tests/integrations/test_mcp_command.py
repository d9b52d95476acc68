"""`docgraph mcp`: the command, as programs start it."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult

from docgraph import DocGraph
from docgraph.integrations.mcp import make_server
from tests.cli.conftest import COMMAND, Cli, assert_error, environment
from tests.cli.terminal import in_terminal
from tests.integrations.protocol import ASKED, TOOLS, connected, refused, text


def command(conninfo: str, *args: str, **env: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=str(COMMAND), args=["mcp", *args], env=environment(conninfo, **env), cwd="/"
    )


@contextmanager
def started(conninfo: str) -> Iterator[subprocess.Popen[str]]:
    """The command after the handshake, its pipes in the hands of the test."""
    with subprocess.Popen(
        [COMMAND, "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(conninfo),
    ) as process:
        try:
            who = {"name": "test", "version": "1"}
            hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who}
            assert said(process, "initialize", hello)["serverInfo"]["name"] == "docgraph"
            send(process, {"method": "notifications/initialized"})
            yield process
        finally:
            process.kill()


def send(process: subprocess.Popen[str], message: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()


def said(process: subprocess.Popen[str], method: str, params: dict[str, Any]) -> Any:
    """The answer, which is the next line that it prints."""
    send(process, {"id": method, "method": method, "params": params})
    assert process.stdout is not None
    found = json.loads(process.stdout.readline())
    assert (found["jsonrpc"], found["id"]) == ("2.0", method)
    return found["result"]


class TestTheCommand:
    def test_answers_as_python_does(self, handbook: str, mode: str) -> None:
        async def ask(each: Client) -> list[CallToolResult]:
            return [await each.call_tool(tool, ASKED) for tool in TOOLS]

        with DocGraph(handbook) as client:
            here = connected(make_server(client), ask)
        there = connected(command(handbook), ask, mode)
        assert [text(found) for found in here] == [text(found) for found in there]
        assert not [found for found in (*here, *there) if found.is_error]

    @pytest.mark.parametrize(
        ("args", "env", "expected"),
        [
            (["--tenant", "rival"], {}, "rival.md"),
            (["--access", '{"tags": ["hr"]}'], {}, "secret.md"),
            (["--tags", "hr"], {}, "secret.md"),
            ([], {"DOCGRAPH_ACCESS": '{"tags": ["hr"]}'}, "secret.md"),
        ],
    )
    def test_tenant_and_claim_are_options_or_environment(
        self, handbook: str, args: list[str], env: dict[str, str], expected: str
    ) -> None:
        async def ask(each: Client) -> None:
            assert expected in text(await each.call_tool("plan", ASKED))
            for name in ("access", "tenant"):
                assert (await each.call_tool("plan", {**ASKED, name: "default"})).is_error

        connected(command(handbook, *args, **env), ask)

    def test_prints_nothing_but_the_protocol(self, handbook: str) -> None:
        with started(handbook) as process:
            found = said(process, "tools/call", {"name": "context", "arguments": ASKED})
            rest, errors = process.communicate(timeout=60)
        assert "Thirty days" in found["content"][0]["text"]
        assert (rest, process.returncode) == ("", 0)
        assert "Traceback" not in errors

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_a_signal_ends_it_while_it_waits_for_input(self, handbook: str, number: signal.Signals) -> None:
        with started(handbook) as process:
            said(process, "tools/call", {"name": "plan", "arguments": ASKED})
            process.send_signal(number)
            assert process.wait(timeout=30) == 128 + number
            assert process.stderr is not None
            assert "Traceback" not in process.stderr.read()

    def test_in_a_terminal_it_says_what_it_waits_for(self, handbook: str) -> None:
        shown = in_terminal("mcp", conninfo=handbook, typed="\x04")
        assert shown.returncode == 0
        assert shown.text.startswith("Waiting for a program that speaks MCP.")

    def test_starts_without_a_database(self, tmp_path: Path) -> None:
        said = refused(command(f"host={tmp_path}"), "plan", ASKED)
        assert said == "The database cannot be reached now. The log of this server says more."

    def test_makes_no_server_in_a_folder_that_has_none(self, tmp_path: Path) -> None:
        said = refused(command("", "--home", str(tmp_path / "typo")), "plan", ASKED)
        assert said.startswith(f"There is no docgraph server in the folder {tmp_path / 'typo'}.")
        assert not (tmp_path / "typo").exists()

    def test_bad_options_are_refused_before_it_starts(self, cli: Cli, handbook: str) -> None:
        assert_error(cli("mcp", "--access", "x", conninfo=handbook), "access is not JSON")
