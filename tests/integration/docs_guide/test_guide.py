"""Commands of docs/guide.md that take seconds run, and print what the guide shows, line for line."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from rocm_perf_lab.vrocm import prefix

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "guide.md").read_text()
SECONDS = 300
LEFT_OUT = "…"
# The marked ones are run with fewer trials by tests/integration/optimize and tests/integration/agent_skill.
BLOCK = re.compile(r"(<!-- takes minutes -->\n)?^```(bash|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_guide(tmp_path: Path) -> None:
    for name in ("softmax_rows.hip", "check.h"):
        shutil.copy(ROOT / "examples" / name, tmp_path)
    tools = tmp_path / "bin"
    tools.mkdir()
    command = tools / "rocm-perf"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m rocm_perf_lab "$@"\n')
    command.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ROCM_PERF")}
    environment |= prefix.environment() | {"ROCM_PERF_CALIBRATIONS": "/no/calibrations", "COLUMNS": "80"}
    environment["PATH"] = f"{tools}:{environment['PATH']}"
    printed: list[str] | None = None
    compared = 0
    for marked, language, text in BLOCK.findall(GUIDE):
        if language == "bash" and marked:
            printed = None
        elif language == "bash":
            done = subprocess.run(
                ["bash", "-ec", text],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                timeout=SECONDS,
            )
            assert done.returncode == 0, text + done.stdout + done.stderr
            printed = (done.stdout + done.stderr).splitlines()
        elif printed is not None:
            for line in text.splitlines():
                if line != LEFT_OUT:
                    assert line in printed, f"{line!r} is not in:\n" + "\n".join(printed)
                    compared += 1
    assert compared > 20
