"""Who may see what `docgraph ingest` brings in, and where it is refused for that."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, bring_in, figures, said
from tests.conftest import Installed
from tests.migrations.tools import as_login


def test_what_is_refused_for_access_says_how_to_claim_it_and_once(
    quick: Cli, ready: str, folder: Path
) -> None:
    for number in range(12):
        text = f"---\naccess: {{tags: [hr], clearance: 2}}\n---\n# S {number}\n"
        (folder / f"s{number:02}.md").write_text(text)
    done = quick("ingest", str(folder), conninfo=ready)
    assert done.returncode == 1
    failed, hint, _ = said(done)
    assert failed.startswith("Failed: 12 files: s00.md, s01.md, ")
    assert "s09.md and 2 more: is outside what this call may write. Claim in access all tags" in failed
    option = shlex.split(hint.partition("add ")[2].partition(". Not --tags")[0])
    assert option == ["--access", '{"tags": ["hr"], "clearance": 2}']
    strictly = said(quick("ingest", str(folder), "--strict", conninfo=ready))
    assert hint in strictly
    # Nothing of those is in, and so none of their texts counts as embedded.
    assert figures(done)["embedded"] == "6"
    assert quick("ingest", str(folder), *option, conninfo=ready).returncode == 0

    # What a claim lacks already, it is told with what it has; of what is hidden nothing is known.
    part = ("--access", '{"labels": ["x"], "tags": ["hr"]}')
    (folder / "s00.md").write_text("# Open\n")
    (folder / "s01.md").write_text("---\naccess: {clearance: 3}\n---\n# Closed\n")
    _, hint = said(quick("ingest", str(folder), *part, conninfo=ready))
    assert """add --access '{"tags": ["hr"], "labels": ["x"], "clearance": 3}'.""" in hint
    error, _, hint = said(quick("ingest", str(folder / "s00.md"), "--strict", conninfo=ready))
    assert error == 'Error: document "s00.md" is outside what this call may write'
    assert """add for example --access '{"tags": ["hr"], "clearance": 1}'.""" in hint


@pytest.mark.parametrize("options", [(), ("--strict",), ("--access", '{"tags": ["hr"], "clearance": 3}')])
def test_what_the_ceiling_lacks_no_claim_is_recommended_for(
    quick: Cli, ready: str, database: Installed, folder: Path, options: tuple[str, ...]
) -> None:
    conninfo = as_login(ready, database.writer("bound", tags=["it"], repositories=["", "r"], clearance=1))

    def hint(*given: str) -> str:
        done = quick("ingest", str(folder), *given, *options, conninfo=conninfo)
        assert done.returncode != 0
        (found,) = [line for line in said(done) if "grant_access" in line and "may not claim" in line]
        assert "--access" not in found
        return found

    assert hint("--tags", "hr,it") == (
        'Hint: login "bound" may not claim tags hr in tenant "default", by no option. '
        "An administrator raises its ceiling with docgraph.grant_access."
    )
    assert "may not claim tags hr; clearance 3 in" in hint("--tags", "hr", "--clearance", "3")
    assert "may not claim repositories other in" in hint("--repository", "other")


@pytest.mark.parametrize("option", ["--tags", "--labels"])
def test_a_restriction_that_is_empty_is_refused(quick: Cli, ready: str, folder: Path, option: str) -> None:
    done = quick("ingest", str(folder), option, " ,", conninfo=ready)
    assert done.returncode == 2
    assert said(done) == [f"Error: {option} is empty", "Hint: Leave it out to restrict nobody by it."]


def test_where_a_repository_must_be_named_the_option_is(
    quick: Cli, ready: str, database: Installed, folder: Path
) -> None:
    conninfo = as_login(ready, database.writer("bound", repositories=["r"], snapshots=["s 1", "s 2"]))
    done = quick("ingest", str(folder), conninfo=conninfo)
    assert said(done)[-1] == (
        'Hint: login "bound" may not write without a repository and a snapshot: add for example'
        " --repository r --snapshot 's 1'."
    )
    options = ("--repository", "r", "--snapshot", "s 1")
    assert quick("ingest", str(folder), *options, conninfo=conninfo).returncode == 0


def test_a_run_is_accounted_for_where_no_claim_can_be_recommended(
    quick: Cli, ready: str, folder: Path
) -> None:
    """Two documents that together ask for more tags than one call may claim."""
    for name in "ab":
        tags = ", ".join(f"{name}{number}" for number in range(600))
        (folder / f"{name}.md").write_text(f"---\naccess: {{tags: [{tags}]}}\n---\n# Closed\n")
    done = quick("ingest", str(folder), conninfo=ready)
    assert figures(done)["failed"] == "2"
    assert said(done)[0].startswith("Failed: 2 files: a.md, b.md: is outside what this call may write")


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_that_access_changes_is_said(quick: Cli, ready: str, folder: Path, options: tuple[str, ...]) -> None:
    bring_in(ready, folder)
    (folder / "new.md").write_text("# New\n")
    done = quick("ingest", str(folder), "--tags", "hr", "--clearance", "2", *options, conninfo=ready)
    assert done.returncode == 0
    assert "Note: Access changed of 3 documents: from public to (tags hr; clearance 2)." in said(done)
    assert (figures(done)["changed"], figures(done)["added"]) == ("3", "1")
