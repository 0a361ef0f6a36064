"""What two runs must have in common for their times to be comparable."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from rocm_perf_lab.contracts.profiling.comparison import Aspect, Difference
from rocm_perf_lab.contracts.profiling.gpu import Gpu
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument

# Variables that say where things are, not what they do.
_PLACES = re.compile(r"(_PATH|_DIR|_PREFIX|_LIBRARY|_HOME|_ROOT|_LOG|_CALIBRATIONS)$|^ROCPROF")
# State of the GPU that sets its clocks; its temperature and load are what they happen to be.
_CLOCK_STATES = ("performance_level", "power_cap_microwatts", "compute_partition", "memory_partition")


def differences(base: ProfileDocument, new: ProfileDocument) -> list[Difference]:
    """All that speaks against comparing; what one side does not tell is left to notes."""
    return list(_differences(base, new))


def _differences(base: ProfileDocument, new: ProfileDocument) -> Iterator[Difference]:
    yield from _one("origin", "where times come from", base.origin, new.origin)
    yield from _one("figure", "what was timed", _figure(base), _figure(new))
    yield from _one("gpu", "number of GPUs", len(base.gpus) or None, len(new.gpus) or None)
    for place, (first, second) in enumerate(zip(base.gpus, new.gpus, strict=False)):
        yield from _gpus(first, second, f"GPU {place}" if len(base.gpus) > 1 else "GPU")
    yield from _states(base.setting.gpu_state, new.setting.gpu_state)
    if base.setting.command and new.setting.command:
        programs = [PurePath(one.setting.command[0]).name for one in (base, new)]
        yield from _one("command", "program", *programs)
        arguments = [shlex.join(one.setting.command[1:]) or "none" for one in (base, new)]
        yield from _one("command", "arguments", *arguments)
    yield from _one(
        "filter", "--kernel", base.setting.kernel_filter or "none", new.setting.kernel_filter or "none"
    )
    yield from _environments(base, new)
    if base.unfinished or new.unfinished:  # whether the same is missing of both is not known
        missing = ["; ".join(side.unfinished) or "nothing" for side in (base, new)]
        yield Difference(aspect="unfinished", what="what is missing", base=missing[0], new=missing[1])


def notes(base: ProfileDocument, new: ProfileDocument) -> list[str]:
    """What is worth knowing and no reason to refuse."""
    found = []
    for name, side in (("base", base), ("new", new)):
        if not side.setting.command:
            found.append(f"{name}: the command is not known, which was not compared")
        if not side.gpus and side.kernels:
            found.append(f"{name}: the trace does not describe the GPU, which was not compared")
    tools = sorted(set(base.setting.tools) & set(new.setting.tools))
    found += [
        f"{tool}: {base.setting.tools[tool]} and {new.setting.tools[tool]}"
        for tool in tools
        if base.setting.tools[tool] != new.setting.tools[tool]
    ]
    programs = [side.setting.command[0] for side in (base, new) if side.setting.command]
    if len(programs) == 2 and programs[0] != programs[1]:
        found.append(f"programs: {programs[0]} and {programs[1]}")
    return found


def _figure(side: ProfileDocument) -> str:
    return "GPU time" if side.stability is not None else "wall time"


def _one(aspect: Aspect, what: str, base: object, new: object) -> Iterator[Difference]:
    if base is not None and new is not None and base != new:
        yield Difference(aspect=aspect, what=what, base=str(base), new=str(new))


def _gpus(base: Gpu, new: Gpu, which: str) -> Iterator[Difference]:
    for name in ("name", "architecture", "cu_count", "xcd_count"):
        yield from _one("gpu", f"{which}: {name}", getattr(base, name), getattr(new, name))
    yield from _one("clocks", f"{which}: clock_mhz", base.clock_mhz, new.clock_mhz)


def _states(base: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Difference]:
    for name in sorted(set(base) & set(new)):
        if name.endswith(_CLOCK_STATES):
            yield from _one("clocks", name, base[name], new[name])


def _environments(base: ProfileDocument, new: ProfileDocument) -> Iterator[Difference]:
    """Only where both sides were recorded by rocm-perf profile."""
    first, second = base.setting.environment, new.setting.environment
    if base.setting.started is None or new.setting.started is None:
        return
    for name in sorted(set(first) | set(second)):
        if not _PLACES.search(name):
            yield from _one("environment", name, first.get(name, "not set"), second.get(name, "not set"))
