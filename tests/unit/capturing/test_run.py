"""Driving a program: what it is told, and each way it can end. The program plays the library's part."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.commands import SECONDS, rocm_perf_words

from .made_captures import MadeCapture

SOURCES = Path(__file__).parents[3] / "src"

# What a program does that the library captures: by turns, from its arguments.
PROGRAM = """\
import json, os, shutil, sys, time
from pathlib import Path
def made(name):
    shutil.copytree(Path({captures!r}) / name, out)
out = Path(os.environ["ISOLATE_OUT"])
def report(state, **more):
    Path(os.environ["ISOLATE_REPORT"]).write_text(json.dumps(
        dict(state=state, folder=str(out), reason=None, matching_dispatches=1, dispatches=3,
             kernels=["_Z3addPfi", "scale"]) | more) + "\\n")
for word in sys.argv[1:]:
    name, _, value = word.partition("=")
    if name in ("capture", "incomplete"): made(name); report("captured")
    elif name == "partial": out.with_name(out.name + ".partial").mkdir()
    elif name == "report": report(**json.loads(value))
    elif name == "exit": os._exit(int(value))
    elif name == "kill": os.kill(os.getpid(), int(value))
    elif name == "sleep": time.sleep(float(value))
    elif name == "print": print(value, flush=True)
    elif name == "complain": print(value, file=sys.stderr, flush=True)
    elif name == "echo": print(sys.stdin.read(), end="", flush=True)
    elif name == "environment":
        told = {{k: v for k, v in os.environ.items() if k.startswith(("ISOLATE", "HSA"))}}
        print(json.dumps(told), flush=True)
"""


@dataclass
class Stage:
    folder: Path
    environment: dict[str, str]

    def command(self, *words: str) -> list[str]:
        return rocm_perf_words(*words)

    def run(
        self, *words: str, stdin: str | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*words),
            env={**self.environment, **environment},
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made before there is a limit of time."""
    folder = tmp_path_factory.mktemp("captures")
    MadeCapture().write(folder / "capture")
    MadeCapture(complete=False).write(folder / "incomplete")
    return folder


@pytest.fixture
def stage(tmp_path: Path, captures: Path) -> Stage:
    """A prefix and a library that are only names, and the program."""
    for file in ("rocm/bin/hipcc", "native/lib/librocm-perf-capture.so", "native/lib/libamdhip64.so"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(b"")
    script = tmp_path / "program.py"
    script.write_text(PROGRAM.format(captures=str(captures)))
    app = tmp_path / "app"
    app.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(script))} "$@"\n')
    app.chmod(0o755)
    (tmp_path / "work").mkdir()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("ISOLATE", "HSA"))},
        "ROCM_PERF_PREFIX": str(tmp_path / "rocm"),
        "VROCM_NATIVE_DIR": str(tmp_path / "native"),
        "PYTHONPATH": str(SOURCES),
    }
    return Stage(tmp_path / "work", environment)


