"""How to get this run again, as plain data: command lines, what was run, and where."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from rocm_perf_lab.reporting.run_documents import RunDocuments
from rocm_perf_lab.reporting.words.figures import count, duration


@dataclass(frozen=True)
class ReproduceView:
    commands: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    passes: tuple[tuple[str, str, str, str], ...]
    """(purpose, counters, GPU time, exit code)."""


def reproduce_view(run: RunDocuments) -> ReproduceView:
    return ReproduceView(commands=tuple(_commands(run)), facts=tuple(_facts(run)), passes=tuple(_passes(run)))


def _commands(run: RunDocuments) -> Iterator[str]:
    setting = run.profile.setting
    if not setting.command or run.profile.unfinished:  # its passes do not tell what was asked for
        return
    if setting.working_directory:
        yield f"cd {shlex.quote(setting.working_directory)}"
    yield from (f"export {name}={shlex.quote(value)}" for name, value in sorted(setting.environment.items()))
    purposes = [taken.purpose for taken in run.profile.passes]
    words = ["rocm-perf", "profile"]
    if "timing" in purposes:
        words += ["--runs", str(purposes.count("timing"))]
    if "warm-up" in purposes:
        words += ["--warmup", str(purposes.count("warm-up"))]
    if "counters" in purposes:
        words.append("--roofline")
    if run.dag:
        words.append("--focus-critical")
    if run.att:
        words.append("--deep-analysis")
    if run.roofline and run.roofline.flop_model != "typed":
        words += ["--flop-model", run.roofline.flop_model]
    if setting.kernel_filter:
        words += ["--kernel", setting.kernel_filter]
    yield shlex.join([*words, "--", *setting.command])


def _facts(run: RunDocuments) -> Iterator[tuple[str, str]]:
    setting, gpu = run.profile.setting, run.profile.gpu
    if setting.started:
        yield "started", setting.started
    if gpu:
        clock = f", {gpu.clock_mhz:g} MHz" if gpu.clock_mhz else ""
        units = f", {gpu.cu_count} CUs" if gpu.cu_count else ""
        yield "GPU", f"{gpu.name}, {gpu.architecture}{units}{clock}"
    if setting.prefix:
        yield "ROCm", setting.prefix
    yield from ((f"tool: {name}", value) for name, value in setting.tools.items())
    yield from ((f"host: {name}", value) for name, value in setting.host.items())
    yield from ((f"GPU state: {name}", value) for name, value in setting.gpu_state.items())
    yield "run folder", str(run.folder)


def _passes(run: RunDocuments) -> Iterator[tuple[str, str, str, str]]:
    for taken in run.profile.passes:
        yield (
            taken.purpose,
            f"{count(len(taken.counters), 'counter')}: {', '.join(taken.counters)}"
            if taken.counters
            else "–",
            "–" if taken.gpu_time_ms is None else duration(taken.gpu_time_ms),
            "–" if taken.exit_code is None else str(taken.exit_code),
        )
