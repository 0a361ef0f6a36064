"""What goes wrong is said in one line, leaves nothing half-written, and never harms the program."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from capture_runs import Build, Ran, Run
from captured import Capture
from tests.commands import SECONDS


def failed(done: Ran, reason: str) -> None:
    assert done.report is not None
    assert done.report["state"] == "failed"
    assert reason in done.report["reason"]
    assert f"rocm-perf capture: {done.report['reason']}\n" in done.errors
    assert done.code == 0


def test_nothing_matches(build: Build, same_output: Run) -> None:
    done = same_output(build("shapes.hip"), kernel="no_such_kernel")
    assert done.report is not None
    assert done.report["state"] == "no match"
    assert done.report["folder"] is None
    assert (done.report["matching_dispatches"], done.report["dispatches"]) == (0, 9)
    assert "volume(int*, int, int)" in done.report["kernels"]
    assert not done.folder.exists()


def test_fewer_dispatches_than_asked_for(build: Build, same_output: Run) -> None:
    done = same_output(build("shapes.hip"), kernel="tick", index=2)
    assert done.report is not None
    assert (done.report["state"], done.report["matching_dispatches"]) == ("no match", 2)


def test_not_a_regular_expression(build: Build, run: Run) -> None:
    failed(run(build("shapes.hip"), kernel="("), "ISOLATE_KERNEL is not a regular expression: (")


@pytest.mark.parametrize(("name", "value"), [("ISOLATE_DISPATCH_INDEX", "-1"), ("ISOLATE_TIMEOUT", "soon")])
def test_not_a_number(build: Build, run: Run, name: str, value: str) -> None:
    failed(run(build("shapes.hip"), **{name: value}), f"{name} is not a number")


def test_the_folder_exists(build: Build, run: Run, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "precious").write_text("keep")
    done = run(build("shapes.hip"), kernel="tick", ISOLATE_OUT=str(taken))
    failed(done, f"{taken} exists")
    assert (taken / "precious").read_text() == "keep"


def test_the_folder_cannot_be_made(build: Build, run: Run) -> None:
    failed(run(build("shapes.hip"), kernel="tick", ISOLATE_OUT="/proc/captured"), "cannot make")


def small_disk(mount: Path) -> bool:
    mount.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(mount)], capture_output=True)
    return done.returncode == 0


def test_the_disk_is_full(build: Build, run: Run, tmp_path: Path) -> None:
    mount = tmp_path / "small"
    if not small_disk(mount):
        pytest.skip("a small file system cannot be mounted here")
    try:
        done = run(build("large.hip"), "64", "random", kernel="write_some", ISOLATE_OUT=str(mount / "c"))
        failed(done, "No space left on device")
        assert done.output == "done\n"
        assert list(mount.iterdir()) == []
    finally:
        subprocess.run(["umount", str(mount)], check=True)


def start(
    command: list[str], environment: dict[str, str], before: Callable[[], None] | None = None
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=before,
    )


def test_files_may_not_grow(build: Build, environment: dict[str, str], library: Path, tmp_path: Path) -> None:
    """A limit on the size of files: the signal that comes with it does not end the program."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    out = tmp_path / "limited"
    tools = {"HSA_TOOLS_LIB": str(library), "ISOLATE_OUT": str(out), "ISOLATE_KERNEL": "write_some"}
    process = start([str(build("large.hip")), "16", "random"], {**environment, **tools}, limit)
    output, errors = process.communicate(timeout=SECONDS)
    assert (process.returncode, output) == (0, "done\n")
    assert "File too large" in errors
    assert list(tmp_path.glob("limited*")) == []


