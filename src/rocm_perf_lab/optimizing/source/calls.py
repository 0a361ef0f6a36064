"""The functions of a source that a kernel reaches, through other functions and macros."""

from __future__ import annotations

from rocm_perf_lab.optimizing.source.macros import expanded
from rocm_perf_lab.optimizing.source.model import SourceFile, SourceFunction, Unit
from rocm_perf_lab.optimizing.source.tokens import words


def called_functions(unit: Unit, function: SourceFunction) -> list[tuple[SourceFile, SourceFunction]]:
    """In the order in which they are met, each once, overloads all of them.

    Whatever is named counts as called: a function that is passed on is called by somebody.
    """
    found: dict[tuple[str, int], tuple[SourceFile, SourceFunction]] = {}
    waiting = [(unit.main, function)]
    while waiting:
        file, current = waiting.pop(0)
        names = [word.text for word in words(file.text, current.body.start, current.body.end)]
        for name in names:
            for expansion in sorted(expanded([name], file.macros)):
                for other, definition in unit.named(expansion):
                    key = (str(other.path), definition.body.start)
                    if key not in found and definition.is_device and not definition.is_kernel:
                        found[key] = (other, definition)
                        waiting.append((other, definition))
    return list(found.values())
