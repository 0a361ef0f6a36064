"""Live tuning from outside: phases, failures, checks, budgets, kills, errors."""

from __future__ import annotations

import itertools
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.commands import SECONDS, rocm_perf_words
from tests.integration.autotune.conftest import METRIC, Autotune

from rocm_perf_lab.contracts.changes.autotune import TuningDocument
from rocm_perf_lab.contracts.documents import from_json

BEST = {"A": 8, "B": 4, "MODE": "good"}


def test_finds_the_best_and_says_how(autotune: Autotune) -> None:
    done = autotune(*METRIC, "--json", "--evals", 30, "--out", "t", "--check", "grep -q right {stdout}")
    assert done.returncode == 0, done.stderr
    document = from_json(TuningDocument, done.stdout, "stdout")
    assert (autotune.folder / "t/tuning.json").read_text() == done.stdout
    assert document.best.configuration == BEST
    assert document.best.value == pytest.approx(1.0)
    assert document.speedup == pytest.approx(2.8)
    assert document.against_baseline is not None
    assert document.against_baseline.verdict == "faster"
    assert document.runner_up is not None
    assert document.runner_up.value == pytest.approx(1.2)
    assert document.evaluated == 30
    phases = [trial.phase for trial in document.trials]
    # The baseline may be one of the seeds.
    assert [phase for phase, _ in itertools.groupby(phases)] == ["baseline", "seed", "confirm", "final"]
    assert phases.count("seed") in (5, 6)
    assert set(document.failed) <= {"runtime", "correctness"}
    for trial in document.trials:
        assert (trial.failure == "correctness") == (
            trial.configuration["B"] == 16 and trial.failure != "runtime"
        )
        assert (trial.failure == "runtime") == (
            trial.configuration["MODE"] == "bad" and int(trial.configuration["A"]) > 4
        )
        assert (trial.predicted is None) == (trial.phase != "confirm")
    assert document.model is not None
    assert document.model.r2 > 0.7
    assert document.warning is None
    assert document.effects[0].importance >= document.effects[-1].importance
    assert {effect.name for effect in document.effects} == {"A", "B", "MODE"}
    pruned = document.pruned
    assert pruned.by_constraints == 3
    assert pruned.predicted_slower is not None
    assert pruned.expected_to_fail is not None
    assert pruned.not_reached is not None
    assert pruned.predicted_slower + pruned.expected_to_fail + pruned.not_reached == 87 - 30


def test_never_more_than_evals(autotune: Autotune) -> None:
    document = autotune.document("--evals", 9)
    assert document["evaluated"] == 9
    tried = {json.dumps(trial["configuration"]) for trial in document["trials"]}
    assert len(tried) == 9
    # Each of them once, and seven rounds of the final.
    assert len(autotune.runs()) == 9 + 21


def test_same_seed_same_sequence(autotune: Autotune) -> None:
    sequences = []
    for seed in (3, 3, 4):
        document = autotune.document("--evals", 14, "--seed", seed)
        sequences.append([trial["configuration"] for trial in document["trials"]])
    assert sequences[0] == sequences[1]
    assert sequences[0] != sequences[2]


def test_a_kill_loses_nothing(autotune: Autotune) -> None:
    whole = autotune.document("--evals", 16, "--out", "whole")
    process = autotune.start(*METRIC, "--json", "--evals", 16, "--out", "t", PAUSE="0.3")
    journal = autotune.folder / "t/trials.jsonl"
    until = time.monotonic() + SECONDS
    while not journal.exists() or len(journal.read_text().splitlines()) < 8:
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = sum("configuration" in json.loads(line) for line in journal.read_text().splitlines(keepends=True)
               if line.endswith("\n"))  # fmt: skip
    with journal.open("a") as file:
        file.write('{"number": 99, "pha')  # the kill came in the middle of a line
    before = len(autotune.runs())
    document = autotune.document("--evals", 16, "--out", "t", "--resume")
    sequence = [trial["configuration"] for trial in whole["trials"]]
    assert [trial["configuration"] for trial in document["trials"]] == sequence
    # The program that was running when the kill came may write its line late.
    assert kept >= 6
    assert len(autotune.runs()) - before <= 16 - kept + 21 + 1
    assert document["best"] == whole["best"]


