"""The page of a tuning: data first, then markup in which nothing foreign is a tag."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from rocm_perf_lab.autotuning.document import tuning_document
from rocm_perf_lab.autotuning.formats.space_file import space_of
from rocm_perf_lab.autotuning.settings import TuningSettings
from rocm_perf_lab.autotuning.template import parse_template
from rocm_perf_lab.autotuning.trial import TrialTask, TuningTrial
from rocm_perf_lab.autotuning.tune import Tuning
from rocm_perf_lab.contracts.changes.autotune import TuningDocument
from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.executors.inline import InlineExecutor
from rocm_perf_lab.reporting.html.tuning_page import render
from rocm_perf_lab.reporting.html.tuning_view import tuning_view
from rocm_perf_lab.reporting.terminal.autotune import render as on_terminal

NASTY = "<script>alert(1)</script>"


def law(task: TrialTask) -> TuningTrial:
    """Best with x = 8 and the plain word; x = 1 does not compile."""
    trial = TuningTrial(number=task.number, phase=task.phase, configuration=task.configuration)
    x = int(task.configuration["x"])
    if x == 1:
        return replace(trial, failure="compile", message=NASTY)
    took = 1.0 + abs(x - 8) / 10 + (task.configuration["word"] == NASTY)
    return replace(trial, samples=(took,) * task.repeats)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> TuningDocument:
    space = space_of({"x": [1, 2, 4, 8, 16, 32], "word": ["plain", NASTY]}, "a space")
    template = parse_template("./k {x} {word}", space.names, (), "--cmd-template")
    settings = TuningSettings(
        space=space,
        command=template,
        folder=tmp_path_factory.mktemp("t"),
        baseline={"x": 32, "word": "plain"},
        evals=10,
    )
    tuning = Tuning(settings, InlineExecutor(law), lambda trial, tuning: None)
    tuning.run(resume=False)
    return tuning_document(tuning)


def test_document_is_read_back(document: TuningDocument) -> None:
    assert from_json(TuningDocument, to_json(document), "text") == document
    assert document.best.configuration == {"x": 8, "word": "plain"}
    assert document.speedup == pytest.approx(3.4)


def test_charts_show_every_trial(document: TuningDocument) -> None:
    view = tuning_view(document)
    assert len(view.convergence.dots) == 10
    kinds = [dot.kind for dot in view.convergence.dots]
    assert kinds.count("failed") == document.failed["compile"]
    assert view.prediction is not None
    assert len(view.prediction.dots) == sum(
        trial.predicted is not None and trial.value is not None for trial in document.trials
    )
    heights = [float(point.split(",")[1]) for point in view.convergence.line.split()]
    assert heights == sorted(heights)  # the best so far only falls; pixels grow downwards
    assert [effect.name for effect in view.effects] == [effect.name for effect in document.effects]


def test_page_has_no_script_and_loads_nothing(document: TuningDocument) -> None:
    page = render(document)
    assert NASTY not in page
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert not re.search(r"(src|href)=", page)
    assert "default-src &#39;none&#39;" in page


def test_terminal(document: TuningDocument) -> None:
    text = on_terminal(document, Path("somewhere"))
    assert "10 of 12 configurations tried" in text
    assert "against the baseline: 3.400x" in text
