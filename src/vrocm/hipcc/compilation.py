"""One source to one object: device passes per target, bundle, host pass."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from .bundle import (
    OFFLOAD_SECTION,
    DeviceImage,
    write_bundle,
    write_offload_binary,
    write_text_bundle,
)
from .commands import StepCommands
from .errors import HipccError
from .invocation import CompilerInput, Invocation
from .processes import Processes, Running
from .remembered import remembered
from .toolchain import DEVICE_TRIPLE, HOST_TRIPLE, cache_dir

# The section in which HIP host objects carry device code.
FAT_BINARY_SECTION = ".hip_fatbin"


class Compilation:
    """Compiles the sources of one invocation."""

    def __init__(
        self, invocation: Invocation, commands: StepCommands, processes: Processes, scratch: Path
    ) -> None:
        self.invocation = invocation
        self.commands = commands
        self.processes = processes
        self.scratch = scratch
        self._standard_input: bytes | None = None
        self._count = 0

    # --- whole sources -------------------------------------------------------------------------------------

    def to_object(self, source: CompilerInput, output: str) -> None:
        """Compile to a host object; a HIP source's device code rides in it."""
        if not source.is_hip:
            self.processes.run(self.commands.host(source, "object", output), self._stdin(source))
            return
        if self.invocation.host_only:
            self._compile_host_only(source, "object", output)
            return
        relocatable = self.invocation.gpu_rdc
        host_object = self.temporary(source, ".host.o")
        images = self._with_host_pass(
            source,
            self.commands.host(source, "object", str(host_object)),
            lambda: self._device_files(
                source, "bitcode" if relocatable else "object", finish_objects=not relocatable
            ),
        )
        if relocatable:
            device_object = self._object_with_device_code(source, images)
        else:
            device_object = self.fat_binary_object(
                source.stem,
                images,
                [self.commands.fat_binary_symbol(source)],
                remembered=remembered(self.invocation),
            )
        self.processes.run(self.commands.combine([str(host_object), str(device_object)], output))

    def to_assembly(self, source: CompilerInput, output: str, kind: str) -> None:
        """Host assembly (or IR) with the device code as data in it."""
        if not source.is_hip or self.invocation.host_only:
            self._compile_host_only(source, kind, output)
            return
        fat_binary = self.temporary(source, ".hipfb")
        self._write_bundle(self._device_files(source, "object", finish_objects=True), fat_binary)
        self.processes.run(self.commands.host(source, kind, output, str(fat_binary)), self._stdin(source))

    def device_only(self, source: CompilerInput, kind: str, outputs: dict[str, str]) -> None:
        """Device passes alone; one bare file per target."""
        running = [
            self.processes.start(self._device_command(source, arch, kind, outputs[arch]), self._stdin(source))
            for arch in self.invocation.archs
        ]
        self._finish_all(running)

    def code_objects(self, source: CompilerInput) -> list[tuple[str, Path]]:
        """A finished code object per target."""
        return self._device_files(source, "object", finish_objects=True)

    def check_syntax(self, source: CompilerInput) -> None:
        running: list[Running | None] = []
        if source.is_hip and not self.invocation.host_only:
            for arch in self.invocation.archs:
                command = self._device_command(source, arch, "syntax", "/dev/null")
                running.append(self.processes.start(command, self._stdin(source)))
        if not self.invocation.device_only:
            command = self.commands.host(source, "syntax", "/dev/null")
            running.append(self.processes.start(command, self._stdin(source)))
        self._finish_all(running)

    def preprocess(self, source: CompilerInput, output: str | None) -> None:
        """Preprocessed text; both sides of a HIP source go into a text bundle."""
        texts: list[tuple[str, Path]] = []
        running = []
        if source.is_hip and not self.invocation.host_only:
            for arch in self.invocation.archs:
                path = self.temporary(source, f".{arch}.i")
                command = self._device_command(source, arch, "preprocessed", str(path))
                running.append(self.processes.start(command, self._stdin(source)))
                texts.append((f"hip-{DEVICE_TRIPLE}--{arch}", path))
        if not self.invocation.device_only:
            path = self.temporary(source, ".host.i")
            command = self.commands.host(source, "preprocessed", str(path))
            running.append(self.processes.start(command, self._stdin(source)))
            texts.append((f"host-{HOST_TRIPLE}-", path))
        self._finish_all(running)
        if self.processes.dry_run:
            return
        parts = [(name, path.read_text(errors="surrogateescape")) for name, path in texts]
        text = parts[0][1] if len(parts) == 1 else write_text_bundle(parts)
        if output is None or output == "-":
            sys.stdout.write(text)
        else:
            Path(output).write_text(text, errors="surrogateescape")

    # --- device code ---------------------------------------------------------------------------------------

    def link_code_object(self, arch: str, inputs: list[str], name: str) -> Path:
        output = self._numbered(name, f".{arch}.co")
        self.processes.run(self.commands.link_device(arch, inputs, str(output)))
        return output

    def fat_binary_object(
        self,
        name: str,
        images: list[tuple[str, Path]],
        symbols: list[str],
        handles: list[str] | None = None,
        remembered: str = "",
    ) -> Path:
        """A host object that defines the symbols under which host code finds its device code.

        With relocatable device code all units share one fat binary, so they also share the variable that
        holds its registration handle: the first one to start registers it.
        """
        fat_binary = self._numbered(name, ".hipfb")
        self._write_bundle(images, fat_binary)
        text = f'.section {FAT_BINARY_SECTION},"a",@progbits\n.p2align 12\n'
        text += f'{_labels(symbols)}.incbin "{fat_binary}"\n'
        if handles:
            text += f'.section .hip_gpubin_handle,"aw",@nobits\n.p2align 3\n{_labels(handles)}.zero 8\n'
        return self._assemble(name, text + remembered)

    def write_bundle_file(self, images: list[tuple[str, Path]], output: str) -> None:
        self._write_bundle(images, Path(output))

    def _object_with_device_code(self, source: CompilerInput, images: list[tuple[str, Path]]) -> Path:
        container = self.temporary(source, ".offload")
        if not self.processes.dry_run:
            binaries = [write_offload_binary(DeviceImage(arch, path.read_bytes())) for arch, path in images]
            container.write_bytes(b"".join(binaries))
        # "e": left out of the linked program.
        text = f'.section {OFFLOAD_SECTION},"e",@progbits\n.p2align 3\n.incbin "{container}"\n'
        return self._assemble(source.stem, text + remembered(self.invocation))

    def _assemble(self, name: str, text: str) -> Path:
        assembly, output = self._numbered(name, ".fatbin.s"), self._numbered(name, ".fatbin.o")
        assembly.write_text(text + '.section .note.GNU-stack,"",@progbits\n')
        self.processes.run(self.commands.assemble(str(assembly), str(output)))
        return output

    def _write_bundle(self, images: list[tuple[str, Path]], output: Path) -> None:
        if not self.processes.dry_run:
            output.write_bytes(write_bundle([DeviceImage(arch, path.read_bytes()) for arch, path in images]))

    def _device_files(self, source: CompilerInput, kind: str, finish_objects: bool) -> list[tuple[str, Path]]:
        files = []
        running = []
        for arch in self.invocation.archs:
            path = self.temporary(source, f".{arch}.{'o' if kind == 'object' else 'bc'}")
            running.append(
                self.processes.start(self._device_command(source, arch, kind, str(path)), self._stdin(source))
            )
            files.append((arch, path))
        self._finish_all(running)
        if finish_objects:
            files = [(arch, self.link_code_object(arch, [str(path)], source.stem)) for arch, path in files]
        return files

    def _device_command(self, source: CompilerInput, arch: str, kind: str, output: str) -> list[str]:
        needs_library = kind in ("object", "bitcode", "ir", "assembly") and not self.invocation.no_gpu_library
        return self.commands.device(source, arch, kind, output, device_library(arch) if needs_library else [])

    # --- host code -----------------------------------------------------------------------------------------

    def _compile_host_only(self, source: CompilerInput, kind: str, output: str) -> None:
        self.processes.run(self.commands.host(source, kind, output), self._stdin(source))

    def _with_host_pass(
        self,
        source: CompilerInput,
        host_command: list[str],
        device_work: Callable[[], list[tuple[str, Path]]],
    ) -> list[tuple[str, Path]]:
        """Both passes at the same time. The device's messages come first, and its errors end it all."""
        host = self.processes.start(host_command, self._stdin(source))
        try:
            images = device_work()
        except BaseException:
            if host is not None:
                host.abandon()
            raise
        self.processes.finish(host)
        return images

    def _finish_all(self, running: list[Running | None]) -> None:
        waiting = list(running)
        try:
            while waiting:
                self.processes.finish(waiting.pop(0))
        finally:
            for other in waiting:
                if other is not None:
                    other.abandon()

    # --- files ---------------------------------------------------------------------------------------------

    def temporary(self, source: CompilerInput, suffix: str) -> Path:
        return self._numbered(source.stem, suffix)

    def _numbered(self, name: str, suffix: str) -> Path:
        self._count += 1
        return self.scratch / f"{name}-{self._count}{suffix}"

    def _stdin(self, source: CompilerInput) -> bytes | None:
        if source.path != "-":
            return None
        if self._standard_input is None:
            self._standard_input = sys.stdin.buffer.read()
        return self._standard_input


def _labels(symbols: list[str]) -> str:
    return "".join(f".globl {symbol}\n.hidden {symbol}\n{symbol}:\n" for symbol in symbols)


def device_library(arch: str) -> list[str]:
    """The device math, printf and malloc library as bitcode files in link order; built on first use."""
    from .. import devicelib

    try:
        return [str(path) for path in devicelib.build(arch, cache_dir())]
    except OSError as problem:
        raise HipccError(
            f"the device library cannot be kept in {cache_dir()}: {problem.strerror}; "
            "VROCM_CACHE names another folder"
        ) from None
    except devicelib.DeviceLibraryError as problem:
        raise HipccError(str(problem)) from None
