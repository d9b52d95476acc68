"""What a command claims: --access or DOCGRAPH_ACCESS, and the options beside it."""

from __future__ import annotations

from typing import Any

import pytest
import typer

from docgraph import Access, DocGraph
from docgraph.access import Identity
from docgraph.cli.claims import describe_identity, on_documents, parse_access
from docgraph.errors import InvalidArgument

PUBLIC: dict[str, object] = {"tags": (), "labels": (), "clearance": 0}


def claimed(*options: str) -> dict[str, Any]:
    """The claim of a command that is given these options; the database is not asked."""
    found: list[DocGraph] = []

    def command(client: DocGraph) -> None:
        found.append(client)

    app = typer.Typer()
    app.command()(on_documents(command))
    app([*options, "--database-url", "host=nowhere.invalid"], standalone_mode=False)
    return found[0].access.to_dict()


@pytest.mark.parametrize(
    ("options", "claim"),
    [
        ([], {}),
        (["--tags", "hr"], {"tags": ("hr",)}),
        (["--tags", "x, hr,", "--tags", "y"], {"tags": ("hr", "x", "y")}),
        (["--access", '{"tags": ["hr"], "clearance": 1}'], {"tags": ("hr",), "clearance": 1}),
        (["--access", '{"tags": ["hr"]}', "--tags", "x"], {"tags": ("hr", "x")}),
        (["--access", '{"labels": ["pii"]}', "--labels", "a,b"], {"labels": ("a", "b", "pii")}),
        (["--access", '{"clearance": 3}', "--clearance", "1"], {"clearance": 1}),
        (["--access", '{"clearance": 3}', "--clearance", "0"], {"clearance": 0}),
        (["--access", '{"repositories": []}'], {"repositories": ()}),
        (["--access", '{"repositories": ["a"]}', "--repository", "b"], {"repositories": ("b",)}),
        # Not split: an empty one is what documents outside any repository have.
        (["--repository", "", "--repository", "a,b"], {"repositories": ("", "a,b")}),
        (["--snapshot", "", "--access", '{"snapshots": ["a"]}'], {"snapshots": ("",)}),
    ],
    ids=" ".join,
)
def test_options_are_added_to_access_or_take_its_place(options: list[str], claim: dict[str, object]) -> None:
    assert claimed(*options) == PUBLIC | claim


def test_the_environment_claims_unless_the_option_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCGRAPH_ACCESS", '{"tags": ["hr"]}')
    assert claimed() == PUBLIC | {"tags": ("hr",)}
    assert claimed("--access", "{}") == PUBLIC
    monkeypatch.setenv("DOCGRAPH_ACCESS", "")
    assert claimed() == PUBLIC


@pytest.mark.parametrize(
    ("access", "part"),
    [
        ("{", "access is not JSON"),
        ("", "access is not JSON"),
        ("[" * 100_000, "access is not JSON"),
        ('["hr"]', "access must be a JSON object"),
        ("null", "access must be a JSON object"),
        ('{"tag": ["hr"]}', 'access has an unknown key "tag"'),
        ('{"tags": "hr"}', 'access: "tags" must be a list of strings'),
        ('{"tags": null}', 'access: "tags" must be a list of strings'),
        ('{"repositories": null}', 'access: "repositories" must be a list of strings'),
        ('{"labels": [1]}', 'access: "labels" must be a list of strings'),
        ('{"clearance": true}', 'access: "clearance" must be a whole number'),
        ('{"clearance": NaN}', 'access: "clearance" must be a whole number'),
    ],
    ids=lambda value: value[:30],
)
def test_what_is_no_claim_is_refused(access: str, part: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        parse_access(access)
    assert part in refused.value.message
    assert refused.value.hint


def test_nothing_given_claims_nothing() -> None:
    assert parse_access(None) == Access() == parse_access("{}")


def test_what_a_claim_covers_in_words() -> None:
    assert describe_identity(Identity("me", None, (), ("a", "b"), (), 2)) == (
        "repositories: all; snapshots: none; tags: a, b; labels: none; clearance: 2"
    )
    assert describe_identity(Identity("me", ("",), None, (), (), 0)).startswith('repositories: ""; ')
