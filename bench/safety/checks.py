"""The project's own tests of what must never happen, at full count: `pytest` with the counts set.

They are the tests of the two test commands, which try less often; where one fails, it says what it found.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

from bench.results import Measured, Say, Table, Target
from bench.safety.sizes import SIZES, Size

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Check:
    """What is tried, by which tests (arguments of pytest), and how often each of them.

    Results of other runs go by `what`: it stays as it is. How it reads is the report's business.
    """

    what: str
    tests: Sequence[str]
    counts: Mapping[str, int]
    least: int = 1
    """How many tests there are to be."""

    @property
    def title(self) -> str:
        """Of the table of what it gave."""
        return f"{self.what[0].upper()}{self.what[1:]}"


def _named(folder: str, *names: str) -> list[str]:
    return [f"tests/{folder}/test_{name}.py" for name in names]


def checks(size: Size) -> dict[str, Check]:
    """By the name of the part of the command that runs it."""
    worlds = {"DOCGRAPH_EXAMPLES": size.worlds}
    like_the_model = "random worlds, each layer alone: like a model in Python"
    return {
        "access": Check(
            f"{like_the_model}: what a call sees", _named("properties", "worlds", "lists"), worlds
        ),
        "plans": Check(f"{like_the_model}: plans", _named("properties", "plans"), worlds),
        "execution": Check(
            f"{like_the_model}: chunks and contexts",
            [
                *_named("properties", "execution", "execution_limits", "bridge", "words_in_plans"),
                *_named("properties", "flat_compatibility"),
            ],
            worlds,
        ),
        "stages": Check(
            f"{like_the_model}: the three stages", _named("properties", "stages", "words"), worlds
        ),
        "writing": Check(f"{like_the_model}: writing", _named("properties", "writing"), worlds),
        "hidden": Check(
            "changes of hidden documents alone: no byte changes",
            _named(
                *("properties", "hidden_changes", "plan_hidden_changes", "execution_hidden_changes"),
                "stages_hidden_changes",
            ),
            worlds,
        ),
        "mutants": Check(
            "mistakes put into the SQL, with row security off: each is noticed",
            [
                *_named("properties", "mutants", "write_mutants", "plan_mutants", "execution_mutants"),
                *_named("properties", "bridge_mutants", "stages_mutants", "words_in_plans"),
                *("-m", "long"),
            ],
            {},
            least=200,
        ),
        "forgeries": Check(
            "forged claims, plans, ids and functions of an ordinary login",
            [
                *_named("sql", "wall", "wall_layers", "wall_plans", "wall_stages"),
                *_named("sql", "wall_artefacts", "wall_filters", "wall_words"),
                *_named("sql/api", "plan_tampered", "bad_plans", "bad_claims"),
            ],
            {},
            least=100,
        ),
        "injections": Check(
            "strings that try to be SQL, in each text and key",
            _named("sql/api", "injections"),
            {"DOCGRAPH_STRINGS": size.strings},
        ),
        "kills": Check(
            "servers and clients killed while documents come in",
            _named("ingest", "crash"),
            {"DOCGRAPH_KILLS": size.kills},
        ),
        "faults": Check(
            "a full disk, a file that may not grow, a connection that breaks off",
            _named("ingest", "faults"),
            {},
        ),
        "cancels": Check(
            "calls cancelled at random moments",
            _named("sql", "cancels"),
            {"DOCGRAPH_CANCELS": size.cancels},
        ),
        "isolation": Check(
            "several at once: readers, writers, upgrades",
            [
                *_named("sql", "write_concurrency", "write_visibility", "plan_transactions"),
                *_named("sql", "retrieve_transactions", "words_at_once", "made_anew"),
                *_named("migrations", "concurrency"),
            ],
            {},
            least=30,
        ),
        "dumps": Check(
            "dumped, restored, and moved to a newer PostgreSQL", _named("migrations", "dump_restore"), {}
        ),
    }


NAMES = tuple(checks(SIZES["safety-small"]))


def not_installed() -> str:
    """What the tests need and is not there."""
    return ", ".join(
        name for name in ("pytest", "xdist", "pytest_timeout", "hypothesis") if not find_spec(name)
    )


def measure(name: str, server: str, size: Size, say: Say) -> Measured:
    """On servers of their own: some are killed."""
    check = checks(size)[name]
    began = time.perf_counter()
    tests, skipped, failures = _run(check)
    seconds = time.perf_counter() - began
    counts = (
        ", ".join(f"{variable}={count}" for variable, count in check.counts.items())
        or "as in the test command"
    )
    say(f"{check.what}: {tests} tests, {failures} failed, {seconds:.0f} s")
    columns = ("each test tries", "tests", "skipped", "failed", "seconds")
    return Measured(
        [
            Table(check.title, columns, [(counts, tests, skipped, failures, seconds)]),
        ],
        [
            Target(f"{check.what}: failed", failures, "<=", 0),
            Target(f"{check.what}: tests", tests - skipped, ">=", check.least),
        ],
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
