"""The journal: what was written is read back, cut lines are left out, other tunings are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocm_perf_lab.autotuning.journal import TuningJournal
from rocm_perf_lab.autotuning.trial import TuningTrial
from rocm_perf_lab.errors import BadInput, UsageProblem

ABOUT = {"command": ["k", "{A}"], "objective": "gpu-time"}
TRIALS = [
    TuningTrial(number=1, phase="seed", configuration={"A": 1, "S": "ä"}, samples=(1.0, 2.0, 3.0), host="h"),
    TuningTrial(
        number=2, phase="confirm", configuration={"A": 2}, failure="compile", message="no", predicted=1.5
    ),
]


def written(path: Path) -> TuningJournal:
    journal = TuningJournal(path, ABOUT)
    journal.begin()
    for trial in TRIALS:
        journal.add(trial)
    return journal


def test_back(tmp_path: Path) -> None:
    written(tmp_path / "j").close()
    back = TuningJournal(tmp_path / "j", ABOUT).resume()
    assert back == TRIALS
    assert [trial.value for trial in back] == [2.0, None]


def test_every_cut_is_survived(tmp_path: Path) -> None:
    written(tmp_path / "j")
    whole = (tmp_path / "j").read_bytes()
    first, second, third = whole.splitlines(keepends=True)
    for length in sorted({*range(0, len(whole), 5), len(first), len(first + second), len(whole)}):
        (tmp_path / "c").write_bytes(whole[:length])
        journal = TuningJournal(tmp_path / "c", ABOUT)
        expected = (length >= len(first + second)) + (length >= len(whole))
        assert len(journal.resume()) == expected
        journal.add(TRIALS[0])
        journal.close()
        assert (tmp_path / "c").read_bytes().startswith(whole[:length])
        again = TuningJournal(tmp_path / "c", ABOUT)
        assert len(again.resume()) == expected + 1
        again.close()
    assert third


def test_one_tuning_at_a_time(tmp_path: Path) -> None:
    journal = written(tmp_path / "j")
    with pytest.raises(UsageProblem, match="in use"):
        TuningJournal(tmp_path / "j", ABOUT).resume()
    journal.close()
    assert TuningJournal(tmp_path / "j", ABOUT).resume() == TRIALS


def test_journals_of_before_are_read(tmp_path: Path) -> None:
    """As they were written until now: without notes of torn lines."""
    lines = (
        '{"rocm_perf_autotune": 1, "command": ["k", "{A}"], "objective": "gpu-time"}',
        '{"number": 1, "phase": "seed", "configuration": {"A": 1}, "samples": [1.0], "host": "h"}',
        '{"number": 2, "pha',
    )
    (tmp_path / "j").write_text("\n".join(lines))
    assert [trial.number for trial in TuningJournal(tmp_path / "j", ABOUT).resume()] == [1]


def test_another_tuning_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "j").close()
    with pytest.raises(UsageProblem, match="its objective differs"):
        TuningJournal(tmp_path / "j", {**ABOUT, "objective": "wall"}).resume()
    with pytest.raises(UsageProblem, match="there already"):
        TuningJournal(tmp_path / "j", ABOUT).begin()


@pytest.mark.parametrize("line", ["[]", "{", '{"number": 1}', '{"samples": ["x"]}'])
def test_damage_is_refused(tmp_path: Path, line: str) -> None:
    journal = written(tmp_path / "j")
    with (tmp_path / "j").open("a") as file:
        file.write(line + "\n")
    with pytest.raises(BadInput):
        journal.resume()
