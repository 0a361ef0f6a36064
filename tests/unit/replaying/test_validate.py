"""The proof, with a replay tool of ours in Python: what is found right, wrong, void, and what is poisoned."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rocm_perf_lab.contracts.captures.validation import ValidationDocument
from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.errors import NotReplayable
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.replaying.memory.tolerance import ToleranceRequest, parse_tolerances
from rocm_perf_lab.replaying.native_tool import trial
from rocm_perf_lab.replaying.native_tool.tool import Tool
from rocm_perf_lab.replaying.proof import negative_control
from rocm_perf_lab.replaying.validate import ValidationRequest, validate
from rocm_perf_lab.reporting.terminal.validation import render_validation
from rocm_perf_lab.rocm.find import Prefix

from . import pretend_replay
from .made import IN, OUT, MadeCapture, Region, argument

COUNT = 3000
Validate = Callable[..., ValidationDocument]


@pytest.fixture
def proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Validate:
    """proved(kernel, before_out, variant): validates a capture of a pretended kernel."""
    monkeypatch.setattr(trial, "replay", pretend_replay.replay)
    monkeypatch.setattr(negative_control, "without_effect", lambda code, kernel, architecture: b"nothing")

    def run(
        kernel: str,
        before: np.ndarray | None = None,
        variant: str | None = None,
        tolerance: ToleranceRequest | None = None,
        captured_by: str | None = None,
    ) -> ValidationDocument:
        x = np.arange(1, COUNT + 1, dtype="<f4")
        held = np.zeros(COUNT, "<f4") if before is None else before.astype("<f4")
        after = held.copy()
        pretend_replay.KERNELS[captured_by or kernel](x, after, random.Random(1))
        capture = MadeCapture(
            symbol="_Z1kPKfPf",
            demangled="k(float const*, float*)",
            arguments=[
                argument(0, 0, struct.pack("<Q", IN), "global_buffer", name="x", region=hex(IN)),
                argument(1, 8, struct.pack("<Q", OUT), "global_buffer", name="out", region=hex(OUT)),
            ],
            regions=[
                Region(IN, x.tobytes()),
                Region(OUT, held.tobytes(), after.tobytes()),
                Region(0x7F0000400000, b"\7" * 100, None, "host", "kernarg", None),
            ],
        ).write(tmp_path / "capture")
        hsaco = None
        if variant is not None:
            hsaco = tmp_path / "variant.hsaco"
            hsaco.write_text(variant)
        prefix = Prefix("real", tmp_path, None, "a test")
        tool = Tool(tmp_path / "none", prefix, None, {"PRETEND_KERNEL": kernel})
        request = ValidationRequest(
            runs=3, hsaco=hsaco, iterations=0, tolerance=tolerance or ToleranceRequest()
        )
        document = validate(capture, request, tool, Progress(enabled=False))
        assert from_json(ValidationDocument, to_json(document), "validation") == document
        assert render_validation(document)
        return document

    return run


def test_a_kernel_that_only_writes(proved: Validate) -> None:
    found = proved("scale")
    assert found.verdict == "passed"
    assert (found.self_replay.byte_equal, found.self_replay.exact_addresses) == (3, 3)
    assert found.self_replay.label == "deterministic"
    assert (found.poison.method, found.poison.confirmed) == ("trial", True)
    assert 4 * COUNT - 4 <= found.poison.bytes <= 4 * COUNT
    assert found.negative_control.found_out


def test_outputs_that_were_right_before_are_found_by_poison_alone(proved: Validate) -> None:
    """The program had run the kernel before: doing nothing leaves the right result."""
    found = proved("scale", before=2 * np.arange(1, COUNT + 1))
    assert found.negative_control.changed_bytes == 0
    assert found.negative_control.found_out
    assert found.verdict == "passed"


def test_a_kernel_without_effect_proves_nothing(proved: Validate) -> None:
    found = proved("nothing")
    assert found.verdict == "void"
    assert not found.negative_control.found_out
    assert "anything passes" in found.reason


def test_a_kernel_that_updates_is_not_poisoned(proved: Validate) -> None:
    found = proved("in_place", before=np.arange(COUNT))
    assert found.verdict == "passed"
    assert found.poison.method == "none"
    assert found.negative_control.found_out


def test_a_byte_that_is_overwritten_and_was_read_is_not_poisoned(proved: Validate) -> None:
    found = proved("shift", before=np.full(COUNT, 3))
    assert found.verdict == "passed"
    assert found.poison.method == "none"
    assert "not read before" in found.poison.reason


def test_poisoned_inputs_may_end_the_process(proved: Validate) -> None:
    found = proved("follow_index")
    assert found.verdict == "passed"
    assert found.poison.confirmed
    assert 4 * COUNT - 4 <= found.poison.bytes <= 4 * COUNT


def test_half_of_the_output_is_poisoned(proved: Validate) -> None:
    found = proved("scale_first_half", before=np.full(COUNT, 9))
    assert found.verdict == "passed"
    assert 4 * (COUNT // 2) - 4 <= found.poison.bytes <= 4 * (COUNT // 2)


def test_a_variant_that_writes_less_is_found_out_by_poison(proved: Validate) -> None:
    found = proved("scale", before=2 * np.arange(1, COUNT + 1), variant="scale_first_half")
    assert found.verdict == "failed"
    assert found.variant is not None
    (report,) = found.variant.buffers
    assert report.first is not None
    assert (report.name, report.first.index) == ("out", COUNT // 2)


def test_a_wrong_element_is_located(proved: Validate) -> None:
    found = proved("scale", variant="scale_wrongly")
    assert found.verdict == "failed"
    assert found.variant is not None
    (report,) = found.variant.buffers
    assert report.first is not None
    assert (report.name, report.type, report.beyond_tolerance) == ("out", "float", 1)
    assert (report.first.index, report.first.expected, report.first.got) == (17, "36.0", "37.0")
    assert (report.max_abs_error, report.first.address) == (1.0, hex(OUT + 4 * 17))
    assert "out[17] should be 36.0, is 37.0" in render_validation(found)


@pytest.mark.parametrize(
    ("options", "verdict"),
    [
        ((0.05, None, []), "passed"),
        ((None, 0.5, []), "failed"),
        ((None, None, ["out=0,1.5"]), "passed"),
        ((1.0, 1.0, ["out=0,0.5"]), "failed"),
    ],
)
def test_explicit_tolerances(
    proved: Validate, options: tuple[float | None, float | None, list[str]], verdict: str
) -> None:
    found = proved("scale", variant="scale_wrongly", tolerance=parse_tolerances(*options))
    assert found.verdict == verdict
    assert found.variant is not None
    assert found.variant.buffers[0].tolerance.source == "explicit"


def test_sums_in_any_order(proved: Validate) -> None:
    found = proved("add_up", variant="add_up")
    assert found.self_replay.label == "order-dependent"
    assert found.verdict == "passed"
    assert found.variant is not None
    for report in found.variant.buffers:
        assert report.tolerance.source == "learned"
        assert 0 < report.tolerance.rtol * 9 + report.tolerance.atol < 1e-3


def test_a_wrong_sum_is_beyond_what_was_learned(proved: Validate) -> None:
    found = proved("add_up", variant="read_clock")
    assert found.verdict == "failed"


def test_races_prove_nothing(proved: Validate) -> None:
    found = proved("lose_updates")
    assert found.self_replay.label == "racy"
    assert found.verdict == "void"


def test_what_is_not_in_the_capture_is_named(proved: Validate) -> None:
    found = proved("read_clock", captured_by="shift")
    assert found.verdict == "failed"
    assert "agree with one another and not with the capture" in found.reason


def test_a_variant_that_faults_fails(proved: Validate) -> None:
    found = proved("follow_index", variant="fault")
    assert found.verdict == "failed"
    assert found.variant is not None
    assert "the kernel faulted" in found.variant.reason


def test_what_is_refused_is_named(tmp_path: Path) -> None:
    item = {"what": "hidden argument", "name": "hidden_hostcall_buffer", "outcome": "refused"}
    item |= {"reason": "a thread of the program serves it", "address": None, "bytes": None}
    folder = MadeCapture(complete=False, items=[item]).write(tmp_path / "capture")
    tool = Tool(tmp_path / "none", Prefix("real", tmp_path, None, "a test"), None, {})
    with pytest.raises(NotReplayable, match="hidden_hostcall_buffer") as caught:
        validate(folder, ValidationRequest(), tool, Progress(enabled=False))
    assert caught.value.exit_code == 9
