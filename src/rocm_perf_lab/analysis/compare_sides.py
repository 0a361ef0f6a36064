"""One side of a comparison: profiles of the same program put together, and cut down to some kernels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rocm_perf_lab.analysis.stability import stability
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.contracts.profiling.stability import Stability
from rocm_perf_lab.errors import NoKernels


def only_kernels(profile: ProfileDocument, pattern: str | None) -> ProfileDocument:
    """The profile as if taken with --kernel."""
    if pattern is None:
        return profile
    kernels = tuple(kernel for kernel in profile.kernels if re.search(pattern, kernel.name))
    if not kernels:
        raise NoKernels(f"no kernel of one side matches {pattern!r}", "leave --kernel out to see all of them")
    return replace(
        profile,
        kernels=kernels,
        stability=_sum([kernel.stability for kernel in kernels]),
        setting=replace(profile.setting, kernel_filter=pattern),
    )


def together(profiles: Sequence[ProfileDocument]) -> ProfileDocument:
    """All runs of several profiles as those of one; what is not a time is the first one's."""
    first = profiles[0]
    if len(profiles) == 1:
        return first
    names = dict.fromkeys(kernel.name for profile in profiles for kernel in profile.kernels)
    kernels = [_joined(name, profiles) for name in names]
    whole = sum(kernel.total_ms for kernel in kernels)
    return replace(
        first,
        kernels=tuple(
            replace(kernel, share=kernel.total_ms / whole if whole else 0.0)
            for kernel in sorted(kernels, key=lambda one: (-one.total_ms, one.name))
        ),
        stability=_chain([one.stability for one in profiles]),
        wall_ms=_chain([one.wall_ms for one in profiles]),
        unfinished=tuple(dict.fromkeys(text for one in profiles for text in one.unfinished)),
    )


def _joined(name: str, profiles: Sequence[ProfileDocument]) -> KernelProfile:
    """A kernel over the runs of all profiles: no time in those that do not have it."""
    samples: list[float] = []
    found: list[KernelProfile] = []
    for profile in profiles:
        kernel = next((one for one in profile.kernels if one.name == name), None)
        if kernel is not None:
            found.append(kernel)
            samples += kernel.stability.samples_ms
        elif profile.stability is not None:
            samples += [0.0] * profile.stability.runs
    launches = {kernel.launches for kernel in found}
    scatter = stability(samples, found[0].origin)
    return replace(
        found[0],
        stability=scatter,
        total_ms=scatter.mean_ms,
        launches=round(sum(launches) / len(launches)),
    )


def _sum(parts: Sequence[Stability]) -> Stability:
    return stability(
        [sum(run) for run in zip(*(one.samples_ms for one in parts), strict=True)], parts[0].origin
    )


def _chain(parts: Sequence[Stability | None]) -> Stability | None:
    known = [one for one in parts if one is not None]
    if len(known) < len(parts):
        return None
    return stability([sample for one in known for sample in one.samples_ms], known[0].origin)
