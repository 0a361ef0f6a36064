"""What a variant of a kernel takes more of than before, and whether that is too much to keep it.

Time has the last word only among variants that do not pay for it with something that time in one setting
does not show: registers in scratch memory, waves that no longer fit, traffic. The thresholds are chosen, not
measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rocm_perf_lab.analysis.occupancy import occupancy
from rocm_perf_lab.arch.limits import DeviceLimits
from rocm_perf_lab.codeobj.metadata import KernelMetadata
from rocm_perf_lab.contracts.changes.proposal_refusal import ReasonCode, Refusal


@dataclass(frozen=True, kw_only=True)
class RegressionLimits:
    """The most that each may grow; beyond it a variant is refused even if it is faster."""

    occupancy_drop: float = 0.25
    """Of theoretical occupancy, relative to what it was."""
    spilled_registers: int = 0
    """More than before, vector and scalar together."""
    scratch_bytes: int = 0
    """More than before, per lane."""
    lds_growth: float = 0.25
    """Of static LDS, relative; 1 KiB is free, because padding small arrays takes less."""
    lds_free_bytes: int = 1024
    traffic_growth: float = 0.05
    """Of bytes read and written at the fabric, relative."""


DEFAULT_LIMITS = RegressionLimits()


@dataclass(frozen=True, kw_only=True)
class Launch:
    """A way in which the program launches the kernel."""

    threads: int
    dynamic_lds_bytes: int


@dataclass(frozen=True, kw_only=True)
class Regression:
    resource: str
    before: float | None
    after: float | None
    refused: ReasonCode | None
    """The reason, where it is beyond the threshold; else it is only reported."""
    statement: str

    @property
    def refusal(self) -> Refusal | None:
        return Refusal(code=self.refused, detail=self.statement) if self.refused else None


def resource_regressions(
    before: KernelMetadata,
    after: KernelMetadata,
    launches: Sequence[Launch],
    limits: DeviceLimits,
    allowed: RegressionLimits = DEFAULT_LIMITS,
) -> list[Regression]:
    """From code objects alone: nothing has to run for it."""
    return [
        *_spills(before, after, allowed),
        *_scratch(before, after, allowed),
        *_lds(before, after, launches, limits, allowed),
        *_occupancy(before, after, launches, limits, allowed),
    ]


def traffic_regression(
    before_bytes: float | None, after_bytes: float | None, allowed: RegressionLimits = DEFAULT_LIMITS
) -> list[Regression]:
    """Bytes at the fabric, from counters; nothing is said where they were not counted."""
    if before_bytes is None or after_bytes is None or after_bytes <= before_bytes:
        return []
    growth = after_bytes / before_bytes - 1 if before_bytes > 0 else float("inf")
    beyond = growth > allowed.traffic_growth
    return [
        Regression(
            resource="traffic",
            before=before_bytes,
            after=after_bytes,
            refused="traffic-grown" if beyond else None,
            statement=f"{before_bytes:.6g} to {after_bytes:.6g} bytes, {growth:+.1%}",
        )
    ]


def _spills(before: KernelMetadata, after: KernelMetadata, allowed: RegressionLimits) -> Iterator[Regression]:
    for kind in ("vgpr", "sgpr"):
        was, now = getattr(before, f"{kind}_spills") or 0, getattr(after, f"{kind}_spills") or 0
        if now > was:
            beyond = now - was > allowed.spilled_registers
            yield Regression(
                resource=f"{kind}_spills",
                before=was,
                after=now,
                refused="registers-spilled" if beyond else None,
                statement=f"{was} to {now} spilled {kind.upper()}s",
            )


def _scratch(
    before: KernelMetadata, after: KernelMetadata, allowed: RegressionLimits
) -> Iterator[Regression]:
    was, now = before.scratch_bytes or 0, after.scratch_bytes or 0
    if now > was or (after.uses_dynamic_stack and not before.uses_dynamic_stack):
        stack = " and a stack of unknown size" if after.uses_dynamic_stack else ""
        beyond = now - was > allowed.scratch_bytes or bool(stack)
        yield Regression(
            resource="scratch",
            before=was,
            after=now,
            refused="scratch-grown" if beyond else None,
            statement=f"{was} to {now} bytes per lane{stack}",
        )


def _lds(
    before: KernelMetadata,
    after: KernelMetadata,
    launches: Sequence[Launch],
    limits: DeviceLimits,
    allowed: RegressionLimits,
) -> Iterator[Regression]:
    was, now = before.lds_static_bytes or 0, after.lds_static_bytes or 0
    if now <= was:
        return
    dynamic = max((launch.dynamic_lds_bytes for launch in launches), default=0)
    refused: ReasonCode | None = None
    if now + dynamic > limits.lds_bytes_per_workgroup:
        refused = "lds-exceeded"
    elif now - was > max(allowed.lds_free_bytes, allowed.lds_growth * was):
        refused = "lds-grown"
    yield Regression(
        resource="lds",
        before=was,
        after=now,
        refused=refused,
        statement=f"{was} to {now} bytes of static LDS, with {dynamic} bytes at launch",
    )


def _occupancy(
    before: KernelMetadata,
    after: KernelMetadata,
    launches: Sequence[Launch],
    limits: DeviceLimits,
    allowed: RegressionLimits,
) -> Iterator[Regression]:
    for launch in launches:
        was, now = (_theoretical(limits, kernel, launch) for kernel in (before, after))
        if was is None or now is None or now >= was:
            continue
        beyond = now < was * (1 - allowed.occupancy_drop)
        yield Regression(
            resource="occupancy",
            before=was,
            after=now,
            refused="occupancy-dropped" if beyond else None,
            statement=f"{was:.0%} to {now:.0%} of the wave slots with {launch.threads} threads a workgroup",
        )


def _theoretical(limits: DeviceLimits, kernel: KernelMetadata, launch: Launch) -> float | None:
    return occupancy(
        limits,
        threads_per_block=launch.threads,
        arch_vgprs=kernel.arch_vgprs,
        accum_vgprs=kernel.accum_vgprs,
        sgprs=kernel.sgprs,
        lds_bytes=(kernel.lds_static_bytes or 0) + launch.dynamic_lds_bytes,
        wave_size=kernel.wave_size,
        cu_mode=bool(kernel.cu_mode),
    ).theoretical
