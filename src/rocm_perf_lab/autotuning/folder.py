"""The folder of a tuning: a new one, or the one of a tuning that is to go on.

::

    .rocm-perf/20250131-120000-autotune-kernel/
      trials.jsonl     the journal: what is tuned, then a line for each trial
      tuning.json      what was found, at the end; tuning.html shows it
      trials/0001/     logs of a trial
      builds/<key>/    what a build made
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from rocm_perf_lab.autotuning.files import JOURNAL
from rocm_perf_lab.autotuning.journal import tuned_in
from rocm_perf_lab.autotuning.settings import TuningSettings
from rocm_perf_lab.errors import BadInput, EnvironmentProblem, UsageProblem
from rocm_perf_lab.profiling.folder.run_folder import HOME, make_folder


def tuning_folder(settings: TuningSettings, out: Path | None, resume: bool, now: datetime) -> TuningSettings:
    """The settings with their folder, which is made if need be."""
    if out is None and resume:
        return replace(settings, folder=_last_like(settings))
    try:
        if out is None:
            name = f"autotune-{Path(settings.command.words[0]).name}"
            return replace(settings, folder=make_folder(name, now).path)
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise EnvironmentProblem(f"the folder {out} cannot be made: {problem.strerror}") from None
    if not resume and (out / JOURNAL).exists():
        raise UsageProblem(f"{out} holds an earlier tuning", "go on with --resume, or name another --out")
    return replace(settings, folder=out.absolute())


def _last_like(settings: TuningSettings) -> Path:
    """The newest tuning of the same thing below ``.rocm-perf``."""
    wanted = json.loads(json.dumps(settings.about()))
    for journal in sorted(Path(HOME).absolute().glob(f"*/{JOURNAL}"), reverse=True):
        try:
            about = tuned_in(journal)
        except BadInput:
            continue
        if about is not None and all(about.get(key) == value for key, value in wanted.items()):
            return journal.parent
    raise UsageProblem(
        "there is no tuning like this one to go on with", "leave --resume out, or name its --out"
    )
