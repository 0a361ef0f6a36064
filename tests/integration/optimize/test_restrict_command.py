"""rocm-perf optimize --allow restrict_const: accepted where every launch shows distinct pointers, and not
where one does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import succeed

from rocm_perf_lab.optimizing.building.built import read_built
from rocm_perf_lab.optimizing.distinct_pointers import distinct_pointers
from rocm_perf_lab.optimizing.transforms.request import DistinctPointers

from .conftest import rocm_perf

# No loop, so that nothing but the head can be changed; each line waits for the one before unless the compiler
# knows that what is written is not read.
LINES = "".join(f"    out[i + {64 * row}] = in[i + {64 * row}] * factor[{row}];\n" for row in range(8))
SOURCE = """#include <hip/hip_runtime.h>
__global__ void scale(const float* in, const float* factor, float* out) {
    int i = threadIdx.x;
%s}
int main(int argc, char** argv) {
    float *in, *out, *factor;
    (void)hipMalloc(&in, 2048);
    (void)hipMalloc(&out, 2048);
    (void)hipMalloc(&factor, 32);
    (void)hipMemset(in, 0, 2048);
    (void)hipMemset(factor, 0, 32);
    scale<<<1, 64>>>(in, factor, out);
    scale<<<1, 64>>>(argc > 1 ? out : in, factor, out);
    (void)hipDeviceSynchronize();
    (void)hipFree(in);
    (void)hipFree(out);
    (void)hipFree(factor);
}
"""


KERNEL = "scale(float const*, float const*, float*)"


@pytest.fixture
def built(tmp_path: Path, environment: dict[str, str]) -> Path:
    (tmp_path / "scale.hip").write_text(SOURCE % LINES)
    succeed("hipcc", "-O2", "scale.hip", "-o", "app", environment=environment, cwd=tmp_path)
    return tmp_path


def test_accepted_where_all_pointers_are_distinct(built: Path) -> None:
    words = ("./app", "--allow", "restrict_const", "--json", "--max-iters", "1")
    done = rocm_perf(built, "optimize", *words)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    tried = {one["proposal"]["transform"]: one for one in document["tried"]}["restrict_const"]
    assert tried["result"] == "taken", tried["refusals"]
    assert tried["kernel_time"]["ratio"] < 0.8
    assert document["accepted"][0]["diff"].count("__restrict__") == 3


def test_one_launch_that_aliases_is_seen(built: Path, tmp_path: Path) -> None:
    program = built / "app"
    for number, (words, places) in enumerate([((), {0, 1, 2}), (("same",), {1})]):
        place = tmp_path / f"place-{number}"
        found = distinct_pointers(program, read_built(program), words, KERNEL, place, 100)
        assert found == DistinctPointers(frozenset(places), 3)
    assert distinct_pointers(program, read_built(program), (), "other()", tmp_path / "other", 100) is None
