"""Variants are compiled together, and what does not compile costs no evaluation, however trials are run."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.integration.autotune.conftest import METRIC, Autotune

from rocm_perf_lab.autotuning.run_trial import run_trial
from rocm_perf_lab.autotuning.settings import TuningSettings
from rocm_perf_lab.autotuning.space import Space, SpaceParameter
from rocm_perf_lab.autotuning.template import parse_template
from rocm_perf_lab.autotuning.trial import TrialTask, TuningTrial
from rocm_perf_lab.autotuning.tune import Tuning
from rocm_perf_lab.executors.local import LocalExecutor

# Says when it ran. One of the last three waits for the other two, as long as they may take to begin.
BUILD_TOGETHER = """
import sys, time
from pathlib import Path
folder = Path(sys.argv[1])
began = time.monotonic()
ended = len(list(folder.parent.glob("*/when")))
(folder / "began").touch()
while ended >= 9 and len(list(folder.parent.glob("*/began"))) < ended + 3 and time.monotonic() < began + 60:
    time.sleep(0.02)
(folder / "when").write_text(f"{began} {time.monotonic()}")
"""
# Of what is large nothing is implemented.
PICKY_BUILD = "import sys; sys.exit(int(sys.argv[1]) * int(sys.argv[2]) > 64)"


def test_a_batch_is_built_together(autotune: Autotune) -> None:
    folder = autotune.folder
    (folder / "build.py").write_text(BUILD_TOGETHER)
    build = f"{sys.executable} build.py {{build}} {{A}} {{B}} {{MODE}}"
    options = ("--evals", 12, "--batch", 3, "--build-template", build, "--build-jobs", 3, "--out", "t")
    done = autotune(*METRIC, "--json", *options)
    assert done.returncode == 0, done.stderr
    built = [[float(word) for word in path.read_text().split()] for path in folder.glob("t/builds/*/when")]
    assert len(built) >= 12  # seeds may come to nothing after a failure
    # The baseline, six seeds and two more came before; the last batch was chosen by the model.
    begins, ends = zip(*sorted(built)[-3:], strict=True)
    assert max(begins) < min(ends)


def test_several_workers_pass_over_what_does_not_compile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autotune: Autotune
) -> None:
    for name, value in autotune.environment.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "build.py").write_text(PICKY_BUILD)
    monkeypatch.chdir(tmp_path)
    powers = tuple(2**number for number in range(7))
    space = Space((SpaceParameter("A", powers), SpaceParameter("B", powers)))
    build = parse_template(f"{sys.executable} build.py {{A}} {{B}} {{build}}", space.names, ("build",), "")

    def run(task: TrialTask) -> TuningTrial:
        """GPU time of a program that need not be run to know it."""
        trial = run_trial(replace(task, command=("true",), objective="metric", metric="nothing"))
        if trial.failure == "compile":
            return trial
        a, b = (float(task.configuration[name]) for name in "AB")
        return replace(trial, failure=None, message="", samples=(100 / (a * b) + abs(a - b),))

    settings = TuningSettings(
        space=space, command=build, folder=tmp_path / "t", build=build, build_jobs=4, evals=24, rounds=1
    )
    (tmp_path / "t").mkdir()
    tuning = Tuning(settings, LocalExecutor(run, (None, None)), lambda trial, tuning: None)
    tuning.run(resume=False)
    assert set(tuning.excluded.values()) == {"compile"}
    tried = {tuning.settings.space.levels_of(trial.configuration) for trial in tuning.trials}
    assert not tried & tuning.excluded.keys()
    assert len(tuning.search.tried) == 24
