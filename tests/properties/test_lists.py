"""The leaves that lists go through, against sets."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.database import Asked
from tests.properties.model import Attributes
from tests.properties.worlds import attributes

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4)
entries = st.lists(texts, max_size=6)
limits = st.none() | entries


def ask(asked: Asked, function: str, *arguments: object) -> Any:
    places = ", ".join(["%s::text[]"] * len(arguments))
    row = asked.superuser.execute(f"SELECT docgraph.{function}({places})".encode(), arguments).fetchone()
    assert row is not None
    return row[0]


def fingerprint(asked: Asked, needed: Attributes, turned: bool = False) -> bytes:
    """Of these attributes; turned: the same lists in another order, each entry twice."""
    lists = [sorted(entries, key=str.encode) for entries in (needed.tags, needed.labels)]
    if turned:
        lists = [[*reversed(found), *found] for found in lists]
    row = asked.superuser.execute(
        "SELECT docgraph.access_fingerprint(%s, %s, %s::text[], %s::text[], %s)",
        (needed.repository, needed.snapshot, *lists, needed.clearance),
    ).fetchone()
    assert row is not None
    return bytes(row[0])


@given(found=st.lists(texts | st.none(), max_size=8))
def test_canonical_list_is_the_sorted_set(unguarded: Asked, found: list[str | None]) -> None:
    expected = sorted({entry for entry in found if entry is not None}, key=str.encode)
    assert ask(unguarded, "canonical_list", found) == expected
    assert ask(unguarded, "canonical_list", expected) == expected


@given(claimed=limits, allowed=limits, data=st.data())
def test_within_ceiling_is_the_intersection(
    unguarded: Asked, claimed: list[str] | None, allowed: list[str] | None, data: st.DataObject
) -> None:
    if claimed and allowed is not None:
        allowed = allowed + data.draw(st.lists(st.sampled_from(claimed), max_size=3))
    found = ask(unguarded, "within_ceiling", claimed, allowed)
    if claimed is None or allowed is None:
        assert found == (allowed if claimed is None else claimed)
    else:
        assert found == sorted(set(claimed) & set(allowed), key=str.encode)


@given(one=attributes(), other=attributes())
def test_a_fingerprint_stands_for_one_combination(
    unguarded: Asked, one: Attributes, other: Attributes
) -> None:
    assert (fingerprint(unguarded, one) == fingerprint(unguarded, other)) == (one == other)
    assert fingerprint(unguarded, one) == fingerprint(unguarded, one, turned=True)
