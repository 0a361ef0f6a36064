"""What one hipcc command line asks for, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Mode(Enum):
    """The last thing to do with each source."""

    LINK = "link"
    OBJECT = "-c"
    ASSEMBLY = "-S"
    PREPROCESS = "-E"
    DEPENDENCIES = "-M"
    SYNTAX = "-fsyntax-only"


@dataclass(frozen=True)
class CompilerInput:
    """A file to compile. `language` is clang's word for it: hip, c++, c, assembler, assembler-with-cpp."""

    path: str
    language: str

    @property
    def is_hip(self) -> bool:
        return self.language == "hip"

    @property
    def stem(self) -> str:
        name = self.path.rsplit("/", 1)[-1]
        return name.rsplit(".", 1)[0] if "." in name[1:] else name


@dataclass
class Dependencies:
    """The -M family. `write` is -MD or -MMD (dependencies as a by-product of compiling)."""

    write: str | None = None
    file: str | None = None
    flags: list[str] = field(default_factory=list)
    has_target: bool = False


@dataclass
class Invocation:
    """A parsed command line. Flags keep the user's order, because the tools give it meaning."""

    mode: Mode = Mode.LINK
    output: str | None = None
    sources: list[CompilerInput] = field(default_factory=list)
    # Objects, archives, -l, -L, -Wl, … in the order given; a Source stands for the object made from it.
    link_items: list[str | CompilerInput] = field(default_factory=list)
    compile_flags: list[str] = field(default_factory=list)
    device_link_flags: list[str] = field(default_factory=list)
    archs: list[str] = field(default_factory=list)
    device_only: bool = False
    host_only: bool = False
    emit_llvm: bool = False
    # None: as clang does by default (a bundle for code objects, a bare file for assembly and bitcode).
    bundle_output: bool | None = None
    gpu_rdc: bool = False
    static_library: bool = False
    save_temps: str | None = None
    openmp: bool = False
    no_gpu_library: bool = False
    no_hip_runtime: bool = False
    parallel_jobs: int | None = None
    dependencies: Dependencies = field(default_factory=Dependencies)
    # Whether objects remember this command line, as with clang's -frecord-command-line.
    record_command_line: bool = True
    words: list[str] = field(default_factory=list)
    verbose: bool = False
    dry_run: bool = False
    # A question such as --version: forwarded to clang, nothing is compiled.
    query: list[str] = field(default_factory=list)
    show_version: bool = False

    def macro_is_set(self, name: str) -> bool:
        """Whether the user defines or undefines the macro on the command line."""
        for index, flag in enumerate(self.compile_flags):
            text = self.compile_flags[index + 1] if flag in ("-D", "-U") else flag[2:]
            if flag[:2] in ("-D", "-U") and text.split("=", 1)[0] == name:
                return True
        return False
