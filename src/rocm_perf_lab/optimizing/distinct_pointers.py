"""Which pointer parameters of a kernel never lead into the same allocation: seen in every launch of a run.

The virtual GPU tells for each dispatch which words of its arguments are addresses, and of what
(docs/reference/access-set.md). What a kernel reaches by other ways, through device variables or pointers in
memory, no launch shows: with device variables in the program nothing is claimed, and ``transforms/heads.py``
asks that arguments are numbers and pointers to numbers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import vrocm
from rocm_perf_lab.codeobj.arguments import ArgumentMetadata
from rocm_perf_lab.cxx_names import demangle
from rocm_perf_lab.optimizing.building.built import BuiltProgram
from rocm_perf_lab.optimizing.transforms.request import DistinctPointers
from rocm_perf_lab.profiling.processes.process_group import run
from rocm_perf_lab.replaying.native_tool.access_set import VARIABLE

# Of other kinds, one piece of memory may be seen at two addresses.
_SEEN_ONCE = ("device", "host")


def distinct_pointers(
    program: Path,
    built: BuiltProgram,
    arguments: Sequence[str],
    kernel: str,
    place: Path,
    timeout_s: float | None,
) -> DistinctPointers | None:
    """None where a run on the virtual GPU does not show them."""
    parameters = _parameters(built, kernel)
    if parameters is None or built.globals:
        return None
    place.mkdir(parents=True)
    lines = place / "access-set.jsonl"
    environment = {**os.environ, **vrocm.environment(), VARIABLE: str(lines)}
    done = run(
        [str(program), *arguments],
        environment,
        stdout=place / "stdout",
        stderr=place / "stderr",
        timeout_s=timeout_s,
    )
    if done.interrupted:
        raise KeyboardInterrupt
    if not done.succeeded or not lines.is_file():
        return None
    launches = [
        entry for entry in map(json.loads, lines.read_text().splitlines()) if entry["kernel"] == kernel
    ]
    return distinct_in(launches, parameters)


def _parameters(built: BuiltProgram, kernel: str) -> Sequence[ArgumentMetadata] | None:
    """Explicit ones; None where instances for several GPUs differ in them."""
    found = {
        tuple(argument for argument in one.arguments if not argument.value_kind.startswith("hidden_"))
        for (_, symbol), one in built.kernels.items()
        if kernel in (symbol, demangle(symbol))
    }
    return next(iter(found)) if len(found) == 1 else None


def distinct_in(
    launches: Sequence[Mapping[str, Any]], parameters: Sequence[ArgumentMetadata]
) -> DistinctPointers | None:
    """Pointers that in every launch are the only argument that leads into their allocation."""
    if not launches or any("pointers" not in launch or not launch["complete"] for launch in launches):
        return None
    alone = {place for place, one in enumerate(parameters) if one.value_kind == "global_buffer"}
    for launch in launches:
        words = [word for word in launch["pointers"] if _owner(word["offset"], parameters) is not None]
        alone = {place for place in alone if _is_alone(parameters[place].offset, words)}
    return DistinctPointers(frozenset(alone), len(parameters))


def _owner(offset: int, parameters: Iterable[ArgumentMetadata]) -> ArgumentMetadata | None:
    return next((one for one in parameters if one.offset <= offset < one.offset + one.size), None)


def _is_alone(offset: int, words: Sequence[Mapping[str, Any]]) -> bool:
    own = next((word for word in words if word["offset"] == offset), None)
    others = [word["allocation"] for word in words if word["offset"] != offset]
    return own is not None and own["kind"] in _SEEN_ONCE and own["allocation"] not in others
