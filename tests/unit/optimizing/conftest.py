"""Kernels from text, without a compiler."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rocm_perf_lab.optimizing.source.kernel import kernel_of
from rocm_perf_lab.optimizing.source.model import SourceKernel, Unit
from rocm_perf_lab.optimizing.source.read import read_unit

ReadText = Callable[[str], Unit]
KernelOf = Callable[..., SourceKernel]


@pytest.fixture
def read_text(tmp_path: Path) -> ReadText:
    """read_text(text): the unit of a source with this text."""

    def read(text: str) -> Unit:
        source = tmp_path / "kernel.hip"
        source.write_text(text)
        return read_unit(source)

    return read


@pytest.fixture
def kernel(read_text: ReadText) -> KernelOf:
    """kernel(body, before="", parameters="…"): the kernel k with this body."""

    def made(
        body: str,
        before: str = "",
        parameters: str = "const float* in, float* out, int n",
        head: str = "__global__ void",
    ) -> SourceKernel:
        unit = read_text(f"#include <hip/hip_runtime.h>\n{before}\n{head} k({parameters}) {{\n{body}\n}}\n")
        function = next(function for function in unit.main.functions if function.name == "k")
        return kernel_of(unit, function)

    return made
