"""The commands of the first page, run as a newcomer runs them: in a new environment, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, block, blocks
from tests.servers import temporary_home


@dataclass
class Newcomer:
    """A shell with a new virtual environment and a home of its own, in which the first command was run."""

    folder: Path
    environment: dict[str, str]
    first: subprocess.CompletedProcess[str] | None = None

    def run(self, script: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-euc", script],
            cwd=folder or self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


@pytest.fixture(scope="module")
def newcomer() -> Iterator[Newcomer]:
    with temporary_home() as home:
        folder = home.parent / "work"
        folder.mkdir()
        venv = home.parent / "venv"
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("DOCGRAPH", "PG", "PYTHON"))}
        shell = Newcomer(
            folder,
            clean
            | {"PATH": f"{venv / 'bin'}:{os.environ['PATH']}", "DOCGRAPH_HOME": str(home), "COLUMNS": "100"}
            # Of what is installed little is imported here: to compile all of it takes longer.
            | {"PIP_NO_COMPILE": "1"},
        )
        shell.first = shell.run(blocks("README.md", "sh")[0].text, folder=ROOT)
        yield shell


def test_first_command_shows_what_the_page_shows(newcomer: Newcomer) -> None:
    done = newcomer.first
    assert done is not None
    assert done.returncode == 0, done.stderr
    promised = block("README.md", "Two commands", "text")
    for line in _timeless(promised).splitlines():
        assert line in _timeless(done.stdout), done.stdout


def test_your_own_documents(newcomer: Newcomer) -> None:
    done = newcomer.run(block("README.md", "Your own documents", "sh"), folder=ROOT)
    assert done.returncode == 0, done.stderr
    here = newcomer.environment["DOCGRAPH_HOME"]
    promised = block("README.md", "Your own documents", "text").replace("~/.local/share/docgraph", here)
    printed = _versionless(done.stdout[done.stdout.index("Database:") :])
    assert printed.startswith(_versionless(promised)), printed
    assert "[1] docs/dba.md  seed 1, found by search" in printed
    assert newcomer.run("docgraph db verify").returncode == 0


def test_python_of_the_first_page(newcomer: Newcomer) -> None:
    script = newcomer.folder / "page.py"
    script.write_text(block("README.md", "From Python", "python"))
    done = newcomer.run("python page.py")
    assert done.returncode == 0, done.stderr
    assert "docs/dba.md - seed 1, found by search" in done.stdout
    assert " without room in " in done.stdout.splitlines()[-1]


def test_running_it_again_does_nothing(newcomer: Newcomer) -> None:
    assert newcomer.run("docgraph init").stdout.splitlines()[-1] == "Nothing to do."


def test_whoami_from_psql_prints_what_the_page_shows(newcomer: Newcomer) -> None:
    done = newcomer.run(block("README.md", "Who may see what", "sh"))
    assert done.returncode == 0, done.stderr
    promised = block("README.md", "Who may see what", "text").rstrip()
    assert "\n".join(line.rstrip() for line in done.stdout.splitlines()).startswith(promised)


def test_whoami_from_python(newcomer: Newcomer) -> None:
    script = newcomer.folder / "whoami.py"
    script.write_text(block("README.md", "Who may see what", "python"))
    done = newcomer.run("python whoami.py")
    assert done.returncode == 0, done.stderr
    assert "tags=('hr',), labels=(), clearance=2" in done.stdout


def test_every_function_has_an_example_in_psql(newcomer: Newcomer) -> None:
    command = re.search(r'`(docgraph db psql -x -c "[^`]+)`', (ROOT / "README.md").read_text())
    assert command is not None
    done = newcomer.run(command[1])
    assert done.returncode == 0, done.stderr
    for name in (path.stem for path in (ROOT / "sql/functions/api").glob("*.sql")):
        assert re.search(rf"SELECT .*docgraph\.{name}\(", done.stdout), name


def test_another_model_can_be_named(newcomer: Newcomer) -> None:
    (command,) = re.findall(r"`(docgraph init --embedding-model[^`]+)`", (ROOT / "README.md").read_text())
    with temporary_home() as home:
        done = newcomer.run(f"{command} --home {home}")
        assert "Embedding space: minilm/all_minilm_l6_v2_int8, 384 dimensions" in done.stdout
        # The extra that the page names beside it is not installed here.
        assert "Run: pip install 'docgraph[minilm]'\nWithout an embedder, documents" in done.stdout
        assert newcomer.run(f"docgraph db verify --home {home}").returncode == 0


@pytest.mark.parametrize("place", range(4), ids=["steps", "code", "put", "vectors"])
def test_examples_of_the_guide_to_ingestion(newcomer: Newcomer, place: int) -> None:
    script = newcomer.folder / "example.py"
    script.write_text(blocks("docs/ingestion.md", "python")[place].text)
    done = newcomer.run("python example.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout == blocks("docs/ingestion.md", "text")[place].text


def test_sql_of_the_guide_to_ingestion(newcomer: Newcomer) -> None:
    (script,) = blocks("docs/ingestion.md", "sql")
    newcomer.folder.joinpath("guide.sql").write_text(script.text)
    done = newcomer.run("docgraph db psql -- -v ON_ERROR_STOP=1 -f guide.sql")
    assert done.returncode == 0, done.stderr
    assert '"deleted": ["holidays", "leave"]' in done.stdout


def test_sql_of_the_first_page(newcomer: Newcomer) -> None:
    script = block("README.md", "From psql", "sql")
    assert "`docgraph db psql -f FILE`" in (ROOT / "README.md").read_text()
    newcomer.folder.joinpath("page.sql").write_text(script)
    done = newcomer.run("docgraph db psql -- -X -v ON_ERROR_STOP=1 -f page.sql")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [[cell.strip() for cell in line.split("|")] for line in done.stdout.splitlines()]
    assert ["1", "README.md", "seed", "", "", "seed 1, given"] in rows
    reason = ["docs/planning.md", "expanded", "references", "README.md", "seed 1 references this"]
    assert reason in [row[1:] for row in rows]
    assert ["similarity", "seed 1, given"] in [row[-2:] for row in rows]
    assert {"conceptual", "evidence", "accounting"} <= {row[0] for row in rows}
    assert re.search(r"^plan .*\n.*\nseeds: 3; .*\n\[1\] README.md", done.stdout, re.MULTILINE)


def test_second_command_is_the_one_that_ci_runs() -> None:
    command = blocks("README.md", "sh")[1].text.strip().rpartition(" && ")[2]
    assert f"\n{command}\n" in (ROOT / ".ci/run").read_text()


def test_links_between_pages_lead_somewhere() -> None:
    for page in (
        "README.md",
        "sql/README.md",
        "docs/dba.md",
        "docs/ingestion.md",
        "docs/integrations.md",
        "docs/pipeline.md",
        "docs/planning.md",
        "docs/retrieving.md",
        "docs/security.md",
    ):
        text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}"


def _timeless(text: str) -> str:
    """Without the times, and without what makes two columns of them."""
    return re.sub(r"[\d.]+ ms", "ms", re.sub(r" +", " ", text)).replace(" \n", "\n")


def _versionless(text: str) -> str:
    return re.sub(r"PostgreSQL [\d.]+", "PostgreSQL", text)
