"""The tool command lines a compilation consists of. Nothing is run here."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from threading import get_ident

from .invocation import CompilerInput, Invocation, Mode
from .toolchain import HOST_TARGET, Toolchain

# What a device pass leaves behind, and the clang flags for it. The driver would spawn a linker of its own
# after `-c`; asking it for bitcode and the frontend for an object stops it before that.
DEVICE_KINDS = {
    "object": ["-c", "-emit-llvm", "-Xclang", "-emit-obj"],
    "bitcode": ["-c", "-emit-llvm"],
    "ir": ["-S", "-emit-llvm"],
    "assembly": ["-S"],
    "preprocessed": ["-E"],
    "syntax": ["-fsyntax-only"],
}
HOST_KINDS = {
    "object": ["-c"],
    "bitcode": ["-c", "-emit-llvm"],
    "ir": ["-S", "-emit-llvm"],
    "assembly": ["-S"],
    "preprocessed": ["-E"],
    "syntax": ["-fsyntax-only"],
}
# LLVM 22 divides unsigned 24-bit numbers through a float reciprocal, which can be one too large: 14213930 % 3
# gives -1 (llvm/llvm-project pull requests 201186 and 202753 fix it). This leaves division to instruction
# selection, whose sequences are exact.
EXACT_DIVISION = "-amdgpu-codegenprepare-disable-idiv-expansion=1"

# Before the file that a pass begins with: clang's precompiled form of what it is told to include first.
PRECOMPILED = ("-Xclang", "-include-pch", "-Xclang")

# These make the code generator fuse multiply and add in every function, also in the device library, whose
# double-double arithmetic would no longer be exact. The other spelling fuses the program's own code alone.
FUSE_EVERYWHERE = ("-ffast-math", "-Ofast", "-ffp-contract=fast")
FUSE_PROGRAM = "-ffp-contract=fast-honor-pragmas"

RUNTIME_WRAPPER = ("-include", "vrocm/runtime_wrapper.h")
PLATFORM_MACROS = ("__HIP_PLATFORM_AMD__", "__HIP_PLATFORM_HCC__")


def dependency_file(invocation: Invocation, source: CompilerInput) -> str:
    """Where -MD and -MMD write."""
    output = invocation.output or f"{source.stem}.o"
    return invocation.dependencies.file or str(Path(output).with_suffix(".d"))


def without_precompiled(command: list[str]) -> list[str]:
    """The same pass, parsing everything itself."""
    for place in range(len(command)):
        if tuple(command[place : place + len(PRECOMPILED)]) == PRECOMPILED:
            return command[:place] + command[place + len(PRECOMPILED) + 1 :]
    return command


class DependencyFiles:
    """Where the steps of an invocation tell what they read."""

    def __init__(self, scratch: str) -> None:
        self._scratch = scratch
        self.of_passes: list[str] = []
        self.of_links: list[str] = []

    def of_host_pass(self) -> list[str]:
        return ["-MD", "-MF", self._of_pass()]

    def of_device_pass(self) -> list[str]:
        """The driver passes -MD on to host passes alone; this it passes on to all."""
        words = ["-dependency-file", self._of_pass(), "-MT", "device", "-sys-header-deps"]
        return [part for word in words for part in ("-Xclang", word)]

    def _of_pass(self) -> str:
        # Passes are made by several threads.
        file = f"{self._scratch}/pass-{get_ident()}-{len(self.of_passes)}.d"
        self.of_passes.append(file)
        return file

    def of_link(self) -> list[str]:
        self.of_links.append(f"{self._scratch}/link-{len(self.of_links)}.d")
        return [f"-Wl,--dependency-file={self.of_links[-1]}"]


class StepCommands:
    """Builds command lines for one invocation."""

    def __init__(
        self,
        toolchain: Toolchain,
        invocation: Invocation,
        coloured: bool,
        dependency_files: DependencyFiles | None = None,
    ) -> None:
        self.toolchain = toolchain
        self.invocation = invocation
        self.dependency_files = dependency_files
        # Precompiled headers, where there are any: of the passes for targets, and of the host pass (None).
        self.precompiled: dict[str | None, str] = {}
        self.common = [*toolchain.clang, f"--target={HOST_TARGET}"]
        if coloured:
            self.common += ["-fcolor-diagnostics", "-fansi-escape-codes"]
        if invocation.verbose:
            self.common.append("-v")
        if "-ffast-math" in invocation.compile_flags or "-Ofast" in invocation.compile_flags:
            # clang 22 warns that its own default contraction mode for HIP overrides the flag.
            self.common.append("-Wno-overriding-option")

    def device(
        self, source: CompilerInput, arch: str, kind: str, output: str, library: list[str]
    ) -> list[str]:
        """One device pass: the source for one target."""
        command = [*self._device_pass(source, arch, library), *self._begin_with(source, arch)]
        if self.dependency_files:
            command += self.dependency_files.of_device_pass()
        return [*command, *DEVICE_KINDS[kind], "-o", output, source.path]

    def _device_pass(self, source: CompilerInput, arch: str, library: list[str]) -> list[str]:
        command = self._hip(source)
        command += ["--cuda-device-only", f"--offload-arch={arch}", "-mprintf-kind=buffered"]
        command += ["-mllvm", EXACT_DIVISION]
        for file in library:
            command += ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", file]
        return [*command, *self.invocation.compile_flags, *self._contraction(), *self._hip_includes()]

    def precompile(self, source: CompilerInput, arch: str | None, output: str) -> list[str]:
        """Makes the precompiled header of one pass; of the host pass where there is no ``arch``.

        The pass stays as it is, without what has no part in parsing and with an empty source. What it is told
        to include is in the result, and so is the fact that it was told.
        """
        whole = self._host_pass(source) if arch is None else self._device_pass(source, arch, [])
        command = [word for word in whole if not word.startswith("-cuid=")]
        if self.dependency_files:
            command += self.dependency_files.of_device_pass()
        # Contents of headers are compared before it is used: their times do not matter.
        action = ["-c", "-emit-llvm", "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp"]
        return [*command, *action, "-o", output, os.devnull]

    def _begin_with(self, source: CompilerInput, arch: str | None) -> list[str]:
        file = self.precompiled.get(arch) if source.is_hip else None
        return [*PRECOMPILED, file] if file else []

    def _contraction(self) -> list[str]:
        """How a device pass fuses, when the deciding flag would reach into the device library."""
        deciding = [
            flag
            for flag in self.invocation.compile_flags
            if flag in FUSE_EVERYWHERE or flag.startswith("-ffp-contract=")
        ]
        return [FUSE_PROGRAM] if deciding and deciding[-1] in FUSE_EVERYWHERE else []

    def host(self, source: CompilerInput, kind: str, output: str, fat_binary: str | None = None) -> list[str]:
        """The host pass. Without a fat binary the object refers to it by name; see `fat_binary_symbol`."""
        dependencies = self._dependency_flags(source)
        if self.dependency_files and not dependencies:
            dependencies = self.dependency_files.of_host_pass()
        return [
            *self._host_pass(source, fat_binary),
            *self._begin_with(source, None),
            *dependencies,
            *HOST_KINDS[kind],
            "-o",
            output,
            source.path,
        ]

    def reads_of_host_pass(self, source: CompilerInput) -> list[str]:
        """A host pass that tells what it reads and makes nothing: -MMD leaves headers of the system out."""
        told = self.dependency_files.of_host_pass() if self.dependency_files else []
        return [*self._host_pass(source), "-M", *told[1:], source.path]

    def search_path(self, source: CompilerInput) -> list[str]:
        """A host pass over nothing, without headers, that says where it would look for them."""
        command = self._host_pass(source)
        if source.is_hip:
            command = command[: -len(RUNTIME_WRAPPER)]
        return [*command, "-E", "-v", "-o", os.devnull, os.devnull]

    def _host_pass(self, source: CompilerInput, fat_binary: str | None = None) -> list[str]:
        invocation = self.invocation
        if source.is_hip:
            command = self._hip(source)
            command += ["--cuda-host-only", *(f"--offload-arch={arch}" for arch in invocation.archs)]
            if fat_binary is not None:
                command += ["-Xclang", "-fcuda-include-gpubinary", "-Xclang", fat_binary]
        else:
            command = [*self.common, "-x", source.language]
        if invocation.openmp:
            command.append("-fopenmp=libomp")
        command += invocation.compile_flags
        if source.is_hip:
            command += self._hip_includes()
        elif source.language in ("c", "c++", "cpp-output", "c++-cpp-output"):
            command += [
                *self._platform_macros(),
                "-isystem",
                self.toolchain.include_dir,
                *self._openmp_header(),
            ]
        return command

    def dependencies_only(self, source: CompilerInput) -> list[str]:
        """-M and -MM: what the host pass reads."""
        flags = self.invocation.dependencies
        command = self.host(source, "preprocessed", self.invocation.output or "-")
        command.remove("-E")
        command.insert(len(self.common), flags.write or "-M")
        return command

    def link_device(self, arch: str, inputs: list[str], output: str) -> list[str]:
        """Device objects or bitcode to a loadable code object."""
        processor = arch.split(":")[0]
        command = [*self.toolchain.device_linker, "-m", "elf64_amdgpu", "--no-undefined", "-shared"]
        command += [
            "-plugin-opt=-amdgpu-internalize-symbols",
            f"-plugin-opt={EXACT_DIVISION}",
            f"-plugin-opt=mcpu={processor}",
        ]
        command += [f"--lto-O{self._optimisation_level()}", "--lto-CGO3", "--whole-archive"]
        command += self.invocation.device_link_flags
        return [*command, "-o", output, *inputs]

    def assemble(self, assembly: str, output: str) -> list[str]:
        return [
            *self.toolchain.clang,
            f"--target={HOST_TARGET}",
            "-c",
            "-x",
            "assembler",
            assembly,
            "-o",
            output,
        ]

    def combine(self, objects: list[str], output: str) -> list[str]:
        """Several host objects to one."""
        return [*self.toolchain.device_linker, "-m", "elf_x86_64", "-r", *objects, "-o", output]

    def archive(self, objects: list[str], output: str) -> list[str]:
        return [*self.toolchain.archiver, "rcs", output, *objects]

    def link_host(self, items: list[str], output: str, library_dir: Path | None) -> list[str]:
        """The final link, by the system's compiler: it knows its libstdc++ and its start files."""
        command = [self.toolchain.host_linker, "-o", output, *items]
        if self.invocation.verbose:
            command.append("-v")  # CMake reads from this which libraries a flag brings
        if library_dir is not None:
            command += [f"-L{library_dir}", f"-Wl,-rpath,{library_dir}"]
            if self.invocation.openmp:
                command += ["-lomp", "-lgomp"]
            if not self.invocation.no_hip_runtime:
                command.append("-lamdhip64")
        if self.dependency_files:
            command += self.dependency_files.of_link()
        return [*command, "-lpthread", "-lm", "-lrt"]

    def unit_id(self, source: CompilerInput) -> str:
        """Names one translation unit; fat binaries and device symbols with internal linkage bear it.

        Sources of one command line differ in their names. Objects meet others later, of the same names in
        other folders.
        """
        invocation = self.invocation
        for flag in reversed(invocation.compile_flags):
            if flag.startswith("-cuid="):  # for builds that do not depend on where they are made
                return flag.removeprefix("-cuid=")
        if invocation.mode is Mode.LINK:
            parts = ["program", source.path, *invocation.compile_flags]
        else:
            parts = [str(Path(source.path).absolute()), invocation.output or "", *invocation.compile_flags]
        return hashlib.md5(
            "\0".join([*parts, *invocation.archs]).encode(), usedforsecurity=False
        ).hexdigest()[:16]

    def fat_binary_symbol(self, source: CompilerInput) -> str:
        """The symbol under which clang's host pass expects the fat binary.

        Its suffix is the low half of the MD5 of the unit ID (clang's ASTContext::getCUIDHash).
        """
        digest = hashlib.md5(self.unit_id(source).encode(), usedforsecurity=False).digest()
        return f"__hip_fatbin_{int.from_bytes(digest[:8], 'little'):x}"

    def _hip(self, source: CompilerInput) -> list[str]:
        language = source.language if source.language != "hip-cpp-output" else "hip-cpp-output"
        command = [*self.common, "-x", language, "-nogpuinc", "-nogpulib", f"-cuid={self.unit_id(source)}"]
        if self.invocation.gpu_rdc:
            command.append("-fgpu-rdc")
        return command

    def _hip_includes(self) -> list[str]:
        include = self.toolchain.include_dir
        flags = [*self._platform_macros(), "-isystem", self.toolchain.wrapper_dir, "-isystem", include]
        return [*flags, *self._openmp_header(), *RUNTIME_WRAPPER]

    def _openmp_header(self) -> list[str]:
        # Neither the compiler's own folder here nor the C library has omp.h; programs include it even without
        # -fopenmp. Last in the search order, so that a real one is preferred.
        return ["-idirafter", f"{self.toolchain.include_dir}/vrocm/openmp"]

    def _platform_macros(self) -> list[str]:
        return [f"-D{name}=1" for name in PLATFORM_MACROS if not self.invocation.macro_is_set(name)]

    def _dependency_flags(self, source: CompilerInput) -> list[str]:
        dependencies = self.invocation.dependencies
        if dependencies.write is None:
            return []
        if self.invocation.mode is Mode.DEPENDENCIES:
            return [*dependencies.flags, *(["-MF", dependencies.file] if dependencies.file else [])]
        output = self.invocation.output
        compiles_only = self.invocation.mode is not Mode.LINK
        target = output if output and compiles_only else f"{source.stem}.o"
        file = dependency_file(self.invocation, source)
        flags = [dependencies.write, "-MF", file, *dependencies.flags]
        return flags if dependencies.has_target else [*flags, "-MT", target]

    def _optimisation_level(self) -> int:
        level = 3
        for flag in self.invocation.compile_flags:
            if flag.startswith("-O"):
                level = {"0": 0, "1": 1, "2": 2, "": 1, "s": 2, "z": 2, "g": 1}.get(flag[2:], 3)
        return level
