"""Builds of variants, and what their code objects say, with the virtual ROCm's compiler."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rocm_perf_lab.analysis.gate_regressions import Launch
from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem
from rocm_perf_lab.optimizing.building.build import BuildLimits, BuildPlan, build_repeatably, build_variant
from rocm_perf_lab.optimizing.building.built import read_built
from rocm_perf_lab.optimizing.guards.code_object import check_code_object
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.match import find_kernel
from rocm_perf_lab.optimizing.source.model import SourceKernel
from rocm_perf_lab.optimizing.source.read import read_unit
from rocm_perf_lab.optimizing.transforms.catalogue import apply_transform
from rocm_perf_lab.optimizing.transforms.request import TransformRequest

HEADER = "inline __device__ float halved(float x) { return x / 2; }\n"
SOURCE = """#include <hip/hip_runtime.h>
#include "halved.h"
__global__ void k(const float* in, float* out, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += halved(in[i * 64 + threadIdx.x]);
    out[threadIdx.x] = sum;
}
int main() { k<<<1, 64>>>(nullptr, nullptr, 0); return hipDeviceSynchronize(); }
"""
LAUNCHES = (Launch(threads=64, dynamic_lds_bytes=0),)


@pytest.fixture
def plan(tmp_path: Path, environment: dict[str, str]) -> BuildPlan:
    project = tmp_path / "project"
    project.mkdir()
    (project / "halved.h").write_text(HEADER)
    (project / "k.hip").write_text(SOURCE)
    return BuildPlan("hipcc -O3 {source} -o {output}", project / "k.hip", project, environment)


@pytest.fixture
def chosen(plan: BuildPlan) -> SourceKernel:
    return find_kernel(read_unit(plan.original), "k(float const*, float*, int)")


def test_a_variant_is_built_elsewhere_and_again_the_same(
    plan: BuildPlan, chosen: SourceKernel, tmp_path: Path
) -> None:
    before = read_built(build_variant(plan, chosen.text, tmp_path / "base"))
    changed = apply_transform("unroll", chosen, TransformRequest(loop=0, factor=4))
    after = read_built(build_repeatably(plan, changed.text, tmp_path / "variant"))
    assert check_code_object(before, after, chosen.function, LAUNCHES) == []
    assert sorted(path.name for path in plan.folder.iterdir()) == ["halved.h", "k.hip"]
    assert plan.original.read_text() == SOURCE
    with pytest.raises(Refused) as caught:
        check_code_object(before, before, chosen.function, LAUNCHES)
    assert caught.value.refusal.code == "nothing-changed"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("float sum = 0;", "static __device__ int calls; float sum = ++calls;", "globals-changed"),
        (
            "float sum = 0;",
            "float sum = 0, a[64]; for (int i = 0; i < 64; ++i) a[i * n & 63] = in[i]; sum = a[n & 63];",
            "scratch-grown",
        ),
        ("int n)", "long n)", "kernel-not-built"),
    ],
)
def test_refused_before_it_runs(
    plan: BuildPlan, chosen: SourceKernel, tmp_path: Path, old: str, new: str, code: str
) -> None:
    before = read_built(build_variant(plan, chosen.text, tmp_path / "base"))
    after = read_built(build_variant(plan, SOURCE.replace(old, new).encode(), tmp_path / "variant"))
    with pytest.raises(Refused) as caught:
        check_code_object(before, after, chosen.function, LAUNCHES)
    assert caught.value.refusal.code == code


def test_what_does_not_compile(plan: BuildPlan, tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        build_variant(plan, SOURCE.replace("sum +=", "summe +=").encode(), tmp_path / "variant")
    assert caught.value.refusal.code == "build-failed"
    assert "undeclared identifier 'summe'" in caught.value.refusal.detail
    assert "k.hip:5:" in caught.value.messages
    assert str(tmp_path / "variant") not in caught.value.messages


@pytest.fixture
def shell(plan: BuildPlan, tmp_path: Path):
    """shell(script, limits): a plan whose compiler is this script; $output is its last argument."""

    def made(script: str, limits: BuildLimits | None = None) -> BuildPlan:
        compiler = tmp_path / "compiler"
        compiler.write_text(f"#!/bin/bash\nfor output; do :; done\n{script}\n")
        compiler.chmod(0o755)
        return BuildPlan(
            f"{compiler} {{source}} -o {{output}}", plan.original, plan.folder, None, limits or BuildLimits()
        )

    return made


def test_scripts_and_launchers_build(plan: BuildPlan, environment: dict[str, str], tmp_path: Path) -> None:
    """Headers beside the original are found, whoever calls the compiler."""
    script = tmp_path / "build.sh"
    script.write_text('#!/bin/sh\nexec hipcc -O1 "${1#from=}" -o "$2"\n')
    script.chmod(0o755)
    for number, command in enumerate(
        (f"{script} from={{source}} {{output}}", "env hipcc -O1 {source} -o {output}")
    ):
        made = BuildPlan(command, plan.original, plan.folder, environment)
        assert build_variant(made, SOURCE.encode(), tmp_path / str(number)).is_file()


def test_a_build_that_hangs_is_killed_with_all_it_started(shell, tmp_path: Path) -> None:
    started = time.monotonic()
    with pytest.raises(Refused) as caught:
        build_variant(shell("sleep 600 & sleep 600", BuildLimits(seconds=0.5)), b"", tmp_path / "v")
    assert caught.value.refusal.code == "build-timed-out"
    assert time.monotonic() - started < 600


def test_a_build_that_writes_without_end_is_stopped(shell, tmp_path: Path) -> None:
    limited = shell('yes > "$output"', BuildLimits(seconds=600, file_bytes=1 << 20))
    with pytest.raises(Refused) as caught:
        build_variant(limited, b"", tmp_path / "v")
    assert caught.value.refusal.code == "build-failed"
    assert (tmp_path / "v" / "variant").stat().st_size <= 1 << 20


def test_builds_that_differ(shell, plan: BuildPlan, environment: dict[str, str], tmp_path: Path) -> None:
    """A compiler that puts the time of day into the code."""
    real = BuildPlan(plan.command, plan.original, plan.folder, environment)
    one = build_variant(real, SOURCE.encode(), tmp_path / "one")
    other = build_variant(
        real, SOURCE.replace("/ 2", "/ 3").replace("sum = 0", "sum = 1").encode(), tmp_path / "two"
    )
    turn = '"$output.turn"'
    script = f'if [ -e {turn} ]; then cp {one} "$output"; else touch {turn}; cp {other} "$output"; fi'
    with pytest.raises(Refused) as caught:
        build_repeatably(shell(script), b"", tmp_path / "v")
    assert caught.value.refusal.code == "build-not-repeatable"


def test_commands_that_make_no_sense(plan: BuildPlan, tmp_path: Path) -> None:
    for command in ("hipcc -O3 {source}", "hipcc '", ""):
        with pytest.raises(UsageProblem):
            build_variant(BuildPlan(command, plan.original, plan.folder), b"", tmp_path / "v")
    with pytest.raises(EnvironmentProblem):
        build_variant(
            BuildPlan("no-such-cc {source} {output}", plan.original, plan.folder), b"", tmp_path / "v"
        )
