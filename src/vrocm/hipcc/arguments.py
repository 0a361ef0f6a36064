"""The command line of hipcc: which flags concern the driver, which go to clang, which to the linker.

A flag that is in none of the tables below goes to clang, which reports it if it is wrong.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

from ..compiler_options import COMPILE_VALUE, DEPENDENCY_VALUE, LANGUAGES, LINK_VALUE
from .errors import HipccError
from .invocation import CompilerInput, Invocation, Mode
from .toolchain import DEFAULT_ARCH

HEADER_SUFFIXES = {".h", ".hpp", ".hh", ".hxx"}
# clang knows HIP by its own suffix, and C++ is C++.
CLANG_LANGUAGES = {
    suffix: "c++" if language == "hip" and suffix not in (".hip", ".cu", ".cuh") else language
    for suffix, language in LANGUAGES.items()
}
LANGUAGE_OPTIONS = {"cu": "hip", "cuda": "hip"}

LINK_FLAGS = frozenset(
    (
        "-shared",
        "-static-libgcc",
        "-static-libstdc++",
        "-pie",
        "-no-pie",
        "-nostdlib",
        "-nodefaultlibs",
        "-nostartfiles",
        "-rdynamic",
        "-s",
        "-r",
        "-static-pie",
        "-static-libasan",
    )
)
LINK_PREFIXES = ("-l", "-L", "-Wl,", "-fuse-ld=", "-z", "-T", "-u")
# These mean something to the compiler and to the linker.
BOTH_FLAGS = frozenset(("-pthread", "-pg", "-p", "-m64"))
BOTH_PREFIXES = ("-fsanitize=", "-fno-sanitize=")

# Accepted and without effect here: where a real ROCm is, how AMD's driver splits its work, and how AMD's
# hipcc script itself behaves. There is one prefix, one driver, and it is this one.
IGNORED_FLAGS = frozenset(
    (
        "--offload-new-driver",
        "--no-offload-new-driver",
        "-fno-gpu-rdc",
        "--no-gpu-bundle-output-host",
        "-fhip-new-launch-api",
        "--hipcc-func-supp",
        "--hipcc-no-func-supp",
        "-nogpuinc",
        "-no-canonical-prefixes",
        "-fno-hip-fp32-correctly-rounded-divide-sqrt-host",
        "--offload-host-device",
        "-use-sharedlib",
        "-Qunused-arguments-hip",
    )
)
IGNORED_PREFIXES = (
    # Versions 5 and 6 differ in generic targets only, which gfx942 is not.
    "-mcode-object-version=",
    "--rocm-path=",
    "--hip-path=",
    "--rocm-device-lib-path=",
    "--hip-device-lib-path=",
    "--hip-device-lib=",
    "--hip-version=",
    "--cuda-path=",
    "--hipstdpar-path=",
    "--hipstdpar-thrust-path=",
    "--hipstdpar-prim-path=",
    # AMD's own linker; here the system's compiler links.
    "-fuse-ld=lld",
)
# Known, and impossible here. (flag or prefix ending in '*', reason)
REFUSED = (
    ("-static", "libamdhip64 is a shared library"),
    ("-use-staticlib", "libamdhip64 is a shared library"),
    ("-flto*", "host objects are linked by the system compiler, which cannot read clang's bitcode"),
    ("-stdlib=libc++", "host code uses the system's libstdc++"),
    ("-m32", "HIP programs are 64-bit"),
    ("-fopenmp-targets=*", "OpenMP runs on the host only"),
    ("-fgpu-sanitize", "there is no device AddressSanitizer runtime; the virtual GPU checks accesses itself"),
    ("--hipstdpar", "offloading of standard algorithms needs rocThrust"),
    ("--offload=spirv*", "the virtual GPU runs gfx942 code objects only"),
    ("--coverage", "the toolchain has no profile runtime"),
    ("-coverage", "the toolchain has no profile runtime"),
    ("-fprofile-arcs", "the toolchain has no profile runtime"),
    ("-ftest-coverage", "the toolchain has no profile runtime"),
    ("-fprofile-generate*", "the toolchain has no profile runtime"),
    ("-fprofile-instr-generate*", "the toolchain has no profile runtime"),
    ("-mcode-object-version=2", "the device library needs the implicit arguments of version 5"),
    ("-mcode-object-version=3", "the device library needs the implicit arguments of version 5"),
    ("-mcode-object-version=4", "the device library needs the implicit arguments of version 5"),
    ("-fhip-emit-relocatable", "the device linker always makes a complete code object"),
)
QUERIES = frozenset(
    (
        "-dumpversion",
        "-dumpmachine",
        "--help",
        "-help",
        "--print-targets",
        "-print-targets",
        "--print-supported-cpus",
        "-print-supported-cpus",
        "-print-resource-dir",
        "-print-target-triple",
        "--print-target-triple",
        "-print-search-dirs",
        "--print-search-dirs",
        "-print-libgcc-file-name",
        "-print-multi-lib",
        "-print-runtime-dir",
        "-print-effective-triple",
        "--print-resource-dir",
    )
)
QUERY_PREFIXES = ("-print-file-name=", "-print-prog-name=", "--print-file-name=", "--print-prog-name=")
MODES = {
    "-c": Mode.OBJECT,
    "--compile": Mode.OBJECT,
    "-S": Mode.ASSEMBLY,
    "--assemble": Mode.ASSEMBLY,
    "-E": Mode.PREPROCESS,
    "--preprocess": Mode.PREPROCESS,
    "-fsyntax-only": Mode.SYNTAX,
}


def parse(argv: list[str], as_clang: bool = False) -> Invocation:
    """Understand a command line; HipccError names a flag that cannot be honoured.

    `as_clang`: by clang's rules rather than hipcc's. C++ sources are C++, nothing is optimised unless asked
    for, and the HIP runtime is linked to HIP programs only.
    """
    words = expand_response_files(argv)
    invocation = _Parser(words, as_clang).parse()
    invocation.words = ["amdclang++" if as_clang else "hipcc", *words]
    if invocation.mode is Mode.LINK:
        invocation.words = list(without_output(invocation.words))
    return invocation


def expand_response_files(argv: list[str], depth: int = 0) -> list[str]:
    """Replace each @file by the arguments in it (GNU quoting rules); a missing file stays as it is."""
    expanded = []
    for argument in argv:
        path = Path(argument[1:])
        if not argument.startswith("@") or not path.is_file():
            expanded.append(argument)
            continue
        if depth == 20:
            raise HipccError(f"response file {argument} includes itself")
        expanded += expand_response_files(shlex.split(path.read_text()), depth + 1)
    return expanded


def parse_archs(value: str) -> list[str]:
    """gfx90a,gfx942:xnack+ → one canonical target ID each; `native` is the virtual GPU."""
    archs = []
    for name in value.split(","):
        processor, *features = name.strip().split(":")
        if processor == "native":
            processor = DEFAULT_ARCH
        if not processor.startswith("gfx"):
            raise HipccError(f"unsupported HIP gpu architecture: {processor or value}")
        archs.append(":".join([processor, *sorted(features)]))
    return archs


def without_output(words: list[str]) -> Iterator[str]:
    """A program is the same wherever it is put, and so is what it remembers."""
    arguments = iter(words)
    for argument in arguments:
        if argument in ("-o", "--output"):
            next(arguments, None)
        elif not names_output(argument):
            yield argument


def names_output(argument: str) -> bool:
    """Whether a word is an option with the output's name in it."""
    short = argument.startswith("-o") and not argument.startswith(("-objc", "-offload", "-object"))
    return argument.startswith("--output=") or (short and argument != "-o")


