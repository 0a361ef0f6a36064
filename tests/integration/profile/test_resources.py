"""What a kernel takes, as it comes out at the other end: launch groups, LDS, registers, spills."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Profile = Callable[..., Any]  # fixture profile: rocm-perf profile with these arguments
Build = Callable[..., Path]  # fixture build: the compiled program

PROGRAM = Path(__file__).parent / "programs" / "shapes.hip"


def test_shapes(profile: Profile, build: Build) -> None:
    run = profile("--json", "--runs", 1, build(PROGRAM))
    assert run.code == 0, run.stderr
    kernels = {kernel["name"].partition("(")[0]: kernel for kernel in run.document["kernels"]}
    groups = kernels["with_lds"]["groups"]
    shapes = {(group["grid"][0], group["lds_bytes"], group["launches"]) for group in groups}
    assert shapes == {(256, 4096 + 512, 2), (1024, 2048 + 512, 1)}
    assert kernels["with_lds"]["launches"] == 3
    assert kernels["with_lds"]["median_ms"] is None
    assert kernels["with_lds"]["total_ms"] == pytest.approx(sum(group["total_ms"] for group in groups))
    resources = kernels["with_lds"]["resources"]
    assert resources["lds_static_bytes"] == 512
    assert resources["lds_dynamic_bytes"] in (4096, 2048)  # of the group that takes longest
    assert resources["vgpr_spills"] == 0
    by_size = {group["grid"][0]: group["occupancy"] for group in groups}
    # 64 KiB of LDS in granules of 512 bytes hold 14 workgroups of 4608 bytes; 8 of 4 waves take all slots.
    assert by_size[256]["limits"]["lds"] == 14
    assert by_size[256]["theoretical"] == 1.0
    spilling = kernels["spilling"]["resources"]
    assert spilling["vgpr_spills"] > 0
    assert spilling["scratch_bytes_per_lane"] > 0
    assert spilling["arch_vgprs"] == 32  # the limit of 16 is for half of the file of a gfx942


def test_spills_are_spoken_of(profile: Profile, build: Build) -> None:
    run = profile("--runs", 1, "--kernel", "spilling", build(PROGRAM))
    assert "to memory" in run.stdout
