"""What is read from compiled programs equals what the compiler wrote into the assembly of the same source."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.commands import SECONDS

import vrocm
from rocm_perf_lab.codeobj.kernels import kernel_named, kernels_in_file
from rocm_perf_lab.codeobj.metadata import KernelMetadata
from rocm_perf_lab.rocpd.read import read_trace

SOURCE = Path(__file__).parent / "spills.hip"
ARCHITECTURES = ("gfx90a", "gfx942")
# Field of ours: key of the metadata.
SAME = {
    "accum_vgprs": "agpr_count",
    "sgprs": "sgpr_count",
    "vgpr_spills": "vgpr_spill_count",
    "sgpr_spills": "sgpr_spill_count",
    "lds_static_bytes": "group_segment_fixed_size",
    "scratch_bytes": "private_segment_fixed_size",
    "kernarg_bytes": "kernarg_segment_size",
    "max_workgroup_size": "max_flat_workgroup_size",
    "wave_size": "wavefront_size",
}


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    return {**os.environ, **vrocm.environment()}


def compiled(environment: dict[str, str], *arguments: str | Path) -> None:
    result = subprocess.run(
        ["hipcc", "-O2", str(SOURCE), *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert result.returncode == 0, result.stderr


@pytest.fixture(scope="module")
def program(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spills") / "spills"
    compiled(environment, *(f"--offload-arch={name}" for name in ARCHITECTURES), "-o", path)
    return path


def in_assembly(text: str) -> dict[str, dict[str, int]]:
    """The kernels of the metadata at the end of an assembly file, which is YAML."""
    document = text[text.index(".amdgpu_metadata") :]
    kernels = {}
    for block in re.split(r"^  - (?=\.a)", document, flags=re.MULTILINE)[1:]:
        numbers = {
            key: int(value) for key, value in re.findall(r"^    \.(\w+): +(\d+)$", block, re.MULTILINE)
        }
        first = re.match(r"\.(agpr_count): +(\d+)", block)
        if first:
            numbers[first[1]] = int(first[2])
        symbol = re.search(r"\.symbol: +'?\"?(\S+?)\.kd", block)
        assert symbol, block
        kernels[symbol[1]] = numbers
    return kernels


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_equal_to_the_assembly(
    architecture: str, program: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    assembly = tmp_path / "spills.s"
    compiled(environment, "-S", "--offload-device-only", f"--offload-arch={architecture}", "-o", assembly)
    wanted = in_assembly(assembly.read_text())
    found = kernels_in_file(program, architecture)
    by_symbol = {kernel.symbol: kernel for kernel in found.values()}
    assert set(by_symbol) == set(wanted)
    assert len(wanted) == 5
    for symbol, kernel in by_symbol.items():
        numbers = wanted[symbol]
        assert {field: getattr(kernel, field) for field in SAME} == {
            f: numbers[key] for f, key in SAME.items()
        }
        assert kernel.arch_vgprs == numbers["vgpr_count"] - numbers["agpr_count"]
        assert kernel.architecture.split(":")[0] == architecture
        size = re.search(r"^; codeLenInByte = (\d+)$", _of_kernel(assembly.read_text(), symbol), re.MULTILINE)
        assert size
        assert kernel.code_bytes == int(size[1])


def _of_kernel(assembly: str, symbol: str) -> str:
    return assembly[assembly.index(f"\n{symbol}:") :]


def named(kernels: dict[str, KernelMetadata], name: str) -> KernelMetadata:
    kernel = kernel_named(kernels, name)
    assert kernel is not None, sorted(kernels)
    return kernel


def test_what_the_source_makes_certain(program: Path) -> None:
    found = kernels_in_file(program, "gfx942")
    spilling = named(found, "spilling(float const*, float*)")
    assert spilling.arch_vgprs is not None
    assert spilling.arch_vgprs <= 64
    assert spilling.vgpr_spills
    assert spilling.scratch_bytes
    lds = named(found, "with_lds(float*)")
    assert (lds.lds_static_bytes, lds.max_workgroup_size, lds.vgpr_spills) == (2048, 128, 0)
    accumulating = named(found, "accumulating(float*)")
    assert (accumulating.arch_vgprs, accumulating.accum_vgprs) == (64, 31)  # 61, from a multiple of 4 on
    assert named(found, "void scale<int>(int*, int)") != named(found, "void scale<float>(float*, float)")


def test_kernels_of_a_trace_are_found_in_the_program(
    program: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    options = ["--kernel-trace", "-d", str(tmp_path), "-o", "run", "--output-format", "rocpd"]
    subprocess.run(
        ["rocprofv3", *options, "--", str(program)],
        env=environment,
        check=True,
        capture_output=True,
        timeout=SECONDS,
    )
    trace = read_trace([tmp_path / "run_results.db"])
    found = kernels_in_file(program, "gfx942")
    assert len(trace.launches) == 5
    for launches in trace.launches:
        kernel = named(found, launches.key.kernel)
        traced = launches.resources
        assert kernel.lds_static_bytes == launches.key.lds_bytes
        assert kernel.scratch_bytes == launches.key.scratch_bytes
        assert traced.arch_vgprs is not None
        assert traced.accum_vgprs is not None
        assert kernel.arch_vgprs is not None
        assert kernel.accum_vgprs is not None
        # A trace has what hardware rounds up to, which is why it allows no more waves than the exact counts.
        exact = kernel.arch_vgprs + kernel.accum_vgprs
        assert exact <= traced.arch_vgprs + traced.accum_vgprs < exact + 8
