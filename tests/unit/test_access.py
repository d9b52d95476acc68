"""Access, Ceiling, Identity, EmbeddingSpace: values that decide nothing and never widen by default."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import MISSING, FrozenInstanceError, fields
from typing import Any

import pytest

from docgraph.access import Access, Ceiling, EmbeddingSpace, Identity
from docgraph.errors import InvalidArgument

VALUES: list[Any] = [
    Access(),
    Ceiling("x", None, None, None, None, None),
    Identity("x", None, None, (), (), 0),
    EmbeddingSpace("m", 4, "l2", "simple", 100.0),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_are_frozen_comparable_and_hashable(value: Any) -> None:
    for field in fields(value):
        with pytest.raises(FrozenInstanceError):
            setattr(value, field.name, None)
    assert {value: 1}[type(value)(**{field.name: getattr(value, field.name) for field in fields(value)})] == 1
    with pytest.raises((AttributeError, TypeError)):
        value.unknown = 1


@pytest.mark.parametrize("kind", [Ceiling, Identity, EmbeddingSpace])
def test_what_could_widen_has_no_default(kind: type) -> None:
    for field in fields(kind):
        assert field.default is MISSING
        assert field.default_factory is MISSING


def test_claiming_nothing_opens_nothing() -> None:
    """repositories and snapshots are absent, which the database reads as all that the ceiling allows."""
    assert Access().to_dict() == {"tags": (), "labels": (), "clearance": 0}


def test_what_is_said_is_sent() -> None:
    assert Access(["r"], [], ["t"], ["l"], 3).to_dict() == {
        "repositories": ("r",),
        "snapshots": (),
        "tags": ("t",),
        "labels": ("l",),
        "clearance": 3,
    }


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset])
def test_any_collection_will_do_and_is_copied(kind: type) -> None:
    tags = kind(["a"])
    access = Access(tags=tags)
    if kind is list:
        tags.append("b")
    assert access.tags == ("a",)
    assert access == Access(tags=["a"])
    assert hash(access) == hash(Access(tags=("a",)))


@pytest.mark.parametrize("wrong", [{"a": 1}, 5, None])
def test_what_is_no_list_is_kept_for_the_database_to_refuse(wrong: Any) -> None:
    assert Access(tags=wrong).tags is wrong


@pytest.mark.parametrize("name", ["repositories", "snapshots", "tags", "labels"])
@pytest.mark.parametrize("wrong", ["hr", "", b"hr"])
def test_a_text_is_no_list_of_texts(name: str, wrong: Any) -> None:
    """It must not become a list of its letters either."""
    with pytest.raises(InvalidArgument, match=f'^access: "{name}" must be a list of strings') as refused:
        Access(**{name: wrong})
    assert f'Access({name}=["a", "b"])' in str(refused.value.hint)
    assert "hr" not in str(refused.value)


def test_null_tags_are_left_out_and_claim_none() -> None:
    assert "tags" not in Access(tags=None).to_dict()  # type: ignore[arg-type]  # what is left out


@pytest.mark.parametrize("module", ["docgraph", "docgraph.access"])
def test_values_need_no_driver(module: str) -> None:
    """An application that only passes them on need not load one."""
    heavy = "{'psycopg', 'psycopg_pool', 'sqlalchemy', 'alembic', 'typer'}"
    program = f"import {module}, sys; print(sorted({heavy} & sys.modules.keys()))"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
