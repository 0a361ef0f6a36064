"""A run that never was, with all that a report can show: for tests of view-models and pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from rocm_perf_lab.analysis.occupancy import occupancy
from rocm_perf_lab.analysis.stability import stability
from rocm_perf_lab.arch.device import device
from rocm_perf_lab.contracts.profiling.att import AttAnalysis, AttDocument, AttInstruction, AttSourceLine
from rocm_perf_lab.contracts.profiling.gpu import Gpu
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.profile import Pass, ProfileDocument, Setting
from rocm_perf_lab.contracts.profiling.resources import Resources
from rocm_perf_lab.contracts.profiling.roofline import Ceiling, Roofline, Suspect, Traffic, Work
from rocm_perf_lab.reporting.run_documents import RunDocuments
from rocm_perf_lab.rocpd.rows import Agent
from rocm_perf_lab.rocpd.timeline.rows import Calls, Stream, Timeline, TracedProcess, Works

HBM = Ceiling(
    name="hbm", figure="hbm", kind="memory", value=5300.0, unit="GB/s", origin="spec", source="data sheet"
)
F32 = Ceiling(
    name="valu f32",
    figure="valu f32",
    kind="compute",
    value=80000.0,
    unit="GFLOP/s",
    origin="spec",
    source="it",
)
GPU = Gpu(
    origin="spec",
    name="AMD Instinct MI300X",
    architecture="gfx942",
    cu_count=304,
    xcd_count=8,
    simd_per_cu=4,
    wave_size=64,
    max_waves_per_simd=8,
    lds_bytes_per_cu=65536,
    clock_mhz=2100.0,
)


def roofline(suspect: str | None = None) -> Roofline:
    """2000 operations and 1000 bytes in a microsecond."""
    suspects = ()
    if suspect:
        suspects = (Suspect(figure=suspect, value=9.0, why="above its roof", formula="a / b", counters={}),)
    return Roofline(
        origin="measured",
        flop_model="typed",
        flops=2000.0,
        bytes=1000.0,
        arithmetic_intensity=2.0,
        achieved_gflops=2.0,
        achieved_gbps=1.0,
        work=(
            Work(
                type="f32",
                unit="valu",
                operations=2000.0,
                gflops=2.0,
                ceiling="valu f32",
                share_of_ceiling=2.5e-5,
                formula="64·ADDS",
            ),
        ),
        traffic=(
            Traffic(
                level="hbm",
                read_bytes=None,
                write_bytes=None,
                total_bytes=1000.0,
                gbps=1.0,
                arithmetic_intensity=2.0,
                ceiling="hbm",
                share_of_ceiling=1.9e-4,
                formula="64·READS",
                upper_bound=None,
            ),
        ),
        ceilings=(HBM, F32),
        active_lane_share=1.0,
        bound="memory",
        bound_by="hbm",
        share_of_roof=0.5,
        suspects=suspects,
        counters={"SQ_WAVES": 4.0},
        notes=(),
    )


def kernel(
    name: str, share: float = 1.0, *, counted: bool = True, suspect: str | None = None
) -> KernelProfile:
    limits = device("gfx942")
    assert limits
    return KernelProfile(
        origin="measured",
        missing={} if counted else {"roofline": "no counters were collected"},
        name=name,
        launches=2,
        total_ms=share,
        share=share,
        mean_ms=share / 2,
        median_ms=share / 2,
        min_ms=share / 4,
        max_ms=share,
        stability=stability([share, share * 1.01], "measured"),
        resources=Resources(
            origin="spec",
            arch_vgprs=96,
            accum_vgprs=0,
            sgprs=32,
            lds_static_bytes=1024,
            lds_dynamic_bytes=0,
            scratch_bytes_per_lane=0,
            vgpr_spills=0,
            sgpr_spills=0,
        ),
        occupancy=occupancy(
            limits, threads_per_block=256, arch_vgprs=96, accum_vgprs=0, sgprs=32, lds_bytes=1024
        ),
        roofline=roofline(suspect) if counted else None,
        groups=(),
    )


def run(kernels: Sequence[KernelProfile], folder: Path = Path("no/such/run"), text: str = "") -> RunDocuments:
    """``text`` turns up in everything that comes from outside: command, host, warnings."""
    profile = ProfileDocument(
        origin="measured",
        missing={},
        kernel=None,
        gpu=replace(GPU, name=GPU.name + text),
        gpus=(GPU,),
        runtime_ms=1.0,
        stability=stability([1.0, 1.01], "measured"),
        resources=None,
        occupancy=None,
        roofline=None,
        kernels=tuple(kernels),
        wall_ms=None,
        passes=(
            Pass(
                purpose="timing",
                databases=(),
                counters=(),
                exit_code=0,
                gpu_time_ms=1.0,
                wall_ms=None,
            ),
        ),
        setting=Setting(
            command=("./app" + text, "--option"),
            working_directory="/home/somebody" + text,
            started="2025-01-31T12:00:00+00:00",
            host={"name": "host" + text},
            tools={"rocprofv3": "1.0" + text},
            prefix=None,
            gpu_state={},
            environment={"HIP_VISIBLE_DEVICES": "0" + text},
        ),
        dropped_counters={"SQ_BUSY_CYCLES": "not offered" + text},
        warnings=("beware" + text,),
    )
    return RunDocuments(folder=folder, profile=profile)


def att(name: str, text: str) -> AttDocument:
    """One traced instruction and its source line, with foreign text in both."""
    instruction = AttInstruction(
        line=1,
        text=text,
        instruction_class="VALU",
        function=name,
        source=f"{text}:7",
        code_object=1,
        address=0,
        executions=2,
        latency_cycles_total=8,
        of_which_stall_cycles_total=2,
        idle_before_cycles_total=0,
        latency_cycles_per_execution=4.0,
        of_which_stall_cycles_per_execution=1.0,
        idle_before_cycles_per_execution=0.0,
        stall_cycles_caused_total=2,
        cost_cycles_total=8,
        cost_share=1.0,
    )
    line = AttSourceLine(
        source=f"{text}:7",
        text=text,
        instructions=1,
        executions=2,
        latency_cycles_total=8,
        of_which_stall_cycles_total=2,
        idle_before_cycles_total=0,
        stall_cycles_caused_total=2,
        cost_cycles_total=8,
        cost_share=1.0,
    )
    analysis = AttAnalysis(
        origin="measured",
        folder="ui_output",
        kind="thread-trace",
        agent=1,
        dispatch=1,
        kernel=name,
        grid=None,
        block=None,
        format_version=None,
        gfx_generation=9,
        waves=1,
        begin_cycles=None,
        end_cycles=None,
        states=None,
        over_time=None,
        occupancy=None,
        issue=None,
        divergence=None,
        mix=(),
        instructions=(instruction,),
        source_lines=(line,),
        cost_share_without_source=0.0,
        memory=(),
        samples=None,
        sampled_lines=(),
        checks=(),
        warnings=(text,),
    )
    return AttDocument(origin="measured", dispatches=(analysis,), warnings=(text,))


def timeline(
    works: Sequence[tuple[int, int, int, int]],
    calls: Sequence[tuple[int, int, int, int]] = (),
    names: Sequence[str] = ("kernel",),
    launched_by: Sequence[int] = (),
) -> Timeline:
    """``works``: (start, end, name, stream), kernels of one GPU; ``calls``: (start, end, name, thread)."""
    rows = sorted(zip(works, launched_by or [-1] * len(works), strict=True))
    columns = np.array([(*work, call) for work, call in rows], np.int64).reshape(-1, 5).T
    called = np.array(sorted(calls), np.int64).reshape(-1, 4).T
    zeros, none = np.zeros(len(rows), np.int32), np.full(len(rows), -1, np.int32)
    no_calls = np.full(len(calls), -1, np.int32)
    streams = int(columns[3].max()) + 1 if len(rows) else 0
    return Timeline(
        sources=("a.db",),
        names=tuple(names),
        works=Works(
            copy=zeros != 0,
            start=columns[0],
            end=columns[1],
            name=columns[2].astype(np.int32),
            process=zeros,
            stream=columns[3].astype(np.int32),
            queue=zeros,
            agent=zeros + 1,
            peer=none,
            call=columns[4].astype(np.int32),
            order=np.arange(len(rows)),
            bytes=none.astype(np.int64),
        ),
        calls=Calls(
            start=called[0],
            end=called[1],
            name=called[2].astype(np.int32),
            process=np.zeros(len(calls), np.int32),
            thread=called[3].astype(np.int32),
            stream=no_calls,
            event=no_calls,
            device=no_calls,
            flags=no_calls,
        ),
        streams=tuple(Stream(process=0, number=n + 1, is_null=False, blocking=None) for n in range(streams)),
        processes=(TracedProcess(pid=77, parent=None, host=None),),
        agents=(Agent(index=1, name="gfx942", product_name="AMD Instinct MI300X"),),
    )
