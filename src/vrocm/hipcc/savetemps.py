"""--save-temps: the intermediate files, under the names that clang gives them."""

from __future__ import annotations

from pathlib import Path

from .compilation import Compilation
from .invocation import CompilerInput
from .toolchain import DEVICE_TRIPLE, HOST_TRIPLE

_SUFFIXES = {"preprocessed": ".hipi", "bitcode": ".bc", "assembly": ".s", "object": ".o"}


def save_intermediate_files(compilation: Compilation, source: CompilerInput) -> None:
    """Preprocessed source, bitcode and assembly of every pass, and the code objects."""
    invocation = compilation.invocation
    folder = Path()
    if invocation.save_temps == "obj" and invocation.output:
        folder = Path(invocation.output).parent
    if not source.is_hip:
        compilation.processes.run(
            compilation.commands.host(source, "assembly", str(folder / f"{source.stem}.s"))
        )
        return
    device = folder / f"{source.stem}-hip-{DEVICE_TRIPLE}"
    if not invocation.host_only:
        for kind, suffix in _SUFFIXES.items():
            compilation.device_only(
                source, kind, {arch: f"{device}-{arch}{suffix}" for arch in invocation.archs}
            )
        if not invocation.gpu_rdc:
            for arch, path in compilation.code_objects(source):
                if path.exists():
                    Path(f"{device}-{arch}.out").write_bytes(path.read_bytes())
    if not invocation.device_only:
        host = folder / f"{source.stem}-host-{HOST_TRIPLE}"
        for kind in ("preprocessed", "bitcode", "assembly"):
            compilation.processes.run(compilation.commands.host(source, kind, f"{host}{_SUFFIXES[kind]}"))
