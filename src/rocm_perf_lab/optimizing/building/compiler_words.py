"""The words of a compiler's command line: which are files, which options, which are values of options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath
from typing import Literal, NamedTuple

from vrocm.compiler_options import COMPILE_VALUE, DEPENDENCY_VALUE, LANGUAGES, LINK_VALUE

Role = Literal["option", "input", "output", "dependency"]
_OTHER_VALUES = {"-x", "-target", "-resource-dir", "-arch", "-Xoffload-linker", "--offload-arch"}
_VALUED = COMPILE_VALUE | LINK_VALUE | _OTHER_VALUES
_DEPENDENCIES = {"-MD", "-MMD", "-MP", "-MV", "-MG"}
# Options whose values, in the same word or the next, are files or folders.
_PATHS = ("-include-pch", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-I", "-L")


class CommandLinePart(NamedTuple):
    role: Role
    words: tuple[str, ...]
    """One, or two where the value of an option is a word of its own."""

    def from_folder(self, folder: Path) -> CommandLinePart:
        """The same, wherever it is run: relative paths lead from ``folder``."""
        *first, last = self.words
        if self.role == "input":
            return CommandLinePart(self.role, (str(folder / last),))
        if self.role != "option":
            return self
        if first:
            return CommandLinePart(self.role, (*first, str(folder / last))) if first[0] in _PATHS else self
        option = next((one for one in _PATHS if last.startswith(one) and last != one), None)
        return (
            self
            if option is None
            else CommandLinePart(self.role, (option + str(folder / last.removeprefix(option)),))
        )


@dataclass(frozen=True)
class CompilerWords:
    words: tuple[str, ...]
    """The compiler is the first one."""

    @property
    def compiler(self) -> str:
        return self.words[0]

    @cached_property
    def parts(self) -> tuple[CommandLinePart, ...]:
        """Of all words after the compiler."""
        return tuple(self._parts())

    @property
    def inputs(self) -> list[str]:
        return [part.words[0] for part in self.parts if part.role == "input"]

    @property
    def sources(self) -> list[str]:
        """Inputs that are compiled, not only linked."""
        return [word for word in self.inputs if PurePath(word).suffix in LANGUAGES]

    @property
    def output(self) -> str | None:
        found = [part.words[-1].removeprefix("-o") for part in self.parts if part.role == "output"]
        return found[-1] if found else None

    @property
    def compiles_only(self) -> bool:
        return CommandLinePart("option", ("-c",)) in self.parts

    def _parts(self) -> Iterator[CommandLinePart]:
        waiting = list(self.words[1:])
        while waiting:
            word = waiting.pop(0)
            if word in ("-o", "-MF") or word in DEPENDENCY_VALUE:
                value = waiting.pop(0) if waiting else ""
                yield CommandLinePart("output" if word == "-o" else "dependency", (word, value))
            elif word in _VALUED and waiting:
                yield CommandLinePart("option", (word, waiting.pop(0)))
            elif word in _DEPENDENCIES or word.startswith("-MF"):
                yield CommandLinePart("dependency", (word,))
            elif word.startswith("-o") and not word.startswith(("-objc", "-offload", "-object")):
                yield CommandLinePart("output", (word,))
            elif word.startswith(("-", "@")):
                yield CommandLinePart("option", (word,))
            else:
                yield CommandLinePart("input", (word,))
