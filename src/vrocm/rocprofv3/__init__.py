"""rocprofv3: traces and profiles programs on the virtual GPU.

The runtimes of the virtual ROCm log what a program does (native/trace); this package runs the program, reads
the logs and writes what AMD's rocprofv3 writes. It plays the part of that tool, outside of the product.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from ..end_requests import end_as_by_ctrl_c
from .errors import RequestRefused

__all__ = ["main"]


def main(argv: list[str]) -> int:
    """Run rocprofv3 with the given arguments; returns the exit code."""
    end_as_by_ctrl_c()
    try:
        return _run(argv)
    except RequestRefused as problem:
        print(f"rocprofv3: error: {problem}", file=sys.stderr)
        return problem.exit_code
    except KeyboardInterrupt:
        return 130


def _run(argv: list[str]) -> int:
    from .options import make_parser, split_command

    parser = make_parser()
    own, command = split_command(argv)
    values, rest = parser.parse_known_args(own)
    if rest:
        parser.error(f"unknown arguments: {' '.join(rest)} (the program and its arguments follow '--')")
    if values.version:
        from .version import text

        print(text())
        return 0
    if values.list_avail:
        from .list_avail import listing

        sys.stdout.write(listing())
        return 0
    given = {name: value for name, value in vars(values).items() if value is not None}
    runs = _runs(given, parser)
    if command is None or not command:
        raise RequestRefused("no program given; it follows '--': rocprofv3 --kernel-trace -- ./program")
    code = 0
    for options in runs:
        code = _profile(command, options)
        if code != 0:
            break
    from .program import exit_like

    return exit_like(code)


def _runs(given: dict[str, Any], parser: Any) -> list[Any]:
    """The options of every run of the program: one for each group of counters of each job."""
    from . import device
    from .counters import check_group, load
    from .input_file import read_jobs
    from .options import counter_passes, resolve

    jobs, prefix = [given], "pass_"
    if "input" in given:
        from_file, prefix = read_jobs(Path(given["input"]), parser)
        jobs = [_merged(given, job) for job in from_file]
    planned = [(job, counters) for job in jobs for counters in counter_passes(job)]
    numbered = "input" in given or len(planned) > 1
    for _, counters in planned:
        check_group(counters, load(device.architecture()))
    return [
        resolve(job, counters, f"{prefix}{number}" if numbered else None)
        for number, (job, counters) in enumerate(planned, 1)
    ]


def _merged(given: dict[str, Any], job: dict[str, Any]) -> dict[str, Any]:
    for name, value in job.items():
        if value is not None and name in given and given[name] not in (value, [value]):
            raise RequestRefused(
                f"{name} is {given[name]!r} on the command line and {value!r} in the input file"
            )
    return {**{name: value for name, value in job.items() if value is not None}, **given}


def _profile(command: list[str], options: Any) -> int:
    from . import device
    from .att import writer as att
    from .counters import load
    from .program import run_program
    from .results import write_results

    for warning in options.warnings:
        print(f"rocprofv3: warning: {warning}", file=sys.stderr)
    if not options.collects():
        if options.stats or options.summary or options.summary_per_domain or options.summary_groups:
            raise RequestRefused(
                "statistics are asked for and nothing is traced; add --kernel-trace, --hip-trace, …"
            )
        print("rocprofv3: warning: no tracing option is given; the program just runs", file=sys.stderr)
    catalogue = load(device.architecture())
    wanted = frozenset(name for counter in options.counters for name in catalogue.raw(counter))
    extra = att.request(options)
    logs = Path(tempfile.mkdtemp(prefix="rocprofv3-"))
    try:
        code = run_program(command, options, logs, wanted, extra)
        for path in write_results(logs, options):
            print(f"rocprofv3: {path}", file=sys.stderr)
        return code
    finally:
        shutil.rmtree(logs, ignore_errors=True)
