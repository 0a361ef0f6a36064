"""What the native tool says, as errors and exit codes of ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rocm_perf_lab.contracts.documents import to_json
from rocm_perf_lab.errors import BadInput, RocmPerfError
from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest, replay
from rocm_perf_lab.replaying.native_tool.tool import Tool
from rocm_perf_lab.replaying.proof.fidelity import fidelity
from rocm_perf_lab.replaying.reserve_check import EXIT_CODES, reserve_check
from rocm_perf_lab.rocm.find import Prefix


def tool(tmp_path: Path, body: str) -> Tool:
    script = tmp_path / "rocm-perf-replay"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)
    return Tool(script, Prefix("real", tmp_path, None, "a test"), None, dict(os.environ))


def says(kind: str, code: int) -> str:
    error = f'{{"kind": "{kind}", "message": "what went wrong", "remedy": "what to do"}}'
    return f"echo '{{\"error\": {error}}}'; exit {code}"


@pytest.mark.parametrize(
    ("kind", "code", "ours"),
    [
        ("hsa", 1, 3),
        ("relocated", 2, 9),
        ("no GPU", 3, 3),
        ("isa", 3, 9),
        ("fault", 4, 4),
        ("capture", 6, 6),
        ("timeout", 7, 7),
        ("refused", 9, 9),
    ],
)
def test_errors(tmp_path: Path, kind: str, code: int, ours: int) -> None:
    with pytest.raises(RocmPerfError) as caught:
        replay(tool(tmp_path, says(kind, code)), ReplayRequest(tmp_path))
    assert caught.value.exit_code == ours
    assert (caught.value.cause, caught.value.remedy) == ("what went wrong", "what to do")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("echo oh dear >&2; exit 1", "oh dear"),
        ("kill -SEGV $$", "SIGSEGV"),
        ("echo no JSON", "nothing that can be read"),
        ("echo [1]", "nothing that can be read"),
    ],
)
def test_tools_that_break(tmp_path: Path, body: str, words: str) -> None:
    with pytest.raises(RocmPerfError, match=words) as caught:
        replay(tool(tmp_path, body), ReplayRequest(tmp_path))
    if words == "nothing that can be read":
        assert caught.value.exit_code == 3


def test_options_of_the_tool(tmp_path: Path) -> None:
    body = 'echo "{\\"said\\": \\"$*\\"}"'
    request = ReplayRequest(
        tmp_path, iterations=3, warmup=1, recopy=False, cold=True, timeout_s=2.5, hsaco=Path("v.hsaco")
    )
    said = replay(tool(tmp_path, body), request)["said"]
    assert said == (
        f"full-vm {tmp_path} --iterations 3 --warmup 1 --no-recopy --cold --timeout 2.5 --hsaco v.hsaco"
    )


@pytest.mark.parametrize(
    ("body", "outcome", "code"),
    [
        (
            'echo \'{"ranges": [{"base": "0x1000", "size": 4096, "outcome": "exact", "got": "0x1000"}]}\'',
            "exact",
            0,
        ),
        (
            'echo \'{"ranges": [{"base": "0x1000", "size": 4096, "outcome": "relocated", "got": "0x2000", '
            '"reason": "taken"}], "error": {"message": "moved"}}\'; exit 2',
            "relocated",
            2,
        ),
        (says("no GPU", 3), "failed", 1),
        ("exit 1", "failed", 1),
    ],
)
def test_reservations(tmp_path: Path, body: str, outcome: str, code: int) -> None:
    document = reserve_check(tmp_path, tool(tmp_path, body))
    assert document.outcome == outcome
    assert EXIT_CODES[document.outcome] == code
    assert document.reason or outcome == "exact"
    to_json(document)


def test_a_capture_that_is_not_right_is_no_verdict(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="what went wrong") as caught:
        reserve_check(tmp_path, tool(tmp_path, says("capture", 1)))
    assert caught.value.remedy == "what to do"


@pytest.mark.parametrize(
    ("in_app", "values", "faithful"),
    [
        (10.0, [10.0, 10.2, 9.9, 10.1], True),
        (10.0, [20.0, 20.2, 19.9, 20.1], False),
        (10.0, [10.6, 11.9, 10.2, 11.6], True),  # noise is larger than the gap
        (10.0, [5.0, 14.0, 8.0, 30.0], True),  # no gap, however much they scatter
        (10.0, [15.0, 24.0, 18.0, 40.0], False),  # noise is larger than the gap, and too large to tell
        (None, [1.0, 1.0], False),
        (10.0, [10.4], True),
    ],
)
def test_fidelity(in_app: float | None, values: list[float], faithful: bool) -> None:
    found = fidelity(in_app, values, "measured")
    assert found.faithful == faithful
    to_json(found)
    if in_app is not None:
        assert found.gap == pytest.approx(found.replay_median_us / in_app - 1)
