"""Colours are for terminals, and for nobody who set NO_COLOR."""

from __future__ import annotations

import os
import pty
import subprocess

import pytest
from tests.commands import rocm_perf_words


def on_a_terminal(*words: str, **variables: str) -> str:
    master, slave = pty.openpty()
    with subprocess.Popen(
        rocm_perf_words(*words),
        env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm", **variables},
        stdin=slave,
        stdout=slave,
        stderr=slave,
    ):
        os.close(slave)
        text = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            text += part
    os.close(master)
    return text.decode()


@pytest.mark.parametrize(
    ("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True)]
)
def test_no_color(variables: dict[str, str], coloured: bool) -> None:
    assert ("\x1b[3" in on_a_terminal("doctor", "--quick", **variables)) == coloured
