"""Which command lines may be answered from the cache, and by which key: all that decides the result,
but for what the compiler reads."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from .cache import Output
from .commands import dependency_file
from .invocation import Invocation, Mode
from .reads import digest_of
from .toolchain import Toolchain, package_dir

# Another layout of what is kept, or of keys: what earlier versions kept is not looked at.
LAYOUT = 1
MODES = (Mode.LINK, Mode.OBJECT, Mode.ASSEMBLY)
LANGUAGES = ("hip", "hip-cpp-output", "c++", "c", "cpp-output", "c++-cpp-output")
# These leave further files behind, show something on the way, or read what they do not tell.
_LEFT_OUT = (
    *(
        "-MJ",
        "-ftime-trace",
        "-ftime-report",
        "-fsave-optimization-record",
        "-foptimization-record",
        "-gsplit-dwarf",
    ),
    *(
        "-fstack-usage",
        "-save-stats",
        "--save-stats",
        "-print-",
        "--print-",
        "-fprofile",
        "-fcoverage",
        "-fcs-profile",
    ),
    *(
        "-fmodule",
        "-fplugin",
        "-fpass-plugin",
        "-ivfsoverlay",
        "-working-directory",
        "--serialize-diagnostics",
    ),
    *(
        "-fcrash-diagnostics",
        "-fproc-stat-report",
        "-emit-pch",
        "-fimplicit-module",
        "-fuse-ld=gold",
        "-dump",
    ),
    *("-include-pch", "-B", "-specs", "--config", "-d", "-H", "-Wp,"),
)
_LEFT_OUT_OF_LINKS = (
    "-Map",
    "--Map",
    "--print",
    "--trace",
    "-t,",
    "--verbose",
    "--dependency-file",
    "--out-implib",
)
_LEFT_OUT_WORDS = ("-Wl,-t", "-Wl,-M", "-Wl,-y", "-plugin")
# With these the compiler writes where nobody here looks.
_WRITING_VARIABLES = ("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "CC_PRINT_OPTIONS", "CC_PRINT_HEADERS")
# What compilers and linkers read of the environment (manuals of GCC, clang and ld, chapters of their names).
_VARIABLES = (
    *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH"),
    *(
        "LD_RUN_PATH",
        "LDEMULATION",
        "LD_PRELOAD",
        "SOURCE_DATE_EPOCH",
        "CCC_OVERRIDE_OPTIONS",
        "CCC_ADD_ARGS",
    ),
    *("QA_OVERRIDE_GCC3_OPTIONS", "LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_CTYPE"),
)
_VARIABLE_PREFIXES = ("ZIG_", "CLANG_", "GCC_", "COLLECT_")


def why_not(invocation: Invocation) -> str | None:
    """A reason for which this command line has to be run."""
    if invocation.mode not in MODES or invocation.static_library:
        return "not a compilation or a link"
    if invocation.verbose or invocation.dry_run or invocation.save_temps is not None:
        return "the steps are to be seen"
    if not invocation.sources and invocation.mode is not Mode.LINK:
        return "no sources"
    one_named_output = invocation.output is not None or not (invocation.device_only or invocation.emit_llvm)
    if invocation.dependencies.write and len(invocation.sources) != 1:
        return "several outputs"
    if invocation.mode is not Mode.LINK and (len(invocation.sources) > 1 or not one_named_output):
        return "several outputs"
    output = Path(output_of(invocation))
    if str(output) == "-" or (output.exists() and not output.is_file()):
        return "the output is no file"
    for source in invocation.sources:
        if source.path == "-" or source.language not in LANGUAGES:
            return f"{source.path} is no file in C, C++ or HIP"
    for variable in _WRITING_VARIABLES:
        if os.environ.get(variable):
            return f"{variable} is set"
    return _telling_flag(invocation)


def _telling_flag(invocation: Invocation) -> str | None:
    for flag in [*invocation.compile_flags, *invocation.dependencies.flags, *invocation.device_link_flags]:
        if flag.startswith(_LEFT_OUT) or any(
            macro in flag for macro in ("__DATE__", "__TIME__", "__TIMESTAMP__")
        ):
            return flag
    for item in invocation.link_items:
        if isinstance(item, str) and (
            item.startswith((*_LEFT_OUT, *_LEFT_OUT_WORDS))
            or any(part in item for part in _LEFT_OUT_OF_LINKS)
        ):
            return item
    return None


def output_of(invocation: Invocation) -> str:
    if invocation.output or invocation.mode is Mode.LINK:
        return invocation.output or "a.out"
    return f"{invocation.sources[0].stem}{'.s' if invocation.mode is Mode.ASSEMBLY else '.o'}"


def outputs_of(invocation: Invocation) -> list[Output]:
    """The files that the command line leaves behind, in the order in which the cache keeps them."""
    is_program = invocation.mode is Mode.LINK and not invocation.device_only
    made = [Output(output_of(invocation), is_program)]
    if invocation.dependencies.write is None:
        return made
    return [*made, *(Output(dependency_file(invocation, source), False) for source in invocation.sources[:1])]


def key_of(invocation: Invocation, tools: Toolchain, libraries: Path) -> str:
    """``libraries``: of the prefix, which programs remember."""
    parts = [str(LAYOUT), *_compiler(tools), str(libraries), repr(_questions(invocation))]
    if any(flag.startswith(("-g", "-fdebug")) for flag in invocation.compile_flags):
        parts += [os.getcwd(), os.environ.get("PWD", "")]  # debug information names it
    parts += _variables()
    parts += [str(digest_of(source.path)) for source in invocation.sources]
    return _digest(parts)


def key_of_commands(commands: Iterable[list[str]], tools: Toolchain) -> str:
    """Of compiler passes over files that are among what they read."""
    return _digest([str(LAYOUT), *_compiler(tools), *map(repr, commands), *_variables()])


def _digest(parts: list[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()


def _variables() -> Iterator[str]:
    for name in sorted(os.environ):
        if name in _VARIABLES or name.startswith(_VARIABLE_PREFIXES):
            yield f"{name}={os.environ[name]}"


def files_named(invocation: Invocation) -> set[str]:
    """Files on the command line: objects and libraries, but also what a flag is given."""
    words = [*invocation.compile_flags, *invocation.device_link_flags]
    words += [item for item in invocation.link_items if isinstance(item, str)]
    parts = {part for word in words for part in (word, *word.split(","), word.partition("=")[2])}
    parts |= {part.partition("=")[2] for part in parts}
    return {part for part in parts if part and os.path.isfile(part)} | {
        source.path for source in invocation.sources
    }


def _questions(invocation: Invocation) -> list[tuple[str, object]]:
    """The command line as it was understood. Where a program is put says nothing of what is in it; an object
    and a file of dependencies do name their places."""
    asked = dict(vars(invocation))
    if invocation.mode is Mode.LINK and invocation.dependencies.write is None:
        asked["output"] = None
    if invocation.device_only or not invocation.record_command_line:
        asked["words"] = None
    return sorted(asked.items(), key=lambda item: item[0])


def _compiler(tools: Toolchain) -> Iterator[str]:
    """The programs, and this package: the driver, the device library. Headers are among what is read."""
    yield repr(tools)
    package = package_dir()
    programs = [tools.zig, tools.host_linker, shutil.which("ld") or "ld"]
    for path in [*programs, *_files(package / "hipcc"), *_files(package / "devicelib")]:
        found = os.stat(path)
        yield f"{path} {found.st_size} {found.st_mtime_ns} {found.st_ino}"


def _files(folder: Path | str) -> list[str]:
    found, below = [], []
    for entry in os.scandir(folder):
        if entry.name.endswith((".py", ".cpp", ".h")):
            found.append(entry.path)
        elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
            below.append(entry.path)
    return sorted(found) + [path for room in sorted(below) for path in _files(room)]
