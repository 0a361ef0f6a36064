"""What compiled code tells steers the search, where names say nothing; what cannot be launched is not run."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

from tests.commands import SECONDS, rocm_perf_words
from tests.integration.autotune.conftest import Autotune

from rocm_perf_lab.contracts.changes.autotune import TuningDocument
from rocm_perf_lab.contracts.documents import from_json

ROOT = Path(__file__).parents[3]
WORDS = [f"w{number}" for number in range(9)]
# Registers and LDS of a configuration are drawn: its name does not tell them.
FIGURES = {
    (a, b): {
        "vgpr_count": draw.choice(range(16, 256, 8)),
        "group_segment_fixed_size": draw.choice((512, 4096, 99328)),
    }
    for draw in (random.Random(3),)
    for a in WORDS
    for b in WORDS
}
BUILD = f"""
import json, sys
sys.path.insert(0, {str(ROOT)!r})
from tests.unit.codeobj.made_files import code_object, kernel
figures = json.load(open("figures.json"))[f"{{sys.argv[1]}} {{sys.argv[2]}}"]
open(sys.argv[3] + "/k.hsaco", "wb").write(code_object(kernel(agpr_count=0, **figures)))
"""
RUN = """
import json, sys
figures = json.load(open("figures.json"))[f"{sys.argv[1]} {sys.argv[2]}"]
open("ran.log", "a").write(f"{sys.argv[1]} {sys.argv[2]}\\n")
print("time:", figures["vgpr_count"] / 16)
"""


def test_code_objects_are_looked_at_before_a_run(autotune: Autotune) -> None:
    folder = autotune.folder
    (folder / "figures.json").write_text(
        json.dumps({f"{a} {b}": figures for (a, b), figures in FIGURES.items()})
    )
    (folder / "build.py").write_text(BUILD)
    (folder / "run.py").write_text(RUN)
    (folder / "words.json").write_text(json.dumps({"A": WORDS, "B": WORDS}))
    words = [
        "autotune",
        "--space",
        "words.json",
        "--json",
        "--evals",
        "16",
        "--out",
        "t",
        "--build-jobs",
        "4",
    ]
    words += ["--build-template", f"{sys.executable} build.py {{A}} {{B}} {{build}}"]
    words += ["--cmd-template", f"{sys.executable} run.py {{A}} {{B}}"]
    words += ["--objective", "metric", "--metric", r"time: ([\d.]+)", "--repeats", "1"]
    done = subprocess.run(
        rocm_perf_words(*words),
        cwd=folder,
        env=autotune.environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    document = from_json(TuningDocument, done.stdout, "stdout")
    assert document.model is not None
    assert {"vgprs", "lds"} <= set(document.model.figures)
    # A third cannot be launched: some were built, none was run.
    assert document.pruned.not_launchable > 0
    ran = {tuple(line.split()) for line in (folder / "ran.log").read_text().splitlines()}
    assert all(FIGURES[one]["group_segment_fixed_size"] < 65536 for one in ran)
    # The model knows that time goes with registers: it predicts what it has not seen.
    assert document.model.r2 > 0.8
    builds = [path for path in (folder / "t/builds").iterdir() if path.is_dir()]
    assert len(builds) <= 4 * 12 + 6  # so many for each evaluation, and the seeds
    best = min(one["vgpr_count"] for one in FIGURES.values() if one["group_segment_fixed_size"] < 65536)
    assert document.best.value <= 1.5 * best / 16
