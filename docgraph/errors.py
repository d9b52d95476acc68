"""Every error docgraph raises: one base class, one table from SQLSTATE to class.

The table in `sql/README.md` says the same for users of psql; a test compares the two with the RAISE sites.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import psycopg

    from docgraph.access import Access


class DocgraphError(Exception):
    """Base of every error of docgraph. The driver's exception, if there was one, is its `__cause__`."""

    sqlstate: ClassVar[str | None] = None

    def __init__(self, message: str, *, detail: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class InvalidArgument(DocgraphError):
    """A parameter is outside what the function accepts."""

    sqlstate = "22023"


class UnknownModel(InvalidArgument):
    """No embedder goes by the name of the model."""


class AccessDenied(DocgraphError):
    """This login may not do this; an unknown tenant and a forbidden one read the same."""

    sqlstate = "42501"
    claim: Access | None = None
    """What a document that was refused asks of its readers."""


class WrongTransaction(DocgraphError):
    """The call needs another kind of transaction than the one it was made in."""

    sqlstate = "25001"


class EmbeddingSpaceInUse(DocgraphError):
    """What is stored belongs to another embedding space than what is given."""

    sqlstate = "KG001"


class ServerUnsupported(DocgraphError):
    """The server, its pgvector, the schema or the installing login will not do for docgraph."""

    sqlstate = "KG002"


class NotConfigured(DocgraphError):
    """The database has no embedding space yet: `docgraph init` records one."""

    sqlstate = "KG003"


class ReembeddingIncomplete(DocgraphError):
    """The embedding space cannot be switched yet: some texts have no new vector."""

    sqlstate = "KG004"


class NotInstalled(DocgraphError):
    """The database has no docgraph in it."""


class IncompatibleVersion(DocgraphError):
    """This package and the functions in the database do not fit together."""


class ServerUnavailable(DocgraphError):
    """The connection could not be made or was lost; the next call makes a new one."""


class SerializationFailed(DocgraphError):
    """Somebody else wrote at the same time; nothing of this call is stored. The same call again will do."""

    sqlstate = "40001"


class StatementCancelled(DocgraphError):
    """The call was cancelled: a statement timeout, a lock timeout or a request to stop."""


class EmbeddedServerError(DocgraphError):
    """The embedded server cannot be started, stopped or used."""


class DatabaseError(DocgraphError):
    """Any other error that PostgreSQL reported; its SQLSTATE is in `__cause__`."""


BY_SQLSTATE: dict[str, type[DocgraphError]] = {
    cls.sqlstate: cls
    for cls in (
        InvalidArgument,
        AccessDenied,
        WrongTransaction,
        EmbeddingSpaceInUse,
        ServerUnsupported,
        NotConfigured,
        ReembeddingIncomplete,
        SerializationFailed,
    )
    if cls.sqlstate is not None
}
"""SQLSTATEs that our own functions raise."""

_NO_NUL = "Take the character NUL, \\x00, out of the text: PostgreSQL cannot store it."
_HINTS: dict[object, str] = {
    AccessDenied: (
        "A DBA gives a login its functions with GRANT docgraph_reader (or docgraph_writer, docgraph_admin) "
        "TO the login, and its documents with docgraph.grant_access."
    ),
    ServerUnavailable: (
        "Is the server running, and are address, database, user and password right? "
        "DOCGRAPH_DATABASE_URL or --database-url names it; without either, the embedded server is used."
    ),
    SerializationFailed: "Make the call again, in a new transaction.",
    StatementCancelled: "Try again when the server is less busy, or allow more time.",
    "22P05": _NO_NUL,
    "25006": "This server is read-only, a standby perhaps: connect to the primary.",
}

_CANCELLED = frozenset({"57014", "55P03", "25P04"})
_CONFLICTS = frozenset({"40P01"})
_GONE = frozenset({"57P01", "57P02", "57P03", "57P05"})
_MISSING = frozenset({"3F000", "42883", "42P01"})


_NAMED = re.compile(r"\b(\w+) => (true\b|false\b)?")
_ARRAY = re.compile(r"ARRAY(\[[^\]]*\])")


def translate(error: psycopg.Error) -> DocgraphError:
    """The docgraph error for an error of the driver. Raise it `from error`."""
    import psycopg  # noqa: PLC0415 - the errors themselves need no driver

    state = error.sqlstate
    message = error.diag.message_primary or str(error) or type(error).__name__
    cls: type[DocgraphError]
    if state is None and isinstance(error, psycopg.DataError):
        # Refused by the driver: text with NUL, for one.
        cls = InvalidArgument
    elif state in BY_SQLSTATE:
        cls = BY_SQLSTATE[state]
    elif state is not None and state.startswith("22"):
        # Refused by PostgreSQL before a function of ours could say it better.
        cls = InvalidArgument
    elif state == "25006":
        cls = WrongTransaction
    elif state in _CANCELLED:
        cls = StatementCancelled
    elif state in _CONFLICTS:
        cls = SerializationFailed
    elif (state is None and isinstance(error, psycopg.OperationalError)) or (
        state is not None and (state in _GONE or state.startswith("08"))
    ):
        cls = ServerUnavailable
    elif state in _MISSING:
        return NotInstalled(
            f"docgraph is not installed in this database, or not whole: {message}",
            hint="Run `docgraph db upgrade` (or `docgraph init`) as a login that may create objects there.",
        )
    else:
        cls = DatabaseError
    # PostgreSQL's own refusals come without a hint as a rule. What ours say in SQL is said in Python here.
    hint = error.diag.message_hint or _HINTS.get(state if state in _HINTS else cls)
    if hint is None and "contain NUL" in message:  # the driver's words, which has no number for it
        hint = _NO_NUL
    return cls(message, detail=error.diag.message_detail, hint=hint and _in_python(hint))


def _in_python(hint: str) -> str:
    named = _NAMED.sub(lambda said: f"{said[1]}={(said[2] or '').title()}", hint)
    return _ARRAY.sub(lambda said: said[1].replace("'", '"'), named)
