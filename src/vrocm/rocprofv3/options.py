"""The command line of rocprofv3, and what it asks for once aggregates are spelled out."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .att.options import AttOptions, add_att_options, resolve_att_options
from .errors import RequestRefused
from .logs.selection import IterationRanges, parse_iteration_ranges

FORMATS = ("csv", "json", "pftrace", "otf2", "rocpd")
UNITS = {"sec": 1e9, "msec": 1e6, "usec": 1e3, "nsec": 1.0}
_PERIOD_UNITS = {"hour": 3.6e12, "min": 6e10, **UNITS}

# Option -> what the runtimes log for it (VROCM_TRACE).
_TRACES = {
    "hip_runtime_trace": "hip_runtime",
    "hip_compiler_trace": "hip_compiler",
    "hsa_core_trace": "hsa_core",
    "hsa_amd_trace": "hsa_amd",
    "hsa_image_trace": "hsa_image",
    "hsa_finalizer_trace": "hsa_finalizer",
    "marker_trace": "marker",
    "kernel_trace": "kernel",
    "memory_copy_trace": "memory_copy",
    "memory_allocation_trace": "memory_allocation",
    "scratch_memory_trace": "scratch_memory",
}
_MEMORY = ("memory_copy_trace", "memory_allocation_trace", "scratch_memory_trace")
_ABSENT = ("rccl_trace", "rocdecode_trace", "rocjpeg_trace")  # libraries that the virtual ROCm does not have
_AGGREGATES = {
    "sys_trace": ("hip_trace", "hsa_trace", "marker_trace", "kernel_trace", *_MEMORY),
    "runtime_trace": ("hip_runtime_trace", "marker_trace", "kernel_trace", *_MEMORY),
    "kokkos_trace": ("marker_trace", "kernel_rename"),
    "hip_trace": ("hip_runtime_trace", "hip_compiler_trace"),
    "hsa_trace": ("hsa_core_trace", "hsa_amd_trace", "hsa_image_trace", "hsa_finalizer_trace"),
}


@dataclass(frozen=True)
class Period:
    """A window of collection in ns of the program's time: wait, collect, so many times (0: for ever)."""

    delay: int
    duration: int
    repeat: int


@dataclass(frozen=True)
class Options:
    """One run of the program."""

    traces: frozenset[str]
    counters: tuple[str, ...]
    formats: tuple[str, ...]
    output_directory: str
    output_file: str | None
    sub_directory: str | None
    stats: bool
    summary: bool
    summary_per_domain: bool
    summary_groups: tuple[str, ...]
    summary_output: str
    summary_unit: str
    mangled_kernels: bool
    truncate_kernels: bool
    kernel_rename: bool
    kernel_include: str | None
    kernel_exclude: str | None
    kernel_iterations: IterationRanges
    periods: tuple[Period, ...]
    selected_regions: bool
    agent_index: str
    group_by_queue: bool
    minimum_output_kb: int
    preload: tuple[str, ...]
    output_config: bool
    log_level: str | None
    att: AttOptions | None
    warnings: tuple[str, ...] = ()

    def collects(self) -> bool:
        return bool(self.traces or self.counters or self.att)


def _truth(text: str) -> bool:
    if text.lower() in ("y", "yes", "t", "true", "on", "1"):
        return True
    if text.lower() in ("n", "no", "f", "false", "off", "0"):
        return False
    raise argparse.ArgumentTypeError(f"'{text}' is neither true nor false (the program follows '--')")


def flag(group: argparse._ArgumentGroup, *names: str, text: str) -> None:
    """An option that is on when given, and takes an optional truth value."""
    group.add_argument(*names, nargs="?", const=True, default=None, type=_truth, metavar="BOOL", help=text)


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rocprofv3",
        usage="%(prog)s [options] -- <application> [application options]",
        description="Trace and profile programs on the virtual GPU.",
        epilog="The application follows a double hyphen: rocprofv3 --kernel-trace -- ./program --its-option",
        allow_abbrev=False,
    )
    parser.add_argument("-v", "--version", action="store_true", help="print the version and exit")
    _add_output_options(parser)
    _add_trace_options(parser)
    _add_counter_options(parser)
    _add_summary_options(parser)
    _add_filter_options(parser)
    _add_other_options(parser)
    add_att_options(parser, flag)
    return parser


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("input and output")
    group.add_argument(
        "-i", "--input", metavar="FILE", help="jobs (.json, .yaml, .yml) or counter lines (.txt)"
    )
    group.add_argument(
        "-o", "--output-file", metavar="NAME", help="name of output files (default %%hostname%%/%%pid%%)"
    )
    group.add_argument(
        "-d", "--output-directory", metavar="DIR", help="folder of output files (default: here)"
    )
    group.add_argument(
        "-f",
        "--output-format",
        nargs="+",
        choices=FORMATS,
        type=str.lower,
        metavar="FORMAT",
        help="rocpd (default), csv, json, pftrace",
    )
    flag(group, "--output-config", text="write the resolved options beside the results")
    group.add_argument(
        "--log-level", type=str.lower, choices=("fatal", "error", "warning", "info", "trace", "env", "config")
    )
    group.add_argument(
        "-E", "--extra-counters", metavar="FILE", help="counter definitions of your own (YAML)"
    )


