"""Counters of the counter passes, brought to the kernels and launch groups they belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rocm_perf_lab.analysis.achieved_occupancy import achieved_occupancy
from rocm_perf_lab.contracts.roofline import Ceiling, FlopModel, Roofline
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.rocpd.rows import Agent, LaunchKey, Trace

NOT_ASKED = "no counters were collected; --roofline collects them"


@dataclass(frozen=True)
class RooflineWish:
    """What the user said of the roofline."""

    flop_model: FlopModel = "typed"
    memory_bandwidth_gbps: float | None = None
    clock_mhz: float | None = None


class Rooflines:
    def __init__(
        self,
        timing: Sequence[Trace],
        counters: Sequence[Trace],
        agents: Mapping[int, Agent],
        origin: Origin,
        wish: RooflineWish,
    ) -> None:
        self.timing, self.counters, self.agents, self.origin, self.wish = (
            timing,
            counters,
            agents,
            origin,
            wish,
        )

    def ceilings(self) -> tuple[Ceiling, ...]:
        return ()

    def of(self, keys: Sequence[LaunchKey]) -> tuple[Roofline | None, str]:
        """The roofline of all launches with these keys together; or None, and why."""
        return None, NOT_ASKED

    def achieved_occupancy(self, key: LaunchKey) -> tuple[float | None, str]:
        """From the first pass that has the counters for it."""
        if not self.counters:
            return None, NOT_ASKED
        why_not = "the counter passes did not launch it"
        for trace in self.counters:
            for launches in trace.launches:
                if launches.key == key and key.agent in self.agents:
                    share, why_not = achieved_occupancy(launches.counters, self.agents[key.agent])
                    if share is not None:
                        return share, ""
        return None, why_not


def counters_for(architecture: str, wish: RooflineWish) -> tuple[str, ...]:
    """All counters that help."""
    from rocm_perf_lab.analysis.roofline import wanted_counters

    return wanted_counters(architecture, wish.flop_model)
