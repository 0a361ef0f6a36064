"""Optimizing and tuning over the protocol: the gate decides, budgets bound, progress is told, calls can be
cancelled."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client
from tests.commands import SECONDS

from .conftest import Call
from .test_cancelling import ends, processes
from .test_tools import read, structured, text_of

SOURCE = """#include <hip/hip_runtime.h>
#include <unistd.h>
__global__ void row_sums(const float* in, float* out, int columns) {
    const float* x = in + (blockIdx.x * blockDim.x + threadIdx.x) * columns;
    float sum = 0;
    for (int j = 0; j < columns; ++j) sum += expf(x[j]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
int main(int argc, char** argv) {
    const int rows = 64, columns = argc > 1 ? atoi(argv[1]) : 16;
    float *in, *out;
    (void)hipMalloc(&in, rows * columns * 4);
    (void)hipMalloc(&out, rows * 4);
    (void)hipMemset(in, 0, rows * columns * 4);
    row_sums<<<1, rows>>>(in, out, columns);
    (void)hipDeviceSynchronize();
    (void)hipFree(in);
    (void)hipFree(out);
    if (argc > 2) for (;;) pause();
}
"""


@pytest.fixture(scope="module")
def sums(root: Path, environment: dict[str, str]) -> Path:
    """A source in the root, and the program made of it: the more columns, the more an unrolled loop saves."""
    source = root / "sums.hip"
    source.write_text(SOURCE)
    done = subprocess.run(
        ["hipcc", "-O3", source.name, "-o", "sums"], cwd=root, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (root / "columns.json").write_text(json.dumps({"parameters": {"COLUMNS": [4, 64, 256]}}))
    return source


def test_what_the_gate_accepts_is_written(call: Call, sums: Path) -> None:
    told: list[Any] = []
    request = {"program": "sums", "arguments": ["64"], "source": "sums.hip"}
    result = call("optimize", told, **request, budget=300, max_trials=1, max_changes=1, write=True)
    document = read("optimization", structured(result))
    (change,) = document.accepted
    tried = document.tried[change.trial]
    assert tried.kernel_time is not None
    assert tried.kernel_time.ratio_high < 0.98  # what the gate asks for
    assert change.place == "written"
    assert sums.read_text() != SOURCE
    assert "changes accepted" in text_of(result)
    assert any("row_sums" in message and "faster" in message for _, _, message in told)
    sums.write_text(SOURCE)


def test_what_the_gate_refuses_is_not_written_and_says_why(call: Call, sums: Path) -> None:
    """With one column there is nothing to unroll: the same change, and no kernel that is faster by it."""
    request = {"program": "sums", "arguments": ["1"], "source": "sums.hip"}
    result = call("optimize", **request, budget=300, max_trials=1, max_changes=1, write=True)
    document = read("optimization", structured(result))
    assert document.accepted == ()
    assert sums.read_text() == SOURCE
    (built,) = [one for one in document.tried if one.kernel_time]
    assert (built.proposal.transform, built.result) == ("unroll", "refused")
    assert "byte for byte" in str(built.results)  # right, and still refused
    assert {one.code for one in built.refusals} == {"kernel-not-faster", "whole-not-faster"}
    assert text_of(result).startswith(f"0 of {len(document.tried)} changes accepted")


def test_a_budget_bounds_it_and_boasts_do_not_help(call: Call, sums: Path) -> None:
    """The same change, but no trial may begin; words that are no arguments of the tool mark no success."""
    boasts = {"accept": True, "accepted": [0], "min_improvement": -1.0, "verdict": "faster", "resume": True}
    request = {"program": "sums", "arguments": ["64"], "source": "sums.hip"}
    document = read("optimization", structured(call("optimize", **request, budget=1, write=True, **boasts)))
    assert (document.tried, document.accepted, document.end) == ((), (), "budget")
    assert sums.read_text() == SOURCE


def test_autotune(portal: BlockingPortal, client: Client, call: Call, sums: Path) -> None:
    told: list[Any] = []
    request = {"space": "columns.json", "program": "sums", "arguments": ["{COLUMNS}"]}
    found = structured(call("autotune", told, **request, evals=3, budget=300))
    tuning = read("tuning", found["tuning"])
    assert tuning.best.configuration == {"COLUMNS": 4}
    assert (tuning.evaluated, tuning.stopped) == (3, "evals")
    assert json.loads(Path(found["run"], "tuning.json").read_text()) == found["tuning"]
    assert sum("COLUMNS" in message for _, _, message in told) >= 3
    listed = {resource.uri for resource in portal.call(client.list_resources).resources}
    for name in ("tuning.json", "tuning.html"):
        uri = f"rocm-perf://{found['run']}/{name}"
        assert uri in listed
        (content,) = portal.call(client.read_resource, uri).contents
        assert content.text == Path(found["run"], name).read_text()  # type: ignore[union-attr]


def test_a_budget_bounds_a_tuning(call: Call, sums: Path) -> None:
    many = list(range(1, 1001))  # more programs than any machine starts in a second
    (sums.parent / "many.json").write_text(json.dumps({"parameters": {"COLUMNS": many}}))
    request = {"space": "many.json", "program": "sums", "arguments": ["{COLUMNS}"]}
    found = structured(call("autotune", **request, budget=1))
    tuning = read("tuning", found["tuning"])
    assert tuning.stopped == "budget"
    assert tuning.evaluated < len(many)


CALLS = {
    "optimize": {"source": "sums.hip", "arguments": ["64", "hang"], "budget": 300, "write": True},
    "autotune": {"space": "columns.json", "arguments": ["{COLUMNS}", "hang"], "budget": 300},
}


def hanging() -> list[int]:
    """The program, or what an optimization has made of its source; not those that run it."""
    return processes(lambda words: words[0].endswith((b"/sums", b"/variant")) and b"hang" in words)


@pytest.mark.parametrize("tool", CALLS)
def test_cancelled(portal: BlockingPortal, client: Client, call: Call, sums: Path, tool: str) -> None:
    portal.call(_call_until_something_hangs, client, tool)
    assert ends(hanging)
    # The next call has its turn when the cancelled one has cleared up.
    assert not call("check", program="sums", only=["leak"]).is_error
    assert sums.read_text() == SOURCE
    root = sums.parent
    assert not [path for path in root.rglob("*") if path.name.endswith(".draft")]
    assert not list(root.glob(".rocm-perf/optimize/*/*/work-*"))
    for document in root.glob(".rocm-perf/**/*.json"):
        json.loads(document.read_text())


async def _call_until_something_hangs(client: Client, tool: str) -> None:
    import anyio

    async with anyio.create_task_group() as group:

        async def call() -> None:
            await client.call_tool(tool, {"program": "sums", **CALLS[tool]})

        group.start_soon(call)
        with anyio.fail_after(SECONDS):
            while not hanging():
                await anyio.sleep(0.05)
        group.cancel_scope.cancel()