def _add_trace_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("tracing, in bundles")
    flag(group, "-r", "--runtime-trace", text="HIP runtime, markers, memory operations and kernels")
    flag(group, "-s", "--sys-trace", text="the same and HIP compiler calls and HSA")
    group = parser.add_argument_group("tracing")
    flag(group, "--hip-trace", text="HIP: --hip-runtime-trace and --hip-compiler-trace")
    flag(group, "--hip-runtime-trace", text="public HIP functions")
    flag(group, "--hip-compiler-trace", text="functions that compiled HIP code calls")
    flag(group, "--hsa-trace", text="HSA: core, AMD, image and finalizer functions")
    flag(group, "--hsa-core-trace", text="hsa_*")
    flag(group, "--hsa-amd-trace", text="hsa_amd_*")
    flag(group, "--hsa-image-trace", text="hsa_ext_image_*")
    flag(group, "--hsa-finalizer-trace", text="hsa_ext_program_*")
    flag(group, "--marker-trace", text="roctx marks and ranges")
    flag(group, "--kernel-trace", text="kernel dispatches")
    flag(group, "--memory-copy-trace", text="copies")
    flag(group, "--memory-allocation-trace", text="allocations and releases of memory")
    flag(group, "--scratch-memory-trace", text="scratch memory of queues")
    flag(group, "--rccl-trace", text="RCCL (none in the virtual ROCm)")
    flag(group, "--rocdecode-trace", text="rocDecode (none in the virtual ROCm)")
    flag(group, "--rocjpeg-trace", text="rocJPEG (none in the virtual ROCm)")
    flag(group, "--kokkos-trace", text="Kokkos regions: --marker-trace --kernel-rename")


def _add_counter_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("counters")
    group.add_argument(
        "--pmc",
        nargs="*",
        action="append",
        metavar="COUNTER",
        help="counters to collect together, by blank or comma; given again: another run of the program",
    )
    flag(group, "--pc-sampling-beta-enabled", text="PC sampling (not in the virtual ROCm)")
    group.add_argument("--pc-sampling-unit", type=str.lower, choices=("instructions", "cycles", "time"))
    group.add_argument("--pc-sampling-method", type=str.lower, choices=("stochastic", "host_trap"))
    group.add_argument("--pc-sampling-interval", type=int)
    flag(group, "-L", "--list-avail", text="list the counters of the GPU and exit")


def _add_summary_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("statistics")
    flag(group, "--stats", text="statistics of what is traced, as CSV files")
    flag(group, "-S", "--summary", text="one table of everything at the end")
    flag(group, "-D", "--summary-per-domain", text="a table for each kind of event")
    group.add_argument("--summary-groups", nargs="+", metavar="REGEX", help="a table for kinds that match")
    group.add_argument("--summary-output-file", metavar="FILE", help="stderr (default), stdout or a file")
    group.add_argument(
        "-u", "--summary-units", choices=tuple(UNITS), help="of times in tables (default nsec)"
    )


def _add_filter_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("kernel names")
    flag(group, "-M", "--mangled-kernels", text="names as in the code object")
    flag(group, "-T", "--truncate-kernels", text="bare function names")
    flag(group, "--kernel-rename", text="name kernels after the roctx range around them")
    group = parser.add_argument_group("filters (of counters and thread traces)")
    group.add_argument("--kernel-include-regex", metavar="REGEX", help="only kernels that match")
    group.add_argument("--kernel-exclude-regex", metavar="REGEX", help="no kernels that match")
    group.add_argument(
        "--kernel-iteration-range", nargs="+", metavar="RANGE", help="runs of a kernel: [1-3] [5,7]"
    )
    group = parser.add_argument_group("filters (of everything)")
    group.add_argument("-P", "--collection-period", nargs="+", metavar="DELAY:TIME:REPEAT")
    group.add_argument("--collection-period-unit", nargs=1, choices=tuple(_PERIOD_UNITS))
    flag(group, "--selected-regions", text="only between roctxProfilerResume and roctxProfilerPause")


def _add_other_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("other")
    group.add_argument("-A", "--agent-index", choices=("absolute", "relative", "type-relative"))
    flag(group, "--group-by-queue", text="queues instead of streams in Perfetto traces")
    group.add_argument("--preload", nargs="*", metavar="LIBRARY", help="put before LD_PRELOAD")
    group.add_argument(
        "--minimum-output-data", type=int, metavar="KB", help="no files when there is less than that"
    )
    group.add_argument("--rocm-root", metavar="PATH", help=argparse.SUPPRESS)
    flag(group, "--disable-signal-handlers", text="accepted; the tracer installs none")
    flag(group, "--suppress-marker-preload", text="accepted; nothing is preloaded")
    flag(group, "--echo", text=argparse.SUPPRESS)
    group.add_argument("-p", "--pid", nargs="+", help=argparse.SUPPRESS)
    for name in ("--perfetto-backend", "--perfetto-buffer-fill-policy"):
        group.add_argument(name, help=argparse.SUPPRESS)
    for name in ("--perfetto-buffer-size", "--perfetto-shmem-size-hint"):
        group.add_argument(name, type=int, help=argparse.SUPPRESS)


