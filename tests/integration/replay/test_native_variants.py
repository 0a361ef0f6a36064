"""Other builds of a captured kernel, code that comes to another address, poison and what is observed."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path

import numpy as np
import pytest
from native_tool import Compile, Replay, Taken, made

from capture_maker import CaptureMaker, read_region
from rocm_perf_lab.replaying.proof.poison_pattern import pattern

X, Y = 0x210000100000, 0x210000200000
N = 3000
TWICE = """
extern "C" __global__ void twice(float* x, const float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * 2 + y[i];
}
"""


def variant(source: bytes, tmp_path: Path) -> tuple[str, Path]:
    path = tmp_path / "variant.hsaco"
    path.write_bytes(source)
    return "--hsaco", path


@pytest.fixture
def capture(compiled: Compile, tmp_path: Path) -> Path:
    maker = made(compiled(TWICE), "twice", X, Y, N, grid=(3072, 1, 1), workgroup=(256, 1, 1))
    x = np.arange(N, dtype=np.float32)
    maker.device(X, x, x * 2 + np.sqrt(x))
    maker.device(Y, np.sqrt(x))
    return maker.write(tmp_path / "capture")


def test_a_variant_with_other_hidden_arguments(
    capture: Path, replay: Replay, compiled: Compile, tmp_path: Path
) -> None:
    # Uses hidden arguments that the original does not use, and asks for more LDS.
    other = compiled(
        """
        extern "C" __global__ void twice(float* x, const float* y, int n) {
            __shared__ float all[512];
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            all[threadIdx.x] = i < n ? y[i] : 0;
            __syncthreads();
            if (i < n && gridDim.y == 1 && gridDim.z == 1) x[i] = x[i] + x[i] + all[threadIdx.x];
        }
        """
    )
    done = replay("full-vm", capture, "--iterations", "2", *variant(other, tmp_path))
    assert done.code == 0, done.document
    assert done.document["kernel"]["variant"] is True
    assert done.document["kernel"]["hsaco_path"].endswith("variant.hsaco")
    assert [one["differing_bytes"] for one in done.document["agreement"]] == [0, 0]


def test_a_wrong_variant_is_found_out(
    capture: Path, replay: Replay, compiled: Compile, tmp_path: Path
) -> None:
    nothing = compiled('extern "C" __global__ void twice(float* x, const float* y, int n) {}')
    folder = tmp_path / "seen"
    done = replay("full-vm", capture, "--observe", folder, *variant(nothing, tmp_path))
    assert done.code == 0
    x = np.arange(N, dtype=np.float32)
    different = int(np.count_nonzero(x.view(np.uint8) != (x * 2 + np.sqrt(x)).view(np.uint8)))
    assert done.document["agreement"][0]["differing_bytes"] == different
    pages = read_region(folder / "iteration_0" / f"after_{X:016x}.bin")
    assert sorted(pages) == [0, 1, 2]
    assert b"".join(pages[page] for page in range(3))[: N * 4] == x.tobytes()


def test_another_signature(capture: Path, replay: Replay, compiled: Compile, tmp_path: Path) -> None:
    for source, words in {
        "float* x, const float* y, int n, int m": ["by_value", "4 bytes at 20"],
        "float* x, int n": ["by_value", "4 bytes at 8"],
        "float* x, const float* y, long n": ["8 bytes at 16"],
        "float* x, long y, int n": ["by_value", "8 bytes at 8"],
    }.items():
        other = compiled(f'extern "C" __global__ void twice({source}) {{ x[0] = n; }}')
        done = replay("full-vm", capture, *variant(other, tmp_path))
        assert done.code == 6
        assert done.error["kind"] == "signature"
        message = done.error["message"]
        assert "Captured: global_buffer" in message
        assert all(word in message for word in words), message


def test_code_objects_that_do_not_fit(
    capture: Path, replay: Replay, compiled: Compile, tmp_path: Path
) -> None:
    other = compiled('extern "C" __global__ void thrice(float* x) { x[0] = 3; }')
    done = replay("full-vm", capture, *variant(other, tmp_path))
    assert done.code == 6
    assert "it has thrice" in done.error["message"]
    done = replay("full-vm", capture, *variant(b"not an ELF file", tmp_path))
    assert done.code == 6
    assert "is not a code object" in done.error["message"]
    done = replay("full-vm", capture, "--hsaco", tmp_path / "nowhere.hsaco")
    assert done.code == 6
    assert "nowhere.hsaco" in done.error["message"]


def test_a_code_object_for_another_gpu(
    capture: Path, replay: Replay, compiled: Compile, tmp_path: Path
) -> None:
    other = compiled(TWICE, "--offload-arch=gfx90a", "--no-offload-arch=gfx942")
    done = replay("full-vm", capture, *variant(other, tmp_path))
    assert done.code == 6
    assert done.error["kind"] == "code object"
    assert "gfx90a" in done.error["message"]


def test_arguments_of_a_variant_that_needs_more(compiled: Compile, replay: Replay, tmp_path: Path) -> None:
    small = compiled('extern "C" __global__ void f(int* x) { x[threadIdx.x] += threadIdx.x; }')
    large = compiled('extern "C" __global__ void f(int* x) { x[threadIdx.x] += threadIdx.x * gridDim.x; }')
    maker = made(small, "f", X)
    before = np.full(64, 7, np.int32)
    maker.device(X, before, before + np.arange(64, dtype=np.int32))
    done = replay("full-vm", maker.write(tmp_path / "capture"), *variant(large, tmp_path))
    assert done.code == 0, done.document
    assert done.document["agreement"][0]["differing_bytes"] == 0
    assert done.document["addresses"]["kernarg_exact"] is False
    assert any("not at their captured address" in note for note in done.document["notes"])


# ---- globals ----

GLOBALS = """
#include <hip/hip_runtime.h>
__device__ int unused_before = 1;
__device__ int counter = 10;
__device__ float table[4] = {1, 2, 3, 4};
extern "C" __global__ void step(float* out, float** through) {
    out[threadIdx.x] = table[threadIdx.x % 4] * counter + (*through)[0];
    __syncthreads();
    if (threadIdx.x == 0) counter += 1;
}
int main() {
    float *out, **through, *pointed;
    const float values[4] = {5, 6, 7, 8};
    hipMalloc(&out, 256);
    hipMalloc(&through, 8);
    hipMalloc(&pointed, 4);
    hipMemcpyToSymbol(HIP_SYMBOL(table), values, 16);
    void* address = pointed;
    POINT
    hipMemcpy(through, &address, 8, hipMemcpyHostToDevice);
    step<<<1, 64>>>(out, through);
    step<<<1, 64>>>(out, through);
    return hipDeviceSynchronize() != hipSuccess;
}
"""
PLAIN = GLOBALS.replace("POINT", "hipMemcpy(pointed, values, 4, hipMemcpyHostToDevice);")
POINTS_AT_TABLE = GLOBALS.replace("POINT", "hipGetSymbolAddress(&address, HIP_SYMBOL(table));")


def device_part(source: str, compiled: Compile) -> bytes:
    return compiled(source.replace("#include <hip/hip_runtime.h>", "").split("int main")[0])


def code_base(capture: Path) -> int:
    code = json.loads((capture / "dispatch.json").read_text())["kernel"]["code_object"]
    return int(code["load_base"], 16)


def test_variables_of_a_variant_are_found_by_name(
    taken: Taken, replay: Replay, compiled: Compile, tmp_path: Path
) -> None:
    # In another order, one more, one less.
    source = PLAIN.replace("__device__ int unused_before = 1;", "__device__ double wide[9]; ")
    source = re.sub(r"(__device__ int counter = 10;)\n(__device__ float table.*)", r"\2\n\1", source)
    assert source.index("table[4]") < source.index("counter")
    source = source.replace("counter += 1;", "{ counter += 1; wide[0] = 1; }")
    done = replay(
        "full-vm", taken(PLAIN, dispatch=1), "--iterations", "3",
        *variant(device_part(source, compiled), tmp_path),
    )  # fmt: skip
    assert done.code == 0, done.document
    assert [one["differing_bytes"] for one in done.document["agreement"]] == [0, 0, 0]
    assert any("unused_before" in note for note in done.document["notes"])
    fidelity = done.document["fidelity"]
    assert fidelity["in_app_us"] > 0
    assert fidelity["gap"] is None
    assert "variant" in fidelity["missing"]["gap"]


def test_code_that_comes_elsewhere_takes_its_globals_along(
    taken: Taken, replay: Replay, occupier: Path
) -> None:
    capture = taken(PLAIN, dispatch=1)
    where = {"HSA_TOOLS_LIB": str(occupier), "OCCUPY": f"{code_base(capture):#x},0x1000"}
    done = replay("full-vm", capture, "--iterations", "3", **where)
    assert done.code == 0, done.document
    assert done.document["addresses"]["code_exact"] is False
    assert done.document["addresses"]["exact"] == done.document["addresses"]["regions"]
    assert [one["differing_bytes"] for one in done.document["agreement"]] == [0, 0, 0]
    assert any("no captured memory points into it" in note for note in done.document["notes"])


def test_code_that_memory_points_into_must_not_move(
    taken: Taken, replay: Replay, occupier: Path, compiled: Compile, tmp_path: Path
) -> None:
    capture = taken(POINTS_AT_TABLE, dispatch=1)
    done = replay("full-vm", capture)
    assert done.code == 0
    assert done.document["addresses"]["code_exact"]
    assert done.document["agreement"][0]["differing_bytes"] == 0
    where = {"HSA_TOOLS_LIB": str(occupier), "OCCUPY": f"{code_base(capture):#x},0x1000"}
    moved = replay("full-vm", capture, **where)
    assert moved.code == 2
    assert moved.error["kind"] == "code relocated"
    # A variant with its variables in place is right, one without is not.
    same = device_part(POINTS_AT_TABLE, compiled)
    assert replay("full-vm", capture, *variant(same, tmp_path)).code == 0
    other = device_part(
        POINTS_AT_TABLE.replace("int unused_before = 1", "double before[900] = {1}"), compiled
    )
    assert replay("full-vm", capture, *variant(other, tmp_path)).code == 2


# ---- poison ----


def test_poison_shows_what_is_not_written(
    capture: Path, replay: Replay, compiled: Compile, tmp_path: Path
) -> None:
    half = compiled(TWICE.replace("i < n", "i < n / 2"))
    # Poison in what is read as well would show; here only where nothing is read is poisoned: behind the half.
    poison = tmp_path / "poison.json"
    base, size = X + 4 * (N // 2) + 3, 2000
    poison.write_text(json.dumps({"seed": 99, "ranges": [{"base": hex(base), "size": size}]}))
    done = replay(
        "full-vm", capture, "--poison", poison, "--observe", tmp_path / "seen", "--iterations", "2",
        *variant(half, tmp_path),
    )  # fmt: skip
    assert done.code == 0, done.document
    assert done.document["poisoned_bytes"] == size
    x = np.arange(N, dtype=np.float32)
    expected = np.concatenate([(x * 2 + np.sqrt(x))[: N // 2], x[N // 2 :]]).view(np.uint8).copy()
    expected[base - X : base - X + size] = pattern(base, size, 99)
    for iteration in range(2):
        pages = read_region(tmp_path / "seen" / f"iteration_{iteration}" / f"after_{X:016x}.bin")
        memory = np.frombuffer((x * 2 + np.sqrt(x)).tobytes().ljust(3 * 4096, b"\0"), np.uint8).copy()
        for page, content in pages.items():
            memory[page * 4096 : (page + 1) * 4096] = np.frombuffer(content, np.uint8)
        assert (memory[: N * 4] == expected).all()


def test_poison_outside_captured_memory(capture: Path, replay: Replay, tmp_path: Path) -> None:
    for text, word in {
        json.dumps({"seed": 1, "ranges": [{"base": "0x1000", "size": 4}]}): "0x1000",
        json.dumps({"seed": 1, "ranges": [{"base": hex(X), "size": 4 * N + 1}]}): hex(X),
        json.dumps({"ranges": []}): "seed",
        "nonsense": "poison.json",
    }.items():
        (tmp_path / "poison.json").write_text(text)
        done = replay("full-vm", capture, "--poison", tmp_path / "poison.json")
        assert done.code == 6
        assert done.error["kind"] == "poison"
        assert word in done.error["message"]


def test_results_of_another_replay_are_not_overwritten(capture: Path, replay: Replay, tmp_path: Path) -> None:
    assert replay("full-vm", capture, "--observe", tmp_path / "seen").code == 0
    assert (tmp_path / "seen" / "iteration_0").is_dir()  # and empty: nothing differs
    assert not list((tmp_path / "seen" / "iteration_0").iterdir())
    again = replay("full-vm", capture, "--observe", tmp_path / "seen")
    assert again.code == 6
    assert "another replay" in again.error["message"]


# ---- mappings ----


def test_one_handle_mapped_twice_with_holes(compiled: Compile, replay: Replay, tmp_path: Path) -> None:
    # A reservation of eight pages: two pages of the handle at 1, the first again at 5; the kernel writes
    # through one and reads through the other.
    base = 0x5F0000100000
    hsaco = compiled(
        """extern "C" __global__ void through(int* write, const int* read, int* out) {
            write[threadIdx.x] = threadIdx.x * 3;
            __threadfence();
            __syncthreads();
            out[threadIdx.x] = ((volatile const int*)read)[threadIdx.x] + 1;
        }"""
    )
    first, second = base + 4096, base + 5 * 4096
    maker: CaptureMaker = made(hsaco, "through", first, second, X)
    maker.reservations.append((base, 8 * 4096))
    maker.handles.append({"id": 7, "size": 3 * 4096, "agent": 0, "pool": "coarse", "pinned": False})
    before = np.arange(2048, dtype=np.int32)
    after = before.copy()
    after[:64] = np.arange(64) * 3
    common = {"kind": "vmem", "handle": 7}
    maker.device(first, before, after, handle_offset=0, **common)
    maker.device(second, np.zeros(1024, np.int32), stored=False, handle_offset=0, **common)
    maker.device(X, np.zeros(64, np.int32), np.arange(64, dtype=np.int32) * 3 + 1)
    done = replay("full-vm", maker.write(tmp_path / "capture"), "--iterations", "3")
    assert done.code == 0, done.document
    assert [one["differing_bytes"] for one in done.document["agreement"]] == [0, 0, 0]


@pytest.mark.parametrize("writes", [False, True])
def test_mappings_that_kernels_may_only_read(
    compiled: Compile, replay: Replay, tmp_path: Path, writes: bool
) -> None:
    line = "x[threadIdx.x] = 1;" if writes else "out[threadIdx.x] = x[threadIdx.x] + 1;"
    hsaco = compiled(f'extern "C" __global__ void look(int* x, int* out) {{ {line} }}')
    base = 0x5F0000100000
    maker = made(hsaco, "look", base, X)
    maker.reservations.append((base, 2 * 4096))
    maker.handles.append({"id": 1, "size": 4096, "agent": 0, "pool": "fine", "pinned": False})
    before = np.arange(1024, dtype=np.int32)
    maker.device(base, before, kind="vmem", pool="fine", handle=1, handle_offset=0, access="ro")
    maker.device(X, np.zeros(64, np.int32), before[:64] + 1, pool="fine")
    done = replay("full-vm", maker.write(tmp_path / "capture"), "--iterations", "2")
    assert done.code == (4 if writes else 0), done.document
    if writes:
        assert hex(base) in done.error["message"]
    else:
        assert [one["differing_bytes"] for one in done.document["agreement"]] == [0, 0]


def test_host_ranges_that_share_a_page(compiled: Compile, replay: Replay, tmp_path: Path) -> None:
    hsaco = compiled('extern "C" __global__ void add(const int* a, const int* b, int* c) { *c = *a + *b; }')
    page = 0x7E0000000000
    maker = made(hsaco, "add", page + 100, page + 300, page + 4096, grid=(1, 1, 1), workgroup=(1, 1, 1))
    maker.host(page + 100, struct.pack("<i", 40), kind="locked", pool=None)
    maker.host(page + 300, struct.pack("<i", 2), kind="locked", pool=None)
    maker.host(
        page + 4096, bytes(4), np.frombuffer(struct.pack("<i", 42), np.uint8), kind="managed", pool=None
    )
    done = replay("full-vm", maker.write(tmp_path / "capture"), "--iterations", "2")
    assert done.code == 0, done.document
    assert [one["differing_bytes"] for one in done.document["agreement"]] == [0, 0]
    assert done.document["canaries"]["checked_bytes"] == 2 * 4096 - 12
    assert done.document["canaries"]["damaged"] == []


def test_arguments_without_a_region(compiled: Compile, replay: Replay, tmp_path: Path) -> None:
    maker = made(compiled(TWICE), "twice", X, Y, N, grid=(3072, 1, 1), workgroup=(256, 1, 1))
    maker.regions.clear()
    maker.kernarg_address = 0x7E0000000040
    x = np.arange(N, dtype=np.float32)
    maker.device(X, x, x * 2 + np.sqrt(x))
    maker.device(Y, np.sqrt(x))
    done = replay("full-vm", maker.write(tmp_path / "capture"))
    assert done.code == 0, done.document
    assert done.document["addresses"]["kernarg_exact"] is True
    assert done.document["agreement"][0]["differing_bytes"] == 0
