"""What code objects must hold to: every reason for which a build is refused before it runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocm_perf_lab.analysis.gate_regressions import (
    Launch,
    RegressionLimits,
    resource_regressions,
    traffic_regression,
)
from rocm_perf_lab.arch.limits_table import LIMITS
from rocm_perf_lab.codeobj.arguments import ArgumentMetadata
from rocm_perf_lab.codeobj.metadata import KernelMetadata
from rocm_perf_lab.optimizing.building.built import BuiltKernel, BuiltProgram
from rocm_perf_lab.optimizing.guards.code_object import check_code_object, is_instance
from rocm_perf_lab.optimizing.refused import Refused

METADATA = KernelMetadata(
    symbol="_Z1kPfi",
    architecture="gfx942",
    arch_vgprs=32,
    accum_vgprs=0,
    sgprs=20,
    vgpr_spills=0,
    sgpr_spills=0,
    lds_static_bytes=4096,
    scratch_bytes=0,
    kernarg_bytes=16,
    max_workgroup_size=1024,
    wave_size=64,
    uses_dynamic_stack=False,
    cu_mode=None,
    code_bytes=100,
)
LAUNCHES = (Launch(threads=256, dynamic_lds_bytes=1024),)


def argument(offset: int, size: int, kind: str = "by_value") -> ArgumentMetadata:
    return ArgumentMetadata(
        name=None, type_name=None, offset=offset, size=size, value_kind=kind, address_space=None, access=None
    )


ARGUMENTS = (argument(0, 8, "global_buffer"), argument(8, 4), argument(16, 4, "hidden_block_count_x"))


def built(digest: str = "a", arguments=ARGUMENTS, extra=(), **changes) -> BuiltProgram:
    kernel = BuiltKernel(replace(METADATA, **changes), arguments)
    return BuiltProgram({("gfx942", kernel.metadata.symbol): kernel}, frozenset(extra), digest)


@pytest.fixture
def function(kernel):
    return kernel("p[0] = n;", parameters="float* p, int n").function


def refused(function, after: BuiltProgram) -> str:
    with pytest.raises(Refused) as caught:
        check_code_object(built(), after, function, LAUNCHES)
    return caught.value.refusal.code


@pytest.mark.parametrize(
    ("after", "code"),
    [
        (built(digest="a"), "nothing-changed"),
        (built("b", symbol="_Z1kPfl"), "kernel-not-built"),
        (built("b", arguments=(argument(0, 8), argument(8, 4))), "arguments-changed"),
        (built("b", arguments=(*ARGUMENTS[:1], argument(8, 8))), "arguments-changed"),
        (built("b", arguments=ARGUMENTS[:1]), "arguments-changed"),
        (built("b", extra=[("gfx942", "counter", 4)]), "globals-changed"),
        (built("b", wave_size=32), "wave-size-changed"),
        (built("b", max_workgroup_size=128), "workgroup-too-large"),
        (built("b", vgpr_spills=1), "registers-spilled"),
        (built("b", sgpr_spills=3), "registers-spilled"),
        (built("b", scratch_bytes=16), "scratch-grown"),
        (built("b", uses_dynamic_stack=True), "scratch-grown"),
        (built("b", lds_static_bytes=8192), "lds-grown"),
        (built("b", lds_static_bytes=64 * 1024 - 512), "lds-exceeded"),
        (built("b", arch_vgprs=256), "occupancy-dropped"),
    ],
)
def test_refused(function, after: BuiltProgram, code: str) -> None:
    assert refused(function, after) == code


def test_hidden_arguments_follow_from_the_body(function) -> None:
    check_code_object(built(), built("b", arguments=ARGUMENTS[:2]), function, LAUNCHES)


def test_what_grew_a_little_is_reported(function) -> None:
    grown = check_code_object(built(), built("b", arch_vgprs=72, lds_static_bytes=4352), function, LAUNCHES)
    assert {regression.resource for regression in grown} == {"occupancy", "lds"}
    assert all(regression.refused is None for regression in grown)


def test_a_kernel_that_is_not_in_the_program(kernel) -> None:
    other = kernel("", parameters="float* p, int n").function
    with pytest.raises(Refused) as caught:
        check_code_object(built(), built("b"), replace(other, name="other"), LAUNCHES)
    assert caught.value.refusal.code == "kernel-not-built"


def test_instances_of_templates(read_text) -> None:
    unit = read_text(
        'namespace a { template <class T> __global__ void k(T* p) {} }\nextern "C" __global__ void c() {}'
    )
    template, plain = unit.kernels
    assert is_instance(template, "_ZN1a1kIfEEvPT_")
    assert not is_instance(template, "_Z1kIfEvPT_")
    assert is_instance(plain, "c")
    assert not is_instance(plain, "_Z1cv")


def test_thresholds_can_be_widened() -> None:
    after = replace(METADATA, vgpr_spills=4, scratch_bytes=16)
    wide = RegressionLimits(spilled_registers=4, scratch_bytes=16)
    found = resource_regressions(METADATA, after, LAUNCHES, LIMITS["gfx942"], wide)
    assert [regression.refused for regression in found] == [None, None]
    assert resource_regressions(after, METADATA, LAUNCHES, LIMITS["gfx942"]) == []


@pytest.mark.parametrize(
    ("before", "after", "refused"),
    [
        (100.0, 100.0, ()),
        (100.0, 90.0, ()),
        (100.0, 104.0, (None,)),
        (100.0, 106.0, ("traffic-grown",)),
        (None, 9.0, ()),
    ],
)
def test_traffic(before: float | None, after: float | None, refused: tuple) -> None:
    assert tuple(regression.refused for regression in traffic_regression(before, after)) == refused
