"""Several who write at the same time: the counts of words are what the entries say."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.conftest import Installed
from tests.properties.test_words import COUNTED, KEPT
from tests.sql.writing import put, report

WIDE = {"tags": ["x", "y"]}


def test_writers_of_a_tenant(database: Installed) -> None:
    def write(number: int) -> None:
        with database.connect() as connection:
            for step in range(12):
                names = [f"{(number * 5 + step * 3 + k) % 10}" for k in range(3)]
                if step % 4 == 3:
                    report(connection, "delete_documents", documents=names, access=WIDE)
                elif step % 4 == 2:
                    changes: dict[str, Any] = {"tags": ["x"] if step % 8 == 2 else []}
                    report(
                        connection, "set_document_access", documents=names, attributes=changes, access=WIDE
                    )
                else:
                    entries = [
                        {
                            "id": name,
                            "title": f"ada bel{number} {step}",
                            "tags": ["y"] if step % 5 == 0 else [],
                            "chunks": [{"text": f"cat dog{k} eel{number}"} for k in range(step % 3 + 1)],
                        }
                        for name in dict.fromkeys(names)
                    ]
                    put(connection, *entries, access=WIDE)

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(write, number) for number in range(4)]:
            done.result(timeout=120)
    with database.connect() as superuser:
        counted = superuser.execute(COUNTED).fetchall()
        assert counted
        assert superuser.execute(KEPT).fetchall() == counted
