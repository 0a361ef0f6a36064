"""Two profiles side by side: total and kernels, times and resources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocm_perf_lab.analysis.compare_resources import resource_changes
from rocm_perf_lab.analysis.compare_settings import notes
from rocm_perf_lab.analysis.compare_times import RELEVANT, compare_times
from rocm_perf_lab.contracts.profiling.comparison import (
    ComparisonDocument,
    Difference,
    KernelComparison,
    TimeComparison,
)
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.contracts.profiling.stability import Stability

# A kernel with less of the time of its side does not fail a comparison by itself. Chosen.
SHARE_THAT_COUNTS = 0.01

_ONLY_ONE_SIDE = "only one side has the kernel"


def compare(
    base: ProfileDocument,
    new: ProfileDocument,
    *,
    base_name: str,
    new_name: str,
    allowed: Sequence[Difference] = (),
    relevant: float = RELEVANT,
    fail_on_regression: float | None = None,
) -> ComparisonDocument:
    """``allowed``: differences that were found and put up with; ``fail_on_regression``: a share."""
    kernels = _kernels(base, new, relevant, fail_on_regression)
    total = compare_times(
        _timed(base).samples_ms, _timed(new).samples_ms, origin=new.origin, relevant=relevant
    )
    regressions = [kernel.name for kernel in kernels if kernel.regression]
    if is_regression(total, fail_on_regression):
        regressions.insert(0, "total")
    return ComparisonDocument(
        origin=new.origin,
        missing={} if fail_on_regression is not None else {"fail_on_regression": "not asked for"},
        base=base_name,
        new=new_name,
        command=new.setting.command,
        figure="gpu-time" if base.stability is not None and new.stability is not None else "wall-time",
        total=total,
        kernels=tuple(kernels),
        differences=tuple(allowed),
        notes=tuple(_notes(base, new, kernels)),
        relevant=relevant,
        fail_on_regression=fail_on_regression,
        regressions=tuple(regressions),
    )


def _timed(side: ProfileDocument) -> Stability:
    timed = side.stability or side.wall_ms
    assert timed is not None  # every profile has one of them
    return timed


def is_regression(time: TimeComparison, limit: float | None) -> bool:
    """``limit``: the share that it may become slower; None: nothing is one."""
    return limit is not None and time.verdict == "slower" and (time.ratio or 0.0) > 1 + limit


def _kernels(
    base: ProfileDocument, new: ProfileDocument, relevant: float, limit: float | None
) -> list[KernelComparison]:
    before = {kernel.name: kernel for kernel in base.kernels}
    after = {kernel.name: kernel for kernel in new.kernels}
    both = len(before.keys() & after.keys())
    found = [
        _kernel(name, before.get(name), after.get(name), max(1, both), relevant, limit)
        for name in dict.fromkeys((*after, *before))
    ]
    return sorted(found, key=lambda one: (-max(one.base_ms or 0.0, one.new_ms or 0.0), one.name))


def _kernel(
    name: str,
    base: KernelProfile | None,
    new: KernelProfile | None,
    comparisons: int,
    relevant: float,
    limit: float | None,
) -> KernelComparison:
    time = None
    regression = False
    missing: dict[str, str] = {}
    if base is not None and new is not None:
        time = compare_times(
            base.stability.samples_ms,
            new.stability.samples_ms,
            origin=new.origin,
            comparisons=comparisons,
            relevant=relevant,
        )
        counts = max(base.share, new.share) >= SHARE_THAT_COUNTS
        regression = counts and is_regression(time, limit)
    else:
        missing["time"] = _ONLY_ONE_SIDE
        gone = ("new_launches", "new_ms") if new is None else ("base_launches", "base_ms")
        missing.update(dict.fromkeys(gone, _ONLY_ONE_SIDE))
    either = new or base
    assert either is not None
    return KernelComparison(
        origin=either.origin,
        missing=missing,
        name=name,
        status="both" if base and new else "new" if new else "removed",
        base_launches=base.launches if base else None,
        new_launches=new.launches if new else None,
        time=time,
        base_ms=base.total_ms if base else None,
        new_ms=new.total_ms if new else None,
        resources=tuple(resource_changes(base, new)),
        regression=regression,
    )


def _notes(base: ProfileDocument, new: ProfileDocument, kernels: Sequence[KernelComparison]) -> Iterator[str]:
    yield from notes(base, new)
    for kernel in kernels:
        if kernel.status == "both" and kernel.base_launches != kernel.new_launches:
            yield f"{kernel.name}: launched {kernel.base_launches} times and {kernel.new_launches} times"
    for name, side in (("base", base), ("new", new)):
        timed = _timed(side)
        if timed.classification == "unstable":
            yield f"{name}: the runs scatter (CV {timed.cv:.1%})" if timed.cv is not None else name
