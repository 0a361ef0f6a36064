"""From a parsed command line to its outputs."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

from .commands import StepCommands
from .compilation import Compilation
from .errors import HipccError
from .invocation import CompilerInput, Invocation, Mode
from .processes import Processes
from .relocatable import FAT_BINARY_PREFIX, HANDLE_PREFIX, inspect
from .savetemps import save_intermediate_files
from .toolchain import DEVICE_TRIPLE, library_dir


class Pipeline:
    """Does what one invocation asks for."""

    def __init__(
        self, invocation: Invocation, commands: StepCommands, processes: Processes, scratch: Path
    ) -> None:
        self.invocation = invocation
        self.commands = commands
        self.processes = processes
        self.scratch = scratch
        self.compilation = Compilation(invocation, commands, processes, scratch)

    def run(self) -> None:
        invocation = self.invocation
        if not invocation.sources and invocation.mode is not Mode.LINK:
            raise HipccError("no input files")
        if invocation.mode is not Mode.LINK and invocation.output and len(invocation.sources) > 1:
            raise HipccError("cannot specify -o when generating multiple output files")
        if invocation.save_temps is not None:
            self._for_each_source(lambda source: save_intermediate_files(self.compilation, source))
        if invocation.mode is Mode.LINK and invocation.device_only:
            self._device_only_link()
        elif invocation.mode is Mode.LINK:
            self._link()
        else:
            self._for_each_source(self._compile)

    def _compile(self, source: CompilerInput) -> None:
        invocation, compilation = self.invocation, self.compilation
        mode, output = invocation.mode, invocation.output
        if mode is Mode.DEPENDENCIES:
            self.processes.run(self.commands.dependencies_only(source))
        elif mode is Mode.PREPROCESS:
            compilation.preprocess(source, output)
        elif mode is Mode.SYNTAX:
            compilation.check_syntax(source)
        elif invocation.device_only and source.is_hip:
            self._compile_device_only(source)
        elif mode is Mode.ASSEMBLY or invocation.emit_llvm:
            kind, suffix = self._text_or_bitcode()
            compilation.to_assembly(source, output or source.stem + suffix, kind)
        else:
            compilation.to_object(source, output or f"{source.stem}.o")

    def _text_or_bitcode(self) -> tuple[str, str]:
        if self.invocation.mode is Mode.ASSEMBLY:
            return ("ir", ".ll") if self.invocation.emit_llvm else ("assembly", ".s")
        return "bitcode", ".bc"

    def _compile_device_only(self, source: CompilerInput) -> None:
        invocation = self.invocation
        if invocation.mode is Mode.OBJECT and not invocation.emit_llvm and not invocation.gpu_rdc:
            images = self.compilation.code_objects(source)
            self._write_code_objects(images, invocation.output or f"{source.stem}-hip-{DEVICE_TRIPLE}.hipfb")
            return
        kind, suffix = self._text_or_bitcode()
        several = len(invocation.archs) > 1
        if several and invocation.output:
            raise HipccError("cannot specify -o when generating multiple output files")
        outputs = {
            arch: invocation.output or f"{source.stem}-hip-{DEVICE_TRIPLE}-{arch}{suffix}"
            for arch in invocation.archs
        }
        self.compilation.device_only(source, kind, outputs)

    def _device_only_link(self) -> None:
        """--genco and --cuda-device-only without -c: a file that hipModuleLoad takes."""
        sources = [source for source in self.invocation.sources if source.is_hip]
        bitcode = [source.path for source in self.invocation.sources if source.path.endswith(".bc")]
        if bitcode and not sources and not self.invocation.emit_llvm:
            linked = [
                (arch, self.compilation.link_code_object(arch, bitcode, "device"))
                for arch in self.invocation.archs
            ]
            self._write_code_objects(linked, self.invocation.output or "a.out")
            return
        if not sources:
            raise HipccError("no input files")
        if len(sources) > 1 and not self.invocation.gpu_rdc:
            raise HipccError("code objects of several sources need -fgpu-rdc")
        if self.invocation.emit_llvm:
            raise HipccError("-emit-llvm cannot be used when linking")
        if self.invocation.gpu_rdc:
            parts: dict[str, list[str]] = {arch: [] for arch in self.invocation.archs}
            for source in sources:
                outputs = {arch: str(self.compilation.temporary(source, f".{arch}.bc")) for arch in parts}
                self.compilation.device_only(source, "bitcode", outputs)
                for arch, path in outputs.items():
                    parts[arch].append(path)
            images = [
                (arch, self.compilation.link_code_object(arch, files, "device"))
                for arch, files in parts.items()
            ]
        else:
            images = self.compilation.code_objects(sources[0])
        self._write_code_objects(images, self.invocation.output or "a.out")

    def _write_code_objects(self, images: list[tuple[str, Path]], output: str) -> None:
        if self.invocation.bundle_output is False:
            if len(images) > 1:
                raise HipccError("cannot specify -o when generating multiple output files")
            if not self.processes.dry_run:
                Path(output).write_bytes(images[0][1].read_bytes())
            return
        self.compilation.write_bundle_file(images, output)

    def _link(self) -> None:
        invocation = self.invocation
        if not any(
            isinstance(item, CompilerInput) or not item.startswith("-") for item in invocation.link_items
        ):
            raise HipccError("no input files")
        objects = {source: str(self.compilation.temporary(source, ".o")) for source in invocation.sources}
        self._for_each_source(lambda source: self.compilation.to_object(source, objects[source]))
        items = [objects[item] if isinstance(item, CompilerInput) else item for item in invocation.link_items]
        if invocation.static_library:
            self._archive([item for item in items if not item.startswith("-")])
            return
        if invocation.gpu_rdc:
            items += self._link_relocatable(items)
        partial = "-r" in invocation.link_items
        folder = None if partial else library_dir()
        self.processes.run(self.commands.link_host(items, invocation.output or "a.out", folder))

    def _archive(self, objects: list[str]) -> None:
        output = self.invocation.output or "a.out"
        if not self.processes.dry_run:
            Path(output).unlink(missing_ok=True)  # or members of an earlier build would stay
        self.processes.run(self.commands.archive(objects, output))

    def _link_relocatable(self, items: list[str]) -> list[str]:
        """Link the device code of all inputs; returns the host object that carries the result."""
        if self.processes.dry_run:
            return []
        objects = [found for path in self._link_files(items) for found in inspect(path)]
        bitcode: dict[str, list[str]] = {}
        for index, (arch, content) in enumerate(image for found in objects for image in found.images):
            path = self.scratch / f"device-{index}.{arch}.bc"
            path.write_bytes(content)
            bitcode.setdefault(arch, []).append(str(path))
        if not bitcode:
            return []
        images = [
            (arch, self.compilation.link_code_object(arch, files, "device"))
            for arch, files in bitcode.items()
        ]
        undefined = {name for found in objects for name in found.undefined}
        fat_binaries = sorted(name for name in undefined if name.startswith(FAT_BINARY_PREFIX))
        handles = sorted(name for name in undefined if name.startswith(HANDLE_PREFIX))
        return [str(self.compilation.fat_binary_object("device", images, fat_binaries, handles))]

    def _link_files(self, items: list[str]) -> list[Path]:
        """Input files of the link, with -lname resolved to archives in the user's -L folders."""
        files = []
        folders = [Path(item[2:]) for item in items if item.startswith("-L") and len(item) > 2]
        folders += [Path(value) for flag, value in itertools.pairwise(items) if flag == "-L"]
        for item in items:
            if item.startswith("-l"):
                found = [folder / f"lib{item[2:]}.a" for folder in folders]
                files += [path for path in found if path.is_file()][:1]
            elif not item.startswith("-"):
                files.append(Path(item))
        return files

    def _for_each_source(self, work: Callable[[CompilerInput], None]) -> None:
        sources = self.invocation.sources
        # Every HIP source already keeps two processors busy.
        jobs = self.invocation.parallel_jobs or max(1, (os.cpu_count() or 1) // 2)
        if len(sources) < 2 or jobs < 2:
            for source in sources:
                work(source)
            return
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(jobs) as pool:
            for result in [pool.submit(work, source) for source in sources]:
                result.result()
