"""Barriers, atomics and wave operations stay what they were: the same ones, in the same order and loop depth.

For bodies that somebody else wrote (a language model, a plug-in): no transformation goes across them.
"""

from __future__ import annotations

import re

from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.device_names import hazard_kind
from rocm_perf_lab.optimizing.source.hazards import hazards
from rocm_perf_lab.optimizing.source.macros import expanded
from rocm_perf_lab.optimizing.source.model import SourceKernel
from rocm_perf_lab.optimizing.source.tokens import code_tokens

_ORDERED = ("barrier", "atomic", "wave")
# Ways to say "a wave has 32 lanes". Where the source has them already, they are the author's.
_WAVE32 = {
    "a mask of 32 lanes": r"0[xX][fF]{8}\b(?![fF])",
    "a remainder by 32": r"(%|/)\s*32[uU]?\b",
    "a mask of 31": r"&\s*(31|0x1[fF])[uU]?\b",
    "a shift by 5": r">\s*>\s*5[uU]?\b",
    "a constant of 32 lanes": r"\b(WARP_SIZE|WAVE_SIZE|kWarpSize|kWarp|warp_size|kWave)\s*=\s*32\b",
}


def check_synchronisation(before: SourceKernel, after: SourceKernel) -> None:
    """Raises Refused where they differ."""
    old, new = _sequence(before), _sequence(after)
    if old != new:
        place = next((at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), None)
        if place is None:
            detail = f"{len(old)} operations became {len(new)}"
        else:
            detail = f"{_said(old[place])} became {_said(new[place])}"
        raise Refused("synchronisation-changed", detail)


def check_wave_size(before: SourceKernel, after: SourceKernel) -> None:
    """Raises Refused where the change is written for waves of 32 lanes."""
    old, new = _code(before), _code(after)
    for what, pattern in _WAVE32.items():
        if len(re.findall(pattern, new)) > len(re.findall(pattern, old)):
            raise Refused("wave32-assumption", what)


def _said(operation: tuple[str, int]) -> str:
    return f"{operation[0]} in {operation[1]} loops"


def _sequence(kernel: SourceKernel) -> list[tuple[str, int]]:
    """(name, loops around it) of what synchronises, called functions that do included."""
    body = kernel.function.body
    known: dict[str, bool] = {}
    found = []
    for token in code_tokens(kernel.text, body.start, body.end):
        if token.kind != "word":
            continue
        for name in sorted(expanded([token.text], kernel.file.macros)):
            if name not in known:
                known[name] = _synchronises(kernel, name)
            if known[name]:
                depth = sum(loop.span.start <= token.start < loop.span.end for loop in kernel.loops)
                found.append((name, depth))
    return found


def _synchronises(kernel: SourceKernel, name: str) -> bool:
    definitions = kernel.unit.named(name)
    if not definitions:
        return hazard_kind(name) in _ORDERED
    return any(
        hazard.kind in _ORDERED
        for file, function in definitions
        for hazard in hazards(kernel.unit, function, function.body, file)
    )


def _code(kernel: SourceKernel) -> str:
    body = kernel.function.body
    return " ".join(token.text for token in code_tokens(kernel.text, body.start, body.end))
