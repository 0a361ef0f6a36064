"""Programs whose output has to stay the same, and programs on which the checkers cannot run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from rocm_perf_lab.errors import EnvironmentProblem, ProgramFailed, TimedOut
from rocm_perf_lab.optimizing import app_stages, program_output
from rocm_perf_lab.optimizing.app_stages import AppStages
from rocm_perf_lab.optimizing.building.build import BuildPlan
from rocm_perf_lab.optimizing.building.built import BuiltProgram
from rocm_perf_lab.optimizing.program_output import OutputRequest, output_of
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.stages import Program

Made = Callable[[str], Program]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """made(script): a program that does this, in the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(program_output, "find_prefix", lambda: SimpleNamespace(environment=lambda: {}))

    def make(script: str) -> Program:
        path = tmp_path / f"program-{abs(hash(script))}"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return Program(path, BuiltProgram({}, frozenset(), script))

    return make


def stages(tmp_path: Path, **requests) -> AppStages:
    plan = BuildPlan("hipcc {source} -o {output}", tmp_path / "k.hip", tmp_path)
    return AppStages(plan, (), tmp_path / "work", timeout_s=600, **requests)


PRINTED = OutputRequest(printed=True)
WRITTEN = OutputRequest(files=(Path("result"),))


@pytest.mark.parametrize(
    ("asked", "before", "after", "problem"),
    [
        (PRINTED, "echo 1; echo a >&2", "echo 1; echo b >&2", None),
        (PRINTED, "echo 1", "echo 2", "prints something else"),
        (PRINTED, "echo 1", "printf 1", "prints something else"),
        (PRINTED, "echo 1", "echo 1; exit 3", "ended with exit code 3"),
        (WRITTEN, "echo 1 > result; echo a", "echo 1 > result; echo b", None),
        (WRITTEN, "echo 1 > result", "echo 2 > result", "writes something else into result"),
    ],
)
def test_output_that_has_to_stay_the_same(
    made: Made, tmp_path: Path, asked: OutputRequest, before: str, after: str, problem: str | None
) -> None:
    judged = stages(tmp_path, output=asked)
    if problem is None:
        assert "the same" in judged.same_output(made(before), made(after))
        return
    with pytest.raises(Refused) as caught:
        judged.same_output(made(before), made(after))
    assert caught.value.refusal.code == "output-differs"
    assert problem in caught.value.refusal.detail


def test_output_that_differs_from_run_to_run_proves_nothing(made: Made, tmp_path: Path) -> None:
    counting = made("echo . >> calls; wc -l < calls")
    with pytest.raises(Refused) as caught:
        stages(tmp_path, output=PRINTED).same_output(counting, counting)
    assert caught.value.refusal.code == "equivalence-unproven"
    assert "without any change" in caught.value.refusal.detail


def test_a_file_that_is_not_written_is_no_result(made: Made, tmp_path: Path) -> None:
    """What the baseline wrote is still there, and is not the variant's."""
    judged = stages(tmp_path, output=WRITTEN)
    with pytest.raises(Refused) as caught:
        judged.same_output(made("echo 1 > result"), made("true"))
    assert caught.value.refusal.code == "run-failed"
    with pytest.raises(ProgramFailed, match="does not write gone"):
        output_of(["true"], OutputRequest(files=(Path("gone"),)), 20)


def test_a_program_that_does_not_end(made: Made) -> None:
    with pytest.raises(TimedOut):
        output_of([str(made("sleep 60").path)], PRINTED, 0.3)


def test_programs_that_cannot_be_checked_are_refused(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(request, **_):
        raise EnvironmentProblem("the program did not use the virtual GPU: nothing was checked")

    monkeypatch.setattr(app_stages, "check", cannot)
    program = made("true")
    with pytest.raises(Refused) as caught:
        stages(tmp_path).check(program, program)
    assert caught.value.refusal.code == "not-checked"
    assert "--unchecked" in caught.value.refusal.detail
    assert stages(tmp_path, unchecked=True).check(program, program).startswith("not checked: the program did")
