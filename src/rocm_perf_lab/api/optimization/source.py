"""The source and the program of an optimization: both named, or the source found through the program."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.requests.values import kernel_pattern

SOURCES = (".hip", ".cu", ".cpp", ".cc", ".cxx", ".c++", ".C")
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl")
EXAMPLE = "rocm-perf optimize ./app its arguments --source kernel.hip"


@dataclass(frozen=True)
class Named:
    source: Path
    words: tuple[str, ...]
    """The program and its arguments, as they stand on the command line."""
    found: str | None = None
    """Through what the source was found; None: it was named."""


def source_and_program(source: Path | None, words: tuple[str, ...], kernel: str | None) -> Named:
    for name in (*words[:1], str(source or "")):
        if name.endswith(HEADERS):
            raise UsageProblem(
                f"{name} is a header; only files that are compiled themselves are changed",
                "name the file that includes it",
            )
    if words and words[0].endswith(SOURCES):
        if source is not None:
            raise UsageProblem(f"two sources are named: {source} and {words[0]}", EXAMPLE)
        return Named(Path(words[0]), words[1:])
    if source is not None:
        return Named(source, words)
    if not words:
        raise UsageProblem("neither a source nor a program is named", EXAMPLE)
    return _found(words, kernel)


def _found(words: tuple[str, ...], kernel: str | None) -> Named:
    from rocm_perf_lab.optimizing.building.find_source import find_source
    from rocm_perf_lab.profiling.processes.command_line import find_program, parse_command

    program = parse_command(words, "optimize")
    found = find_source(find_program(program[0], os.environ), kernel_pattern(kernel))
    return Named(found.path, words, found.how)
