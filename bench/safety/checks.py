"""The project's own tests of what must never happen, at full count: `pytest` with the counts set.

They are the tests of the test command, which tries less often; where one fails, it says what it found.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from bench.results import Cell, Measured, Say, Table, Target
from bench.safety.sizes import Size

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Check:
    """What is tried, by which tests, and how often each of them."""

    what: str
    tests: Sequence[str]
    counts: Mapping[str, int]
    least: int = 1
    """How many tests there are to be."""


def _named(folder: str, *names: str) -> list[str]:
    return [f"tests/{folder}/test_{name}.py" for name in names]


def checks(size: Size) -> list[Check]:
    worlds = {"DOCGRAPH_EXAMPLES": size.worlds}
    return [
        Check(
            "random worlds: what each function shows is what the rules open, by each layer alone",
            _named(
                "properties",
                "worlds",
                "lists",
                "plans",
                "execution",
                "bridge",
                "stages",
                "words",
                "words_in_plans",
                "writing",
            ),
            worlds,
        ),
        Check(
            "changes of hidden documents alone change no byte",
            _named(
                *("properties", "hidden_changes", "plan_hidden_changes", "execution_hidden_changes"),
                "stages_hidden_changes",
            ),
            worlds,
        ),
        Check(
            "mistakes put into the SQL, with row security off: each is noticed",
            _named(
                *("properties", "mutants", "write_mutants", "plan_mutants", "execution_mutants"),
                *("bridge_mutants", "stages_mutants", "words_in_plans"),
            ),
            {},
            least=200,
        ),
        Check(
            "forged claims, plans, ids and functions of an ordinary login",
            [
                *_named("sql", "wall", "wall_layers", "wall_plans", "wall_stages"),
                *_named("sql/api", "plan_tampered", "bad_plans", "bad_claims"),
            ],
            {},
            least=100,
        ),
        Check(
            "strings that try to be SQL, in each text and key",
            _named("sql/api", "injections"),
            {"DOCGRAPH_STRINGS": size.strings},
        ),
        Check(
            "servers and clients killed while documents come in",
            _named("ingest", "crash"),
            {"DOCGRAPH_KILLS": size.kills},
        ),
        Check(
            "a full disk, a file that may not grow, a connection that breaks off",
            _named("ingest", "faults"),
            {},
        ),
        Check(
            "calls cancelled at random moments",
            _named("sql", "cancels"),
            {"DOCGRAPH_CANCELS": size.cancels},
        ),
        Check(
            "several at once: readers, writers, upgrades",
            [
                *_named("sql", "write_concurrency", "write_visibility", "plan_transactions"),
                *_named("sql", "retrieve_transactions", "words_at_once", "made_anew"),
                *_named("migrations", "concurrency"),
            ],
            {},
            least=30,
        ),
        Check("dumped and restored", _named("migrations", "dump_restore"), {}),
    ]


def measure(server: str, size: Size, say: Say) -> Measured:
    """On servers of their own: some are killed."""
    rows: list[Sequence[Cell]] = []
    failed = 0
    targets = []
    for check in checks(size):
        began = time.perf_counter()
        tests, skipped, failures = _run(check)
        seconds = time.perf_counter() - began
        failed += failures
        targets.append(Target(f"tests: {check.what}", tests - skipped, ">=", check.least))
        counts = ", ".join(f"{name}={count}" for name, count in check.counts.items())
        rows.append((check.what, counts, tests, skipped, failures, seconds))
        say(f"{check.what}: {tests} tests, {failures} failed, {seconds:.0f} s")
    columns = ("what", "each so often", "tests", "skipped", "failed", "seconds")
    return Measured(
        [Table("What must never happen", columns, rows)],
        [Target("tests of what must never happen that failed", failed, "<=", 0), *targets],
    )


def _run(check: Check) -> tuple[int, int, int]:
    """How many tests there were, how many were skipped, and how many failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            "2",
            "--dist=load",
            "--timeout=0",
            f"--junitxml={report}",
            *check.tests,
        ]
        environment = os.environ | {name: str(count) for name, count in check.counts.items()}
        done = subprocess.run(  # noqa: S603 - ourselves
            command, cwd=_ROOT, env=environment, capture_output=True, text=True, check=False
        )
        if not report.exists():
            raise RuntimeError(f"{check.what}: the tests did not run: {(done.stdout + done.stderr)[-2000:]}")
        suite = ElementTree.parse(report).getroot().find("testsuite")  # noqa: S314 - written by our own pytest
        if suite is None:
            raise RuntimeError(f"{check.what}: no report of the tests")
        failures = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        if failures:
            sys.stderr.write(done.stdout[-5000:])
        tests, skipped = (int(suite.get(name, 0)) for name in ("tests", "skipped"))
        if done.returncode not in (0, 1) or tests == skipped:
            raise RuntimeError(f"{check.what}: nothing was tried: {(done.stdout + done.stderr)[-2000:]}")
        return tests, skipped, failures
