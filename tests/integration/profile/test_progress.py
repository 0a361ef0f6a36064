"""The progress bar: on a terminal, on long work, on stderr only."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

from tests.commands import SECONDS, rocm_perf_words


def stderr_on_a_terminal(environment: dict[str, str], place: Path, *arguments: object) -> tuple[bytes, bytes]:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        rocm_perf_words("profile", *arguments),
        cwd=place,
        env={**environment, "TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            read = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not read:
            break
        shown += read
    os.close(ours)
    out, _ = process.communicate(timeout=SECONDS)
    return out, shown


def test_bar(environment: dict[str, str], tmp_path: Path) -> None:
    work = ("--runs", 2, "--", "sleep", "1.2")
    out, shown = stderr_on_a_terminal(environment, tmp_path, "--no-rocprof", "--json", *work)
    assert out.startswith(b"{")
    assert b"timing run 2 of 2" in shown
    assert b"1/2" in shown
    out, shown = stderr_on_a_terminal(environment, tmp_path, "--no-rocprof", "--quiet", *work)
    assert shown == b""


def test_no_bar_for_short_work(environment: dict[str, str], tmp_path: Path) -> None:
    _, shown = stderr_on_a_terminal(environment, tmp_path, "--no-rocprof", "--runs", 1, "--", "true")
    assert shown == b""
