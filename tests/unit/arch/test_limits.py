"""The table of limits: complete, cited, and equal to the published figures where those are known."""

from __future__ import annotations

from dataclasses import fields

import pytest
from tests.table_rows import rows

from rocm_perf_lab.arch.device import device
from rocm_perf_lab.arch.limits_table import LIMITS

KEYS_WITHOUT_SOURCE = {"architecture", "generation", "sources"}


@rows("name", LIMITS)
def test_every_value_has_a_source(name: str) -> None:
    limits = LIMITS[name]
    assert limits.architecture == name
    assert set(limits.sources) == {field.name for field in fields(limits)} - KEYS_WITHOUT_SOURCE
    assert set(limits.vgprs) == set(limits.wave_sizes)


@pytest.mark.parametrize(
    ("name", "slots", "registers", "granule"),
    [
        ("gfx908", 10, {64: 256}, {64: 4}),
        ("gfx90a", 8, {64: 512}, {64: 8}),
        ("gfx942", 8, {64: 512}, {64: 8}),
        ("gfx950", 8, {64: 512}, {64: 8}),
        ("gfx1010", 20, {32: 1024, 64: 512}, {32: 8, 64: 4}),
        ("gfx1030", 16, {32: 1024, 64: 512}, {32: 16, 64: 8}),
        ("gfx1100", 16, {32: 1536, 64: 768}, {32: 24, 64: 12}),
        ("gfx1101", 16, {32: 1536, 64: 768}, {32: 24, 64: 12}),
        ("gfx1102", 16, {32: 1024, 64: 512}, {32: 16, 64: 8}),
        ("gfx1151", 16, {32: 1536, 64: 768}, {32: 24, 64: 12}),
    ],
)
def test_registers_and_slots(
    name: str, slots: int, registers: dict[int, int], granule: dict[int, int]
) -> None:
    limits = LIMITS[name]
    assert limits.wave_slots_per_simd == slots
    assert {lanes: file.registers for lanes, file in limits.vgprs.items()} == registers
    assert {lanes: file.granule for lanes, file in limits.vgprs.items()} == granule


def test_lds() -> None:
    assert (LIMITS["gfx942"].lds_bytes, LIMITS["gfx942"].lds_granule) == (64 << 10, 512)
    assert (LIMITS["gfx950"].lds_bytes, LIMITS["gfx950"].lds_granule) == (160 << 10, 1280)
    assert LIMITS["gfx1100"].lds_bytes_per_workgroup == 64 << 10


@pytest.mark.parametrize("name", ["gfx90a", "gfx90a:sramecc+:xnack-", "amdgcn-amd-amdhsa--gfx90a", "GFX90A"])
def test_found_by_any_spelling(name: str) -> None:
    limits = device(name)
    assert limits is not None
    assert limits.architecture == "gfx90a"


@pytest.mark.parametrize("name", ["gfx601", "", "sm_90", "gfx"])
def test_unknown_architectures_are_not_guessed(name: str) -> None:
    assert device(name) is None
