"""What a suite says of results: statuses, exit codes, the gate, baselines that are of something else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from rocm_perf_lab.contracts.captures.suite import SuiteDocument
from rocm_perf_lab.contracts.captures.validation import (
    NegativeControl,
    Poison,
    SelfReplay,
    ValidationDocument,
    Verdict,
)
from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.contracts.failure import failure_document
from rocm_perf_lab.errors import BadInput, UsageProblem
from rocm_perf_lab.reporting.formats import suite_junit
from rocm_perf_lab.reporting.terminal import suite as suite_terminal
from rocm_perf_lab.suites.baseline import read_baseline
from rocm_perf_lab.suites.case import Case, CaseResult, given_up
from rocm_perf_lab.suites.document import suite_document
from rocm_perf_lab.suites.request import SuiteRequest

STEADY = (1.0, 1.002, 0.998, 1.001, 0.999)
REQUEST = SuiteRequest((Path("captures"),))


def case(number: int) -> Case:
    return Case(
        number=number, name=f"c{number}", capture=Path(f"c{number}"), folder=Path(), runs=5, iterations=10
    )


def validation(verdict: Verdict = "passed") -> ValidationDocument:
    return ValidationDocument(
        origin="derived",
        missing={"variant": "none", "canaries": "none"},
        capture="c",
        kernel="k()",
        gpu="a GPU",
        verdict=verdict,
        reason="so it is",
        self_replay=SelfReplay(
            origin="derived",
            runs=5,
            byte_equal=5,
            exact_addresses=5,
            label="deterministic",
            label_reason="",
            orders="",
            buffers=(),
            passed=True,
            reason="",
        ),
        poison=Poison(
            origin="derived", method="none", bytes=0, ranges=0, seed=0, trials=0, confirmed=False, reason=""
        ),
        negative_control=NegativeControl(
            found_out=True, changed_bytes=1, poisoned_bytes=0, differing_bytes=1, reason=""
        ),
        canaries=None,
        variant=None,
        notes=(),
    )


def result(number: int, samples: tuple[float, ...] = STEADY, verdict: Verdict = "passed") -> CaseResult:
    return CaseResult(
        number=number,
        name=f"c{number}",
        kernel="k()",
        gpu="a GPU",
        digest=f"d{number}",
        validation=validation(verdict),
        samples_ms=samples if verdict == "passed" else (),
        host="h",
    )


def document(*results: CaseResult, baseline: Path | None = None) -> SuiteDocument:
    before = read_baseline(baseline, 10) if baseline is not None else None
    cases = [case(one.number) for one in results]
    return suite_document(replace(REQUEST, baseline=baseline), cases, results, before, (), 1.0, ())


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    (tmp_path / "suite.json").write_text(to_json(document(*(result(number) for number in (1, 2, 3)))))
    return tmp_path


def times(factor: float, samples: tuple[float, ...] = STEADY) -> tuple[float, ...]:
    return tuple(factor * sample for sample in samples)


def test_slower_is_a_regression_beyond_the_limit_only(baseline: Path) -> None:
    found = document(result(1, times(1.2)), result(2, times(1.03)), result(3), baseline=baseline)
    assert [one.status for one in found.cases] == ["regression", "passed", "passed"]
    assert [one.time.verdict for one in found.cases if one.time] == ["slower", "slower", "same"]
    assert (found.status, found.exit_code) == ("regression", 8)
    assert {one.time.level for one in found.cases if one.time} == {1 - 0.05 / 3}


def test_a_tick_of_the_clock_is_no_change(tmp_path: Path) -> None:
    """Of a kernel that takes 60 ticks one is more than a per cent."""

    def simulated(ticks: int) -> CaseResult:
        return replace(result(1, (ticks * 1e-5,)), origin="simulated")

    (tmp_path / "suite.json").write_text(to_json(document(simulated(60))))
    found = [document(simulated(ticks), baseline=tmp_path).cases[0].time for ticks in (59, 61, 58, 62)]
    assert [one.verdict for one in found if one] == ["same", "same", "faster", "slower"]


def test_what_scatters_is_no_regression(baseline: Path) -> None:
    """10 % more on average, of times that scatter by 20 %."""
    noisy = (0.8, 1.4, 1.0, 1.4, 0.9)
    found = document(result(1, noisy), baseline=baseline)
    assert found.cases[0].time is not None
    assert found.cases[0].time.verdict == "undecided"
    assert found.exit_code == 0


def test_a_case_that_does_not_validate_comes_before_all(baseline: Path) -> None:
    broken = replace(
        result(2), validation=None, samples_ms=(), error=failure_document(BadInput("cut short")).error
    )
    wrong, slow = result(1, verdict="void"), result(3, times(2.0))
    assert document(wrong, broken, slow, baseline=baseline).exit_code == 10
    assert document(broken, slow, baseline=baseline).exit_code == 6
    assert document(slow, baseline=baseline).exit_code == 8
    found = document(wrong, broken, slow, baseline=baseline)
    assert found.counts == {"failed": 1, "error": 1, "regression": 1}
    text = suite_terminal.render(found, Path("folder"))
    assert "FAILED c1" in text
    assert "cut short" in text
    xml = suite_junit.render(found)
    assert 'failures="2" errors="1"' in xml.replace('skipped="0" ', "")


def test_a_worker_that_is_lost_twice_is_an_error_of_its_case() -> None:
    lost = given_up(case(2), "worker", "KilledWorker: gone, 2 times")
    found = document(result(1), lost)
    assert [one.status for one in found.cases] == ["passed", "error"]
    assert found.exit_code == 3
    late = document(given_up(case(1), "timeout", "no answer within 3 s"))
    assert late.exit_code == 7


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"digest": "other"}, "another capture with this name"),
        ({"gpu": "another"}, "the GPU of the baseline is another: a GPU, now another"),
        ({"origin": "simulated"}, "the origin of times of the baseline is another"),
    ],
)
def test_other_baselines_are_not_compared_with(baseline: Path, change: dict[str, str], cause: str) -> None:
    found = document(replace(result(1), **change), baseline=baseline)  # type: ignore[arg-type]
    assert found.cases[0].status == "error"
    assert cause in found.cases[0].reason
    assert found.exit_code == 2


def test_new_and_gone_captures(baseline: Path) -> None:
    found = document(result(1), result(7), baseline=baseline)
    assert found.cases[1].status == "passed"
    assert found.cases[1].missing["time"] == "the baseline has no time of it"
    assert len(found.warnings) == 2  # c2 and c3
    assert found.exit_code == 0


def test_there_and_back() -> None:
    found = document(result(1), given_up(case(2), "worker", "gone"))
    assert from_json(SuiteDocument, to_json(found), "x") == found


def test_baselines_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    with pytest.raises(UsageProblem, match="cannot be read"):
        read_baseline(file, 10)
    file.write_text("{}")
    with pytest.raises(BadInput):
        read_baseline(file, 10)
    file.write_text(to_json(document(result(1))))
    with pytest.raises(UsageProblem, match="--iterations 10, not 3"):
        read_baseline(file, 3)
    plain = json.loads(file.read_text())
    plain["cases"][0]["samples_ms"] = []
    file.write_text(json.dumps(plain))
    with pytest.raises(UsageProblem, match="has no times"):
        read_baseline(file, 10)
