"""What the blocking client and the async one share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from docgraph import calls
from docgraph.access import Access
from docgraph.asking import Asking
from docgraph.errors import IncompatibleVersion, InvalidArgument

DEFAULT_TENANT = "default"


def check_version(answer: str) -> None:
    """Refuses a database whose functions this package cannot call, and says what mends it."""
    ours = ".".join(map(str, calls.API_VERSION))
    found = re.fullmatch(r"(\d+)\.(\d+)", str(answer))
    theirs = (int(found[1]), int(found[2])) if found else (0, 0)
    if theirs[0] > calls.API_VERSION[0]:
        raise IncompatibleVersion(
            f"the functions in the database are version {answer}, this package needs {ours}",
            hint="Upgrade the package: pip install --upgrade docgraph",
        )
    if theirs < calls.API_VERSION:
        raise IncompatibleVersion(
            f"the functions in the database are version {answer}, this package needs {ours}",
            hint="Upgrade the database: docgraph db upgrade",
        )


class AnyClient:
    """What a client carries from call to call."""

    def __init__(self, tenant: str, access: Access | None) -> None:
        self.tenant = tenant
        self.access = Access() if access is None else access
        self._checked = False
        self._asking = Asking()

    if not TYPE_CHECKING:  # which knows that the one client has the one pair of methods only

        def __enter__(self) -> NoReturn:
            _refuse_with(self, "async with")

        def __exit__(self, *exc: object) -> None: ...

        def __aenter__(self) -> NoReturn:
            _refuse_with(self, "with")

        def __aexit__(self, *exc: object) -> None: ...

    def _who(self, tenant: str | None, access: Access | None) -> tuple[str, Access]:
        return self.tenant if tenant is None else tenant, self.access if access is None else access


def _refuse_with(client: AnyClient, how: str) -> NoReturn:
    """Python's own words for it name no way out before 3.14."""
    name = type(client).__name__
    raise InvalidArgument(f"{name} is opened by {how}", hint=f"For example: {how} {name}() as client: ...")
