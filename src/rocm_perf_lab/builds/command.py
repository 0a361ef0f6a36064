"""A build command with places for the source and the output; ``&&`` divides its steps. No shell reads it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from rocm_perf_lab.errors import UsageProblem

DEFAULT_COMMAND = "hipcc -O3 {source} -o {output}"
SOURCE, OUTPUT = "{source}", "{output}"
THEN = "&&"
_PLAIN = re.compile(r"[\w@%+=:,./{}-]+")


@dataclass(frozen=True)
class BuildCommand:
    steps: tuple[tuple[str, ...], ...]
    """With {source} and {output} still in them."""

    @classmethod
    def read(cls, text: str) -> BuildCommand:
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise UsageProblem(f"the build command cannot be read: {error}", DEFAULT_COMMAND) from None
        steps: list[list[str]] = [[]]
        for word in words:
            if word == THEN:
                steps.append([])
            else:
                steps[-1].append(word)
        for place in (SOURCE, OUTPUT):
            if not any(place in word for word in words):
                raise UsageProblem(f"the build command does not say where {place} goes", DEFAULT_COMMAND)
        if not all(steps):
            raise UsageProblem("a step of the build command is empty", DEFAULT_COMMAND)
        return cls(tuple(map(tuple, steps)))

    def filled(self, source: str, output: str) -> list[list[str]]:
        return [[fill(word, source, output) for word in step] for step in self.steps]

    def __str__(self) -> str:
        return f" {THEN} ".join(join(step) for step in self.steps)


def fill(word: str, source: str, output: str) -> str:
    return word.replace(SOURCE, source).replace(OUTPUT, output)


def join(words: Sequence[str]) -> str:
    """As one would write it: places are not quoted."""
    return " ".join(word if _PLAIN.fullmatch(word) else shlex.quote(word) for word in words)
