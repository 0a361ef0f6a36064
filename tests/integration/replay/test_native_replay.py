"""Captures of programs, replayed by the native tool at their addresses."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from native_tool import Replay, Taken

import vrocm

IN_OUT = """
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>
__global__ void in_out(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * 2 + 1;
}
int main() {
    const int n = 5000;
    std::vector<float> h(n);
    for (int i = 0; i < n; ++i) h[i] = float(i);
    float* x;
    hipMalloc(&x, n * 4);
    hipMemcpy(x, h.data(), n * 4, hipMemcpyHostToDevice);
    for (int k = 0; k < 3; ++k) in_out<<<(n + 255) / 256, 256>>>(x, n);
    hipMemcpy(h.data(), x, n * 4, hipMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
        if (h[i] != ((float(i) * 2 + 1) * 2 + 1) * 2 + 1) return 1;
}
"""

# Dynamic LDS, scratch (an array that must lie in memory), globals that the kernel changes, constants,
# pointers in memory to other allocations and to a variable of the code object, and more than one dimension.
EVERYTHING = """
#include <hip/hip_runtime.h>
#include <vector>
struct Node { Node* next; float* data; int value; };
__device__ int visits = 5;
__device__ float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ float factors[4];
__global__ void everything(Node* first, float* out, const int* index, float** where) {
    extern __shared__ float shared[];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y;
    volatile float local[16];
    for (int i = 0; i < 16; ++i) local[i] = float(i * index[i]);
    float sum = 0;
    for (Node* n = first; n; n = n->next) sum += float(n->value) * n->data[x];
    shared[y * 32 + x] = sum + local[index[x % 16] % 16];
    __syncthreads();
    const int at = (row * 4 + y) * 32 + x;
    out[at] = shared[y * 32 + 31 - x] * factors[y] + (*where)[x % 8];
    if (x == 0 && y == 0) atomicAdd(&visits, 1);
}
int main() {
    const float host_factors[4] = {1, 10, 100, 1000};
    hipMemcpyToSymbol(HIP_SYMBOL(factors), host_factors, sizeof host_factors);
    const int nodes = 9, rows = 3;
    std::vector<Node*> list(nodes);
    std::vector<int> order(16);
    for (int i = 0; i < 16; ++i) order[i] = (i * 7 + 3) % 16;
    Node* next = nullptr;
    for (int i = 0; i < nodes; ++i) {
        float* data;
        hipMalloc(&data, 128);
        std::vector<float> values(32, float(i) + 0.25f);
        hipMemcpy(data, values.data(), 128, hipMemcpyHostToDevice);
        hipMalloc(&list[i], sizeof(Node) + 4096 * i);
        const Node node{next, data, i + 1};
        hipMemcpy(list[i], &node, sizeof node, hipMemcpyHostToDevice);
        next = list[i];
    }
    float *out, **where;
    int* index;
    void* address;
    hipMalloc(&out, rows * 4 * 32 * 4);
    hipMalloc(&index, 64);
    hipHostMalloc((void**)&where, 8);
    hipMemcpy(index, order.data(), 64, hipMemcpyHostToDevice);
    hipGetSymbolAddress(&address, HIP_SYMBOL(table));
    *where = (float*)address;
    everything<<<dim3(1, rows), dim3(32, 4), 4 * 32 * 4>>>(next, out, index, where);
    return hipDeviceSynchronize() != hipSuccess;
}
"""


def test_in_out_is_byte_equal_in_every_iteration(taken: Taken, replay: Replay) -> None:
    done = replay("full-vm", taken(IN_OUT, dispatch=1), "--iterations", "5", "--warmup", "2")
    assert done.code == 0, done.document
    document = done.document
    assert document["kernel"]["name"] == "_Z6in_outPfi"
    assert document["kernel"]["hsaco_path"].endswith("kernel.hsaco")
    execution = document["execution"]
    assert (execution["iterations"], execution["mode"], execution["warmup"]) == (5, "stateless", 2)
    assert [one["iteration"] for one in document["agreement"]] == [0, 1, 2, 3, 4]
    assert all(one["differing_bytes"] == 0 for one in document["agreement"])
    assert document["restore"]["dirty_pages"] == 5  # 20,000 bytes
    addresses = document["addresses"]
    assert addresses["regions"] == addresses["exact"] > 0
    assert addresses["kernarg_exact"]
    assert addresses["code_exact"]
    assert document["environment"]["gpu_agent"] == "gfx942"
    assert document["canaries"]["checked_bytes"] > 0
    assert document["canaries"]["damaged"] == []


def test_times_are_those_of_the_gpu(taken: Taken, replay: Replay) -> None:
    document = replay("full-vm", taken(IN_OUT, dispatch=1), "--iterations", "4").document
    timing, values = document["timing"], document["timing"]["values"]
    assert timing["unit"] == "microseconds"
    assert len(values) == 4
    assert timing["min"] == min(values)
    assert timing["max"] == max(values)
    assert timing["average"] == pytest.approx(sum(values) / 4)
    assert timing["median"] == pytest.approx(sum(sorted(values)[1:3]) / 2)
    mean = sum(values) / 4
    assert timing["spread"] == pytest.approx((sum((v - mean) ** 2 for v in values) / 3) ** 0.5)
    fidelity = document["fidelity"]
    assert fidelity["in_app_us"] > 0
    assert fidelity["gap"] == pytest.approx(timing["median"] / fidelity["in_app_us"] - 1)


def test_stateful_replays_build_on_each_other(taken: Taken, replay: Replay, tmp_path: Path) -> None:
    done = replay("full-vm", taken(IN_OUT, dispatch=1), "--iterations", "3", "--no-recopy", "--warmup", "1")
    assert done.document["execution"]["mode"] == "stateful"
    # Only the first starts from the captured state, the warmup notwithstanding.
    assert done.document["agreement"] == [{"iteration": 0, "differing_pages": 0, "differing_bytes": 0}]
    assert len(done.document["timing"]["values"]) == 3


def test_memories_of_every_kind(taken: Taken, replay: Replay) -> None:
    capture = taken(EVERYTHING)
    dispatch = json.loads((capture / "dispatch.json").read_text())
    assert dispatch["segments"]["dynamic_group_size"] == 512
    assert dispatch["segments"]["private_size"] > 0
    done = replay("full-vm", capture, "--iterations", "3")
    assert done.code == 0, done.document
    assert [one["differing_bytes"] for one in done.document["agreement"]] == [0, 0, 0]
    assert done.document["addresses"]["code_exact"]
    # The counter in the code object's data changed in the capture, so its page is among those restored.
    regions = json.loads((capture / "memory_regions.json").read_text())["regions"]
    assert any(one["kind"] == "globals" and one["changed_bytes"] for one in regions)


def test_twenty_fresh_processes_have_exact_addresses(taken: Taken, replay: Replay) -> None:
    capture = taken(EVERYTHING)
    for _ in range(20):
        document = replay("full-vm", capture).document
        addresses = document["addresses"]
        assert addresses["exact"] == addresses["regions"] >= 20
        assert addresses["kernarg_exact"]
        assert addresses["code_exact"]
        assert document["agreement"][0]["differing_bytes"] == 0


def test_reserve_check_says_that_all_is_exact(taken: Taken, replay: Replay) -> None:
    done = replay("reserve-check", taken(EVERYTHING))
    assert done.code == 0
    assert done.document["outcome"] == "exact"
    ranges = done.document["ranges"]
    assert len(ranges) == done.document["total"] == done.document["exact"] >= 20
    assert all(one["base"] == one["got"] and one["outcome"] == "exact" for one in ranges)
    assert done.document["bytes"] == sum(one["size"] for one in ranges)


def test_a_small_capture_is_quick(taken: Taken, replay: Replay) -> None:
    capture = taken(IN_OUT, dispatch=1)
    took = []
    for _ in range(3):
        start = time.monotonic()
        document = replay("full-vm", capture).document
        took.append(time.monotonic() - start)
        assert document["wall_seconds"] <= took[-1]
    assert min(took) < 10  # a tenth of a second; benchmarks/capture_cost.py measures it


def test_cold_replays_are_byte_equal(taken: Taken, replay: Replay) -> None:
    document = replay("full-vm", taken(IN_OUT, dispatch=1), "--iterations", "2", "--cold").document
    assert document["execution"]["cold"] is True
    assert [one["differing_bytes"] for one in document["agreement"]] == [0, 0]


def test_a_replay_can_be_captured_and_replayed(taken: Taken, replay: Replay, tmp_path: Path) -> None:
    # To the capturing library the tool is a program like any other, with the same memory and addresses.
    capture, again = taken(EVERYTHING), tmp_path / "again"
    library = vrocm.native_dir() / "lib" / "librocm-perf-capture.so"
    assert replay("full-vm", capture, HSA_TOOLS_LIB=str(library), ISOLATE_OUT=str(again)).code == 0
    done = replay("full-vm", again, "--iterations", "2")
    assert done.code == 0, done.document
    assert done.document["addresses"]["code_exact"]
    assert [one["differing_bytes"] for one in done.document["agreement"]] == [0, 0]

    def changed(folder: Path) -> dict[int, int]:
        regions = json.loads((folder / "memory_regions.json").read_text())["regions"]
        return {int(one["base"], 16): one["changed_bytes"] for one in regions if one["changed_bytes"]}

    assert changed(again) == changed(capture)