def test_resume_finds_the_last_tuning_and_refuses_another(autotune: Autotune) -> None:
    first = autotune.document("--evals", 8)
    ran = len(autotune.runs())
    more = autotune.document("--evals", 12, "--resume")
    assert len(autotune.runs()) - ran == 4 + 21
    assert more["trials"][:8] == first["trials"][:8]
    refused = autotune(*METRIC, "--evals", 12, "--resume", "--check", "true", "--json")
    assert refused.returncode == 2
    assert json.loads(refused.stdout)["error"]["kind"] == "usage"


def test_budget(autotune: Autotune) -> None:
    document = autotune.document("--evals", 80, "--budget", "4s", PAUSE="0.5")
    assert document["stopped"] == "budget"
    assert document["evaluated"] < 20


def test_the_whole_space_when_it_is_small(autotune: Autotune) -> None:
    (autotune.folder / "space.json").write_text(
        json.dumps({"A": [4, 8], "B": [4], "MODE": ["good", "plain"]})
    )
    document = autotune.document("--evals", 50)
    assert document["stopped"] == "space"
    assert document["evaluated"] == 4
    assert document["best"]["configuration"] == BEST
    assert document["warning"] == "low_model_confidence"
    assert "no baseline" in document["missing"]["speedup"]


def test_pruning_stops_the_search(autotune: Autotune) -> None:
    document = autotune.document("--evals", 80, "--prune-factor", "1.05")
    assert document["stopped"] == "pruned"
    assert document["evaluated"] < 60
    assert document["best"]["configuration"] == BEST


def test_larger_is_better(autotune: Autotune) -> None:
    document = autotune.document("--evals", 30, "--maximize", "--baseline", "A=8,B=4,MODE=good")
    best = max(trial["value"] for trial in document["trials"] if trial["value"] is not None)
    assert document["best"]["value"] == best
    assert best == pytest.approx(2.8)
    assert document["speedup"] == pytest.approx(2.8)


def test_nothing_works(autotune: Autotune) -> None:
    done = autotune("--objective", "metric", "--metric", "nothing (.*)", "--evals", 4, "--json", "--out", "t")
    assert done.returncode == 4
    error = json.loads(done.stdout)["error"]
    assert "none of 4 configurations worked" in error["cause"]
    assert "matches" in error["cause"]
    assert error["collected"].endswith("/t")


def test_a_program_that_hangs_is_stopped(autotune: Autotune) -> None:
    (autotune.folder / "space.json").write_text(json.dumps({"A": [1, 8], "B": [4], "MODE": ["good"]}))
    (autotune.folder / "program.py").write_text(
        "import sys, time\nif sys.argv[1] == '1': time.sleep(600)\nprint('time: 1.5 ms')\n"
    )
    document = autotune.document("--timeout", "2")
    assert document["failed"] == {"timeout": 1}
    assert document["best"]["configuration"]["A"] == 8


def test_builds_are_made_once(autotune: Autotune) -> None:
    (autotune.folder / "builder.py").write_text(
        "import sys\nopen('builds.log', 'a').write(sys.argv[2] + '\\n')\n"
        "if sys.argv[2] == '32': sys.exit('error: too large')\nopen(sys.argv[1] + '/out', 'w').write('x')\n"
    )
    build = f"{sys.executable} builder.py {{build}} {{A}}"
    document = autotune.document("--evals", 25, "--build-template", build)
    built = (autotune.folder / "builds.log").read_text().split()
    assert len(built) == len(set(built)) <= 6
    failed = [trial for trial in document["trials"] if trial["failure"] == "compile"]
    assert failed
    assert all(trial["configuration"]["A"] == 32 for trial in failed)
    assert "too large" in failed[0]["message"]


