"""What can be wrong with a capture or with the machine: a clear message, an exit code, and nothing run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from native_tool import Compile, Replay, made
from tests.wanted import wanted

from capture_maker import CaptureMaker, read_region, write_manifest

X, Y = 0x210000100000, 0x210000200000
N = 3000
# hold: waits for a flag that nobody sets. stray: writes where it is told to. wander: where the clock says.
KERNELS = """
extern "C" __global__ void twice(float* x, const float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * 2 + y[i];
}
extern "C" __global__ void hold(volatile int* flag, int* out) {
    while (!*flag) __builtin_amdgcn_s_sleep(1);
    *out = 1;
}
extern "C" __global__ void stray(char* x, long at) { x[at] = 'x'; }
extern "C" __global__ void queue_of(unsigned long* out) {
    out[0] = ((const unsigned long*)__builtin_amdgcn_implicitarg_ptr())[25];  // hidden_queue_ptr
}
extern "C" __global__ void wander(unsigned* x) {
    unsigned long t = wall_clock64();
    t = (t ^ t >> 7) * 0x9E3779B97F4A7C15ul;
    x[(t >> 40) % 64 * 1024] = 1;
}
"""


def twice(hsaco: bytes, **more: Any) -> CaptureMaker:
    maker = made(hsaco, "twice", X, Y, N, **{"grid": (3072, 1, 1), "workgroup": (256, 1, 1), **more})
    x = np.arange(N, dtype=np.float32)
    y = np.sqrt(x)
    maker.device(X, x, x * 2 + y)
    maker.device(Y, y)
    return maker


@pytest.fixture(scope="module")
def hsaco(compiled: Compile) -> bytes:
    return compiled(KERNELS)


@pytest.fixture
def capture(hsaco: bytes, tmp_path: Path) -> Path:
    return twice(hsaco).write(tmp_path / "capture")


def test_the_made_capture_is_right(capture: Path, replay: Replay) -> None:
    done = replay("full-vm", capture)
    assert done.code == 0, done.document
    assert done.document["agreement"] == [{"iteration": 0, "differing_pages": 0, "differing_bytes": 0}]
    assert done.document["fidelity"]["in_app_us"] is None
    assert done.document["fidelity"]["missing"]["in_app_us"] == "this capture was made, not taken"


# ---- captures that are not whole ----


def _cut(path: Path, keep: float) -> None:
    raw = path.read_bytes()
    path.write_bytes(raw[: int(len(raw) * keep)])


def _flip(path: Path, at: int) -> None:
    raw = bytearray(path.read_bytes())
    raw[at] ^= 1
    path.write_bytes(raw)


def _edit(path: Path, change: Callable[[Any], None]) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    write_manifest(path.parent)


BEFORE, AFTER = f"memory/region_{X:016x}.bin", f"memory/after_{X:016x}.bin"
DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "region cut off": (lambda c: _cut(c / BEFORE, 0.5), BEFORE),
    "region cut off behind the header": (lambda c: _cut(c / BEFORE, 0.001), BEFORE),
    "region empty": (lambda c: _cut(c / BEFORE, 0), BEFORE),
    "payload changed": (lambda c: _flip(c / BEFORE, 70), BEFORE),
    "payload after changed": (lambda c: _flip(c / AFTER, 70), AFTER),
    "header changed": (lambda c: _flip(c / BEFORE, 16), BEFORE),
    "index changed": (lambda c: _flip(c / BEFORE, -5), BEFORE),
    "region missing": (lambda c: (c / BEFORE).unlink(), BEFORE),
    "kernarg changed": (lambda c: _flip(c / "kernarg.bin", 3), "kernarg.bin"),
    "code changed": (lambda c: _flip(c / "kernel.hsaco", 600), "kernel.hsaco"),
    "dispatch cut off": (lambda c: _cut(c / "dispatch.json", 0.7), "dispatch.json"),
    "manifest cut off": (lambda c: _cut(c / "manifest.json", 0.7), "manifest.json"),
    "manifest missing": (lambda c: (c / "manifest.json").unlink(), "manifest.json"),
    "not JSON with a right manifest": (
        lambda c: ((c / "memory_regions.json").write_text("{"), write_manifest(c))[0],
        "memory_regions.json",
    ),
    "region of another size": (
        lambda c: _edit(c / "memory_regions.json", lambda d: d["regions"][-1].update(size=4096)),
        f"memory/region_{Y:016x}.bin",
    ),
    "a file outside": (
        lambda c: _edit(c / "memory_regions.json", lambda d: d["regions"][-1].update(file="../x.bin")),
        "../x.bin",
    ),
    "an unknown kind": (
        lambda c: _edit(c / "memory_regions.json", lambda d: d["regions"][-1].update(kind="texture")),
        "texture",
    ),
    "a negative size": (
        lambda c: _edit(c / "memory_regions.json", lambda d: d["regions"][-1].update(size=-4096)),
        "-4096",
    ),
    "a missing key": (lambda c: _edit(c / "dispatch.json", lambda d: d.pop("geometry")), "geometry"),
    "a workgroup of nothing": (
        lambda c: _edit(c / "dispatch.json", lambda d: d["geometry"].update(workgroup=[0, 1, 1])),
        "workgroup",
    ),
    "another version": (lambda c: _edit(c / "dispatch.json", lambda d: d.update(version=2)), "version 2"),
    "a kernel that is not there": (
        lambda c: _edit(c / "dispatch.json", lambda d: d["kernel"].update(name="thrice")),
        "thrice",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_captures_are_refused_by_name(capture: Path, replay: Replay, damage: str) -> None:
    change, names = DAMAGES[damage]
    change(capture)
    done = replay("full-vm", capture)
    assert done.code == 6
    assert names in done.error["message"]
    assert "timing" not in done.document


def test_a_partial_capture(capture: Path, replay: Replay, tmp_path: Path) -> None:
    partial = capture.rename(tmp_path / "other.partial")
    done = replay("full-vm", partial)
    assert done.code == 6
    assert "interrupted" in done.error["message"]
    done = replay("full-vm", tmp_path / "other")
    assert done.code == 6
    assert "never finished" in done.error["message"]
    assert replay("reserve-check", partial).code == 1


def test_no_capture(replay: Replay, tmp_path: Path) -> None:
    done = replay("full-vm", tmp_path / "nothing")
    assert done.code == 6
    assert "nothing" in done.error["message"]
    assert replay("full-vm", tmp_path).code == 6  # a folder, and no capture


def test_a_capture_that_refuses(hsaco: bytes, replay: Replay, tmp_path: Path) -> None:
    reason = {
        "what": "hidden argument",
        "name": "hidden_hostcall_buffer",
        "outcome": "refused",
        "reason": "the host serves it",
        "address": None,
        "bytes": None,
    }
    done = replay("full-vm", twice(hsaco, refused=[reason]).write(tmp_path / "capture"))
    assert done.code == 9
    assert "hidden_hostcall_buffer: the host serves it" in done.error["message"]


# ---- the machine is another ----


@pytest.mark.parametrize(
    "isa", ["amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack+"]
)
def test_another_isa(hsaco: bytes, replay: Replay, tmp_path: Path, isa: str) -> None:
    done = replay("full-vm", twice(hsaco, isa=isa).write(tmp_path / "capture"))
    assert done.code == 3
    assert done.error["kind"] == "isa"
    assert isa in done.error["message"]
    assert "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-" in done.error["message"]


def test_no_runtime(capture: Path, replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "libhsa.so").write_bytes(b"not a library")
    done = replay("full-vm", capture, "--hsa", tmp_path / "libhsa.so")
    assert done.code == 3
    assert "libhsa.so" in done.error["message"]
    assert "--hsa" in done.error["remedy"]
    done = replay("full-vm", capture, VROCM_DEVICE="MI9000")
    assert done.code == 3
    assert "hsa_init" in done.error["message"]


def test_an_address_that_is_taken(capture: Path, replay: Replay, occupier: Path) -> None:
    taken = {"HSA_TOOLS_LIB": str(occupier), "OCCUPY": f"{X:#x},0x1000"}
    done = replay("full-vm", capture, **taken)
    assert done.code == 2, done.document
    assert done.error["kind"] == "relocated"
    assert hex(X) in done.error["message"]
    check = replay("reserve-check", capture, **taken)
    assert check.code == 2
    assert check.document["outcome"] == "relocated"
    by_base = {one["base"]: one for one in check.document["ranges"]}
    assert by_base[hex(X)]["outcome"] == "relocated"
    assert by_base[hex(X)]["got"] != hex(X)
    assert by_base[hex(Y)]["outcome"] == "exact"


def test_a_runtime_without_shared_virtual_memory(capture: Path, replay: Replay, without_svm: Path) -> None:
    variables = {"HSA_TOOLS_LIB": str(without_svm)}
    done = replay("full-vm", capture, **variables)
    assert done.code == 2, done.document
    assert done.error["kind"] == "relocated"
    assert "HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED" in done.error["message"]
    assert "CONFIG_HSA_AMD_SVM" in done.error["remedy"]
    check = replay("reserve-check", capture, **variables, HSA_USE_SVM="0")
    assert check.code == 2
    assert check.document["environment"]["shared_virtual_memory"] is False
    assert check.error["remedy"].endswith("unset HSA_USE_SVM")
    outcomes = {one["kind"]: one["outcome"] for one in check.document["ranges"]}
    assert outcomes == {"reserved": "exact", "host": "relocated"}
    (host,) = [one for one in check.document["ranges"] if one["kind"] == "host"]
    assert "HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED" in host["reason"]
    assert replay("reserve-check", capture).document["environment"]["shared_virtual_memory"] is True


def mapped(hsaco: bytes, offset_of_x: int, offset_of_y: int, same_handle: bool) -> CaptureMaker:
    """x and y in one page each of a handle of four, or of two."""
    maker = made(hsaco, "twice", X, Y, 1024, grid=(1024, 1, 1), workgroup=(256, 1, 1))
    x, y = np.arange(1024, dtype=np.float32), np.full(1024, 3, np.float32)
    for number, (base, before, after, offset) in enumerate(
        [(X, x, x * 2 + y, offset_of_x), (Y, y, None, offset_of_y)]
    ):
        handle = 1 if same_handle else 1 + number
        maker.device(base, before, after, kind="vmem", handle=handle, handle_offset=offset)
        maker.reservations.append((base, 4096))
        if handle > len(maker.handles):
            maker.handles.append({"id": handle, "size": 16384, "agent": 0, "pool": "coarse", "pinned": False})
    return maker


def test_mappings_at_offsets_of_their_handles(hsaco: bytes, replay: Replay, tmp_path: Path) -> None:
    """Captures of runtimes that look at the offset. One mapping a handle: the offset plays no part."""
    once = mapped(hsaco, 4096, 8192, same_handle=False).write(tmp_path / "once")
    done = replay("full-vm", once, "--iterations", "2")
    assert done.code == 0, done.document
    assert [one["differing_bytes"] for one in done.document["agreement"]] == [0, 0]
    twice = mapped(hsaco, 0, 4096, same_handle=True).write(tmp_path / "twice")
    refused = replay("full-vm", twice)
    assert refused.code == 9
    assert "one handle at offsets 0 and 4096" in refused.error["message"]
    assert "one handle a piece" in refused.error["remedy"]


def test_an_address_that_no_process_can_have(hsaco: bytes, replay: Replay, tmp_path: Path) -> None:
    maker = twice(hsaco)
    maker.host(1 << 56, np.ones(10, np.uint8))  # the kernel's half of all addresses
    capture = maker.write(tmp_path / "capture")
    done = replay("full-vm", capture)
    assert done.code == 2
    assert hex(1 << 56) in done.error["message"]
    check = replay("reserve-check", capture)
    assert check.code == 2
    assert [one["outcome"] for one in check.document["ranges"]].count("relocated") == 1


def test_an_address_of_the_program_itself(hsaco: bytes, replay: Replay, tmp_path: Path) -> None:
    # Where Linux puts a program when addresses are not random: it has to start anew, with random ones.
    maker = twice(hsaco)
    maker.host(0x555555554000, np.ones(100, np.uint8))
    capture = maker.write(tmp_path / "capture")
    done = replay("full-vm", capture, wrapper=(wanted("setarch"), "-R"))
    assert done.code == 0, done.document
    assert done.document["environment"]["layouts_tried"] == 2
    assert done.document["agreement"][0]["differing_bytes"] == 0


# ---- the kernel does wrong ----


def test_a_kernel_that_hangs(hsaco: bytes, replay: Replay, tmp_path: Path) -> None:
    maker = made(hsaco, "hold", X, Y)
    maker.device(X, np.zeros(4, np.uint8))
    maker.device(Y, np.zeros(4, np.uint8), np.array([1, 0, 0, 0], np.uint8))
    capture = maker.write(tmp_path / "capture")
    done = replay("full-vm", capture, "--timeout", "1.5")
    assert done.code == 7
    assert done.error["kind"] == "timeout"
    assert "hold" in done.error["message"]


def stray(hsaco: bytes, at: int, size: int = 5000) -> CaptureMaker:
    maker = made(hsaco, "stray", X, at % 2**64, grid=(1, 1, 1), workgroup=(1, 1, 1))
    maker.device(X, np.zeros(size, np.uint8))
    return maker


def test_a_write_into_guard_pages_faults(hsaco: bytes, replay: Replay, tmp_path: Path) -> None:
    for number, at in enumerate((8192, -1)):
        done = replay("full-vm", stray(hsaco, at).write(tmp_path / str(number)))
        assert done.code == 4
        assert "stray" in done.error["message"]
        assert hex((X + at) & ~0xFFF) in done.error["message"]


def test_a_write_behind_the_end_damages_a_canary(hsaco: bytes, replay: Replay, tmp_path: Path) -> None:
    done = replay("full-vm", stray(hsaco, 5001).write(tmp_path / "capture"), "--iterations", "2")
    assert done.code == 0
    assert done.document["canaries"]["checked_bytes"] == 8192 - 5000
    damaged = done.document["canaries"]["damaged"]
    assert len(damaged) == 2  # made whole in between
    assert f"1 bytes behind the end of the device region at {X:#x}" in damaged[0]
    assert f"{X + 5001:#x}" in damaged[0]


def test_a_replay_that_changes_other_pages(hsaco: bytes, replay: Replay, tmp_path: Path) -> None:
    maker = stray(hsaco, 100, size=3 * 4096)
    after = np.zeros(3 * 4096, np.uint8)
    after[2 * 4096] = 7
    maker.regions[-1].after = after
    done = replay("full-vm", maker.write(tmp_path / "capture"), "--iterations", "3")
    assert done.document["restore"]["dirty_pages"] == 2
    assert [one["differing_bytes"] for one in done.document["agreement"]] == [2, 2, 2]


def test_a_kernel_that_writes_elsewhere_each_time(hsaco: bytes, replay: Replay, tmp_path: Path) -> None:
    maker = made(hsaco, "wander", X, grid=(1, 1, 1), workgroup=(1, 1, 1))
    maker.device(X, np.zeros(64 * 1024, np.uint32))
    done = replay(
        "full-vm", maker.write(tmp_path / "capture"), "--iterations", "12", "--observe", tmp_path / "seen"
    )
    assert done.code == 0, done.document
    # Each iteration starts from the captured zeros: only the one page that it wrote differs.
    assert [one["differing_pages"] for one in done.document["agreement"]] == [1] * 12
    assert any("made again" in note for note in done.document["notes"])
    seen = set()
    for iteration in range(12):
        pages = read_region(tmp_path / "seen" / f"iteration_{iteration}" / f"after_{X:016x}.bin")
        assert len(pages) == 1
        seen |= set(pages)
    assert len(seen) > 1


def test_hidden_queue_pointers_are_rebound(hsaco: bytes, replay: Replay, tmp_path: Path) -> None:
    maker = made(hsaco, "queue_of", X, hidden={"hidden_queue_ptr": 0xDEAD0000})
    captured = np.array([0xDEAD0000], np.uint64)
    maker.device(X, np.zeros(1, np.uint64), captured)
    done = replay("full-vm", maker.write(tmp_path / "capture"), "--iterations", "2")
    assert done.code == 0, done.document
    assert done.document["rebound"] == ["hidden_queue_ptr"]
    assert all(one["differing_pages"] == 1 for one in done.document["agreement"])


# ---- the command line ----


@pytest.mark.parametrize(
    "words",
    [
        ("replay-it", "x"),
        ("full-vm",),
        ("full-vm", "a", "b"),
        ("full-vm", "a", "--iterations", "0"),
        ("full-vm", "a", "--iterations", "-3"),
        ("full-vm", "a", "--iterations", "many"),
        ("full-vm", "a", "--timeout", "0"),
        ("full-vm", "a", "--sideways"),
        ("reserve-check", "a", "--iterations", "3"),
    ],
)
def test_wrong_command_lines(replay: Replay, words: tuple[str, ...]) -> None:
    done = replay(*words)
    assert done.code == 64
    assert done.error["kind"] == "usage"
    assert "full-vm CAPTURE" in done.error["remedy"]