def test_killed_while_capturing(
    build: Build, environment: dict[str, str], library: Path, tmp_path: Path
) -> None:
    out = tmp_path / "killed"
    tools = {"HSA_TOOLS_LIB": str(library), "ISOLATE_OUT": str(out), "ISOLATE_KERNEL": "write_some"}
    process = start([str(build("large.hip")), "256", "random"], {**environment, **tools})
    partial = tmp_path / "killed.partial"
    deadline = time.monotonic() + SECONDS
    while not list(partial.glob("memory/*.bin")) and time.monotonic() < deadline:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert partial.is_dir()
    assert not out.exists()
    assert not (partial / "manifest.json").exists()
    # The next one says so instead of mixing with it.
    again = subprocess.run(
        [str(build("large.hip")), "1", "zero"],
        env={**environment, **tools},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert again.returncode == 0
    assert f"{partial} is there, left by a capture that was interrupted" in again.stderr


def test_stop_ends_the_program_after_the_capture(build: Build, run: Run) -> None:
    done = run(build("shapes.hip"), kernel="tick", ISOLATE_STOP="1")
    assert (done.code, done.output, done.errors) == (0, "", "")
    assert done.capture.dispatch["kernel"]["demangled"] == "tick()"


def test_stop_without_a_match_changes_nothing(build: Build, same_output: Run) -> None:
    done = same_output(build("shapes.hip"), kernel="no_such_kernel", ISOLATE_STOP="1")
    assert done.output != ""


def test_the_default_folder_is_named_by_the_process(
    build: Build, environment: dict[str, str], library: Path, tmp_path: Path
) -> None:
    process = subprocess.Popen(
        [str(build("shapes.hip"))],
        env={**environment, "HSA_TOOLS_LIB": str(library), "ISOLATE_KERNEL": "tick"},
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
    )
    assert process.wait(timeout=SECONDS) == 0
    assert [p.name for p in tmp_path.iterdir()] == [f"isolate_capture_{process.pid}"]
    Capture.read(tmp_path / f"isolate_capture_{process.pid}")


def test_a_kernel_that_faults(build: Build, kernels: Path, environment: dict[str, str], library: Path,
                              tmp_path: Path) -> None:  # fmt: skip
    """The program ends as it does without the tool, and no capture is left that looks whole."""
    program = build("../../../../native/hsa/programs/faults.cpp")
    command = [str(program), str(kernels), "unhandled"]
    out = tmp_path / "faulted"
    tools = {"HSA_TOOLS_LIB": str(library), "ISOLATE_OUT": str(out), "ISOLATE_KERNEL": "add_one"}
    plain = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)
    done = subprocess.run(
        command, env={**environment, **tools}, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == plain.returncode == -signal.SIGABRT
    assert not out.exists()


def test_the_report_is_one_line(build: Build, run: Run, tmp_path: Path) -> None:
    run(build("shapes.hip"), kernel="tick")
    text = (tmp_path / "report.json").read_text()
    assert text.count("\n") == 1
    assert set(json.loads(text)) == {
        "state", "folder", "reason", "matching_dispatches", "dispatches", "kernels"
    }  # fmt: skip


def test_the_library_depends_on_no_runtime(library: Path) -> None:
    listing = subprocess.run(
        ["readelf", "-dW", str(library)], capture_output=True, text=True, check=True
    ).stdout
    needed = [line for line in listing.splitlines() if "(NEEDED)" in line]
    assert needed
    assert not [line for line in needed if any(name in line for name in ("hsa", "hip", "vrocm", "sim"))]
    exported = subprocess.run(
        ["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True
    ).stdout
    assert sorted(line.split()[-1] for line in exported.splitlines()) == ["OnLoad", "OnUnload"]


def test_the_replay_program_depends_on_no_runtime(library: Path) -> None:
    program = library.parents[1] / "bin" / "rocm-perf-replay"
    listing = subprocess.run(
        ["readelf", "-dW", str(program)], capture_output=True, text=True, check=True
    ).stdout
    needed = [line for line in listing.splitlines() if "(NEEDED)" in line]
    assert not [line for line in needed if any(name in line for name in ("hsa", "hip", "vrocm", "sim"))]


def copy_rate(source: Path, target: Path) -> float:
    begin = time.perf_counter()
    subprocess.run(["cp", str(source), str(target)], check=True)
    return source.stat().st_size / (time.perf_counter() - begin)


def test_memory_stays_bounded(
    build: Build, environment: dict[str, str], library: Path, tmp_path: Path
) -> None:
    """The most memory that a program with 512 MiB on the device takes, with and without the tool."""
    program, peaks = build("large.hip"), []
    shutil.rmtree(tmp_path / "c", ignore_errors=True)
    tools = {
        "HSA_TOOLS_LIB": str(library),
        "ISOLATE_OUT": str(tmp_path / "c"),
        "ISOLATE_KERNEL": "write_some",
    }
    for extra in ({}, tools):
        pid = os.spawnve(os.P_NOWAIT, program, [str(program), "512", "random"], {**environment, **extra})
        _, status, usage = os.wait4(pid, 0)
        assert status == 0
        peaks.append(usage.ru_maxrss << 10)
    assert peaks[1] - peaks[0] < 96 << 20
    Capture.read(tmp_path / "c")
