"""Changing what a caller may not see never changes what the caller gets."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.database import Asked
from tests.properties.model import Attributes, Claim, World, sees
from tests.properties.worlds import LOGINS, TENANTS, attributes, ceilings, claims, worlds


@dataclass(frozen=True)
class Caller:
    """Whose answers must not change."""

    login: str
    tenant: str
    claim: Claim


@st.composite
def callers(draw: st.DrawFn, world: World) -> Caller:
    return Caller(draw(st.sampled_from(LOGINS)), draw(st.sampled_from(TENANTS)), draw(claims()))


def hidden(world: World, caller: Caller, tenant: str, needed: Attributes) -> bool:
    held = world.held(caller.login, caller.tenant, caller.claim)
    return tenant != caller.tenant or held is None or not sees(held, needed)


def change_tenant(
    classes: dict[int, Attributes], documents: dict[str, int], unseen: set[int], data: st.DataObject
) -> None:
    """Deletes some of the unseen classes with their documents, and moves the other unseen documents."""
    gone = {number for number in sorted(unseen) if data.draw(st.booleans())}
    for number in gone:
        del classes[number]
    for document, number in list(documents.items()):
        if number in gone:
            del documents[document]
        elif number in unseen:
            documents[document] = data.draw(st.sampled_from(sorted(unseen - gone)))


def change(world: World, caller: Caller, extra: list[Attributes], data: st.DataObject) -> World:
    """Adds, deletes and alters: classes and documents that the caller may not see, ceilings of others."""
    classes = {tenant: dict(found) for tenant, found in world.classes.items()}
    documents = {tenant: dict(found) for tenant, found in world.documents.items()}
    for tenant in TENANTS:
        known = classes[tenant].values()
        new = [needed for needed in extra if hidden(world, caller, tenant, needed) and needed not in known]
        for number, needed in enumerate(new, start=10):
            classes[tenant][number] = needed
            documents[tenant] |= {f"{before}{number}": number for before in ("a", "d", "z")}
        unseen = {n for n, needed in classes[tenant].items() if hidden(world, caller, tenant, needed)}
        change_tenant(classes[tenant], documents[tenant], unseen, data)
    mine = (caller.tenant, caller.login)
    others = {(tenant, login) for tenant in TENANTS for login in LOGINS} - {mine}
    granted = {key: data.draw(ceilings(key[1])) for key in sorted(others) if data.draw(st.booleans())}
    kept = {key: ceiling for key, ceiling in world.ceilings.items() if key == mine}
    return World(classes, documents, kept | granted)


@given(data=st.data(), world=worlds(), extra=st.lists(attributes(), max_size=3, unique=True))
def test_hidden_changes_do_not_show(
    asked: Asked, data: st.DataObject, world: World, extra: list[Attributes]
) -> None:
    caller = data.draw(callers(world))
    asked.put(world)
    question = (caller.login, caller.tenant, caller.claim)
    before = asked.held(*question), asked.visible(*question)
    asked.put(change(world, caller, extra, data))
    assert (asked.held(*question), asked.visible(*question)) == before
