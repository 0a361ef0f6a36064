"""The command line that an object remembers, as clang's -frecord-command-line writes it.

It costs nothing here: the object that carries the device code is assembled anyway.
"""

from __future__ import annotations

import re

from .invocation import Invocation

SECTION = ".GCC.command.line"


def remembered(invocation: Invocation) -> str:
    """Assembly of the section; nothing where the command line says so."""
    if not invocation.record_command_line:
        return ""
    # Bytes as numbers: a command line may have any character in it.
    content = command_line_text(invocation.words).encode(errors="surrogateescape")
    numbers = ", ".join(map(str, content))
    return f'.section {SECTION},"MS",@progbits,1\n.byte 0, {numbers}, 0\n'


def command_line_text(words: list[str]) -> str:
    """Words divided by spaces; spaces and backslashes in them have a backslash in front."""
    return " ".join(re.sub(r"([\\\\ ])", r"\\\1", word) for word in words)
