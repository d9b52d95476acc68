"""The claim of a command, from DOCGRAPH_ACCESS and its options; and what a claim covers, in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import fields, replace
from typing import Any, NoReturn

from docgraph.access import Access, Identity
from docgraph.any_client import DEFAULT_TENANT
from docgraph.cli.options import (
    ClaimedAccess,
    ClaimedClearance,
    ClaimedLabels,
    ClaimedRepositories,
    ClaimedSnapshots,
    ClaimedTags,
    DatabaseUrl,
    Home,
    Tenant,
    listed,
    take_options_of_both,
)
from docgraph.cli.setup import saying_how_to_set_up
from docgraph.client import DocGraph
from docgraph.errors import DocgraphError, InvalidArgument

_KEYS = tuple(field.name for field in fields(Access))
_EXAMPLE = 'Give --access or DOCGRAPH_ACCESS an object such as {"tags": ["hr"], "clearance": 1}'


def parse_access(given: str | None) -> Access:
    """A claim as JSON. Nothing given is a claim of nothing: public, unlabelled documents of level 0."""
    if given is None:
        return Access()
    try:
        found = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"access is not JSON: {error}", hint=f"{_EXAMPLE}.") from None
    if not isinstance(found, dict):
        raise InvalidArgument("access must be a JSON object", hint=f"{_EXAMPLE}.")
    if unknown := [key for key in found if key not in _KEYS]:
        raise InvalidArgument(
            f'access has an unknown key "{unknown[0]}"', hint=f"The keys are {', '.join(_KEYS)}."
        )
    for key, value in found.items():
        if key == "clearance":
            if isinstance(value, bool) or not isinstance(value, int):
                raise InvalidArgument('access: "clearance" must be a whole number', hint=f"{_EXAMPLE}.")
        elif not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise InvalidArgument(f'access: "{key}" must be a list of strings', hint=f"{_EXAMPLE}.")
    return Access(**found)


def on_documents(command: Callable[..., None]) -> Callable[..., None]:
    """A command that is handed a client, with the options that say of which database and by which claim.

    Repositories, snapshots and clearance that are given take the place of those in --access; tags and labels
    are added to them.
    """

    def run(
        *,
        tenant: Tenant = DEFAULT_TENANT,
        access: ClaimedAccess = None,
        repository: ClaimedRepositories = None,
        snapshot: ClaimedSnapshots = None,
        tags: ClaimedTags = None,
        labels: ClaimedLabels = None,
        clearance: ClaimedClearance = None,
        database_url: DatabaseUrl = None,
        home: Home = None,
        **own: Any,
    ) -> None:
        claim = parse_access(access)
        claim = replace(
            claim,
            repositories=repository or claim.repositories,
            snapshots=snapshot or claim.snapshots,
            tags=sorted({*claim.tags, *listed(tags)}),
            labels=sorted({*claim.labels, *listed(labels)}),
            clearance=claim.clearance if clearance is None else clearance,
        )
        with (
            saying_how_to_set_up(database_url, home),
            DocGraph(database_url, tenant=tenant, access=claim, home=home) as client,
        ):
            command(client, **own)

    return take_options_of_both(run, command)


def describe_identity(found: Identity) -> str:
    """What a call would be allowed."""
    return "; ".join(
        [
            f"repositories: {_all_or(found.repositories)}",
            f"snapshots: {_all_or(found.snapshots)}",
            f"tags: {_all_or(found.tags)}",
            f"labels: {_all_or(found.labels)}",
            f"clearance: {found.clearance}",
        ]
    )


def _all_or(entries: Collection[str] | None) -> str:
    if entries is None:
        return "all"
    return ", ".join(entry or '""' for entry in entries) or "none"


def refuse_unseen(document: str) -> NoReturn:
    """For a document that is hidden or not there: the two are not told apart."""
    raise DocgraphError(
        f'there is no document "{document}" to be seen by this claim',
        hint="`docgraph ls` lists those that are; claim more with --access, --tags, --labels or --clearance.",
    )
