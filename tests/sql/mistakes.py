"""Functions of the database made anew with something taken out of them: what a test must notice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from docgraph.resources import SQL
from tests.sql.asking import Connection


def know_vectors(superuser: Connection) -> None:
    """With pgvector on the path the functions that know vectors are created."""
    superuser.execute(
        "SELECT set_config('docgraph.pgvector_path', format('pg_catalog, %I', n.nspname), false)"
        " FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
    )


def text_of_function(path: str) -> str:
    """As it is created; the path is that below sql/functions."""
    return (SQL / "functions" / path).read_text(encoding="utf-8")


def create(superuser: Connection, text: str) -> None:
    """In place of the one of that name. The search path that the file sets is gone afterwards."""
    know_vectors(superuser)
    with superuser.transaction():
        superuser.execute(text.encode())
        superuser.execute("SET LOCAL search_path = DEFAULT")


def forget_the_tenant(superuser: Connection, *names: str) -> None:
    """These functions as if their author had not thought of tenants."""
    for name in names:
        (path,) = (SQL / "functions").glob(f"*/{name}.sql")
        text = path.read_text(encoding="utf-8")
        forgetful, count = re.subn(r"\b[a-z]\.tenant_id = tenant\b", "true", text)
        assert count
        create(superuser, forgetful)


class Mistake(NamedTuple):
    """In a file this text, which stands there once, becomes that."""

    path: str
    before: str
    after: str = ""


@contextmanager
def mistaken(superuser: Connection, *mistakes: Mistake) -> Iterator[None]:
    """The database with all of them in it; undone afterwards."""
    texts = {each.path: text_of_function(each.path) for each in mistakes}
    for path, before, after in mistakes:
        assert texts[path].count(before) == 1, (path, before)
        texts[path] = texts[path].replace(before, after)
    with superuser.transaction(force_rollback=True):
        for text in texts.values():
            create(superuser, text)
        yield
