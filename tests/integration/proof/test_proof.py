"""Each kind of dispatch is captured while its program runs on unharmed, and replayed 20 times in fresh
processes: every address exact, every byte as the program had it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.commands import SECONDS

# program -> (kernel, which of its dispatches)
CASES = {
    "pointer_chase": ("chase", 0),
    "linked_structure": ("walk", 0),
    "virtual_memory": ("through_both", 0),
    "mapped_instructions": ("everything", 1),
    "many_buffers": ("add_number", 0),
    "in_out": ("twice_plus_one", 2),
    "atomic_sum": ("sum", 0),
    "local_memories": ("shuffle_through", 0),
    "globals": ("use", 1),
    "stored_pointer": ("look_up", 0),
    "three_dimensions": ("mark", 0),
    "two_queues": ("combine", 3),
    "uses_library": (r"scale<5>", 0),
    "second_gpu": ("follow", 1),
}
# program -> variables that it needs, and its replays
VARIABLES = {"second_gpu": {"VROCM_DEVICES": "2"}}
# The second iteration finds warm caches, and its groups add in another order.
ORDER_DEPENDENT = {"atomic_sum"}
FRESH, FRESH_IN_DEFAULT_TIER = 20, 4


@pytest.mark.parametrize("name", CASES)
def test_captured_and_replayed_in_fresh_processes(
    name: str, rocm_perf, program, environment, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    processes = FRESH if request.config.getoption("--all") else FRESH_IN_DEFAULT_TIER
    kernel, dispatch = CASES[name]
    command = [str(program(name))]
    if name == "uses_library":
        command.append(str(program("launching_library")))
    variables = VARIABLES.get(name, {})
    alone = subprocess.run(
        command, env={**environment, **variables}, capture_output=True, text=True, timeout=SECONDS
    )
    assert alone.returncode == 0, alone.stdout

    capture = tmp_path / "capture"
    chosen = ("--kernel", kernel, "--dispatch", dispatch)
    made = rocm_perf("capture", *chosen, "--out", capture, "--", *command, **variables)
    assert made.code == 0, made.stderr
    assert alone.stdout in made.stdout, "the program prints what it prints alone"

    exact = 0
    for _ in range(processes):
        asked = ("--capture-dir", capture, "--iterations", 2, "--json")
        replayed = rocm_perf("replay", "full-vm", *asked, **variables)
        assert replayed.code == 0, replayed.stderr
        document = replayed.document
        assert document["environment"]["gpu_index"] == (1 if name == "second_gpu" else 0)
        addresses = document["addresses"]
        exact += addresses["exact"] == addresses["regions"] and addresses["kernarg_exact"]
        if name not in ORDER_DEPENDENT:
            assert [each["differing_bytes"] for each in document["agreement"]] == [0, 0]
    assert exact == processes
