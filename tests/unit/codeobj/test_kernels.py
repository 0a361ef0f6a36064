"""Kernels are found in programs, bundles and code objects, and files that are none are refused by name."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.codeobj.kernels import kernel_named, kernels_in_file
from rocm_perf_lab.errors import BadInput

from .made_files import (
    AMDGPU,
    X86_64,
    bundle,
    code_object,
    compressed,
    elf,
    kernel,
    note,
    program,
)

ADD, MUL = kernel("_Z3addPfi"), kernel("_Z3mulPfi", vgpr_count=20, agpr_count=0)


def written(folder: Path, content: bytes) -> Path:
    path = folder / "a file with spaces"
    path.write_bytes(content)
    return path


FORMS = {
    "code object": code_object(ADD, MUL),
    "bundle": bundle(gfx942=code_object(ADD, MUL)),
    "program": program(bundle(gfx942=code_object(ADD, MUL))),
    "two bundles": program(bundle(gfx942=code_object(ADD)), bundle(gfx942=code_object(MUL))),
    "packed closely": program(bundle(gfx942=code_object(ADD)), bundle(gfx942=code_object(MUL)), padding=1),
    "compressed": program(compressed(bundle(gfx942=code_object(ADD, MUL)))),
    "compressed file": compressed(bundle(gfx942=code_object(ADD, MUL)), version=3),
    "compressed, first version": compressed(bundle(gfx942=code_object(ADD, MUL)), version=1),
    "zstd": program(compressed(bundle(gfx942=code_object(ADD, MUL)), method=1)),
    "zstd file": compressed(bundle(gfx942=code_object(ADD, MUL)), version=3, method=1),
    "two zstd, first version": program(
        compressed(bundle(gfx942=code_object(ADD)), version=1, method=1),
        compressed(bundle(gfx942=code_object(MUL)), version=1, method=1),
    ),
    "two compressed": program(
        compressed(bundle(gfx942=code_object(ADD))), compressed(bundle(gfx942=code_object(MUL)), version=3)
    ),
    "two compressed, first version": program(
        compressed(bundle(gfx942=code_object(ADD)), version=1), compressed(bundle(gfx942=code_object(MUL)))
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_kernels(form: str, tmp_path: Path) -> None:
    found = kernels_in_file(written(tmp_path, FORMS[form]))
    assert set(found) == {"_Z3addPfi", "add(float*, int)", "_Z3mulPfi", "mul(float*, int)"}
    assert found["_Z3addPfi"] == found["add(float*, int)"]


def test_all_that_the_metadata_says(tmp_path: Path) -> None:
    found = kernels_in_file(written(tmp_path, code_object(ADD)))["_Z3addPfi"]
    assert (found.arch_vgprs, found.accum_vgprs, found.sgprs) == (64, 8, 34)
    assert (found.vgpr_spills, found.sgpr_spills) == (3, 1)
    assert (found.lds_static_bytes, found.scratch_bytes, found.kernarg_bytes) == (1024, 16, 280)
    assert (found.max_workgroup_size, found.wave_size, found.code_bytes) == (256, 64, 100)
    assert (found.architecture, found.uses_dynamic_stack, found.cu_mode) == ("gfx942", False, None)


def test_registers_of_gfx908_are_the_larger_of_two_files(tmp_path: Path) -> None:
    path = written(tmp_path, code_object(kernel("k", vgpr_count=64, agpr_count=64), target="gfx908:sramecc+"))
    assert (kernels_in_file(path)["k"].arch_vgprs, kernels_in_file(path)["k"].accum_vgprs) == (64, 64)


def test_mode_of_rdna(tmp_path: Path) -> None:
    pair = kernel("pair", agpr_count=None, workgroup_processor_mode=1, wavefront_size=32)
    alone = kernel("alone", agpr_count=None, workgroup_processor_mode=0)
    found = kernels_in_file(written(tmp_path, code_object(pair, alone, target="gfx1100")))
    assert (found["pair"].cu_mode, found["alone"].cu_mode) == (False, True)
    assert (found["pair"].arch_vgprs, found["pair"].accum_vgprs) == (72, None)


def test_what_the_metadata_leaves_out_is_not_zero(tmp_path: Path) -> None:
    found = kernels_in_file(written(tmp_path, code_object(kernel("k", vgpr_spill_count=None))))
    assert found["k"].vgpr_spills is None


def test_one_architecture_of_several(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        program(
            bundle(
                gfx90a=code_object(kernel("k", vgpr_count=90), kernel("same"), target="gfx90a"),
                gfx942=code_object(kernel("k", vgpr_count=42), kernel("same"), target="gfx942"),
            )
        ),
    )
    # Which one ran cannot be told: better none than the wrong one.
    assert set(kernels_in_file(path)) == {"same"}
    assert kernels_in_file(path, "gfx90a")["k"].architecture == "gfx90a"
    assert kernels_in_file(path, "gfx942:sramecc+")["k"].architecture == "gfx942"
    assert kernels_in_file(path, "gfx1100") == {}


def test_static_kernels_of_one_name(tmp_path: Path) -> None:
    one, other = kernel("_ZL1kv"), kernel("_ZL1kv", vgpr_count=12)
    path = written(tmp_path, program(bundle(gfx942=code_object(one, ADD)), bundle(gfx942=code_object(other))))
    assert set(kernels_in_file(path, "gfx942")) == {"_Z3addPfi", "add(float*, int)"}


def test_a_place_in_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, b"x" * 100 + code_object(ADD) + b"y" * 50)
    place = f"file://{str(path).replace(' ', '%20')}#offset=100&size={len(code_object(ADD))}"
    assert "_Z3addPfi" in kernels_in_file(place)
    with pytest.raises(BadInput, match="offset=1e"):
        kernels_in_file(f"file://{path}#offset=1e&size=2")
    with pytest.raises(BadInput, match="no code object of 9999999 bytes"):
        kernels_in_file(f"file://{str(path).replace(' ', '%20')}#offset=100&size=9999999")
    with pytest.raises(BadInput, match="memory of a process"):
        kernels_in_file("memory://1234#offset=0x7f00&size=4096")


def test_a_program_without_device_code_has_no_kernels(tmp_path: Path) -> None:
    assert kernels_in_file(written(tmp_path, elf(X86_64, (".text", 1, b"\x90", 0)))) == {}


def test_what_is_compiled_at_run_time_is_passed_over(tmp_path: Path) -> None:
    path = written(tmp_path, program(bundle(amdgcnspirv=b"\x03\x02\x23\x07", gfx942=code_object(ADD))))
    assert "_Z3addPfi" in kernels_in_file(path)


REFUSED = {
    "empty": (b"", "no program"),
    "text": (b"#!/bin/sh\necho\n", "no program"),
    "half a header": (b"\x7fELF\x02\x01", "ends within its header"),
    "32 bits": (b"\x7fELF\x01\x01" + bytes(80), "64-bit"),
    "no metadata": (elf(AMDGPU, (".text", 1, b"x", 0)), "no metadata"),
    "version 2": (elf(AMDGPU, (".note", 7, note(b"---", 10, b"AMD\0"), 0)), "version 2"),
    "damaged metadata": (elf(AMDGPU, (".note", 7, note(b"\xc1\xff"), 0)), "damaged"),
    "metadata that is a list": (elf(AMDGPU, (".note", 7, note(b"\x91\x01"), 0)), "not a map"),
    "cut bundle": (program(bundle(gfx942=code_object(ADD))[:-200], padding=1), "truncated"),
    "no bundle": (program(b"something else"), "no offload bundle at byte 0"),
    "rest": (program(bundle(gfx942=code_object(ADD)), b"something else"), "no offload bundle at byte 4096"),
    "absurd bundle": (b"__CLANG_OFFLOAD_BUNDLE__" + b"\xff" * 8, "claims"),
    "unknown method": (compressed(bundle(), method=7), "unknown method 7"),
    "unknown version": (b"CCOB\x09\x00\x00\x00" + bytes(40), "unknown version 9"),
    "damaged compression": (compressed(bundle(gfx942=code_object(ADD)))[:-30] + bytes(30), "compressed"),
    "damaged zstd": (compressed(bundle(gfx942=code_object(ADD)), method=1)[:60] + b"x" * 500, "compressed"),
    "no zstd": (compressed(bundle(gfx942=code_object(ADD)))[:6] + b"\1" + bytes(80), "compressed"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_by_name_and_reason(case: str, tmp_path: Path) -> None:
    content, reason = REFUSED[case]
    path = written(tmp_path, content)
    with pytest.raises(BadInput, match=reason) as caught:
        kernels_in_file(path)
    assert str(path) in caught.value.cause


@pytest.mark.parametrize("method", [0, 1])
@pytest.mark.parametrize("version", [1, 2, 3])
def test_no_more_is_unpacked_than_is_promised(version: int, method: int, tmp_path: Path) -> None:
    """Few bytes can stand for very many."""
    place, size = {1: (8, 4), 2: (12, 4), 3: (16, 8)}[version]
    packed = compressed(b"__CLANG_OFFLOAD_BUNDLE__" + bytes(50_000_000), version, method)
    for promised in (0, 24, 1000, 60_000_000, 2 ** (8 * size) - 1):
        lie = packed[:place] + promised.to_bytes(size, "little") + packed[place + size :]
        with pytest.raises(BadInput, match="promises"):
            kernels_in_file(written(tmp_path, lie))


def test_what_is_compressed_is_a_bundle(tmp_path: Path) -> None:
    nested = compressed(compressed(bundle(gfx942=code_object(ADD))))
    with pytest.raises(BadInput, match="has in it is none"):
        kernels_in_file(written(tmp_path, nested))


@pytest.mark.parametrize(
    "called",
    [
        "amdgpu9.42-amd-amdhsa-unknown-gfx942",
        "amdgcn--amdhsa-amdgiz-gfx942:sramecc+:xnack-",
        "gfx90a",
        7,
    ],
)
def test_the_target_is_that_of_the_header(called: Any, tmp_path: Path) -> None:
    code = code_object(ADD, target="gfx942:sramecc+:xnack-", called=called)
    for content in (code, bundle(gfx942=code)):
        found = kernels_in_file(written(tmp_path, content), "gfx942")
        assert found["_Z3addPfi"].architecture == "gfx942:sramecc+:xnack-"


@pytest.mark.parametrize("what", ["missing", "folder"])
def test_unreadable(what: str, tmp_path: Path) -> None:
    path = tmp_path if what == "folder" else tmp_path / "missing"
    with pytest.raises(BadInput, match=str(path)):
        kernels_in_file(path)


@pytest.mark.parametrize("form", FORMS)
def test_no_damage_gets_through_as_another_error(form: str, tmp_path: Path) -> None:
    """Cut at any place or with bytes overwritten: kernels or BadInput, nothing else."""
    content = FORMS[form]
    dice = random.Random(form)
    for _ in range(150):
        damaged = bytearray(content[: dice.randrange(len(content) + 1)] if dice.random() < 0.4 else content)
        for _ in range(dice.randrange(6)):
            if damaged:
                damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        with contextlib.suppress(BadInput):
            kernels_in_file(written(tmp_path, bytes(damaged)))


def test_names_as_traces_write_them(tmp_path: Path) -> None:
    half = kernel("_Z4halfPKDF16_Pf")
    two = kernel("_Z3twoIfEvT_"), kernel("_Z3twoIdEvT_")
    found = kernels_in_file(written(tmp_path, code_object(ADD, half, *two)))
    for name in ("_Z3addPfi", "_Z3addPfi.kd", "add(float*, int)", "add(float*, int) [clone .kd]"):
        kernel_found = kernel_named(found, name)
        assert kernel_found is not None
        assert kernel_found.symbol == "_Z3addPfi"
    # Demanglers differ in their knowledge of _Float16.
    assert kernel_named(found, "half(_Float16 const*, float*)") is not None
    assert kernel_named(found, "two(long)") is None
    assert kernel_named(found, "other(float)") is None
