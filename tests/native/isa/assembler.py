"""The pinned LLVM assembler as an oracle: text in, canonical text and bytes out."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass

_ERROR = re.compile(r"^\S*?:(\d+):\d+: error: (.*)$", re.MULTILINE)
_PRINTED = re.compile(r"^\t(.*?)\s*; encoding: \[(.*?)\]", re.MULTILINE)


@dataclass(frozen=True)
class Assembled:
    source: str
    text: str  # as the assembler prints it; empty if it rejected the source
    code: bytes
    error: str = ""


def normalised(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def assemble(arch: str, lines: list[str]) -> list[Assembled]:
    """Assembles every line on its own account; a rejected line has an error and no code."""
    command = [sys.executable, "-m", "ziglang", "clang", "-cc1as", "-triple", "amdgcn-amd-amdhsa"]
    command += ["-target-cpu", arch, "-filetype", "asm", "-show-encoding", "-o", "-", "/dev/stdin"]
    run = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    errors: dict[int, str] = {}
    for line, message in _ERROR.findall(run.stderr):
        errors.setdefault(int(line) - 1, message)
    printed = iter(_PRINTED.findall(run.stdout))
    result = []
    for index, line in enumerate(lines):
        if index in errors:
            result.append(Assembled(line, "", b"", errors[index]))
            continue
        text, encoding = next(printed)
        code = bytes(int(byte, 16) for byte in encoding.split(","))
        result.append(Assembled(line, normalised(text), code))
    assert next(printed, None) is None, "the assembler printed more instructions than it was given"
    return result
