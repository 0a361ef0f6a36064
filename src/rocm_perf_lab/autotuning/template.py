"""Commands with places for parameters: ``./kernel --bm {BLOCK_M}``.

The text is split into words first, as a shell would, and values are put in afterwards: a value never becomes
two words, and no shell sees any of it. ``{build}`` is the folder that a build writes to, ``{stdout}`` the
file with what the program printed. Two brackets stand for one. A truth value is written as 1 or 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rocm_perf_lab.autotuning.space import Configuration, Value
from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.profiling.processes.command_line import parse_command

BUILD, STDOUT = "build", "stdout"
_PLACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


@dataclass(frozen=True)
class Template:
    words: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        found = (place[1] for word in self.words for place in _PLACE.finditer(word))
        return frozenset(name for name in found if name is not None)

    def filled(self, configuration: Configuration, places: Mapping[str, str]) -> tuple[str, ...]:
        values = {**{name: written(value) for name, value in configuration.items()}, **places}

        def put(place: re.Match[str]) -> str:
            return values[place[1]] if place[1] is not None else place[0][0]

        return tuple(_PLACE.sub(put, word) for word in self.words)


def written(value: Value) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def parse_template(text: str, names: tuple[str, ...], places: tuple[str, ...], option: str) -> Template:
    """The template, with an error for a place that nothing fills."""
    template = Template(parse_command((text,)))
    unknown = sorted(template.names - set(names) - set(places))
    if unknown:
        known = ", ".join(f"{{{name}}}" for name in (*names, *places))
        raise UsageProblem(f"{option}: {{{unknown[0]}}} is no parameter of the space", f"there are {known}")
    return template
