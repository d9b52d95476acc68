"""What `import docgraph` offers."""

from __future__ import annotations

import importlib

import pytest

import docgraph


@pytest.mark.parametrize("name", docgraph.__all__)
def test_every_name_is_there_and_is_that_of_its_module(name: str) -> None:
    found = getattr(docgraph, name)
    assert getattr(importlib.import_module(found.__module__), name) is found


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_of_that_name"):
        docgraph.nothing_of_that_name  # noqa: B018 - asking is what raises
