"""The script of all revisions, read by squawk, which knows what makes a migration dangerous."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docgraph import migrate

SQUAWK = Path(sys.executable).parent / "squawk"
CONFIG = Path(__file__).with_name("squawk.toml")
EXCUSED: list[str] = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["excluded_rules"]

pytestmark = pytest.mark.skipif(not SQUAWK.is_file(), reason="squawk-cli is not installed")


def findings(script: str, *options: str | Path) -> list[dict[str, object]]:
    done = subprocess.run(
        [SQUAWK, "--reporter", "json", *options], input=script, capture_output=True, text=True, check=False
    )
    assert done.stdout, done.stderr
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def test_squawk_finds_nothing_but_what_the_list_excuses() -> None:
    assert findings(migrate.offline_sql(), "--config", CONFIG) == []


@pytest.mark.parametrize("rule", EXCUSED)
def test_every_excuse_is_still_needed(rule: str, tmp_path: Path) -> None:
    # An empty file, so that none is looked for in the folders above.
    none = tmp_path / "none.toml"
    none.touch()
    assert rule in {finding["rule_name"] for finding in findings(migrate.offline_sql(), "--config", none)}


def test_squawk_is_listening() -> None:
    found = findings("ALTER TABLE t ALTER a SET NOT NULL; DROP TABLE t;", "--config", CONFIG)
    assert {finding["rule_name"] for finding in found} >= {"adding-not-nullable-field", "ban-drop-table"}
