"""translate: the class follows from the SQLSTATE, message, detail and hint go along."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.pq import DiagnosticField

from docgraph import errors
from docgraph.errors import BY_SQLSTATE, DocgraphError, translate

CLASSES: dict[str, type[DocgraphError]] = {
    **BY_SQLSTATE,
    # Of class 22, refused by PostgreSQL before a function of ours could say it better.
    "22003": errors.InvalidArgument,
    "22021": errors.InvalidArgument,
    "22P02": errors.InvalidArgument,
    "22P05": errors.InvalidArgument,
    "57014": errors.StatementCancelled,
    "55P03": errors.StatementCancelled,
    "57P01": errors.ServerUnavailable,
    "57P02": errors.ServerUnavailable,
    "57P03": errors.ServerUnavailable,
    "57P05": errors.ServerUnavailable,
    "08000": errors.ServerUnavailable,
    "08006": errors.ServerUnavailable,
    "3F000": errors.NotInstalled,
    "42883": errors.NotInstalled,
    "42P01": errors.NotInstalled,
    "40001": errors.SerializationFailed,
    "40P01": errors.SerializationFailed,
    "23505": errors.DatabaseError,
    "54001": errors.DatabaseError,
    "53300": errors.DatabaseError,
    "XX000": errors.DatabaseError,
}


def of_server(state: str, message: str = "what happened", hint: str = "the hint") -> psycopg.Error:
    """An error as the driver makes it from what a server sends."""
    info = {
        DiagnosticField.SQLSTATE: state.encode(),
        DiagnosticField.MESSAGE_PRIMARY: message.encode(),
        DiagnosticField.MESSAGE_DETAIL: b"the detail",
        DiagnosticField.MESSAGE_HINT: hint.encode(),
    }
    cls = psycopg.errors.lookup(state) if not state.startswith("KG") else psycopg.DatabaseError
    error = cls("as printed", info=info)  # type: ignore[arg-type]  # in place of what psycopg keeps there
    error.sqlstate = state
    return error


@pytest.mark.parametrize("state", CLASSES)
def test_the_class_follows_from_the_sqlstate(state: str) -> None:
    found = translate(of_server(state))
    assert type(found) is CLASSES[state]
    assert isinstance(found, DocgraphError)


@pytest.mark.parametrize("state", [state for state, cls in CLASSES.items() if cls is not errors.NotInstalled])
def test_message_detail_and_hint_go_along(state: str) -> None:
    found = translate(of_server(state))
    assert (found.message, found.detail, found.hint) == ("what happened", "the detail", "the hint")


@pytest.mark.parametrize("state", ["3F000", "42883", "42P01"])
def test_what_is_not_there_says_how_to_install_it(state: str) -> None:
    found = translate(of_server(state))
    assert "what happened" in found.message
    assert "docgraph db upgrade" in str(found.hint)


def test_without_a_sqlstate_it_is_the_connection() -> None:
    assert type(translate(psycopg.OperationalError("gone"))) is errors.ServerUnavailable
    assert translate(psycopg.OperationalError("gone")).message == "gone"


def test_without_a_sqlstate_any_other_is_an_error_of_the_database() -> None:
    assert type(translate(psycopg.ProgrammingError("wrong"))) is errors.DatabaseError


def test_an_error_without_words_still_has_a_message() -> None:
    assert translate(psycopg.OperationalError()).message == "OperationalError"


def test_nul_is_a_text_that_no_hint_comes_with() -> None:
    driver = translate(psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes"))
    server = psycopg.errors.lookup("22P05")("unsupported Unicode escape sequence")
    for found in (driver, translate(server)):
        assert type(found) is errors.InvalidArgument
        assert str(found.hint).startswith("Take the character NUL")
    assert translate(psycopg.DataError("something else")).hint is None


def test_lists_are_written_as_in_python() -> None:
    error = of_server("22023", hint="For example ARRAY['a.md', 'b.md']; seeds => ARRAY['a'] will do.")
    assert translate(error).hint == 'For example ["a.md", "b.md"]; seeds=["a"] will do.'


def test_what_is_printed_is_message_and_hint() -> None:
    assert str(DocgraphError("message")) == "message"
    assert str(DocgraphError("message", hint="do this", detail="because")) == "message\ndo this"


def test_every_exception_is_a_docgraph_error_and_says_what_it_is() -> None:
    classes = [cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, Exception)]
    assert len(classes) > len(BY_SQLSTATE)
    for cls in classes:
        assert issubclass(cls, DocgraphError)
        assert cls.__doc__
