"""From traces to documents: profile.json and roofline.json of one or more runs of a program. No I/O."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rocm_perf_lab.analysis.stability import stability
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.profile import KernelIdentity, Pass, ProfileDocument, Setting
from rocm_perf_lab.contracts.profiling.roofline_document import KernelRoofline, RooflineDocument
from rocm_perf_lab.contracts.profiling.stability import Stability
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.errors import NoKernels
from rocm_perf_lab.profiling.documents.gpus import describe
from rocm_perf_lab.profiling.documents.kernel_code import KernelCode
from rocm_perf_lab.profiling.documents.kernel_profile import KernelMaker
from rocm_perf_lab.profiling.documents.launch_groups import kernels_of
from rocm_perf_lab.profiling.documents.rooflines import MeasuredCeilings, RooflineRequest, Rooflines
from rocm_perf_lab.rocpd.rows import Agent, Trace
from rocm_perf_lab.units import ms

UNKNOWN_DEVICE = "the traces do not say whether they are of hardware; their times are taken as measured"


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """What the traces themselves do not carry."""

    passes: tuple[Pass, ...] = ()
    wall_ms: Stability | None = None
    no_wall: str = "the traces do not carry the wall time of the process"
    dropped_counters: Mapping[str, str] = field(default_factory=dict)
    unfinished: tuple[str, ...] = ()
    """What is missing of a run that did not come to its end."""
    warnings: tuple[str, ...] = ()
    origin: Origin | None = None
    """Of the times; None: what the traces say of their GPU."""
    kernel_filter: str | None = None
    """Regular expression: only kernels whose name matches somewhere."""
    code: KernelCode | None = None
    """What code objects say of kernels (``kernel_code``)."""
    roofline: RooflineRequest = field(default_factory=RooflineRequest)
    measured_ceilings: MeasuredCeilings | None = None
    """From the calibration of a device; None: data sheets alone."""


def assemble(
    timing: Sequence[Trace],
    counters: Sequence[Trace],
    setting: Setting,
    circumstances: Circumstances | None = None,
) -> tuple[ProfileDocument, RooflineDocument]:
    """The documents of a program whose executions ``timing`` (time) and ``counters`` (counts) were traced.

    Time comes from ``timing`` alone. Raises NoKernels when there is nothing to tell.
    """
    given = circumstances or Circumstances()
    if not any(trace.dispatches for trace in timing):
        raise NoKernels(
            "the program launched no kernel", "check that it uses the GPU and this ROCm's libraries"
        )
    agents = {agent.index: agent for trace in timing for agent in trace.agents}
    origin, warnings = _origin(given.origin, list(agents.values()))
    warnings += [warning for trace in (*timing, *counters) for warning in trace.warnings]
    everything = kernels_of(timing)
    chosen = [kernel for kernel in everything if _matches(given.kernel_filter, kernel.name)]
    if not chosen:
        names = ", ".join(kernel.name for kernel in everything[:3])
        raise NoKernels(f"no kernel matches {given.kernel_filter!r}", f"the program's kernels are {names} …")
    order = {index: place for place, index in enumerate(agents)}
    maker = KernelMaker(
        agents=agents,
        gpu_places=order,
        origin=origin,
        all_ns=sum(trace.total_ns for trace in timing),
        rooflines=Rooflines(
            timing,
            counters,
            agents,
            origin,
            given.roofline,
            given.dropped_counters,
            given.measured_ceilings,
        ),
        code=given.code,
    )
    kernels = tuple(maker.make(kernel) for kernel in chosen)
    samples = [sum(kernel.total_ns_per_run()[run] for kernel in chosen) for run in range(len(timing))]
    total = stability([ms(sample) for sample in samples], origin)
    warnings += _differences(timing)
    main_agent = agents.get(chosen[0].groups[0].key.agent)
    document = _profile(given, setting, agents, main_agent, kernels, total, warnings)
    return document, _roofline_document(document, main_agent, maker.rooflines)


def _profile(
    given: Circumstances,
    setting: Setting,
    agents: Mapping[int, Agent],
    main_agent: Agent | None,
    kernels: tuple[KernelProfile, ...],
    total: Stability,
    warnings: Sequence[str],
) -> ProfileDocument:
    first = kernels[0]
    missing: dict[str, str] = {
        name: reason for name, reason in first.missing.items() if name in ("occupancy", "roofline")
    }
    if given.wall_ms is None:
        missing["wall_ms"] = given.no_wall
    gpu = describe(main_agent) if main_agent else None
    if gpu is None:
        missing["gpu"] = "the trace does not describe the GPU"
    return ProfileDocument(
        origin=total.origin,
        missing=missing,
        kernel=KernelIdentity(
            name=first.name, launches=first.launches, total_ms=first.total_ms, share=first.share
        ),
        gpu=gpu,
        gpus=tuple(describe(agent) for agent in agents.values()),
        runtime_ms=total.mean_ms,
        stability=total,
        resources=first.resources,
        occupancy=first.occupancy,
        roofline=first.roofline,
        kernels=kernels,
        wall_ms=given.wall_ms,
        passes=given.passes,
        setting=setting,
        dropped_counters=dict(given.dropped_counters),
        unfinished=given.unfinished,
        warnings=tuple(dict.fromkeys((*given.warnings, *warnings))),
    )


def _roofline_document(
    profile: ProfileDocument, main_agent: Agent | None, rooflines: Rooflines
) -> RooflineDocument:
    missing = {"gpu": profile.missing["gpu"]} if profile.gpu is None else {}
    return RooflineDocument(
        origin=profile.origin,
        missing=missing,
        gpu=profile.gpu,
        flop_model=rooflines.request.flop_model,
        ceilings=rooflines.ceilings(main_agent) if main_agent else (),
        kernels=tuple(
            KernelRoofline(
                name=kernel.name,
                launches=kernel.launches,
                total_ms=kernel.total_ms,
                roofline=kernel.roofline,
                reason=kernel.missing.get("roofline"),
            )
            for kernel in profile.kernels
        ),
    )


def _origin(given: Origin | None, agents: Sequence[Agent]) -> tuple[Origin, list[str]]:
    if given is not None:
        return given, []
    if any(agent.virtual for agent in agents):
        return "simulated", []
    if agents and all(agent.virtual is False for agent in agents):
        return "measured", []
    return "measured", [UNKNOWN_DEVICE]


def _matches(pattern: str | None, name: str) -> bool:
    return pattern is None or re.search(pattern, name) is not None


def _differences(timing: Sequence[Trace]) -> list[str]:
    """Runs that did not launch the same: their mean is of different things."""
    counts = {
        tuple(sorted((launches.key, launches.count) for launches in trace.launches)) for trace in timing
    }
    if len(counts) <= 1:
        return []
    dispatches = ", ".join(str(trace.dispatches) for trace in timing)
    return [
        f"the runs did not launch the same kernels ({dispatches} dispatches): figures are means over them"
    ]
