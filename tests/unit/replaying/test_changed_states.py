"""Variants in other states than the captured one, with a replay tool of ours in Python."""

from __future__ import annotations

import contextlib
import random
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from rocm_perf_lab.errors import ProgramFailed
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.replaying.memory.tolerance import ToleranceRequest
from rocm_perf_lab.replaying.native_tool import trial
from rocm_perf_lab.replaying.native_tool.tool import Tool
from rocm_perf_lab.replaying.proof import negative_control
from rocm_perf_lab.replaying.proof.capture_proof import CaptureProof, open_bench, prove_capture
from rocm_perf_lab.replaying.proof.changed_states import ChangedStates, judge_in, make_changed_states
from rocm_perf_lab.rocm.find import Prefix

from . import pretend_replay
from .made import IN, OUT, MadeCapture, Region, argument

COUNT = 2000
X = np.arange(1, COUNT + 1, dtype="<f4")


def answer_built_in(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    out[:] = 2 * X


def left_over(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    """Does nothing where something sensible is there already."""
    fresh = ~np.isfinite(out) | (np.abs(out) > 2 * COUNT) | (np.abs(out) < 0.1)
    out[fresh] = 2 * x[fresh]


def particular(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    """Bears no other input."""
    if (x != X).any():
        raise ProgramFailed("the kernel faulted")
    out[:] = 2 * x


def any_order(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    """A sum in an order that nobody promises."""
    total = np.float32(0)
    for at in choose.sample(range(COUNT), COUNT):
        total += np.float32(1) / x[at]
    out[:] = x
    out[0] = total


def any_order_wrongly(x: np.ndarray, out: np.ndarray, choose: random.Random) -> None:
    any_order(x, out, choose)
    out[0] = out[0] * np.float32(1.01) if (x != X).any() else out[0]


@pytest.fixture
def states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., tuple[CaptureProof, ChangedStates]]]:
    """states(kernel): of a capture of a pretended kernel."""
    monkeypatch.setattr(trial, "replay", pretend_replay.replay)
    monkeypatch.setattr(negative_control, "without_effect", lambda code, kernel, architecture: b"nothing")
    for kernel in (answer_built_in, left_over, particular, any_order, any_order_wrongly):
        monkeypatch.setitem(pretend_replay.KERNELS, kernel.__name__, kernel)
    keep = contextlib.ExitStack()

    def made(kernel: str, before: np.ndarray | None = None) -> tuple[CaptureProof, ChangedStates]:
        held = np.zeros(COUNT, "<f4") if before is None else before.astype("<f4")
        after = held.copy()
        pretend_replay.KERNELS[kernel](X, after, random.Random(1))
        capture = MadeCapture(
            symbol="_Z1kPKfPf",
            demangled="k(float const*, float*)",
            arguments=[
                argument(0, 0, struct.pack("<Q", IN), "global_buffer", name="x", region=hex(IN)),
                argument(1, 8, struct.pack("<Q", OUT), "global_buffer", name="out", region=hex(OUT)),
            ],
            regions=[
                Region(IN, X.tobytes()),
                Region(OUT, held.tobytes(), after.tobytes()),
                Region(0x7F0000400000, b"\7" * 100, None, "host", "kernarg", None),
            ],
        ).write(tmp_path / "capture")
        tool = Tool(
            tmp_path / "none", Prefix("real", tmp_path, None, "a test"), None, {"PRETEND_KERNEL": kernel}
        )
        bench = keep.enter_context(open_bench(capture, tool, Progress(enabled=False), 20))
        proof = prove_capture(bench, 3, ToleranceRequest())
        assert proof.verdict[0] == "passed"
        return proof, make_changed_states(proof, tmp_path / "states", keep)

    with keep:
        yield made


def wrong(found: ChangedStates, folder: Path, variant: str) -> list[str | None]:
    """What is said of a variant in each state."""
    hsaco = folder / "variant.hsaco"
    hsaco.write_text(variant)
    return [judge_in(state, hsaco) for state in found.used]


def test_what_is_right_everywhere_and_what_only_here(states, tmp_path: Path) -> None:
    _, found = states("scale")
    assert [state.name for state in found.used] == [
        "other floating-point values, one workgroup less",
        "other floating-point values, one workgroup more",
    ]
    assert wrong(found, tmp_path, "scale") == [None, None]
    for said in wrong(found, tmp_path, "answer_built_in"):
        assert said is not None
        assert "out differs from the original" in said
    for said in wrong(found, tmp_path, "fault"):
        assert said is not None
        assert "which the original bears: the kernel faulted" in said


def test_results_that_are_still_there_are_none(states, tmp_path: Path) -> None:
    """The program had run the kernel before."""
    _, found = states("scale", before=2 * X)
    assert None not in wrong(found, tmp_path, "left_over")


def test_states_that_the_original_does_not_bear_are_not_used(states, tmp_path: Path) -> None:
    _, found = states("particular")
    assert [state.name for state in found.used] == ["one workgroup less"]
    assert all("does not bear it: the kernel faulted" in said for said in found.unused)
    assert len(found.unused) == 3


def test_values_that_make_no_difference_say_nothing(states, tmp_path: Path) -> None:
    """A kernel that reads nothing."""
    _, found = states("answer_built_in")
    assert "other floating-point values: the original gives what it gave before" not in found.unused
    assert wrong(found, tmp_path, "answer_built_in") == [None] * len(found.used)


def test_sums_in_another_order_are_right_and_others_are_not(states, tmp_path: Path) -> None:
    proof, found = states("any_order")
    assert proof.replayed.report.label == "order-dependent"
    assert found.used
    assert set(wrong(found, tmp_path, "any_order")) == {None}
    assert None not in wrong(found, tmp_path, "any_order_wrongly")
