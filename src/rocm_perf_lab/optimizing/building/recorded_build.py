"""How a program was built, where nobody says it: from the command lines that it remembers, or from a
compile_commands.json near its source.

Both tell how the source was compiled. How the program was linked is told by a command line that does both, by
another remembered one that links, or by CMake's files (``link.txt``, or ninja's answer). Else the other
objects that remembered command lines name are linked with the libraries that the program itself needs.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.builds.command import OUTPUT, SOURCE, BuildCommand
from rocm_perf_lab.codeobj.bundles import BadBundle
from rocm_perf_lab.codeobj.command_lines import CommandLine, command_lines
from rocm_perf_lab.codeobj.elf import NotAnElf
from rocm_perf_lab.codeobj.kernel_places import kernel_places
from rocm_perf_lab.codeobj.kernels import code_objects_in
from rocm_perf_lab.codeobj.metadata import NoMetadata, kernels_of_code_object
from rocm_perf_lab.codeobj.needed_libraries import needed_libraries
from rocm_perf_lab.optimizing.building.compile_commands import CompileCommand, find_entry, link_line
from rocm_perf_lab.optimizing.building.compiler_words import CommandLinePart, CompilerWords

OBJECT = OUTPUT + ".o"
_ARCHITECTURE = ("--offload-arch", "--amdgpu-target", "--cuda-gpu-arch")
# Of a compilation that linking has to repeat.
_ALSO_FOR_LINKING = ("-fgpu-rdc", "--hip-link", "-fopenmp", "-pthread", "-fsanitize", "-flto", *_ARCHITECTURE)
# How a compiler worked on a side, showed its work or called its unit says nothing of how to build.
_LEFT_OUT = (
    "-c",
    "-v",
    "-###",
    "--offload-host-only",
    "--cuda-host-only",
    "--offload-device-only",
    "--cuda-device-only",
)
_LEFT_OUT_PREFIXES = ("-cuid=", "-save-temps", "--save-temps", "-fdebug-compilation-dir", "-dumpdir")


@dataclass(frozen=True)
class RecordedBuild:
    command: str
    folder: Path
    """Relative paths in the command lead from here."""
    how: str


def recorded_build(program: Path, source: Path) -> RecordedBuild | None:
    """None where nothing says it."""
    content = program.read_bytes()
    lines = command_lines(content)
    for line in lines:
        folder = _folder(line, program, source, content)
        if folder is not None:
            steps = _steps_of_line(line, lines, folder, source, program, content)
            return _recorded(steps, folder, f"the command line that {program} remembers")
    entry = find_entry(source, program)
    if entry is not None:
        steps = _steps_of_entry(entry, source, program, content)
        return _recorded(steps, entry.folder, f"{entry.file}")
    return None


def _recorded(steps: Sequence[Sequence[str]], folder: Path, how: str) -> RecordedBuild:
    return RecordedBuild(str(BuildCommand(tuple(map(tuple, steps)))), folder, how)


def _folder(line: CommandLine, program: Path, source: Path, content: bytes) -> Path | None:
    """Where a command line was run: there it names the source. None: it is another file's."""
    names = CompilerWords(line.words).sources
    here = [Path.cwd(), program.absolute().parent, source.absolute().parent]
    above = [parent for folder in here for parent in folder.parents]
    told = [Path(line.folder)] if line.folder else list(_compiled_in(content, source))
    for folder in [*told, *here, *above]:
        if any(_same(folder / name, source) for name in names):
            return folder
    return None


