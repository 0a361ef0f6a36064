"""Counters of the counter passes, brought to the kernels and launch groups they belong to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rocm_perf_lab.analysis.achieved_occupancy import achieved_occupancy
from rocm_perf_lab.analysis.roofline import TimedLaunches, ceilings, roofline, wanted_counters
from rocm_perf_lab.arch.counters.busy import busy_counters
from rocm_perf_lab.arch.device import base_name, peaks
from rocm_perf_lab.contracts.profiling.roofline import Ceiling, Roofline
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.profiling.request import RooflineRequest
from rocm_perf_lab.rocpd.rows import Agent, LaunchKey, Trace

__all__ = ["MeasuredCeilings", "RooflineRequest", "Rooflines", "counters_for"]

NOT_ASKED = "no counters were collected; rocm-perf profile --roofline does"
SEVERAL_GPUS = "its launches were on several GPUs: each group has its own"


def counters_for(architecture: str, request: RooflineRequest) -> tuple[str, ...]:
    """All counters that help: with the roofline, and with what holds a kernel back."""
    return (*wanted_counters(architecture, request.flop_model), *busy_counters(base_name(architecture)))


# Ceilings that were measured on a device, empty where there are none.
MeasuredCeilings = Callable[[Agent], Sequence[Ceiling]]


@dataclass
class Rooflines:
    timing: Sequence[Trace]
    counters: Sequence[Trace]
    agents: Mapping[int, Agent]
    origin: Origin
    request: RooflineRequest
    dropped: Mapping[str, str]
    measured: MeasuredCeilings | None

    def __post_init__(self) -> None:
        self._timed = [{launches.key: launches for launches in trace.launches} for trace in self.timing]
        self._counted = [{launches.key: launches for launches in trace.launches} for trace in self.counters]
        self._ceilings: dict[Agent, tuple[Ceiling, ...]] = {}

    def ceilings(self, agent: Agent) -> tuple[Ceiling, ...]:
        if agent not in self._ceilings:
            self._ceilings[agent] = ceilings(
                agent,
                peaks(agent.name, agent.product_name),
                memory_bandwidth_gbps=self.request.memory_bandwidth_gbps,
                clock_mhz=self.request.clock_mhz,
                measured=self.measured(agent) if self.measured else (),
            )
        return self._ceilings[agent]

    def of(self, keys: Sequence[LaunchKey]) -> tuple[Roofline | None, str]:
        """The roofline of all launches with these keys together; or None, and why."""
        if not self.counters:
            return None, self._why_no_counters()
        indices = {key.agent for key in keys}
        if len(indices) > 1:
            return None, SEVERAL_GPUS
        agent = self.agents.get(indices.pop())
        if agent is None:
            return None, "the trace does not describe the GPU"
        timed = [by_key[key] for by_key in self._timed for key in keys if key in by_key]
        runs = len(self.timing)
        found = roofline(
            [[by_key[key] for key in keys if key in by_key] for by_key in self._counted],
            TimedLaunches(sum(one.total_ns for one in timed) / runs, sum(one.count for one in timed) / runs),
            agent,
            self.ceilings(agent),
            flop_model=self.request.flop_model,
            origin=self.origin,
            dropped=self.dropped,
        )
        if not isinstance(found, Roofline):
            return None, str(found)
        return replace(found, ceilings=_of_concern(found)), ""

    def achieved_occupancy(self, key: LaunchKey) -> tuple[float | None, str]:
        """From the first pass that has the counters for it."""
        if not self.counters:
            return None, self._why_no_counters()
        why_not = "the counter passes did not launch it"
        for by_key in self._counted:
            if key in by_key and key.agent in self.agents:
                share, why_not = achieved_occupancy(by_key[key].counters, self.agents[key.agent])
                if share is not None:
                    return share, ""
        return None, why_not

    def _why_no_counters(self) -> str:
        reasons = list(dict.fromkeys(self.dropped.values()))
        return f"no counter could be collected: {'; '.join(reasons[:2])}" if reasons else NOT_ASKED


def _of_concern(found: Roofline) -> tuple[Ceiling, ...]:
    """The ceilings of what a kernel does. All of the device's are in roofline.json, once."""
    figures = {f"{work.unit} {work.type}" for work in found.work} | {moved.level for moved in found.traffic}
    named = {work.ceiling for work in found.work} | {found.bound_by}
    return tuple(one for one in found.ceilings if one.figure in figures or one.name in named)
