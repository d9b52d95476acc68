"""The two clients. Each method is one call of one SQL function; sync and async differ in `await` alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Self, TypeVar

from docgraph import calls
from docgraph.access import Access, Ceiling, EmbeddingSpace, Identity
from docgraph.engine import AsyncDatabase, Database, Source
from docgraph.errors import IncompatibleVersion

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T")

DEFAULT_TENANT = "default"


def _check_version(answer: str) -> None:
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


class DocGraph:
    """docgraph, blocking.

    `source` is a URL, a libpq string, a psycopg connection or pool, or a SQLAlchemy Engine or Connection;
    without one DOCGRAPH_DATABASE_URL decides, and without that the embedded server is used.
    """

    def __init__(
        self,
        source: Source = None,
        *,
        tenant: str = DEFAULT_TENANT,
        access: Access | None = None,
        home: Path | None = None,
        keep: bool = False,
    ) -> None:
        self.database = Database(source, home=home, keep=keep)
        self.tenant = tenant
        self.access = Access() if access is None else access
        self._checked = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives back what was opened here. A connection, pool or engine of the caller's stays as it is."""
        self.database.close()

    def _run(self, request: calls.Request[T]) -> T:
        with self.database.connection() as connection:
            if not self._checked:
                _check_version(calls.ask_version(connection))
                self._checked = True
            return calls.fetch(connection, request)

    def whoami(self, *, tenant: str | None = None, access: Access | None = None) -> Identity:
        """What a call with this claim would be allowed."""
        return self._run(
            calls.whoami(self.tenant if tenant is None else tenant, self.access if access is None else access)
        )

    def embedding_space(self) -> EmbeddingSpace | None:
        """The embedding space in use; None before it is configured."""
        return self._run(calls.embedding_space())

    def configure_embedding_space(self, space: EmbeddingSpace) -> bool:
        """Records the embedding space; True if something changed. For members of docgraph_admin."""
        return self._run(calls.configure_embedding_space(space))

    def grant_access(self, ceiling: Ceiling, *, tenant: str | None = None) -> None:
        """Gives a login its ceiling in a tenant. For members of docgraph_admin."""
        return self._run(calls.grant_access(self.tenant if tenant is None else tenant, ceiling))

    def revoke_access(self, login: str, *, tenant: str | None = None) -> bool:
        """Takes a login's ceiling away; True if there was one. For members of docgraph_admin."""
        return self._run(calls.revoke_access(self.tenant if tenant is None else tenant, login))

    def list_access(self, *, tenant: str | None = None) -> list[Ceiling]:
        """The ceilings of a tenant, by login. For members of docgraph_admin."""
        return self._run(calls.list_access(self.tenant if tenant is None else tenant))


class AsyncDocGraph:
    """docgraph for asyncio; `source` also takes async psycopg and SQLAlchemy objects. See DocGraph."""

    def __init__(
        self,
        source: Source = None,
        *,
        tenant: str = DEFAULT_TENANT,
        access: Access | None = None,
        home: Path | None = None,
        keep: bool = False,
    ) -> None:
        self.database = AsyncDatabase(source, home=home, keep=keep)
        self.tenant = tenant
        self.access = Access() if access is None else access
        self._checked = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Gives back what was opened here. A connection, pool or engine of the caller's stays as it is."""
        await self.database.close()

    async def _run(self, request: calls.Request[T]) -> T:
        async with self.database.connection() as connection:
            if not self._checked:
                _check_version(await calls.ask_version_async(connection))
                self._checked = True
            return await calls.fetch_async(connection, request)

    async def whoami(self, *, tenant: str | None = None, access: Access | None = None) -> Identity:
        """What a call with this claim would be allowed."""
        return await self._run(
            calls.whoami(self.tenant if tenant is None else tenant, self.access if access is None else access)
        )

    async def embedding_space(self) -> EmbeddingSpace | None:
        """The embedding space in use; None before it is configured."""
        return await self._run(calls.embedding_space())

    async def configure_embedding_space(self, space: EmbeddingSpace) -> bool:
        """Records the embedding space; True if something changed. For members of docgraph_admin."""
        return await self._run(calls.configure_embedding_space(space))

    async def grant_access(self, ceiling: Ceiling, *, tenant: str | None = None) -> None:
        """Gives a login its ceiling in a tenant. For members of docgraph_admin."""
        return await self._run(calls.grant_access(self.tenant if tenant is None else tenant, ceiling))

    async def revoke_access(self, login: str, *, tenant: str | None = None) -> bool:
        """Takes a login's ceiling away; True if there was one. For members of docgraph_admin."""
        return await self._run(calls.revoke_access(self.tenant if tenant is None else tenant, login))

    async def list_access(self, *, tenant: str | None = None) -> list[Ceiling]:
        """The ceilings of a tenant, by login. For members of docgraph_admin."""
        return await self._run(calls.list_access(self.tenant if tenant is None else tenant))