def failure(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    error: dict[str, object] = json.loads(done.stdout)["error"]
    return error


@pytest.mark.parametrize("name", ["capture", "isolate"])
def test_all_goes_well(stage: Stage, name: str) -> None:
    done = stage.run(name, "--out", "c", "../app", "print=hello", "capture", "complain=late")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "hello\n"  # the program's own, and nothing else
    assert done.stderr.startswith("late\n")
    assert "ns::scale<float, 4>" in done.stderr
    assert "rocm-perf replay inspect c" in done.stderr
    summary = done.stderr.split("late\n", 1)[1]
    assert len(summary.splitlines()) <= 23
    assert all(len(line) <= 80 for line in summary.splitlines())
    assert (stage.folder / "c" / "manifest.json").is_file()


def test_json_has_stdout_for_itself(stage: Stage) -> None:
    done = stage.run("capture", "--json", "--out", "c", "--", "../app", "print=hello", "capture")
    document = json.loads(done.stdout)
    assert "hello\n" in done.stderr
    assert document["folder"] == "c"
    assert document["run"]["exit_code"] == 0
    assert document["run"]["dispatches"] == 3
    assert document["capture"]["symbol"].startswith("_ZN2ns5scale")
    assert [kind["kind"] for kind in document["capture"]["memory"]] == ["device", "host"]
    assert document["capture"]["verdict"]["complete"] is True


def test_input_is_the_programs(stage: Stage) -> None:
    done = stage.run("capture", "../app", "echo", "capture", stdin="some input\n")
    assert done.stdout == "some input\n"


def test_what_the_library_is_told(stage: Stage) -> None:
    asked = ("--kernel", "sca.e<", "--dispatch", "2", "--stop", "--out", "c")
    done = stage.run(
        "capture",
        *asked,
        "../app",
        "environment",
        "capture",
        ISOLATE_TIMEOUT="5",
        ISOLATE_KERNEL="stale",
        HSA_TOOLS_LIB="other.so",
    )
    told = json.loads(done.stdout)
    assert told.pop("ISOLATE_REPORT")
    library = Path(stage.environment["VROCM_NATIVE_DIR"]) / "lib/librocm-perf-capture.so"
    assert told == {
        "HSA_TOOLS_LIB": f"{library} other.so",
        "HSA_TOOLS_REPORT_LOAD_FAILURE": "1",
        "HSA_TOOLS_ROCPROFILER_V1_TOOLS": "1",
        "ISOLATE_KERNEL": "sca.e<",
        "ISOLATE_DISPATCH_INDEX": "2",
        "ISOLATE_OUT": str(stage.folder / "c"),
        "ISOLATE_STOP": "1",
        "ISOLATE_TIMEOUT": "5",
    }
    plain = json.loads(stage.run("capture", "--out", "d", "../app", "environment", ISOLATE_STOP="1").stdout)
    assert {"ISOLATE_STOP", "ISOLATE_KERNEL"}.isdisjoint(plain)


def test_the_default_folder(stage: Stage) -> None:
    assert stage.run("capture", "../app", "capture").returncode == 0
    (folder,) = stage.folder.iterdir()
    assert folder.name.startswith("isolate_capture_")


@pytest.mark.parametrize(
    ("words", "code", "cause"),
    [
        (["exit=0"], 5, "was never loaded"),
        (
            ['report={"state": "no match", "dispatches": 0, "matching_dispatches": 0}'],
            5,
            "launched no kernel",
        ),
        (
            ['report={"state": "no match", "matching_dispatches": 0}'],
            5,
            "no kernel matches 'mat'; the program launched add(float*, int), scale",
        ),
        (
            ['report={"state": "no match", "matching_dispatches": 2}'],
            5,
            "dispatch 4 of kernels that match 'mat' never",
        ),
        (['report={"state": "failed", "reason": "No space left on device"}'], 3, "No space left on device"),
        (['report={"state": "failed", "reason": "xyz"}', "exit=3"], 4, "code 3; the capture failed: xyz"),
        (['report={"state": "failed", "reason": "the kernel failed"}'], 4, "the kernel failed"),
        (
            ['report={"state": "no match", "matching_dispatches": 0}', "exit=3"],
            4,
            "ended with exit code 3; no kernel matches 'mat'; the program launched add(float*, int), scale",
        ),
        (["exit=3"], 4, "ended with exit code 3"),
        (["kill=11"], 4, "killed by SIGSEGV"),
        (["partial", "kill=9"], 4, "SIGKILL while it was being captured; c.partial was removed"),
        (["capture", "exit=3"], 4, "exit code 3 after its dispatch was captured"),
        (["capture", "kill=11"], 4, "SIGSEGV after its dispatch was captured"),
        (["sleep=600"], 7, "was ended after"),
        (["capture", "sleep=600"], 7, "after its dispatch was captured"),
        (["partial", "sleep=600"], 7, "c.partial was removed"),
    ],
)
def test_other_ends(stage: Stage, words: list[str], code: int, cause: str) -> None:
    limit = "4" if "sleep=600" in words else "600"
    options = ["--json", "--out", "c", "--kernel", "mat", "--dispatch", "4", "--timeout", limit]
    done = stage.run("capture", *options, "--", "../app", *words)
    assert done.returncode == code, done.stderr
    error = failure(done)
    assert cause in str(error["cause"])
    assert error["remedy"]
    assert not (stage.folder / "c.partial").exists()
    whole = "capture" in words
    assert (stage.folder / "c").exists() == whole
    assert error["collected"] == (str(stage.folder / "c") if whole else None)


@pytest.mark.parametrize(
    ("options", "code", "cause"),
    [
        (["--out", "there"], 2, "already there"),
        (["--out", "half"], 2, "half.partial is already there"),
        (["--out", "x.partial"], 2, "interrupted"),
        (["--kernel", "("], 2, "not a regular expression"),
        (["--kernel", "(?i)MatMul"], 2, "ECMAScript"),
        (["--dispatch", "-1"], 2, "-1"),
        (["--out", "file/c"], 3, "cannot be made"),
    ],
)
def test_refused_before_anything_runs(stage: Stage, options: list[str], code: int, cause: str) -> None:
    (stage.folder / "there").mkdir()
    (stage.folder / "half.partial").mkdir()
    (stage.folder / "file").write_text("")
    before = sorted(stage.folder.rglob("*"))
    done = stage.run("capture", "--json", *options, "--", "../app", "print=it-ran", "capture")
    assert done.returncode == code
    assert cause in str(failure(done)["cause"])
    assert "it-ran" not in done.stderr
    assert sorted(stage.folder.rglob("*")) == before


def test_no_program(stage: Stage) -> None:
    done = stage.run("capture", "--json", "--out", "a/b/c", "--", "./none")
    assert done.returncode == 2
    assert not list(stage.folder.iterdir())
    done = stage.run("capture", "a | b")
    assert "rocm-perf capture -- sh -c" in done.stderr


def test_no_library(stage: Stage) -> None:
    (Path(stage.environment["VROCM_NATIVE_DIR"]) / "lib/librocm-perf-capture.so").unlink()
    done = stage.run("capture", "--json", "../app", "capture")
    assert done.returncode == 3
    assert "librocm-perf-capture.so" in str(failure(done)["cause"])


def test_an_incomplete_capture_says_so(stage: Stage) -> None:
    done = stage.run("capture", "--out", "c", "../app", "incomplete")
    assert done.returncode == 0
    assert "NOT COMPLETE" in done.stderr
    assert "replay validate" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted(stage: Stage, number: signal.Signals) -> None:
    """The program ends with us, and nothing half-written stays."""
    process = subprocess.Popen(
        stage.command(
            "capture", "--json", "--out", "c", "--", "../app", "partial", "print=ready", "sleep=600"
        ),
        env=stage.environment,
        cwd=stage.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    while "ready" not in process.stderr.readline():
        assert process.poll() is None
    began = time.monotonic()
    process.send_signal(number)
    out, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert "c.partial was removed" in json.loads(out)["error"]["cause"]
    assert not list(stage.folder.iterdir())
    assert time.monotonic() - began < 600
