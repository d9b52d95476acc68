"""How the commands of bench end, and what they say before they begin."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from bench.__main__ import app, end
from bench.quality import stores
from bench.results import Result, Target

MET, MISSED = Target("a", 1, "<=", 2), Target("b", 3, "<=", 2)


@pytest.mark.parametrize(
    ("targets", "without", "failed", "strict", "code", "said"),
    [
        ([MET], [], [], True, 0, "1 of 1 targets met"),
        ([MET, MISSED], [], [], False, 0, "1 of 2 targets missed: see «Targets» in speed-small.md"),
        ([MET, MISSED], [], [], True, 1, "1 of 2 targets missed"),
        ([MET], ["a peer"], [], False, 0, "1 not measured: see «Not measured» in speed-small.md"),
        ([MET], ["a peer"], [], True, 1, "1 not measured"),
        ([MET], ["plan"], ["plan"], False, 1, "failed: plan"),
        ([], [], [], True, 0, ""),
    ],
)
def test_a_missed_target_is_said_and_is_an_error_only_where_asked_for(
    capsys: pytest.CaptureFixture[str],
    targets: list[Target],
    without: list[str],
    failed: list[str],
    strict: bool,
    code: int,
    said: str,
) -> None:
    with pytest.raises(typer.Exit) as ended:
        end(
            Result("speed-small", {}, targets=targets, without=without),
            Path(),
            failed,
            strict=strict,
        )
    assert ended.value.exit_code == code
    assert said in capsys.readouterr().err


def test_a_model_that_is_not_installed_is_named_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "musique.json.gz").touch()
    monkeypatch.setattr(stores, "why_unresolved", lambda *_: "It is not installed.")
    done = CliRunner().invoke(app, ["quality", str(tmp_path), "--model", "minilm"])
    assert done.exit_code == 2
    told = " ".join(done.stderr.replace("│", " ").split())
    assert "It is not installed. In a checkout: pip install '.[minilm]'" in told
