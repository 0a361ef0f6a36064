"""Resources of two sides: what cannot be told apart is no change, what can is."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from rocm_perf_lab.analysis.compare_resources import resource_changes
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile

from .made_profiles import kernel

Source = Literal["code object", "trace", "unknown"]


def side(source: Source, vgprs: int, accum: int = 0, sgprs: int = 16, lds: int = 0) -> KernelProfile:
    made = kernel("k()", 1.0, arch_vgprs=vgprs, accum_vgprs=accum, sgprs=sgprs)
    group = replace(made.groups[0], lds_bytes=lds)
    return replace(made, resources=replace(made.resources, registers_from=source), groups=(group,))


def changed(base: KernelProfile, new: KernelProfile) -> dict[str, bool | None]:
    found = {one.name: one.changed for one in resource_changes(base, new)}
    assert found == {one.name: one.changed for one in resource_changes(new, base)}
    return {name: change for name, change in found.items() if change is not False}


@pytest.mark.parametrize(
    ("base", "new", "expected"),
    [
        (side("code object", 6), side("code object", 6), {}),
        (side("code object", 6), side("code object", 8), {"arch_vgprs": True}),
        (side("trace", 8), side("trace", 16), {"arch_vgprs": True}),
        (side("code object", 6), side("trace", 8), {"arch_vgprs": None}),
        (side("code object", 6), side("trace", 4, 4), {"arch_vgprs": None, "accum_vgprs": None}),
        (side("code object", 6), side("trace", 16), {"arch_vgprs": True}),
        (side("code object", 9), side("trace", 8), {"arch_vgprs": True}),
        (side("code object", 8, sgprs=10), side("trace", 8, sgprs=16), {"sgprs": None}),
        (side("code object", 8, sgprs=10), side("trace", 8, sgprs=32), {"sgprs": True}),
        (side("unknown", 6), side("trace", 8), {"arch_vgprs": None}),  # of an earlier version
        (side("code object", 6), side("unknown", 8), {"arch_vgprs": None}),
    ],
)
def test_registers(base: KernelProfile, new: KernelProfile, expected: dict[str, bool | None]) -> None:
    assert changed(base, new) == expected


def test_lds_of_tables() -> None:
    """They have the kernel's own in whole blocks, and nothing of what launches add."""
    whole, table = side("trace", 8, lds=4096), side("trace", 8, lds=512)
    assert changed(whole, table) == {"lds_bytes": True}
    table = replace(table, resources=replace(table.resources, lds_static_bytes=None))
    assert changed(whole, table) == {"lds_bytes": None}
