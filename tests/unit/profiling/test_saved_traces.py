"""What is said of saved traces: labels of kernels, times that are nothing, a GPU that is not described."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from rocm_perf_lab.api.analyze import analyze
from rocm_perf_lab.api.compare import compare
from rocm_perf_lab.api.load_run import load_run
from rocm_perf_lab.reporting.terminal import profile as profile_terminal
from rocm_perf_lab.reporting.terminal import summary as summary_terminal

HEAD = (
    "Kind,Agent_Id,Queue_Id,Kernel_Name,Dispatch_Id,Start_Timestamp,End_Timestamp,LDS_Block_Size,Scratch_Size,"
    "VGPR_Count,SGPR_Count,Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z,Grid_Size_X,Grid_Size_Y,Grid_Size_Z"
)


def table(folder: Path, launches: Iterable[tuple[str, int, int]]) -> Path:
    """A trace in CSV, without a table of agents, of launches as (kernel, start, end)."""
    folder.mkdir(exist_ok=True)
    rows = [
        f'"KERNEL_DISPATCH","Agent 0",1,"{kernel}",{number},{start},{end},0,0,8,16,64,1,1,4096,1,1'
        for number, (kernel, start, end) in enumerate(launches, 1)
    ]
    file = folder / "1_kernel_trace.csv"
    file.write_text("\n".join([HEAD, *rows]) + "\n")
    return file


def busy_and_idle() -> Iterable[tuple[str, int, int]]:
    """busy() follows itself at once, 9 times of 10; small() comes when the host has done something else."""
    clock = 1_000_000
    for _ in range(50):
        for _ in range(10):
            yield "busy()", clock, clock + 3000
            clock += 3000
        clock += 100_000
        yield "small()", clock, clock + 3000
        clock += 3000


def test_the_idle_time_of_one_kernel_is_not_that_of_another(tmp_path: Path) -> None:
    """The GPU is idle for longer than it works; yet only launches of small() find it so."""
    run = analyze(table(tmp_path, busy_and_idle()))
    labels = {kernel.name: kernel.bottleneck for kernel in run.kernels}
    assert labels["small()"] is not None
    assert labels["small()"].label == "launch bound"
    assert labels["busy()"] is not None
    assert labels["busy()"].label != "launch bound"
    assert run.analysis is not None
    outside = {kernel.name: kernel.figures.outside for kernel in run.analysis.kernels}
    assert outside == {"busy()": 0.0, "small()": pytest.approx(10 / 13)}
    screen = profile_terminal.render(run.profile, tmp_path, analysis=run.analysis)
    assert "busy" in screen
    assert "launches cost as much" not in screen  # the kernel that is launched often follows itself at once


@pytest.mark.parametrize("start", [5, 2**40])
def test_all_durations_are_nothing(tmp_path: Path, start: int) -> None:
    """As a clock that stands still, or a program with VROCM_TIMING=off, has them."""
    file = table(tmp_path, [("alpha", start, start), ("beta", start, start), ("alpha", start, start)])
    run = analyze(file)
    assert run.runtime_ms == 0
    assert {kernel.bottleneck.label for kernel in run.kernels if kernel.bottleneck} == {"unknown"}
    for text in (
        run.to_json(),
        run.html(),
        run.markdown(),
        profile_terminal.render(run.profile, tmp_path, analysis=run.analysis),
        summary_terminal.render(run.documents),
    ):
        assert "alpha" in text
    assert compare(file, file).total.verdict == "undecided"


def test_gpu_times_are_called_so_where_no_gpu_is_described(tmp_path: Path) -> None:
    run = load_run(table(tmp_path, [("a()", 1000, 3000), ("a()", 4000, 5000)]))
    assert run.profile.gpu is None
    assert run.runtime_ms == pytest.approx(0.003)
    for text in (
        run.html(),
        run.markdown(),
        profile_terminal.render(run.profile, tmp_path, analysis=run.analysis),
        summary_terminal.render(run.documents),
    ):
        assert "GPU times; the trace does not say of which GPU" in text
        assert "wall time" not in text.partition("Reproduce")[0].partition("reproduce")[0]
