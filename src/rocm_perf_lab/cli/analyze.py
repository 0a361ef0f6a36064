"""``rocm-perf analyze``: say where GPU time went, from traces that were saved before."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote, urlsplit

import click

from rocm_perf_lab.errors import BadInput, UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.profile import Pass, ProfileDocument, Setting
    from rocm_perf_lab.contracts.roofline_document import RooflineDocument
    from rocm_perf_lab.profile.kernel_code import KernelCode
    from rocm_perf_lab.profile.rooflines import RooflineWish
    from rocm_perf_lab.rocpd.rows import Trace

COUNTED_TIMES = (
    "all traces are of executions in which counters were read, which can make kernels slower: "
    "their times are shown for want of others"
)
NO_WALL = "traces do not carry the wall time of the process"


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print profile.json, and nothing else, on stdout.")
@click.option("--kernel", "kernel_filter", metavar="REGEX", help="Only kernels whose name matches somewhere.")
@click.option("--out", type=click.Path(path_type=Path), help="Write profile.json and roofline.json there.")
@click.option("--memory-bandwidth-gbps", type=click.FloatRange(min=0, min_open=True), help="Roof of memory.")
@click.option("--clock-mhz", type=click.FloatRange(min=0, min_open=True), help="Clock of the compute roofs.")
@click.option(
    "--flop-model",
    type=click.Choice(("typed", "valu-width")),
    default="typed",
    show_default=True,
    help="How FLOPs are counted.",
)
@click.argument("traces", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(
    traces: tuple[Path, ...],
    as_json: bool,
    kernel_filter: str | None,
    out: Path | None,
    memory_bandwidth_gbps: float | None,
    clock_mhz: float | None,
    flop_model: Literal["typed", "valu-width"],
) -> None:
    """Say where GPU time went, from saved TRACES: no GPU and no ROCm is needed, and nothing is run again.

    A trace is a database, JSON file or CSV table of rocprofv3, a folder of them, or a run folder of
    rocm-perf profile. Every argument is an execution of its own; the files of one folder are one execution.
    """
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.profile.rooflines import RooflineWish

    _check_pattern(kernel_filter)
    profile, roofline = analyze(
        traces, kernel_filter, RooflineWish(flop_model, memory_bandwidth_gbps, clock_mhz)
    )
    text = to_json(profile)
    if out is not None:
        _write(out, {"profile.json": text, "roofline.json": to_json(roofline)})
    if as_json:
        sys.stdout.write(text)
    else:
        from rocm_perf_lab.report.profile_terminal import render

        click.echo(render(profile, out or traces[0]), nl=False)


def analyze(
    paths: tuple[Path, ...], kernel_filter: str | None, roofline: RooflineWish
) -> tuple[ProfileDocument, RooflineDocument]:
    """The documents of saved traces. Executions with counters tell counters, the others time."""
    from rocm_perf_lab.profile.assemble import Circumstances, assemble
    from rocm_perf_lab.rocpd.read import read_executions

    recorded = _recorded(paths)
    executions = read_executions(paths)
    counting = [trace for trace in executions if _counts(trace)]
    timing = [trace for trace in executions if not _counts(trace)]
    no_times = not any(trace.dispatches for trace in timing)
    setting = replace(recorded.setting if recorded else _setting(executions), kernel_filter=kernel_filter)
    circumstances = Circumstances(
        passes=recorded.passes if recorded else tuple(_pass(trace) for trace in executions),
        no_wall=NO_WALL,
        dropped_counters=recorded.dropped_counters if recorded else {},
        warnings=(COUNTED_TIMES,) if counting and no_times else (),
        kernel_filter=kernel_filter,
        code=_code(setting, executions[0]),
        roofline=roofline,
    )
    return assemble(counting if counting and no_times else timing, counting, setting, circumstances)


def _recorded(paths: tuple[Path, ...]) -> ProfileDocument | None:
    """What was written about the executions when they were made, if all are of one run folder."""
    from rocm_perf_lab.contracts.documents import from_json
    from rocm_perf_lab.contracts.profile import ProfileDocument

    file = paths[0] / "profile.json"
    if len(paths) > 1 or not file.is_file():
        return None
    try:
        return from_json(ProfileDocument, file.read_bytes(), str(file))
    except (BadInput, OSError):  # of another version: the databases say what matters
        return None


def _setting(traces: list[Trace]) -> Setting:
    from rocm_perf_lab.contracts.profile import Setting

    processes = [process for trace in traces for process in trace.processes]
    command = next((process.command for process in processes if process.command), None)
    hosts = sorted({process.hostname for process in processes if process.hostname})
    return Setting(
        command=_words(command or ""),
        working_directory=None,
        started=None,
        host={"name": ", ".join(hosts)} if hosts else {},
        tools={},
        prefix=None,
        gpu_state={},
    )


def _code(setting: Setting, trace: Trace) -> KernelCode:
    """What code objects say of kernels; only those in files that are older than the trace."""
    from rocm_perf_lab.profile.kernel_code import kernel_code

    traced = min((Path(source).stat().st_mtime for source in trace.sources), default=0.0)
    files = [uri for uri in trace.code_objects if _is_older(unquote(urlsplit(uri).path), traced)]
    programs = []
    if setting.command:
        program = Path(setting.working_directory or "", setting.command[0])
        if program.is_absolute() and _is_older(program, traced):
            programs.append(program)
    return kernel_code([replace(trace, code_objects=tuple(files))], programs)


def _is_older(path: str | Path, time: float) -> bool:
    try:
        return Path(path).is_file() and Path(path).stat().st_mtime <= time
    except (OSError, ValueError):
        return False


def _words(command: str) -> tuple[str, ...]:
    """The words of a command as well as a trace keeps them: joined by blanks, without quotes."""
    try:
        return tuple(shlex.split(command))
    except ValueError:
        return tuple(command.split())


def _counts(trace: Trace) -> bool:
    return any(launches.counters for launches in trace.launches)


def _pass(trace: Trace) -> Pass:
    from rocm_perf_lab.contracts.profile import Pass
    from rocm_perf_lab.units import ms

    counters = {counter for launches in trace.launches for counter in launches.counters}
    return Pass(
        purpose="counters" if counters else "timing",
        databases=trace.sources,
        counters=tuple(sorted(counters)),
        exit_code=None,
        gpu_time_ms=ms(trace.total_ns),
        wall_ms=None,
    )


def _write(folder: Path, documents: dict[str, str]) -> None:
    """Writes the documents into a folder that has none of them yet."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in documents.items():
            with (folder / name).open("x", encoding="utf-8") as file:
                file.write(text)
    except FileExistsError as problem:
        raise UsageProblem(
            f"{problem.filename} is there already; nothing is overwritten", "name a new folder with --out"
        ) from None
    except OSError as problem:
        raise UsageProblem(f"{folder} cannot be written: {problem.strerror}", "name another folder") from None


def _check_pattern(pattern: str | None) -> None:
    import re

    try:
        re.compile(pattern or "")
    except re.error as problem:
        raise UsageProblem(
            f"--kernel {pattern!r} is not a regular expression: {problem}", "escape what is not meant as one"
        ) from None
