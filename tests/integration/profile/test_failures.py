"""Programs and places that misbehave: a code, a cause, a remedy, and nothing that was collected is lost."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.commands import SECONDS, RocmPerf, rocm_perf_words

Profile = Callable[..., Any]  # fixture profile: rocm-perf profile with these arguments


def dispatches(folder: Path) -> int:
    databases = list((folder / ".rocpd_profile").rglob("*.db"))
    rows = [sqlite3.connect(path).execute("SELECT count(*) FROM kernels").fetchone() for path in databases]
    return sum(count for (count,) in rows)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (["abort"], "killed by SIGABRT"),
        (["segv"], "killed by SIGSEGV"),
        (["kill"], "killed by SIGKILL"),
        (["exit", "7"], "exit code 7"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_program_that_fails(profile: Profile, scale: Path, how: list[str], words: str) -> None:
    run = profile("--json", scale, *how)
    assert run.code == 4
    assert run.error["kind"] == "program-failed"
    assert words in run.error["cause"]
    assert run.error["remedy"]
    assert run.error["collected"] == str(run.folder)
    assert f"rocm-perf analyze {run.folder}" in run.error["remedy"]
    assert dispatches(run.folder) == 3
    assert (run.folder / "failure.json").read_text() == run.stdout
    assert not (run.place / ".rocm-perf" / "latest").exists()


def test_failure_in_words(profile: Profile, scale: Path) -> None:
    run = profile(scale, "exit", "3")
    assert (run.code, run.stdout) == (4, "")
    assert "error: the program ended with exit code 3" in run.stderr
    assert "try:" in run.stderr
    assert str(run.folder) in run.stderr


def test_what_a_failed_run_kept_is_shown_as_such(profile: Profile, rocm_perf: RocmPerf, scale: Path) -> None:
    run = profile(scale, "exit", "3")
    shown = rocm_perf("analyze", run.folder)
    assert shown.returncode == 0, shown.stderr
    said = " ".join(shown.stdout.split())
    assert said.startswith("UNFINISHED: it failed: the program ended with exit code 3 in timing-1")
    assert "none of its 3 timing runs came to its end" in said


def test_program_that_launches_nothing(profile: Profile) -> None:
    run = profile("--json", "true")
    assert (run.code, run.error["kind"]) == (5, "no-kernels")
    assert "--no-rocprof" in run.error["remedy"]


def test_program_that_hangs(profile: Profile, scale: Path) -> None:
    run = profile("--json", "--timeout", 8, scale, "hang")  # enough for its kernels on slow machines, too
    assert (run.code, run.error["kind"]) == (7, "timeout")
    assert "--timeout" in run.error["remedy"]
    assert dispatches(run.folder) == 3


def test_binary_junk(profile: Profile, scale: Path, tmp_path: Path) -> None:
    junk = bytes(range(256)) * 40
    (tmp_path / "junk").write_bytes(junk)
    script = tmp_path / "noise.sh"
    script.write_text(f"#!/bin/sh\ncat junk; cat junk >&2; {scale} plain; exit $1\n")
    script.chmod(0o755)
    good = profile("--json", "--runs", 1, "./noise.sh", 0)
    assert good.document["kernel"]["launches"] == 2
    assert (good.folder / "logs" / "timing-1.stdout").read_bytes() == junk + b"4128\n"
    bad = profile("--json", "--runs", 1, "--out", "bad", "./noise.sh", 9)
    assert bad.code == 4
    assert not any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in bad.error["cause"])
    assert len(bad.error["cause"]) < 500
    debug = profile("--debug", "--quiet", "--runs", 1, "--out", "debug", "./noise.sh", 0)
    assert debug.code == 0
    assert float(debug.stdout) > 0


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("./nothing-here", "there is no program"),
        ("nothing-of-that-name", "on PATH"),
        ("./plain.txt", "not executable"),
        ("./folder", "is a folder"),
        ("plain.txt", "./plain.txt"),
    ],
)
def test_no_such_program(profile: Profile, tmp_path: Path, program: str, words: str) -> None:
    (tmp_path / "plain.txt").write_text("text")
    (tmp_path / "folder").mkdir()
    run = profile("--json", program)
    assert (run.code, run.error["kind"]) == (2, "usage")
    assert words in run.error["cause"] + run.error["remedy"]
    assert not (tmp_path / ".rocm-perf").exists()


def test_program_that_cannot_be_executed(profile: Profile, tmp_path: Path) -> None:
    (tmp_path / "app").write_bytes(b"\x00not a program")
    (tmp_path / "app").chmod(0o755)
    run = profile("--json", "./app")
    assert run.code in (3, 4)
    assert "format" in run.error["cause"].lower()
    assert profile("--json", "--no-rocprof", "./app").code == 3


def test_no_rocprofv3(profile: Profile, fake_prefix: Callable[[str], Path], scale: Path) -> None:
    prefix = fake_prefix("")
    (prefix / "bin" / "rocprofv3").unlink()
    run = profile("--json", scale, ROCM_PERF_PREFIX=str(prefix))
    assert (run.code, run.error["kind"]) == (3, "environment")
    assert "rocprofv3" in run.error["cause"]
    assert "--no-rocprof" in run.error["remedy"]
    assert profile("--no-rocprof", "--quiet", "--runs", 1, scale, ROCM_PERF_PREFIX=str(prefix)).code == 0


def test_rocprofv3_that_fails(profile: Profile, fake_prefix: Callable[[str], Path], scale: Path) -> None:
    prefix = fake_prefix('echo "rocprofv3: error: the driver is too old" >&2; exit 1')
    run = profile("--json", scale, ROCM_PERF_PREFIX=str(prefix))
    assert (run.code, run.error["kind"]) == (3, "environment")
    assert "the driver is too old" in run.error["cause"]


def test_rocprofv3_that_crashes(profile: Profile, fake_prefix: Callable[[str], Path], scale: Path) -> None:
    lines = 'Traceback (most recent call last):\\n  File "/opt/rocm/bin/rocprofv3", line 7\\nKeyError: 1\\n'
    prefix = fake_prefix(f"printf '{lines}' >&2; exit 1")
    run = profile("--json", scale, ROCM_PERF_PREFIX=str(prefix))
    assert (run.code, run.error["kind"]) == (3, "environment")
    assert "KeyError: 1" in run.error["cause"]


def test_broken_database(profile: Profile, fake_prefix: Callable[[str], Path], scale: Path) -> None:
    cut = '"$REAL" "$@" && find .rocm-perf -name "*.db" -exec truncate -s 5000 {} +'
    run = profile("--json", scale, ROCM_PERF_PREFIX=str(fake_prefix(cut)))
    assert (run.code, run.error["kind"]) == (6, "bad-input")
    assert run.error["collected"] == str(run.folder)


def test_two_runs_at_once(environment: dict[str, str], scale: Path, tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            rocm_perf_words("profile", "--quiet", "--runs", 1, scale),
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    times = [process.communicate(timeout=SECONDS)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert len(set(times)) == 1
    folders = [
        path for path in (tmp_path / ".rocm-perf").iterdir() if path.is_dir() and not path.is_symlink()
    ]
    assert len(folders) == 3
    assert all(dispatches(folder) == 3 for folder in folders)
    assert (tmp_path / ".rocm-perf" / "latest").resolve() in [folder.resolve() for folder in folders]


def test_folder_that_may_not_be_written(profile: Profile, scale: Path, tmp_path: Path) -> None:
    place = tmp_path / "closed"
    place.mkdir()
    (place / ".rocm-perf").write_text("a file where the folder would be\n")
    run = profile("--json", scale, place=place)
    assert (run.code, run.error["kind"]) == (3, "environment")
    assert "--out" in run.error["remedy"]
    assert profile("--quiet", "--runs", 1, "--out", tmp_path / "elsewhere", scale, place=place).code == 0


def test_read_only_folder(profile: Profile, scale: Path) -> None:
    run = profile("--json", scale, place=Path("/proc"))  # where not even root can make a folder
    assert (run.code, run.error["kind"]) == (3, "environment")
    assert "--out" in run.error["remedy"]


def test_out_folder_of_somebody_else(profile: Profile, scale: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("words")
    run = profile("--json", "--out", "mine", scale)
    assert (run.code, run.error["kind"]) == (2, "usage")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]
    assert profile("--json", "--out", "mine/thesis.txt", scale).code == 2


def test_interrupt(environment: dict[str, str], scale: Path, tmp_path: Path) -> None:
    process = subprocess.Popen(
        rocm_perf_words("profile", "--json", scale, "hang", "hangs"),
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    until = time.monotonic() + SECONDS
    while not (tmp_path / "hangs").exists():
        assert process.poll() is None and time.monotonic() < until  # noqa: PT018
        time.sleep(0.05)
    assert _any_process_of(str(scale), "hang", "hangs")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert b'"interrupted"' in out
    (folder,) = [path for path in (tmp_path / ".rocm-perf").iterdir() if path.is_dir()]
    assert dispatches(folder) == 3
    assert not _any_process_of(str(scale), "hang", "hangs")


def _any_process_of(*words: str) -> bool:
    """Whether a process was started with exactly these words."""
    wanted = "".join(f"{word}\0" for word in words).encode()
    return any(_words(path) == wanted for path in Path("/proc").glob("[0-9]*/cmdline"))


def _words(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has ended
        return b""
