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


def change(world: World, caller: Caller, extra: list[Attributes], data: st.DataObject) -> World:
    """Adds, deletes and alters: classes and documents that the caller may not see, ceilings of others."""
    classes = {tenant: dict(found) for tenant, found in world.classes.items()}
    documents = {tenant: dict(found) for tenant, found in world.documents.items()}
    for tenant in TENANTS:
        for number in list(classes[tenant]):
            if hidden(world, caller, tenant, classes[tenant][number]) and data.draw(st.booleans()):
                del classes[tenant][number]
                documents[tenant] = {d: n for d, n in documents[tenant].items() if n != number}
        for needed in extra:
            if hidden(world, caller, tenant, needed) and needed not in classes[tenant].values():
                number = max(classes[tenant], default=0) + 10
                classes[tenant][number] = needed
                documents[tenant] |= {f"{before}{number}": number for before in ("a", "d", "z")}
        unseen = [n for n, needed in classes[tenant].items() if hidden(world, caller, tenant, needed)]
        for document, number in documents[tenant].items():
            if number in unseen:
                documents[tenant][document] = data.draw(st.sampled_from(unseen))
    others = {key: c for key, c in world.ceilings.items() if key == (caller.tenant, caller.login)}
    for tenant in TENANTS:
        for login in LOGINS:
            if (tenant, login) != (caller.tenant, caller.login) and data.draw(st.booleans()):
                others[tenant, login] = data.draw(ceilings(login))
    return World(classes, documents, others)


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
