"""The roofs of a device: data sheet rates for the units, dies and clock that it has, or measured ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rocm_perf_lab.arch.peaks import Peaks, Rate
from rocm_perf_lab.contracts.profiling.roofline import Ceiling
from rocm_perf_lab.rocpd.rows import Agent

_GIGA = 1e9


def ceilings(
    agent: Agent,
    peaks: Peaks | None,
    *,
    memory_bandwidth_gbps: float | None = None,
    clock_mhz: float | None = None,
    measured: Sequence[Ceiling] = (),
) -> tuple[Ceiling, ...]:
    """All roofs. Those of one figure are in the order in which they count: what was given, then from the
    lowest up what was measured, what the data sheet says, and what lies above that (packed instructions, the
    Infinity Cache).
    """
    sheet = tuple(_data_sheet(agent, peaks, clock_mhz)) if peaks else ()
    given = (_given(memory_bandwidth_gbps),) if memory_bandwidth_gbps is not None else ()
    known = [one for one in measured if not (given and one.figure == given[0].figure)]
    better = {one.name for one in (*given, *known)}
    rest = [replace(one, name=f"{one.name} (data sheet)") if one.name in better else one for one in sheet]
    return (*given, *sorted((*known, *rest), key=lambda one: (one.kind, one.figure, one.value)))


def unexplained_ceilings(agent: Agent, peaks: Peaks | None, clock_mhz: float | None = None) -> str | None:
    """Why there are no roofs from the data sheet; None where there are."""
    if peaks is None:
        return f"no peak rates are known of {agent.name}"
    if _clock(agent, peaks, clock_mhz) is None:
        return "the trace does not say the clock of the GPU: give --clock-mhz"
    if agent.cu_count is None:
        return "the trace does not say how many compute units the GPU has"
    return None


def _clock(agent: Agent, peaks: Peaks, given: float | None) -> tuple[float, str] | None:
    if given is not None:
        return given, "given: --clock-mhz"
    if agent.clock_mhz:
        return agent.clock_mhz, "clock of the agent"
    if peaks.product:
        return peaks.product.clock_mhz, f"clock of the {peaks.product.name}"
    return None


def _dies(agent: Agent, peaks: Peaks) -> int | None:
    """Where a trace does not tell: the share of the product's dies that goes with the compute units."""
    if agent.xcd_count or agent.cu_count is None or peaks.product is None:
        return agent.xcd_count
    return max(1, round(peaks.product.xcd_count * agent.cu_count / peaks.product.cu_count))


def _given(gbps: float) -> Ceiling:
    return Ceiling(
        name="hbm",
        figure="hbm",
        kind="memory",
        value=gbps,
        unit="GB/s",
        origin="spec",
        source="given: --memory-bandwidth-gbps",
    )


def _data_sheet(agent: Agent, peaks: Peaks, given_clock: float | None) -> Iterator[Ceiling]:
    clock = _clock(agent, peaks, given_clock)
    if clock and agent.cu_count:
        mhz, which = clock
        scale = f"{agent.cu_count} CU at {mhz:g} MHz ({which})"
        yield from _compute(peaks, agent.cu_count, mhz, scale)
        yield from _memory("lds", peaks.lds_bytes_per_second(cu_count=agent.cu_count, clock_mhz=mhz), scale)
        yield from _memory("l1", peaks.l1_bytes_per_second(cu_count=agent.cu_count, clock_mhz=mhz), scale)
        dies = _dies(agent, peaks)
        scale = f"{dies or 1} XCD at {mhz:g} MHz ({which})"
        yield from _memory("l2", peaks.l2_bytes_per_second(xcd_count=dies or 1, clock_mhz=mhz), scale)
    yield from _memory("hbm", peaks.memory_bytes_per_second(xcd_count=_dies(agent, peaks)), "")
    cache = peaks.infinity_cache_bytes_per_second(xcd_count=_dies(agent, peaks))
    if cache:
        yield from _memory(
            "hbm", Rate(low=cache.high, high=cache.high, source=cache.source), "", "infinity cache"
        )


def _compute(peaks: Peaks, cu_count: int, mhz: float, scale: str) -> Iterator[Ceiling]:
    for kind in peaks.flops:
        rate = peaks.flops_per_second(kind, cu_count=cu_count, clock_mhz=mhz)
        unit, _, type_ = kind.partition("_")
        if rate is None or unit not in ("valu", "mfma"):
            continue
        name = f"{unit} {type_}".replace("_", " ")
        for ending, value in _band(rate):
            yield Ceiling(
                name=name + ending,
                figure=name.removesuffix(" packed"),
                kind="compute",
                value=value / _GIGA,
                unit="GOP/s" if type_.startswith("i") else "GFLOP/s",
                origin="spec",
                source=f"{rate.source}; {scale}",
            )


def _memory(level: str, rate: Rate | None, scale: str, name: str | None = None) -> Iterator[Ceiling]:
    if rate is None:
        return
    for ending, value in _band(rate):
        yield Ceiling(
            name=(name or level) + ending,
            figure=level,
            kind="memory",
            value=value / _GIGA,
            unit="GB/s",
            origin="spec",
            source=f"{rate.source}; {scale}" if scale else rate.source,
        )


def _band(rate: Rate) -> Iterator[tuple[str, float]]:
    """The rate; where sources disagree (or a partition may draw more) also a roof at the upper end."""
    yield "", rate.low
    if rate.high != rate.low:
        yield " (at most)", rate.high