class _Parser:
    def __init__(self, argv: list[str], as_clang: bool) -> None:
        self.arguments: Iterator[str] = iter(argv)
        self.as_clang = as_clang
        self.hip_link = False
        self.result = Invocation()
        self.language: str | None = None
        self.genco = False
        self.actions: dict[str, Callable[[], None]] = {
            "-emit-llvm": lambda: self._set("emit_llvm", True),
            "--cuda-device-only": lambda: self._set("device_only", True),
            "--offload-device-only": lambda: self._set("device_only", True),
            "--cuda-host-only": lambda: self._set("host_only", True),
            "--offload-host-only": lambda: self._set("host_only", True),
            "--cuda-compile-host-device": self._compile_both,
            "--genco": lambda: self._set_genco(),
            "--gpu-bundle-output": lambda: self._set("bundle_output", True),
            "--no-gpu-bundle-output": lambda: self._set("bundle_output", False),
            "-fgpu-rdc": lambda: self._set("gpu_rdc", True),
            "--hip-link": self._set_hip_link,
            "--emit-static-lib": lambda: self._set("static_library", True),
            "--no-hip-rt": lambda: self._set("no_hip_runtime", True),
            "-no-hip-rt": lambda: self._set("no_hip_runtime", True),
            "-nogpulib": lambda: self._set("no_gpu_library", True),
            "--no-offloadlib": lambda: self._set("no_gpu_library", True),
            "-frecord-command-line": lambda: self._set("record_command_line", True),
            "-frecord-gcc-switches": lambda: self._set("record_command_line", True),
            "-fno-record-command-line": lambda: self._set("record_command_line", False),
            "-fno-record-gcc-switches": lambda: self._set("record_command_line", False),
            "-v": lambda: self._set("verbose", True),
            "--verbose": lambda: self._set("verbose", True),
            "-###": lambda: self._set("dry_run", True),
            "--version": lambda: self._set("show_version", True),
            "-save-temps": lambda: self._set("save_temps", "cwd"),
            "--save-temps": lambda: self._set("save_temps", "cwd"),
            "-M": lambda: self._dependencies_only("-M"),
            "-MM": lambda: self._dependencies_only("-MM"),
        }

    def parse(self) -> Invocation:
        for argument in self.arguments:
            self._one(argument)
        result = self.result
        if not result.archs:
            result.archs = parse_archs(os.environ.get("HCC_AMDGPU_TARGET") or DEFAULT_ARCH)
        result.archs = list(dict.fromkeys(result.archs))
        if not self.as_clang and not any(flag[:2] == "-O" for flag in result.compile_flags):
            # AMD's hipcc optimises unless told otherwise, clang does not.
            result.compile_flags.append("-O3")
        if self.as_clang and not self.hip_link and not any(source.is_hip for source in result.sources):
            result.no_hip_runtime = True
        if self.genco:
            result.device_only = True
        if result.device_only and result.host_only:
            raise HipccError("--cuda-device-only and --cuda-host-only contradict each other")
        return result

    def _one(self, argument: str) -> None:
        if argument == "-" or not argument.startswith("-"):
            self._input(argument)
        elif argument in self.actions:
            self.actions[argument]()
        elif argument in MODES:
            self.result.mode = MODES[argument]
        else:
            self._flag(argument)

    def _flag(self, argument: str) -> None:
        for understand in (
            self._refused,
            self._with_own_value,
            self._offload_arch,
            self._dependency,
            self._query,
            self._ignored,
            self._linker,
            self._openmp,
        ):
            if understand(argument):
                return
        flags = [argument, self._value(argument)] if argument in COMPILE_VALUE else [argument]
        self.result.compile_flags += flags

    def _input(self, path: str) -> None:
        suffix = Path(path).suffix
        languages = CLANG_LANGUAGES if self.as_clang else LANGUAGES
        language = self.language or languages.get(suffix)
        if language is None and suffix in HEADER_SUFFIXES:
            language = "c++-header" if self.as_clang else "hip"
        if path == "-" and language is None:
            raise HipccError("-E or -x required when input is from standard input")
        if language is None:
            self.result.link_items.append(path)
            return
        if path != "-" and not Path(path).exists():
            raise HipccError(f"no such file or directory: '{path}'")
        source = CompilerInput(path, language)
        self.result.sources.append(source)
        self.result.link_items.append(source)

    def _refused(self, argument: str) -> bool:
        for flag, reason in REFUSED:
            if argument == flag or (flag.endswith("*") and argument.startswith(flag[:-1])):
                raise HipccError(f"cannot honour '{argument}': {reason}")
        return False

    def _with_own_value(self, argument: str) -> bool:
        result = self.result
        if argument in ("-o", "--output"):
            result.output = self._value(argument)
        elif names_output(argument):
            result.output = argument.removeprefix("--output=").removeprefix("-o")
        elif argument == "-x" or (argument.startswith("-x") and len(argument) > 2):
            language = self._value(argument) if argument == "-x" else argument[2:]
            self.language = None if language == "none" else LANGUAGE_OPTIONS.get(language, language)
        elif argument.startswith(("--save-temps=", "-save-temps=")):
            result.save_temps = argument.split("=", 1)[1]
        elif argument.startswith(("-parallel-jobs=", "--offload-jobs=")):
            result.parallel_jobs = self._job_count(argument)
        elif argument in ("--rocm-path", "--hip-path", "--cuda-path"):
            self._value(argument)
        elif argument in ("-target", "--target") or argument.startswith(("--target=", "-target=")):
            self._check_target(argument)
        else:
            return False
        return True

    def _offload_arch(self, argument: str) -> bool:
        name, _, value = argument.partition("=")
        if name not in (
            "--offload-arch",
            "-offload-arch",
            "--amdgpu-target",
            "--cuda-gpu-arch",
            "--no-offload-arch",
        ):
            return False
        archs = parse_archs(value or self._value(argument))
        if name == "--no-offload-arch":
            self.result.archs = [arch for arch in self.result.archs if arch not in archs]
        else:
            self.result.archs += archs
        return True

    def _dependency(self, argument: str) -> bool:
        dependencies = self.result.dependencies
        if argument in ("-MD", "-MMD"):
            dependencies.write = argument
        elif argument.startswith("-MF"):
            dependencies.file = argument[3:] or self._value(argument)
        elif argument[:3] in DEPENDENCY_VALUE:
            dependencies.has_target |= argument[:3] != "-MJ"
            dependencies.flags += [argument[:3], argument[3:] or self._value(argument)]
        elif argument in ("-MP", "-MG", "-MV"):
            dependencies.flags.append(argument)
        else:
            return False
        return True

    def _query(self, argument: str) -> bool:
        if argument in QUERIES or argument.startswith(QUERY_PREFIXES):
            self.result.query.append(argument)
            return True
        return False

    def _ignored(self, argument: str) -> bool:
        return argument in IGNORED_FLAGS or argument.startswith(IGNORED_PREFIXES)

    def _linker(self, argument: str) -> bool:
        items = self.result.link_items
        if argument == "-rpath":
            items.append(f"-Wl,-rpath,{self._value(argument)}")
        elif argument == "-Xoffload-linker":
            self.result.device_link_flags.append(self._value(argument))
        elif argument in LINK_VALUE:
            items += [argument, self._value(argument)]
        elif argument in LINK_FLAGS or argument.startswith(LINK_PREFIXES):
            items.append(argument)
        elif argument in BOTH_FLAGS or argument.startswith(BOTH_PREFIXES):
            items.append(argument)
            self.result.compile_flags.append(argument)
        else:
            return False
        return True

    def _openmp(self, argument: str) -> bool:
        if argument == "-fno-openmp":
            self.result.openmp = False
        elif argument == "-fopenmp" or argument.startswith("-fopenmp="):
            self.result.openmp = True
        else:
            return False
        return True

    def _dependencies_only(self, flag: str) -> None:
        self.result.mode = Mode.DEPENDENCIES
        self.result.dependencies.write = flag

    def _set(self, name: str, value: object) -> None:
        setattr(self.result, name, value)

    def _set_hip_link(self) -> None:
        self.hip_link = True

    def _set_genco(self) -> None:
        self.genco = True

    def _compile_both(self) -> None:
        self.result.device_only = self.result.host_only = False

    def _value(self, flag: str) -> str:
        value = next(self.arguments, None)
        if value is None:
            raise HipccError(f"argument to '{flag}' is missing (expected 1 value)")
        return value

    def _job_count(self, argument: str) -> int:
        value = argument.split("=", 1)[1]
        if value == "jobserver":
            return 1
        if not value.isdigit() or int(value) == 0:
            raise HipccError(f"invalid integral value '{value}' in '{argument}'")
        return int(value)

    def _check_target(self, argument: str) -> None:
        _, _, target = argument.partition("=")
        target = target or self._value(argument)
        if not target.startswith("x86_64") or "linux" not in target:
            raise HipccError(f"cannot honour '--target={target}': host code is built for x86_64 Linux only")
