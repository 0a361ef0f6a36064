"""``rocm-perf profile``: run a program under rocprofv3 and say where its GPU time goes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

from rocm_perf_lab.cli.options.program_command import ProgramCommand
from rocm_perf_lab.errors import UsageProblem

FLOP_MODELS = ("typed", "valu-width")


@click.command(cls=ProgramCommand)
@click.option("--runs", type=click.IntRange(min=1), default=3, show_default=True, help="Timing passes.")
@click.option(
    "--warmup", type=click.IntRange(min=0), default=0, show_default=True, help="Runs before them, not timed."
)
@click.option("--json", "as_json", is_flag=True, help="Print profile.json, and nothing else, on stdout.")
@click.option("--quiet", is_flag=True, help="Print the GPU time of one run in ms, and nothing else.")
@click.option("--debug", is_flag=True, help="Show all that the program and rocprofv3 print, on stderr.")
@click.option("--no-rocprof", is_flag=True, help="Wall time of the process only; nothing about the GPU.")
@click.option("--roofline", is_flag=True, help="Collect counters too, in further passes.")
@click.option("--memory-bandwidth-gbps", type=click.FloatRange(min=0, min_open=True), help="Roof of memory.")
@click.option("--clock-mhz", type=click.FloatRange(min=0, min_open=True), help="Clock of the compute roofs.")
@click.option("--flop-model", type=click.Choice(FLOP_MODELS), help="How FLOPs are counted. [default: typed]")
@click.option("--kernel", "kernel_filter", metavar="REGEX", help="Only kernels whose name matches somewhere.")
@click.option("--out", type=click.Path(path_type=Path), help="Run folder. [default: a new .rocm-perf/<run>]")
@click.option("--device", metavar="N", help="Show only this GPU to the program (ROCR_VISIBLE_DEVICES).")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds a pass may take.")
@click.option("--focus-critical", is_flag=True, help="Find the critical path, from a further pass: dag.json.")
@click.option("--deep-analysis", is_flag=True, help="Trace the waves of the kernel that matters: att.json.")
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
def command(
    program: tuple[str, ...],
    runs: int,
    warmup: int,
    as_json: bool,
    quiet: bool,
    debug: bool,
    no_rocprof: bool,
    roofline: bool,
    memory_bandwidth_gbps: float | None,
    clock_mhz: float | None,
    flop_model: Literal["typed", "valu-width"] | None,
    kernel_filter: str | None,
    out: Path | None,
    device: str | None,
    timeout: float | None,
    focus_critical: bool,
    deep_analysis: bool,
) -> None:
    """Run PROGRAM under rocprofv3 and say where its GPU time goes.

    Options may come before the program or after it; other words after the program are its own. What follows a
    -- is the program's alone:

    \b
      rocm-perf profile ./app --its-option --json
      rocm-perf profile --runs 5 -- ./app --its-option
      rocm-perf profile "./app --its-option 'two words'"
    """
    if as_json and quiet:
        raise UsageProblem("--json and --quiet each want stdout for themselves", "give one of them")

    from rocm_perf_lab.api.profile import profile
    from rocm_perf_lab.profiling.processes.command_line import parse_command
    from rocm_perf_lab.profiling.progress import Progress

    run = profile(
        parse_command(program),
        runs=runs,
        warmup=warmup,
        roofline=roofline,
        memory_bandwidth_gbps=memory_bandwidth_gbps,
        clock_mhz=clock_mhz,
        flop_model=flop_model,
        focus_critical=focus_critical,
        deep_analysis=deep_analysis,
        kernel=kernel_filter,
        rocprof=not no_rocprof,
        out=out,
        device=device,
        timeout=timeout,
        debug=debug,
        quiet=quiet,
        progress=Progress(enabled=not (quiet or debug)),
    )
    if quiet:
        click.echo(f"{run.runtime_ms if run.runtime_ms is not None else run.wall_ms:.6f}")
    elif as_json:
        sys.stdout.write(run.to_json())
    else:
        from rocm_perf_lab.reporting.terminal.profile import render

        assert run.folder is not None  # a profile has one
        click.echo(render(run.profile, run.folder, analysis=run.analysis), nl=False)
