"""The judge of the timing model: errors, verdicts and tables from plain data."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

VALIDATION = Path(__file__).resolve().parents[3] / "validation"


@pytest.fixture(scope="module")
def judge() -> ModuleType:
    sys.path.insert(0, str(VALIDATION))
    import judge
    import judge.compare
    import judge.execute
    import judge.report
    import judge.scatter
    import judge.sources

    return judge


def result_of(judge: ModuleType, simulated: float | None, size: str = "64", subset: str = "fit"):
    row = judge.sources.Row("nw", size, 2.0, 1.5, 2.5)
    lines = () if simulated is None else ({"program": "nw", "size": size, "avg_ms": simulated},)
    return judge.compare.row_result(row, subset, judge.execute.Outcome("nw", lines, 0.1, ""))


def test_error_is_relative_to_the_measured_average(judge: ModuleType) -> None:
    assert result_of(judge, 2.5).error == pytest.approx(0.25)
    assert result_of(judge, 1.0).signed_percent == pytest.approx(-50)
    assert result_of(judge, 2.5).inside_measured_range
    assert not result_of(judge, 2.6).inside_measured_range


def test_a_row_without_a_time_counts_fully_and_is_never_dropped(judge: ModuleType) -> None:
    failed = result_of(judge, None)
    assert failed.error == 1.0
    assert failed.problem == "printed no time"
    late = judge.execute.Outcome("nw", ({"avg_ms": 1.0},), 60.0, "not done after 60 s")
    row = judge.sources.Row("nw", "64", 2.0, 1.5, 2.5)
    assert judge.compare.row_result(row, "fit", late).simulated_ms is None
    assert judge.compare.summary([failed, result_of(judge, 2.0)]).failed == 1


def test_quantiles(judge: ModuleType) -> None:
    assert judge.compare.quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert judge.compare.quantile([1.0, 2.0], 0.5) == 1.5
    assert judge.compare.quantile([float(i) for i in range(11)], 0.9) == 9.0


def test_at_most_half_of_the_programs_are_fitted_on(judge: ModuleType) -> None:
    subsets = [program.subset for program in judge.sources.programs()]
    assert set(subsets) == {"fit", "held-out"}
    assert subsets.count("fit") * 2 <= len(subsets)


def test_every_named_source_is_there(judge: ModuleType) -> None:
    sources = judge.sources
    paths = [program.source for program in sources.programs()]
    paths += [pair.source for pair in sources.pairs()]
    paths += sources.microbenchmarks(quick=False)
    assert [path for path in paths if not path.exists()] == []
    names = {program.name for program in sources.programs()}
    assert {entry["program"] for entry in sources.suspected_reasons()} <= names
    assert set(sources.document("programs.json")["quick"]) == names


def test_a_pair_is_right_only_with_the_asked_ratio(judge: ModuleType) -> None:
    pair = judge.sources.pairs()[0]
    lines = [
        {"pair": pair.name, "variant": pair.winner, "ms": 1.0},
        {"pair": pair.name, "variant": pair.loser, "ms": pair.at_least},
    ]
    assert judge.compare.pair_results([pair], lines)[0].right
    lines[1]["ms"] = pair.at_least - 0.01
    assert not judge.compare.pair_results([pair], lines)[0].right
    assert not judge.compare.pair_results([pair], lines[:1])[0].right


def test_tables_list_what_is_off_with_its_reason(judge: ModuleType) -> None:
    rows = [result_of(judge, 2.1), result_of(judge, 3.0, "128", "held-out")]
    reasons = [{"program": "nw", "sizes": ["1*"], "sign": "+", "reason": "barriers"}]
    text = "\n".join(judge.report.deviations(rows, [], [], reasons))
    assert "| nw | 128 | 3.0000 | +50 % | barriers |" in text
    assert "| nw | 64 |" not in text
    table = "\n".join(judge.report.row_tables(rows, {"median": 0.12, "p90": 0.35}))
    assert "| **held-out programs** | 1 | 0 | 50.0 % | 50.0 % | 50.0 % |" in table
    assert "**not met**" in table


def test_picture_shows_every_row_with_a_time(judge: ModuleType) -> None:
    rows = [result_of(judge, 2.1), result_of(judge, 3.0, "128", "held-out"), result_of(judge, None)]
    picture = judge.scatter.draw(rows)
    assert picture.count("<title>") == 2
    assert "nw 128: 3.0000 ms, +50 %" in picture


def test_absent_data_is_said_by_name(
    judge: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(judge.sources, "DATA", tmp_path)
    with pytest.raises(judge.sources.DataMissing, match=r"kernel_times\.csv"):
        judge.sources.measured_rows(quick=False)
    assert all(not figure.name.startswith("v_") for figure in judge.sources.figures())
