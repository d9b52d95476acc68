"""A report counts every problem, and names those that matter most."""

from __future__ import annotations

from docgraph.ingest.report import PROBLEMS_KEPT, Report
from docgraph.ingest.types import Problem


def test_what_failed_is_named_however_much_was_left_out() -> None:
    report = Report()
    for number in range(PROBLEMS_KEPT + 10):
        report.trouble(Problem(f"skipped{number}", "empty", failed=False))
    for number in range(5):
        report.trouble(Problem(f"failed{number}", "broken"))
    assert (report.skipped, report.failed) == (PROBLEMS_KEPT + 10, 5)
    assert len(report.problems) == PROBLEMS_KEPT
    assert [problem.path for problem in report.problems[-5:]] == [f"failed{number}" for number in range(5)]
    assert report.problems[-6].path == f"skipped{PROBLEMS_KEPT - 6}"


def test_no_more_failures_are_named_than_a_report_holds() -> None:
    report = Report()
    for number in range(PROBLEMS_KEPT + 10):
        report.trouble(Problem(f"failed{number}", "broken"))
    assert report.failed == PROBLEMS_KEPT + 10
    assert [problem.path for problem in report.problems] == [f"failed{n}" for n in range(PROBLEMS_KEPT)]
