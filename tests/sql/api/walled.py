"""A writer with a ceiling, among documents that it may not see or not write."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tests.sql.asking import ALL_CALLS, Connection, nothing_written, refusal, words

CLAIM = {"tags": ["hr", "all"], "labels": ["internal"], "clearance": 2}
WIDE = {"tags": ["hr", "all", "law"], "labels": ["internal", "secret"], "clearance": 9}
HELD = {"repository": "ours", "snapshot": "main", "tags": ["hr"], "labels": ["internal"], "clearance": 2}

OUTSIDE: dict[str, dict[str, Any]] = {
    "repository": {"repository": "theirs"},
    "no repository": {"repository": ""},
    "repository in capitals": {"repository": "Ours"},
    "snapshot": {"snapshot": "dev"},
    "no snapshot": {"snapshot": ""},
    "tag": {"tags": ["law"]},
    "one tag too many": {"tags": ["hr", "law"]},
    "label": {"labels": ["secret"]},
    "one label too many": {"labels": ["internal", "secret"]},
    "clearance": {"clearance": 3},
}
"""What is not within the ceiling of the writer, or not within its claim."""

HIDDEN = [why for why in OUTSIDE if why != "one tag too many"]
"""That one is seen through the tag that is held, and can still not be written."""


@dataclass
class Walled:
    """A superuser, and a writer with a ceiling; everything is rolled back after the test."""

    superuser: Connection
    writer: Connection

    def refused(self, function: str, **changes: Any) -> tuple[str | None, ...]:
        """The words of an error that leaves every table as it was."""
        arguments = {
            name: json.dumps(value) if isinstance(value, dict) or name == "relationships" else value
            for name, value in {"access": CLAIM, **changes}.items()
        }
        if function in {"put_documents", "unchanged_documents"}:
            arguments["documents"] = json.dumps(changes["documents"])
        with nothing_written(self.superuser):
            return words(refusal(self.writer, ALL_CALLS[function], **arguments))
