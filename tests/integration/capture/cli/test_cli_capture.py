"""rocm-perf capture from outside: the right dispatch and memory, the program unharmed, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tests.commands import SECONDS, RocmPerf, rocm_perf_words, run
from tests.wanted import wanted

from rocm_perf_lab.capturing.addresses import number
from rocm_perf_lab.capturing.folder import Capture, open_capture, verify
from rocm_perf_lab.capturing.region_file import CHUNK
from rocm_perf_lab.capturing.tools_library import tools_library

COUNT = 5000  # as in stages.hip
OUTPUT = "begins\nends with 31.5\n"


def buffer(capture: Capture, state: str, dtype: str) -> np.ndarray:
    """What the first argument points to, before or after the kernel."""
    base = int.from_bytes(capture.kernarg()[:8], "little")
    (region,) = [one for one in capture.memory.regions if number(one.base) == base]
    assert region.size == COUNT * np.dtype(dtype).itemsize
    memory = np.zeros(-(-region.size // CHUNK) * CHUNK, np.uint8)
    for kind in ("before", "after") if state == "after" else ("before",):
        file = capture.region_file(region, kind)  # type: ignore[arg-type]
        if file is not None:
            with file:
                for chunk in range(file.chunk_count):
                    file.over(chunk, memory[chunk * CHUNK : (chunk + 1) * CHUNK])
    return memory[: region.size].view(dtype)


def stage(first: float, number_of_stages: int) -> float:
    for _ in range(number_of_stages):
        first = 2 * first + 1
    return first


@pytest.mark.parametrize(
    ("kernel", "dispatch", "dtype", "first"),
    [
        ("advance<float", 0, "<f4", 1.0),
        ("advance<float", 3, "<f4", 1.0),
        ("advance<double", 2, "<f8", 3.0),
        ("_ZN6stages7advanceIdLi1EEEvPT_i", 1, "<f8", 3.0),  # by its mangled name
    ],
)
def test_memory_before_and_after(
    rocm_perf: RocmPerf,
    programs: dict[str, Path],
    tmp_path: Path,
    kernel: str,
    dispatch: int,
    dtype: str,
    first: float,
) -> None:
    done = rocm_perf(
        "capture",
        "--kernel",
        kernel,
        "--dispatch",
        dispatch,
        "--out",
        tmp_path / "c",
        "--",
        programs["plain"],
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == OUTPUT
    capture = open_capture(tmp_path / "c")
    verify(capture)
    assert capture.dispatch.verdict.complete
    assert capture.dispatch.kernel.dispatch_index == dispatch
    assert (buffer(capture, "before", dtype) == stage(first, dispatch)).all()
    assert (buffer(capture, "after", dtype) == stage(first, dispatch + 1)).all()
    assert capture.dispatch.geometry.grid == (5120, 1, 1)
    assert (capture.dispatch.time.in_app_ns or 0) > 0


@pytest.mark.parametrize(("kernel", "symbol"), [(r"add\(float", "_Z3addPff"), (r"add\(double", "_Z3addPdd")])
def test_overloads(
    rocm_perf: RocmPerf, programs: dict[str, Path], tmp_path: Path, kernel: str, symbol: str
) -> None:
    done = rocm_perf(
        "capture", "--json", "--kernel", kernel, "--out", tmp_path / "c", "--", programs["plain"]
    )
    document = json.loads(done.stdout)
    assert document["capture"]["symbol"] == symbol
    assert document["run"]["dispatches"] == 12
    assert document["run"]["matching_dispatches"] == 1
    assert done.stderr == OUTPUT  # --json has stdout for itself


def test_no_arguments_and_three_dimensions(
    rocm_perf: RocmPerf, programs: dict[str, Path], tmp_path: Path
) -> None:
    done = rocm_perf(
        "isolate", "--json", "--kernel", "nothing", "--out", tmp_path / "c", "--", programs["plain"]
    )
    document = json.loads(done.stdout)["capture"]
    assert (document["grid"], document["workgroup"]) == ([16, 4, 2], [8, 4, 2])
    assert document["changed_bytes"] == 0
    shown = rocm_perf("replay", "inspect", tmp_path / "c")
    assert "arguments  none" in shown.stdout
    assert "changed no memory" in shown.stdout


def test_stop(rocm_perf: RocmPerf, programs: dict[str, Path], tmp_path: Path) -> None:
    """The program does not come to its end, and what it had printed is not lost."""
    done = rocm_perf(
        "capture", "--stop", "--kernel", "add", "--out", tmp_path / "c", "--", programs["plain"], "fail"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "begins\n"
    verify(open_capture(tmp_path / "c"))


def test_no_match_lists_what_was_launched(
    rocm_perf: RocmPerf, programs: dict[str, Path], tmp_path: Path
) -> None:
    done = rocm_perf("capture", "--kernel", "matmul", "--out", tmp_path / "c", "--", programs["plain"])
    assert done.returncode == 5
    assert done.stdout == OUTPUT
    for name in ("advance<float, 1>", "advance<double, 1>", "add(float*, float)", "limited", "nothing()"):
        assert name in done.stderr
    assert not list(tmp_path.iterdir())
    done = rocm_perf(
        "capture", "--kernel", "advance", "--dispatch", 8, "--out", tmp_path / "c", "--", programs["plain"]
    )
    assert done.returncode == 5
    assert "there were 8" in done.stderr
    assert "0 to 7" in done.stderr


@pytest.mark.parametrize(("how", "words"), [("fail", "exit code 3"), ("abort", "SIGABRT")])
def test_a_program_that_fails_later(
    rocm_perf: RocmPerf, programs: dict[str, Path], tmp_path: Path, how: str, words: str
) -> None:
    done = rocm_perf(
        "capture", "--json", "--kernel", "add", "--out", tmp_path / "c", "--", programs["plain"], how
    )
    assert done.returncode == 4
    error = json.loads(done.stdout)["error"]
    assert words in error["cause"]
    assert error["collected"] == str(tmp_path / "c")
    verify(open_capture(tmp_path / "c"))


def test_two_processes_of_one_program(rocm_perf: RocmPerf, programs: dict[str, Path], tmp_path: Path) -> None:
    """The first one is captured; the second runs as if nothing had happened."""
    program = programs["plain"]
    done = rocm_perf("capture", "--out", tmp_path / "c", "--", "sh", "-c", f"{program}; {program}")
    assert done.returncode == 0, done.stderr
    assert done.stdout == OUTPUT * 2
    verify(open_capture(tmp_path / "c"))


def test_what_cannot_be_restored_is_refused_by_name(
    rocm_perf: RocmPerf, programs: dict[str, Path], tmp_path: Path
) -> None:
    """The memory of another GPU. The capture can be looked at, and not replayed."""
    folder = tmp_path / "c"
    done = rocm_perf("capture", "--json", "--out", folder, "--", programs["plain"], "peer", VROCM_DEVICES="2")
    assert done.returncode == 0, done.stderr
    verdict = json.loads(done.stdout)["capture"]["verdict"]
    assert verdict["complete"] is False
    assert [item["what"] for item in verdict["refused"]] == ["peer memory"]
    shown = rocm_perf("replay", "inspect", folder)
    assert "NOT COMPLETE" in shown.stdout
    assert "refused: peer memory" in shown.stdout
    assert "is in no region that was captured" in shown.stdout
    assert rocm_perf("replay", "full-vm", "--capture-dir", folder, VROCM_DEVICES="2").returncode == 9


def test_by_hand(environment: dict[str, str], programs: dict[str, Path], tmp_path: Path) -> None:
    with subprocess.Popen(
        [programs["plain"]],
        env={
            **environment,
            "HSA_TOOLS_LIB": str(tools_library()),
            "ISOLATE_KERNEL": "advance",
            "ISOLATE_DISPATCH_INDEX": "1",
        },
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        out, _ = process.communicate(timeout=SECONDS)
    assert (process.returncode, out) == (0, OUTPUT)
    (folder,) = tmp_path.iterdir()
    assert folder.name == f"isolate_capture_{process.pid}"
    capture = open_capture(folder)
    assert capture.dispatch.kernel.name == "_ZN6stages7advanceIdLi1EEEvPT_i"
    assert capture.dispatch.process.pid == process.pid
    assert capture.dispatch.process.executable == "stages"


def test_a_folder_that_cannot_be_written(
    environment: dict[str, str], programs: dict[str, Path], tmp_path: Path
) -> None:
    tmp_path.chmod(0o500)
    words = rocm_perf_words("capture", "--out", tmp_path / "c", "--", programs["plain"])
    if os.geteuid() == 0:  # who may write everywhere, unless that is given up
        words = [wanted("setpriv"), "--bounding-set=-dac_override,-dac_read_search", *words]
    done = run(*words, environment=environment)
    assert done.returncode == 3
    assert done.stdout == ""
