"""Completion: the scripts are for their shells, and the program answers them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.commands import rocm_perf_words
from tests.wanted import wanted


def rocm_perf(*words: str, **variables: str) -> str:
    done = subprocess.run(
        rocm_perf_words(*words),
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts(shell: str, tmp_path: Path) -> None:
    script = rocm_perf("completion", shell)
    assert "_ROCM_PERF_COMPLETE" in script
    file = tmp_path / "script"
    file.write_text(script)
    subprocess.run([wanted(shell), "-n", str(file)], check=True)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("rocm-perf rep", {"plain,replay", "plain,report"}),
        ("rocm-perf replay full", {"plain,full-vm"}),
        ("rocm-perf profile --warm", {"plain,--warmup"}),
        ("rocm-perf profile --flop-model t", {"plain,typed"}),
    ],
)
def test_answers(words: str, expected: set[str]) -> None:
    last = len(words.split()) - 1
    answer = rocm_perf(_ROCM_PERF_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(last))
    assert set(answer.split()) == expected


@pytest.mark.parametrize(
    ("shell", "incomplete", "expected"),
    [("zsh", "1", ["plain", "replay"]), ("fish", "repl", ["plain,replay"])],
)
def test_answers_for_other_shells(shell: str, incomplete: str, expected: list[str]) -> None:
    """In the form that the script of that shell reads: fish names the word, zsh counts it."""
    answer = rocm_perf(
        _ROCM_PERF_COMPLETE=f"{shell}_complete", COMP_WORDS="rocm-perf repl", COMP_CWORD=incomplete
    )
    assert [line.split("\t")[0] for line in answer.splitlines()][:2] == expected
