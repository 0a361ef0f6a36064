"""Which source file a program's kernels were compiled from, where nobody named it.

Debug information of the code objects says it for each kernel. Without it, a command line that the program
remembers does for a program that was compiled from one file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.codeobj.bundles import BadBundle
from rocm_perf_lab.codeobj.command_lines import command_lines
from rocm_perf_lab.codeobj.elf import NotAnElf
from rocm_perf_lab.codeobj.kernel_places import KernelPlace, kernel_places
from rocm_perf_lab.codeobj.kernels import code_objects_in
from rocm_perf_lab.codeobj.metadata import NoMetadata, kernels_of_code_object
from rocm_perf_lab.cxx_names import demangle
from rocm_perf_lab.errors import BadInput, UsageProblem
from rocm_perf_lab.optimizing.building.compiler_words import CompilerWords

NAME_IT = "name the file that has the kernels: --source kernel.hip"
BUILD_WITH_DEBUG = f"build it with -g, or {NAME_IT}"
_MOST_NAMED = 4


@dataclass(frozen=True)
class FoundSource:
    path: Path
    how: str


def find_source(program: Path, pattern: re.Pattern[str] | None = None) -> FoundSource:
    """Of the kernels whose names match. Raises UsageProblem where that is not one file."""
    content = program.read_bytes()
    try:
        code_objects = list(code_objects_in(content))
        places = {symbol: place for one in code_objects for symbol, place in kernel_places(one).items()}
        symbols = {kernel.symbol for one in code_objects for kernel in kernels_of_code_object(one)}
    except (NotAnElf, BadBundle, NoMetadata) as error:
        raise UsageProblem(
            f"no source is named, and none can be found through {program}: {error}", NAME_IT
        ) from error
    if not symbols:
        raise UsageProblem(f"no source is named, and {program} has no kernels that could lead to it", NAME_IT)
    wanted = {symbol for symbol in symbols if pattern is None or pattern.search(demangle(symbol))}
    if not wanted:
        raise UsageProblem(
            f"no source is named, and no kernel of {program} matches --kernel",
            "it has " + ", ".join(sorted(map(demangle, symbols))[:_MOST_NAMED]),
        )
    if wanted & places.keys():
        named = _one_unit(program, {symbol: places[symbol] for symbol in wanted & places.keys()})
        how = f"debug information of {program}"
    else:
        named, how = _only_compiled(program, content), f"the command line that {program} was compiled with"
    return FoundSource(_present(named, program), how)


def _one_unit(program: Path, places: Mapping[str, KernelPlace]) -> Path:
    units: dict[Path, list[str]] = {}
    for symbol, place in sorted(places.items()):
        if place.defined_in == place.unit:
            units.setdefault(place.unit, []).append(demangle(symbol).partition("(")[0])
    if not units:
        headers = sorted({str(place.defined_in) for place in places.values()})
        raise UsageProblem(
            f"the kernels of {program} are defined in files that others include "
            f"({', '.join(headers[:_MOST_NAMED])}); only files that are compiled themselves are changed",
            "move the kernel into the file that launches it, or name another file with --source",
        )
    if len(units) > 1:
        listed = "; ".join(f"{path} ({', '.join(names[:2])})" for path, names in sorted(units.items()))
        raise UsageProblem(
            f"kernels of {program} are in several files: {listed}",
            "name one of them with --source, or choose a kernel with --kernel",
        )
    return next(iter(units))


def _only_compiled(program: Path, content: bytes) -> Path:
    sources = {
        Path(line.folder or "") / source
        for line in command_lines(content)
        for source in CompilerWords(line.words).sources
    }
    if not sources:
        raise UsageProblem(
            f"no source is named, and {program} has no debug information that would lead to it",
            BUILD_WITH_DEBUG,
        )
    if len(sources) > 1:
        raise UsageProblem(
            f"no source is named, and {program}, which has no debug information, was compiled from several: "
            + ", ".join(sorted(map(str, sources))[:_MOST_NAMED]),
            BUILD_WITH_DEBUG,
        )
    return next(iter(sources))


def _present(path: Path, program: Path) -> Path:
    """The file where it is now: a program may have been built elsewhere."""
    for folder in (Path.cwd(), program.absolute().parent):
        if not path.is_absolute() and (folder / path).is_file():
            return _from_here(folder / path)
    if path.is_absolute() and path.is_file():
        return _from_here(path)
    for kept in range(len(path.parts) - 1, 0, -1):
        for folder in (Path.cwd(), program.absolute().parent):
            moved = folder.joinpath(*path.parts[-kept:])
            if moved.is_file():
                return _from_here(moved)
    raise BadInput(f"{program} was compiled from {path}, which is not there", NAME_IT)


def _from_here(path: Path) -> Path:
    """As a user of this folder would write it."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