def _compiled_in(content: bytes, source: Path) -> Iterator[Path]:
    """Working folders of the compiler, by debug information."""
    try:
        for code_object in code_objects_in(content):
            for place in kernel_places(code_object).values():
                if place.folder is not None and _same(place.unit, source):
                    yield place.folder
    except (NotAnElf, BadBundle, NoMetadata):
        return


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def _steps_of_line(
    line: CommandLine,
    lines: Sequence[CommandLine],
    folder: Path,
    source: Path,
    program: Path,
    content: bytes,
) -> list[list[str]]:
    words = CompilerWords(line.words)
    if not words.compiles_only:
        return [[*_compilation(words, folder, source, content), "-o", OUTPUT]]
    compile_step = [*_compilation(words, folder, source, content), "-c", "-o", OBJECT]
    made = folder / (words.output or f"{source.stem}.o")
    others = [CompilerWords(other.words) for other in lines if other.words != line.words]
    for other in others:
        if not other.compiles_only and any(_is(folder / name, made) for name in other.inputs):
            return [compile_step, _linking(other, folder, made)]
    objects = [
        str(_from_here(folder / (other.output or f"{Path(name).stem}.o"), folder))
        for other in others
        for name in other.sources[:1]
    ]
    return [
        compile_step,
        [*_bare_link(words, folder), OBJECT, *objects, *needed_libraries(program), "-o", OUTPUT],
    ]


def _steps_of_entry(entry: CompileCommand, source: Path, program: Path, content: bytes) -> list[list[str]]:
    words = CompilerWords(entry.words)
    compilation = _compilation(words, entry.folder, source, content)
    if not words.compiles_only:
        return [[*compilation, "-o", OUTPUT]]
    made = entry.folder / (words.output or f"{source.stem}.o")
    found = link_line(entry, made, program)
    if found is not None:
        return [[*compilation, "-c", "-o", OBJECT], _linking(CompilerWords(found.words), found.folder, made)]
    # Nothing says what else the program is made of: the source alone, then.
    return [[*compilation, *needed_libraries(program), "-o", OUTPUT]]


def _compilation(words: CompilerWords, folder: Path, source: Path, content: bytes) -> list[str]:
    """Compiler, options and inputs; the source is {source}."""
    found = [_compiler(words, folder)]
    for part in words.parts:
        if part.role == "input" and _same(folder / part.words[0], source):
            found.append(SOURCE)
        elif part.role in ("option", "input") and not _is_left_out(part):
            found += _moved(part, folder).words
    if not any(word.startswith(_ARCHITECTURE) for word in found) and Path(found[0]).name != "hipcc":
        # clang does not remember it for the host's side; without it, it would compile for another GPU.
        found[1:1] = [f"--offload-arch={name}" for name in _architectures(content)]
    return found


def _is_left_out(part: CommandLinePart) -> bool:
    return part.words[0] in _LEFT_OUT or part.words[0].startswith(_LEFT_OUT_PREFIXES)


def _linking(words: CompilerWords, folder: Path, made: Path) -> list[str]:
    """A line that links, with the variant's object in the place of the one that was made."""
    found = [_compiler(words, folder)]
    for part in words.parts:
        if part.role == "input" and _is(folder / part.words[0], made):
            found.append(OBJECT)
        elif part.role in ("option", "input"):
            found += _moved(part, folder).words
    return [*found, "-o", OUTPUT]


def _bare_link(words: CompilerWords, folder: Path) -> list[str]:
    kept = [
        part for part in words.parts if part.role == "option" and part.words[0].startswith(_ALSO_FOR_LINKING)
    ]
    return [_compiler(words, folder), *(word for part in kept for word in part.words)]


def _compiler(words: CompilerWords, folder: Path) -> str:
    """As it was called; one that has moved is looked for by its name."""
    name = words.compiler
    if "/" in name and not os.access(folder / name, os.X_OK) and shutil.which(Path(name).name):
        return Path(name).name
    return name


def _is(one: Path, other: Path) -> bool:
    return os.path.normpath(one) == os.path.normpath(other)


def _moved(part: CommandLinePart, folder: Path) -> CommandLinePart:
    return part if _is(folder, Path.cwd()) else part.from_folder(folder)


def _from_here(path: Path, folder: Path) -> Path:
    return path.relative_to(folder) if _is(folder, Path.cwd()) and path.is_relative_to(folder) else path


def _architectures(content: bytes) -> list[str]:
    try:
        return sorted(
            {
                kernel.architecture
                for code_object in code_objects_in(content)
                for kernel in kernels_of_code_object(code_object)
            }
        )
    except (NotAnElf, BadBundle, NoMetadata):
        return []
