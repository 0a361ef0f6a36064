"""Command lines that programs remember: clang's section and clang's debug information."""

from __future__ import annotations

import pytest

from rocm_perf_lab.codeobj.command_lines import _after_compiler, command_lines
from vrocm.hipcc.remembered import command_line_text


@pytest.mark.parametrize(
    "words",
    [
        ["hipcc", "-O3", "k.hip", "-o", "app"],
        ["/opt/rocm/llvm/bin/clang++", "-DNAME=a b", "-I", "my folder", "k.hip"],
        ["amdclang++", r"-DP=c:\a\ b", "-x", "hip", "ü.hip"],
    ],
)
def test_there_and_back(words: list[str]) -> None:
    assert _after_compiler(command_line_text(words)) == tuple(words)


@pytest.mark.parametrize(
    ("producer", "words"),
    [
        ("clang version 22.1.8", ()),
        (
            "clang version 22.1.8 /opt/rocm/llvm/bin/clang++ -O2 k.hip",
            ("/opt/rocm/llvm/bin/clang++", "-O2", "k.hip"),
        ),
        (
            "AMD clang version 18.0.0git (https://example.org/llvm/clang 24292 0a1b) /x/clang-18 -g -c k.hip",
            ("/x/clang-18", "-g", "-c", "k.hip"),
        ),
        ("GNU C++17 13.3.0 -mtune=generic -march=x86-64 -O3", ()),
        ("-O3", ()),
        ("", ()),
    ],
)
def test_producers(producer: str, words: tuple[str, ...]) -> None:
    assert _after_compiler(producer) == words


def test_no_program() -> None:
    assert command_lines(b"#!/bin/sh\n") == []
