"""What the built code object must hold to, before it runs: arguments, globals, wave size, resources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocm_perf_lab.analysis.gate_regressions import (
    DEFAULT_LIMITS,
    Launch,
    Regression,
    RegressionLimits,
    resource_regressions,
)
from rocm_perf_lab.arch.limits_table import LIMITS
from rocm_perf_lab.cxx_names import demangle
from rocm_perf_lab.optimizing.building.built import BuiltKernel, BuiltProgram
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.match import parse_profiled_name
from rocm_perf_lab.optimizing.source.model import SourceFunction


def check_code_object(
    before: BuiltProgram,
    after: BuiltProgram,
    function: SourceFunction,
    launches: Sequence[Launch],
    allowed: RegressionLimits = DEFAULT_LIMITS,
) -> list[Regression]:
    """What grew within the thresholds, of all instances of the kernel. Raises Refused for the rest."""
    if set(before.kernels) != set(after.kernels):
        names = sorted(demangle(symbol) for _, symbol in set(before.kernels) ^ set(after.kernels))
        raise Refused("kernel-not-built", f"in one of the builds only: {', '.join(names[:3])}")
    if before.globals != after.globals:
        names = sorted(demangle(symbol) for _, symbol, _ in before.globals ^ after.globals)
        raise Refused("globals-changed", ", ".join(names[:3]))
    for key, kernel in before.kernels.items():
        if kernel.explicit != after.kernels[key].explicit:
            raise Refused("arguments-changed", demangle(key[1]))
    if before.digest == after.digest:
        raise Refused("nothing-changed", "the compiler makes the same instructions of it")
    instances = [key for key in before.kernels if is_instance(function, key[1])]
    if not instances:
        raise Refused("kernel-not-built", f"{function.qualified_name} is not in the program")
    grown: list[Regression] = []
    for key in instances:
        grown.extend(_instance(before.kernels[key], after.kernels[key], launches, allowed))
    for regression in grown:
        if regression.refused:
            raise Refused(regression.refused, regression.statement)
    return grown


def is_instance(function: SourceFunction, symbol: str) -> bool:
    """Whether a symbol is the kernel, or one of a template's instances."""
    if function.is_extern_c:
        return symbol == function.name
    name = parse_profiled_name(symbol)
    return name.name == function.name and name.scope == function.scope


def _instance(
    before: BuiltKernel, after: BuiltKernel, launches: Sequence[Launch], allowed: RegressionLimits
) -> Iterator[Regression]:
    was, now = before.metadata, after.metadata
    if was.wave_size != now.wave_size:
        raise Refused("wave-size-changed", f"{was.wave_size} to {now.wave_size} lanes")
    largest = max((launch.threads for launch in launches), default=0)
    if now.max_workgroup_size is not None and largest > now.max_workgroup_size:
        raise Refused("workgroup-too-large", f"{largest} threads launched, {now.max_workgroup_size} allowed")
    limits = LIMITS.get(now.architecture.partition(":")[0])
    if limits is not None:
        yield from resource_regressions(was, now, launches, limits, allowed)
