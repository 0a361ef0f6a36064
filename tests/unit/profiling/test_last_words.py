"""The end of a log, fit for a message."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocm_perf_lab.profiling.passes.failures import how_it_ended
from rocm_perf_lab.profiling.passes.run_rocprof import last_words


@pytest.mark.parametrize(
    ("log", "lines", "words"),
    [
        (b"", 1, ""),
        (b"one\ntwo\n\n", 1, "two"),
        (b"one\ntwo\n", 2, "one; two"),
        (b"wrong\nrocprofv3: out/vm/12_results.db\n", 1, "wrong"),
        (b"\x1b[31mred\x1b[0m\x00\x07 alert\n", 1, "red alert"),
        (b"caf\xc3\xa9 \xff\n", 1, "café \ufffd"),
        (b"x" * 5000, 1, "x" * 160 + "…"),
    ],
)
def test_words(log: bytes, lines: int, words: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(log)
    assert last_words(tmp_path / "log", lines) == words


def test_no_log(tmp_path: Path) -> None:
    assert last_words(tmp_path / "none") == ""


def test_endings() -> None:
    assert how_it_ended(3) == "ended with exit code 3"
    assert how_it_ended(-11) == "was killed by SIGSEGV"
    assert how_it_ended(-64) == "was killed by SIGRTMAX"
    assert how_it_ended(-99) == "was killed by signal 99"
