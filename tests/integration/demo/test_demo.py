"""The tour that a newcomer takes first: every step succeeds, and leaves what it says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.commands import rocm_perf_words


def demo(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        rocm_perf_words("demo", *words),
        cwd=place,
        capture_output=True,
        text=True,
        timeout=900,
    )


def test_the_tour(tmp_path: Path) -> None:
    done = demo(tmp_path, "--out", "tour")
    assert done.returncode == 0, done.stdout + done.stderr
    text = done.stdout
    assert re.findall(r"^(\d)/8  ", text, re.MULTILINE) == list("12345678")
    assert "SIMULATED" in text
    assert "row_norms: written into the source" in text
    assert "PASSED   5 of 5 replays" in text
    page = re.search(r"^report   (.*)$", text, re.MULTILINE)
    assert page is not None
    assert Path(page[1]).read_text().startswith("<!doctype html>")
    original = (tmp_path / "tour" / "two_streams.hip").read_text()
    assert "#pragma unroll" in original  # what optimize accepted
    (journal,) = (tmp_path / "tour").glob(".rocm-perf/optimize/*/run-1/journal.jsonl")
    assert "the trace has" in journal.read_text()  # proposals are ordered by what thread traces tell

    again = demo(tmp_path, "--out", "tour")
    assert (again.returncode, "is there already" in again.stderr) == (2, True)
