"""Several processes, threads and devices, and programs that end badly."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import SECONDS

from .conftest import Profile

Query = Callable[..., list[tuple[object, ...]]]
KERNELS = "SELECT count(*) FROM kernels"


def test_fork(profile: Profile, program: Path, query: Query) -> None:
    run = profile("--sys-trace", program=[program, "fork"])
    assert run.stdout == "child 2080\nparent 4128, child ended with 0\n"
    databases = run.files("*_results.db")
    assert sorted(query(database, KERNELS) for database in databases) == [[(2,)], [(3,)]]
    rows = [query(database, "SELECT pid, ppid FROM processes")[0] for database in databases]
    (parent,) = (row for row in rows if row[1] == 0)
    (child,) = (row for row in rows if row[1] != 0)
    assert child[1] == parent[0]


def test_program_that_becomes_another(profile: Profile, program: Path, query: Query) -> None:
    run = profile("--kernel-trace", program=[program, "exec", program, "plain"])
    assert run.stdout == "2080\n4128\n"
    databases = run.files("*_results.db")
    assert [query(database, KERNELS) for database in databases] in ([[(2,)], [(3,)]], [[(3,)], [(2,)]])


def test_program_that_runs_another(profile: Profile, program: Path, query: Query) -> None:
    run = profile("--kernel-trace", program=[program, "child", program, "plain"])
    assert run.stdout == "2080\n4128\n"
    assert sorted(query(database, KERNELS) for database in run.files("*_results.db")) == [[(2,)], [(3,)]]


def test_program_run_by_a_shell(profile: Profile, program: Path, query: Query) -> None:
    run = profile("--kernel-trace", program=["sh", "-c", f"{program} plain; {program} plain"])
    assert [query(database, KERNELS) for database in run.files("*_results.db")] == [[(3,)], [(3,)]]


def test_threads(profile: Profile, program: Path, query: Query) -> None:
    run = profile("--runtime-trace", program=[program, "threads"])
    assert run.stdout == "8224\n" * 4
    database = run.file("*_results.db")
    by_thread = query(database, "SELECT tid, count(*) FROM kernels GROUP BY tid")
    assert [count for _, count in by_thread] == [4, 4, 4, 4]
    same_thread = query(
        database,
        "SELECT count(*) FROM kernels k JOIN regions r ON r.stack_id = k.stack_id WHERE r.tid = k.tid",
    )
    assert same_thread == [(16,)]
    assert query(database, "SELECT count(*) FROM memory_copies GROUP BY tid") == [(2,)] * 4
    assert query(database, "SELECT count(DISTINCT dispatch_id) FROM kernels") == [(16,)]


def test_two_devices(profile: Profile, program: Path, query: Query) -> None:
    run = profile("--runtime-trace", program=[program, "devices"], VROCM_DEVICES="2")
    assert run.stdout == "device 0: 4128\ndevice 1: 4128\n"
    database = run.file("*_results.db")
    assert query(database, "SELECT agent_abs_index, agent_type_index, count(*) FROM kernels GROUP BY 1") == [
        (1, 0, 3),
        (2, 1, 3),
    ]
    copies = query(
        database, "SELECT dst_agent_abs_index, src_agent_abs_index FROM memory_copies ORDER BY start"
    )
    assert copies == [(1, 0), (0, 1), (2, 0), (0, 2)]
    queues = query(database, "SELECT count(DISTINCT queue_id) FROM kernels")
    assert queues == [(2,)]
    assert query(database, "SELECT count(*) FROM rocpd_info_agent WHERE type = 'GPU'") == [(2,)]


@pytest.mark.parametrize(
    ("how", "code"), [("abort", -signal.SIGABRT), ("kill", -signal.SIGKILL), ("segv", -signal.SIGSEGV)]
)
def test_program_that_dies(profile: Profile, program: Path, query: Query, how: str, code: int) -> None:
    run = profile("--sys-trace", "-f", "rocpd", "csv", program=[program, how])
    assert run.code == code
    database = run.file("*_results.db")
    assert query(database, KERNELS) == [(3,)]
    assert query(database, "SELECT count(*) FROM memory_copies") == [(2,)]
    (extdata,) = query(database, "SELECT extdata FROM rocpd_info_process")[0]
    assert extdata == '{"ended_in_order":false}'
    assert len(run.file("*_kernel_trace.csv").read_text().splitlines()) == 4


def test_exit_code_is_passed_on(profile: Profile, program: Path) -> None:
    assert profile("--kernel-trace", program=[program, "exit", "7"]).code == 7


def test_signal_reaches_the_program(
    environment: dict[str, str], program: Path, tmp_path: Path, query: Query
) -> None:
    command = ["rocprofv3", "--kernel-trace", "-d", "out", "--", str(program), "hang", "hangs"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE)
    until = time.monotonic() + SECONDS
    while not (tmp_path / "hangs").exists():
        assert process.poll() is None and time.monotonic() < until  # noqa: PT018
        time.sleep(0.05)
    process.terminate()
    assert process.wait(timeout=SECONDS) == -signal.SIGTERM
    (database,) = (tmp_path / "out").rglob("*_results.db")
    assert query(database, KERNELS) == [(3,)]
    assert process.stderr is not None
    process.stderr.close()


def test_missing_program(profile: Profile) -> None:
    run = profile("--kernel-trace", program=["./not-there"])
    assert run.code == 1
    assert "./not-there: No such file or directory" in run.stderr


@pytest.mark.parametrize("options", [["--sys-trace"], ["--kernel-trace"], ["--sys-trace", "--stats", "-S"]])
@pytest.mark.parametrize("what", ["plain", "streams", "threads"])
def test_tracing_does_not_change_results(
    profile: Profile, program: Path, environment: dict[str, str], options: list[str], what: str
) -> None:
    alone = subprocess.run([program, what], env=environment, capture_output=True, text=True, timeout=SECONDS)
    traced = profile(*options, program=[program, what])
    assert (traced.code, traced.stdout) == (alone.returncode, alone.stdout)