def test_community_formats(autotune: Autotune) -> None:
    document = autotune.document(
        "--evals", 20, "--export-t4", "t4.json", "--export-kernel-tuner", "kt.json.gz"
    )
    for name in ("t4.json", "kt.json.gz"):
        words = ["autotune", "--recorded", name, "--evals", "20", "--seeds", "2", "--workers", "1", "--json"]
        done = subprocess.run(
            rocm_perf_words(*words),
            cwd=autotune.folder,
            env=autotune.environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        recorded = json.loads(done.stdout)
        assert recorded["configurations"] == 20
        assert recorded["failing"] == sum(document["failed"].values())
        assert recorded["quality"][-1]["median"] == 1.0
    again = autotune.document("--evals", 8, "--import", "kt.json.gz")
    assert again["best"]["configuration"] == BEST


def test_wall_time(autotune: Autotune) -> None:
    (autotune.folder / "space.json").write_text(json.dumps({"A": [1, 8], "B": [4], "MODE": ["good"]}))
    (autotune.folder / "program.py").write_text(
        "import sys, time\ntime.sleep(0.1 if sys.argv[1] == '8' else 0.6)\n"
    )
    done = autotune("--objective", "wall", "--json", "--repeats", "2")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["best"]["configuration"]["A"] == 8
    assert document["best"]["value"] > 100  # milliseconds
    slow = [trial["value"] for trial in document["trials"] if trial["configuration"]["A"] == 1]
    assert min(slow) > 600


def test_quiet_prints_the_configuration(autotune: Autotune) -> None:
    done = autotune(*METRIC, "--evals", 25, "--quiet")
    assert json.loads(done.stdout) == BEST
    assert done.stderr == ""


def test_terminal(autotune: Autotune) -> None:
    done = autotune(*METRIC, "--evals", 12)
    assert "12 of 87 configurations tried" in done.stdout
    assert "against the baseline:" in done.stdout
    assert "12/12" in done.stderr


@pytest.mark.parametrize(
    "options",
    [
        ("--metric", "x"),
        ("--objective", "metric"),
        ("--maximize",),
        ("--executor", "dask"),
        ("--scheduler", "tcp://localhost:1"),
        ("--budget", "soon"),
        ("--baseline", "A=3,B=1,MODE=good"),
        ("--baseline", "{"),
        ("--baseline", "Z=3"),
        ("--kernel", "("),
        ("--check", "x {Z}"),
        ("--build-template", "make | tee"),
        ("--seeds", "3"),
        ("--resume",),
    ],
)
def test_options_that_make_no_sense(autotune: Autotune, options: tuple[str, ...]) -> None:
    done = autotune("--json", *options)
    assert done.returncode in (2, 6)
    assert json.loads(done.stdout)["error"]["cause"]
    assert autotune.runs() == []


def test_spaces_and_templates_are_checked(autotune: Autotune, tmp_path: Path) -> None:
    (tmp_path / "space.json").write_text(json.dumps({"parameters": {"A": [1]}, "constraints": ["open('x')"]}))
    done = autotune("--json")
    assert done.returncode == 6
    assert "not allowed" in json.loads(done.stdout)["error"]["cause"]


TILE = Path(__file__).parent / "tile.hip"
TILES = {
    "parameters": {"BLOCK": [64, 256, 2048], "ITEMS": [1, 2, 8], "LDS_KIB": [1, 128]},
    "baseline": {"BLOCK": 64, "ITEMS": 8, "LDS_KIB": 1},
}


def test_gpu_time_of_compiled_variants(autotune: Autotune) -> None:
    """Kernels that need too much LDS do not compile, groups of 2048 threads are not launched."""
    (autotune.folder / "tiles.json").write_text(json.dumps(TILES))
    defines = "-DBLOCK={BLOCK} -DITEMS={ITEMS} -DLDS_KIB={LDS_KIB}"
    words = ["autotune", "--space", "tiles.json", "--cmd-template", "{build}/tile", "--json", "--evals", "9"]
    words += ["--build-template", f"hipcc -O1 {defines} {TILE} -o {{build}}/tile", "--kernel", "tile"]
    words += ["--check", "grep -q 'total 65536' {stdout}", "--build-jobs", "2"]
    done = subprocess.run(
        rocm_perf_words(*words),
        cwd=autotune.folder,
        env=autotune.environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    document = from_json(TuningDocument, done.stdout, "stdout")
    assert document.origin == "simulated"
    assert set(document.failed) <= {"compile", "runtime"}
    for trial in document.trials:
        expected = (
            "compile"
            if trial.configuration["LDS_KIB"] == 128
            else "runtime"
            if trial.configuration["BLOCK"] == 2048
            else None
        )
        assert trial.failure == expected
        if expected is None:
            assert trial.static["arch_vgprs"] > 0
            assert trial.static["lds_static_bytes"] == 1024
            assert 0 < trial.static["occupancy"] <= 1
            assert len(trial.samples) == 1  # what is simulated repeats exactly
    assert document.best.configuration["ITEMS"] == 1
    assert document.speedup is not None
    assert document.speedup > 1.05


STRIDED = Path(__file__).parent / "strided.hip"


def test_a_captured_dispatch_is_tuned_by_replay(autotune: Autotune) -> None:
    """Unrolling makes it faster; variants that give something else are invalid, however fast they are."""
    folder, environment = autotune.folder, autotune.environment
    (folder / "unroll.json").write_text(json.dumps({"UNROLL": [1, 8], "WRONG": [0, 1]}))
    build = f"hipcc -O2 -DUNROLL={{UNROLL}} -DWRONG={{WRONG}} {STRIDED} -o {{build}}/s"
    perf = rocm_perf_words()
    words = ["--space", "unroll.json", "--capture", "kept", "--build-template", build]
    words += ["--baseline", "UNROLL=1,WRONG=0", "--json", "--build-jobs", "2"]
    for command in (
        ["hipcc", "-O2", str(STRIDED), "-o", "app"],
        [*perf, "capture", "--kernel", "strided", "--out", "kept", "--", "./app"],
        [*perf, "autotune", *words],
    ):
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == 0, done.stderr
    document = from_json(TuningDocument, done.stdout, "stdout")
    assert document.best.configuration == {"UNROLL": 8, "WRONG": 0}
    assert document.speedup is not None
    assert document.speedup > 1.5
    assert document.failed == {"correctness": 2}
    assert all(trial.configuration["WRONG"] == 1 for trial in document.trials if trial.failure)


def test_a_local_pool_equals_one_after_the_other(autotune: Autotune) -> None:
    here = autotune.document("--evals", 12, "--batch", 2)
    pool = autotune.document("--evals", 12, "--batch", 2, "--executor", "local", "--workers", 2)
    tried = [
        [(trial["configuration"], trial["value"]) for trial in document["trials"]]
        for document in (here, pool)
    ]
    assert tried[0] == tried[1]


@pytest.mark.parametrize("executor", [(), ("--executor", "local", "--workers", "2")])
def test_ctrl_c_keeps_what_was_found(autotune: Autotune, executor: tuple[str, ...]) -> None:
    options = (*METRIC, "--json", "--evals", 40, "--out", "t", *executor)
    process = autotune.start(*options, PAUSE="0.5")
    journal = autotune.folder / "t/trials.jsonl"
    until = time.monotonic() + SECONDS
    while not journal.exists() or len(journal.read_text().splitlines()) < 5:
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, stderr
    error = json.loads(stdout)["error"]
    assert error["kind"] == "interrupted"
    assert "--resume" in error["remedy"]
    assert error["collected"].endswith("/t")
    assert len(journal.read_text().splitlines()) >= 5


def test_the_folder_is_shown_by_report(autotune: Autotune) -> None:
    autotune.document("--evals", 7, "--out", "t")
    page = autotune.folder / "t/tuning.html"
    first = page.read_text()
    page.unlink()
    perf = rocm_perf_words("report", "t")

    def report(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*perf, *options], cwd=autotune.folder, env=autotune.environment, capture_output=True, text=True
        )

    done = report()
    assert (done.returncode, done.stdout) == (0, "t/tuning.html\n"), done.stderr
    assert page.read_text() == first
    text = report("--format", "terminal")
    assert "best" in text.stdout
    assert report("--format", "md").returncode == 2
    (autotune.folder / "t/tuning.json").unlink()
    unfinished = report()
    assert unfinished.returncode == 2
    assert "--resume" in unfinished.stderr
