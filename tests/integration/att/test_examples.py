"""Thread traces of the examples: figures against a plain replay, and against what the programs do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import Att, Traced
from .replay import replay

NAMES = ("matmul_tiled", "matmul_mfma", "pointer_chase", "histogram", "reduction")
EVERYTHING = ("--att-target-cu", "0", "--att-shader-engine-mask", "0x3")


@pytest.fixture(params=NAMES)
def pair(request: pytest.FixtureRequest, traced: Traced, att: Att) -> tuple[Path, dict[str, Any]]:
    """A trace folder with waves, and what rocm-perf att says of it."""
    folder = sorted(traced(request.param, *EVERYTHING).glob("ui_output_*"))[0]
    run = att("--json", folder)
    assert run.code == 0, run.stderr
    (dispatch,) = run.document["dispatches"]
    return folder, dispatch


def test_agrees_with_a_replay(pair: tuple[Path, dict[str, Any]]) -> None:
    folder, found = pair
    expected = replay(folder)
    instructions = {one["line"]: one for one in found["instructions"]}
    for line, one in instructions.items():
        assert one["executions"] == expected.executions[line]
        assert one["latency_cycles_total"] == expected.latency[line]
        assert one["of_which_stall_cycles_total"] == expected.stall[line]
        assert one["stall_cycles_caused_total"] == expected.caused[line], one["text"]
    memory = {one["line"]: one for one in found["memory"]}
    assert memory.keys() == expected.waited.keys()
    for line, clocks in expected.waited.items():
        one = memory[line]
        assert one["waited_for"] == len(clocks)
        assert one["issue_to_wait_end_cycles_mean"] == pytest.approx(sum(clocks) / len(clocks))
        assert one["issue_to_wait_end_cycles_min"] == min(clocks)
        assert one["issue_to_wait_end_cycles_max"] == max(clocks)
    states = found["states"]
    assert states["wave_cycles_total"] == expected.lived
    assert states["executing_cycles_total"] == expected.states[2]
    assert states["waiting_cycles_total"] == expected.states[3]


def test_is_in_order(pair: tuple[Path, dict[str, Any]]) -> None:
    _, found = pair
    assert found["origin"] == "simulated"
    assert found["warnings"] == []
    assert [check for check in found["checks"] if not check["passed"]] == []
    assert len(found["checks"]) >= 10
    assert found["kernel"]
    assert found["source_lines"][0]["text"]


def class_counts(found: dict[str, Any]) -> dict[str, int]:
    return {one["instruction_class"]: one["executions"] for one in found["mix"]}


def test_matrix_instructions(traced: Traced, att: Att) -> None:
    folder = sorted(traced("matmul_mfma", *EVERYTHING).glob("ui_output_*"))[0]
    (found,) = att("--json", folder).document["dispatches"]
    matrix = [one for one in found["instructions"] if one["text"].startswith("v_mfma")]
    assert class_counts(found)["MFMA"] == sum(one["executions"] for one in matrix) > 0
    assert all(one["instruction_class"] == "MFMA" for one in matrix)


def test_latency_of_a_pointer_chase(traced: Traced, att: Att) -> None:
    """Each load waits for the one before: their latencies together are the life of the wave."""
    folder = sorted(traced("pointer_chase", *EVERYTHING).glob("ui_output_*"))[0]
    (found,) = att("--json", folder).document["dispatches"]
    chase = found["memory"][0]
    assert chase["stalled_for"] == chase["waited_for"]
    latencies = chase["stalled_latency_cycles_mean"] * chase["waited_for"]
    assert 0.9 < latencies / found["states"]["wave_cycles_total"] <= 1
    costly = max(found["instructions"], key=lambda one: one["cost_cycles_total"])
    assert costly["line"] == chase["line"]
    assert costly["cost_share"] > 0.9
    # value and next are loaded by one instruction, which the compiler gives to neither of their lines.
    assert costly["source"] is None
    assert found["cost_share_without_source"] > 0.9


def test_waves_of_all_engines(traced: Traced, att: Att) -> None:
    folder = sorted(traced("matmul_tiled", *EVERYTHING).glob("ui_output_*"))[0]
    (found,) = att("--json", folder).document["dispatches"]
    occupancy = found["occupancy"]
    assert occupancy["simds"] == 8  # of two engines
    assert occupancy["waves_on_engines"] >= found["waves"]
    assert occupancy["waves_of_other_kernels"] == 0
    assert 0 in occupancy["units_with_waves"]