def split_command(argv: Sequence[str]) -> tuple[list[str], list[str] | None]:
    """What is rocprofv3's and, after ``--``, the program with its arguments. None: there was no ``--``."""
    if "--" not in argv:
        return list(argv), None
    at = list(argv).index("--")
    return list(argv[:at]), list(argv[at + 1 :])


def _refuse_absent_features(values: dict[str, Any]) -> None:
    if values.get("pc_sampling_beta_enabled") or values.get("pc_sampling_method"):
        raise RequestRefused(
            "--pc-sampling-*: the virtual GPU takes no PC samples; --att shows where waves wait"
        )
    if "otf2" in (values.get("output_format") or ()):
        raise RequestRefused("-f otf2: not written by this rocprofv3; rocpd, csv, json and pftrace are")
    if values.get("extra_counters"):
        raise RequestRefused("-E/--extra-counters: counter definitions of your own are not supported")
    if values.get("pid"):
        raise RequestRefused(
            "-p/--pid: attaching to a running process is not supported (-P is --collection-period)"
        )


def _counter_names(group: Sequence[str]) -> tuple[str, ...]:
    names: list[str] = []
    for text in group:
        names += [name for name in str(text).replace(",", " ").split() if name not in names]
    return tuple(names)


def counter_passes(values: dict[str, Any]) -> list[tuple[str, ...]]:
    """The counters of every run; one run without counters when none are asked for."""
    groups = list(values.get("pmc") or [])
    if groups and all(isinstance(item, str) for item in groups):
        groups = [groups]  # an input file has one list
    if groups and values.get("pmc_groups"):
        raise RequestRefused(
            "pmc and pmc_groups are both given; which counters go together is then not clear"
        )
    groups += list(values.get("pmc_groups") or [])
    passes = [names for names in (_counter_names(group) for group in groups) if names]
    return passes or [()]


def _periods(values: dict[str, Any]) -> tuple[Period, ...]:
    unit = _PERIOD_UNITS[(values.get("collection_period_unit") or ["sec"])[0]]
    found = []
    for text in values.get("collection_period") or ():
        try:
            delay, duration, repeat = str(text).strip("()").split(":")
            period = Period(int(float(delay) * unit), int(float(duration) * unit), int(repeat))
        except ValueError:
            raise RequestRefused(f"-P/--collection-period: '{text}' is not DELAY:TIME:REPEAT") from None
        if period.delay < 0 or period.duration <= 0 or period.repeat < 0:
            raise RequestRefused(f"-P/--collection-period: '{text}' collects nothing")
        found.append(period)
    return tuple(found)


def resolve(
    values: dict[str, Any], counters: tuple[str, ...] = (), sub_directory: str | None = None
) -> Options:
    """The options of one run from the values of the parser or an input file."""
    _refuse_absent_features(values)
    on = dict(values)
    for aggregate, parts in _AGGREGATES.items():
        if on.get(aggregate):
            for part in parts:
                if on.get(part) is None:
                    on[part] = True
    warnings = [
        f"--{name.replace('_', '-')}: the virtual ROCm has no such library; nothing will be traced"
        for name in _ABSENT
        if values.get(name)
    ]
    environment = os.environ.get
    return Options(
        traces=frozenset(name for option, name in _TRACES.items() if on.get(option)),
        counters=counters,
        formats=tuple(dict.fromkeys(on.get("output_format") or ("rocpd",))),
        output_directory=on.get("output_directory") or environment("ROCPROF_OUTPUT_PATH") or ".",
        output_file=on.get("output_file") or environment("ROCPROF_OUTPUT_FILE_NAME"),
        sub_directory=sub_directory,
        stats=bool(on.get("stats")),
        summary=bool(on.get("summary")),
        summary_per_domain=bool(on.get("summary_per_domain")),
        summary_groups=tuple(on.get("summary_groups") or ()),
        summary_output=on.get("summary_output_file") or "stderr",
        summary_unit=on.get("summary_units") or "nsec",
        mangled_kernels=bool(on.get("mangled_kernels")),
        truncate_kernels=bool(on.get("truncate_kernels")),
        kernel_rename=bool(on.get("kernel_rename")),
        kernel_include=on.get("kernel_include_regex"),
        kernel_exclude=on.get("kernel_exclude_regex"),
        kernel_iterations=parse_iteration_ranges(_strings(on.get("kernel_iteration_range"))),
        periods=_periods(on),
        selected_regions=bool(on.get("selected_regions")),
        agent_index=on.get("agent_index") or "relative",
        group_by_queue=bool(on.get("group_by_queue")),
        minimum_output_kb=on.get("minimum_output_data") or 0,
        preload=tuple(on.get("preload") or ()),
        output_config=bool(on.get("output_config")),
        log_level=on.get("log_level"),
        att=resolve_att_options(on),
        warnings=tuple(warnings),
    )


def _strings(value: Any) -> list[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else [str(item) for item in value]
