"""What holds for every launch: less never hurts, the next step is the least that helps, limiters limit."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

from hypothesis import assume, given
from hypothesis import strategies as st

from rocm_perf_lab.analysis.occupancy_step import next_step
from rocm_perf_lab.analysis.residency import Demand, allocated_vgprs, residency
from rocm_perf_lab.arch.limits import DeviceLimits
from rocm_perf_lab.arch.limits_table import LIMITS

RESOURCES = ("arch_vgprs", "accum_vgprs", "sgprs", "lds_bytes")
UNLIMITED = 1 << 40


@st.composite
def launches(draw: st.DrawFn) -> tuple[DeviceLimits, Demand]:
    limits = draw(st.sampled_from(list(LIMITS.values())))
    demand = Demand(
        threads=draw(st.one_of(st.integers(1, 1100), st.sampled_from([64, 128, 256, 512, 1024]))),
        wave_size=draw(st.sampled_from(limits.wave_sizes)),
        arch_vgprs=draw(st.integers(0, 256)),
        accum_vgprs=draw(st.integers(0, 256)) if limits.accumulation != "none" else 0,
        sgprs=draw(st.integers(0, 112)),
        lds_bytes=draw(st.one_of(st.just(0), st.integers(0, limits.lds_bytes_per_workgroup + 2000))),
        cu_mode=limits.pairs_of_units and draw(st.booleans()),
    )
    return limits, demand


@given(launches(), st.sampled_from(RESOURCES), st.integers(1, 300))
def test_taking_less_never_lets_fewer_fit(
    launch: tuple[DeviceLimits, Demand], resource: str, less: int
) -> None:
    limits, demand = launch
    smaller = replace(demand, **{resource: max(0, getattr(demand, resource) - less)})
    assert residency(limits, smaller).groups >= residency(limits, demand).groups


@given(launches())
def test_it_is_a_share_of_the_slots_in_whole_groups(launch: tuple[DeviceLimits, Demand]) -> None:
    limits, demand = launch
    fits = residency(limits, demand)
    assert 0 <= fits.share <= 1
    assert fits.waves % demand.waves == 0
    assert fits.groups == min(fits.limits.values())


@given(launches())
def test_the_next_step_raises_occupancy_to_what_it_says(launch: tuple[DeviceLimits, Demand]) -> None:
    limits, demand = launch
    now = residency(limits, demand)
    step = next_step(limits, demand, now)
    if now.waves == now.slots:
        assert step is None
    assume(step is not None)
    assert step is not None
    then = residency(limits, _after(limits, demand, step.needs))
    assert then.waves > now.waves
    assert (then.waves_per_simd, then.share) == (step.waves_per_simd, step.theoretical)


@given(launches())
def test_a_step_in_registers_or_lds_is_the_least(launch: tuple[DeviceLimits, Demand]) -> None:
    """With any of its parts one short, nothing is gained: each is needed, and none is larger than needed."""
    limits, demand = launch
    now = residency(limits, demand)
    step = next_step(limits, demand, now)
    assume(step is not None and "threads_per_block" not in step.needs)
    assert step is not None
    for need in step.needs:
        almost = _after(limits, demand, {**step.needs, need: step.needs[need] + 1})
        assert residency(limits, almost).groups == now.groups


@given(launches())
def test_the_words_count_the_registers_that_have_to_go(launch: tuple[DeviceLimits, Demand]) -> None:
    """By brute force over both kinds of vector registers."""
    limits, demand = launch
    step = next_step(limits, demand, residency(limits, demand))
    assume(step is not None and "vgprs" in step.needs)
    assert step is not None
    least = math.inf
    for arch in range(demand.arch_vgprs + 1):
        # The most accumulation registers that still go with so many others.
        for accum in range(demand.accum_vgprs, -1, -1):
            cut = demand.arch_vgprs - arch + demand.accum_vgprs - accum
            if cut >= least:
                break
            tried = replace(demand, arch_vgprs=arch, accum_vgprs=accum)
            if allocated_vgprs(limits, tried) <= step.needs["vgprs"]:
                least = cut
                break
    assert step.change.split()[0] == str(int(least))


def test_another_size_is_the_nearest_that_helps() -> None:
    """All sizes, with some register counts: no size between the present and the proposed one is better."""
    proposals = 0
    for name in ("gfx908", "gfx942", "gfx1100"):
        limits = LIMITS[name]
        for threads, vgprs in product(range(1, 1101, 13), (24, 40, 72, 96, 128, 200)):
            demand = Demand(
                threads=threads, wave_size=64, arch_vgprs=vgprs, accum_vgprs=0, sgprs=20, lds_bytes=0
            )
            now = residency(limits, demand)
            step = next_step(limits, demand, now)
            if step is None or "threads_per_block" not in step.needs:
                continue
            proposals += 1
            distance = abs(step.needs["threads_per_block"] - threads)
            for other in range(64, 1025, 64):
                if abs(other - threads) < distance and (threads & (threads - 1) or not other & (other - 1)):
                    assert residency(limits, replace(demand, threads=other)).waves <= now.waves
    assert proposals > 100


@given(launches())
def test_the_limiter_limits(launch: tuple[DeviceLimits, Demand]) -> None:
    """Without the limiter more would fit, unless another resource stops the same group."""
    limits, demand = launch
    now = residency(limits, demand)
    if now.limiter == "waves":
        assert now.waves == now.slots
        return
    if now.limiter == "workgroup":
        # Waves that were not bound into groups could take what is left.
        assert demand.threads > limits.max_threads_per_workgroup or min(now.capacity.values()) > now.waves
        return
    assert now.limits[now.limiter] == now.groups
    relaxed = residency(_without(limits, now.limiter), demand)
    others = [groups for resource, groups in now.limits.items() if resource != now.limiter]
    assert relaxed.groups == min(others)


def _without(limits: DeviceLimits, resource: str) -> DeviceLimits:
    """A device that has any amount of one resource."""
    if resource == "vgpr":
        return replace(
            limits, vgprs={lanes: replace(file, registers=UNLIMITED) for lanes, file in limits.vgprs.items()}
        )
    if resource == "sgpr":
        return replace(limits, sgpr_steps=())
    if resource == "lds":
        return replace(limits, lds_bytes=UNLIMITED, lds_bytes_per_workgroup=UNLIMITED)
    assert resource == "barriers"
    return replace(limits, barriers=UNLIMITED)


def _after(limits: DeviceLimits, demand: Demand, needs: dict[str, int]) -> Demand:
    """The launch with as much of everything as ``needs`` allows."""
    changed = demand
    if "vgprs" in needs:
        changed = replace(changed, arch_vgprs=needs["vgprs"], accum_vgprs=0)
    if "sgprs" in needs:
        changed = replace(changed, sgprs=needs["sgprs"])
    if "lds_bytes" in needs:
        changed = replace(changed, lds_bytes=needs["lds_bytes"])
    if "threads_per_block" in needs:
        threads = needs["threads_per_block"]
        lds = max(demand.lds_bytes, -(-demand.lds_bytes * threads // demand.threads))
        changed = replace(changed, threads=threads, lds_bytes=lds)
    return changed
