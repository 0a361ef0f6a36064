"""Command lines of compilers that a program remembers.

clang keeps them when it is asked to, by ``-frecord-command-line`` in the section ``.GCC.command.line`` (one
string for each compiled file) or by ``-grecord-command-line`` behind its name in the debug information
(``DW_AT_producer``). Words are divided by spaces; a backslash stands before spaces and backslashes that are
part of a word. https://clang.llvm.org/docs/ClangCommandLineReference.html, llvm/llvm-project commit de6beb02.

GCC's section has one option a string and no compiler in it, and lists but some options in debug information.
It compiles no kernels; its lines are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rocm_perf_lab.codeobj.debug_information import folder_of_unit, open_debug_information, text_of
from rocm_perf_lab.codeobj.elf import Elf, NotAnElf

SECTION = ".GCC.command.line"
_WORD = re.compile(r"(?:[^\\ ]|\\.)+")
_COMPILER = re.compile(r"(?:.*/)?(?:hipcc(?:\.bin)?|(?:amd)?clang(?:\+\+)?(?:-\d+)?)")


@dataclass(frozen=True)
class CommandLine:
    words: tuple[str, ...]
    """The compiler is the first one."""
    folder: str | None
    """The compiler's working folder, where that is remembered, too."""


def command_lines(content: bytes) -> list[CommandLine]:
    """Of a program, object or code object; each once. Nothing where it remembers none."""
    try:
        sections = Elf(content).named_sections(SECTION)
    except NotAnElf:
        return []
    texts = [part.decode(errors="replace") for section in sections for part in bytes(section).split(b"\0")]
    lines = [CommandLine(words, None) for words in map(_after_compiler, texts) if words]
    return list(dict.fromkeys(lines or _in_debug_information(content)))


def _in_debug_information(content: bytes) -> list[CommandLine]:
    dwarf = open_debug_information(content)
    found = []
    try:
        for unit in dwarf.iter_CUs() if dwarf is not None else ():
            words = _after_compiler(text_of(unit.get_top_DIE(), "DW_AT_producer") or "")
            if words:
                found.append(CommandLine(words, folder_of_unit(unit)))
    except Exception:  # of forms that the reader does not know, it raises many kinds
        return found
    return found


def _after_compiler(text: str) -> tuple[str, ...]:
    """In debug information the version comes first: ``clang version 22.1 (…) /…/clang++ -O3 …``."""
    words = [re.sub(r"\\(.)", r"\1", word) for word in _WORD.findall(text)]
    if len(words) > 1 and _COMPILER.fullmatch(words[0]) and words[1] != "version":
        return tuple(words)
    for at, word in enumerate(words):
        if at and word.startswith("/") and _COMPILER.fullmatch(word) and len(words) > at + 1:
            return tuple(words[at:])
    return ()
