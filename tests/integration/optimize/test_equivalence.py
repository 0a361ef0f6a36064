"""Kernels that cheat, proposed to rocm-perf optimize by a plug-in: each is refused; an honest one is not."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.commands import run, virtual_rocm

# All launches have 64 columns and two workgroups; `known` holds what the kernel will compute. Nobody looks
# at the results.
SOURCE = """#include <hip/hip_runtime.h>
__device__ float notes[256];
__global__ void reference(const float* in, float* known, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < columns; ++j) sum += in[row * columns + j] * 0.5f;
    known[row] = sum;
}
__global__ void note(int rows) {
    for (int row = threadIdx.x; row < rows; row += blockDim.x) notes[row] = row;
}
__global__ void sums(const float* in, const float* known, float* out, float* moved, int rows, int columns) {
    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
        float sum = 0;
        for (int j = 0; j < columns; ++j) sum += in[row * columns + j] * 0.5f;
        out[row] = sum;
        moved[row] = sum - known[row];
    }
}
int main() {
    const int rows = 256, columns = 64;
    float *in, *known, *out, *moved, host[rows * columns];
    for (int i = 0; i < rows * columns; ++i) host[i] = (i % 7) * 0.25f;
    (void)hipMalloc(&in, sizeof host);
    (void)hipMalloc(&known, rows * 4);
    (void)hipMalloc(&out, rows * 4);
    (void)hipMalloc(&moved, rows * 4);
    (void)hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
    (void)hipMemset(out, 0, rows * 4);
    (void)hipMemset(moved, 0, rows * 4);
    reference<<<rows / 64, 64>>>(in, known, columns);
    note<<<1, 64>>>(rows);
    for (int i = 0; i < 2; ++i) sums<<<2, 64>>>(in, known, out, moved, rows, columns);
    (void)hipDeviceSynchronize();
    for (float* each : {in, known, out, moved}) (void)hipFree(each);
    return 0;
}
"""
SUM = "for (int j = 0; j < columns; ++j) sum += in[row * columns + j] * 0.5f;\n        out[row] = sum;"
LOOP = (
    "for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {\n"
    "        float sum = 0;"
)
CHEATS = {
    # name: (what is replaced, by what, reason, what the reason says)
    "does nothing": (SUM, "if (rows < 0) out[row] = sum;", "outputs-differ", "variant: "),
    "writes half": (SUM, SUM.replace("out[row]", "if (row % 2) out[row]"), "outputs-differ", "variant: "),
    "skips what is there": (
        LOOP,
        LOOP + "\n        if (out[row] > 0 && moved[row] == 0) continue;",
        "outputs-differ",
        "other floating-point values",
    ),
    "keeps results": (SUM, SUM + " notes[row] = sum;", "forbidden-global", "notes"),
    "keeps results of its own": (
        LOOP,
        "static __device__ float kept[256];\n    " + LOOP,
        "forbidden-global",
        "static",
    ),
    "reads its expected output": (
        SUM,
        "sum = known[row];\n        out[row] = sum;",
        "outputs-differ",
        "other floating-point values",
    ),
    "has its answer built in": (
        SUM,
        SUM.replace("sum += in[row * columns + j] * 0.5f", "sum += ((row * 64 + j) % 7) * 0.25f * 0.5f"),
        "outputs-differ",
        "other floating-point values",
    ),
    "works for this size only": (
        SUM,
        SUM.replace("j < columns", "j < 64"),
        "outputs-differ",
        "smaller arguments",
    ),
    "works for this grid only": (
        LOOP,
        LOOP.replace("row += gridDim.x * blockDim.x", "row += 128"),
        "outputs-differ",
        "one workgroup",
    ),
    "counts on whole workgroups": (
        LOOP,
        LOOP.replace("row < rows", "row < rows || row < 2 * gridDim.x * blockDim.x"),
        "outputs-differ",
        "one workgroup more",
    ),
}
HONEST = (SUM, "#pragma unroll 4\n        " + SUM)
PLUG_IN = """
from rocm_perf_lab.contracts.changes.proposal import Proposal
from rocm_perf_lab.optimizing.proposers.interface import ProposedKernel
from rocm_perf_lab.optimizing.source.match import find_kernel
from rocm_perf_lab.optimizing.source.read import read_unit

IDEAS = {ideas!r}

class Cheats:
    name = "cheats"

    def propose(self, situation):
        kernel = situation.kernel
        for name, (old, new) in IDEAS.items():
            head, found, tail = kernel.text.rpartition(old.encode())
            if not found:
                continue
            unit = read_unit(kernel.file.path, text=head + new.encode() + tail)
            proposal = Proposal(
                proposer=self.name, kernel="sums", transform=name, loop=None, line=None, factor=None,
                target=None, expected_gain=None, reasoning=name,
            )
            yield ProposedKernel(proposal, find_kernel(unit, situation.profile.name))

    def repair(self, situation, candidate, messages):
        return None
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("cheats")
    (place / "sums.hip").write_text(SOURCE)
    plug_in = place / "plug_in"
    information = plug_in / "cheats-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: cheats\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[rocm_perf_lab.proposers]\ncheats = cheats:Cheats\n")
    ideas = {name: (old, new) for name, (old, new, _, _) in CHEATS.items()}
    (plug_in / "cheats.py").write_text(PLUG_IN.format(ideas={**ideas, "honest": HONEST}))
    return place


def test_cheats_are_refused_and_honest_work_is_not(folder: Path) -> None:
    words = ("sums.hip", sys.executable, "--proposer", "cheats", "--kernel", "^sums", "--max-iters", "1")
    # PYTHONPATH is not looked at: the plug-in is where pip would have put it.
    start = f"import sys; sys.path.append({str(folder / 'plug_in')!r}); "
    start += "from rocm_perf_lab.__main__ import main; main()"
    command = (sys.executable, "-E", "-c", start, "optimize", *words, "--json")
    done = run(*command, environment=virtual_rocm(), cwd=folder)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    tried = {one["proposal"]["transform"]: one for one in document["tried"]}
    assert list(tried) == [*CHEATS, "honest"]
    expected = {name: (code, says) for name, (_, _, code, says) in CHEATS.items()}
    got = {name: one["refusals"][0] for name, one in tried.items() if one["refusals"]}
    assert {name: refusal["code"] for name, refusal in got.items()} == {
        name: code for name, (code, _) in expected.items()
    }, got
    assert [name for name, (_, says) in expected.items() if says not in got[name]["detail"]] == [], got
    assert tried["honest"]["refusals"] == []
    (change,) = document["accepted"]
    assert document["tried"][change["trial"]] == tried["honest"]
    assert "smaller arguments, one workgroup less" in tried["honest"]["results"]
    assert "one workgroup more" in tried["honest"]["results"]
