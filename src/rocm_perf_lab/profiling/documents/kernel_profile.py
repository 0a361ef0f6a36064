"""One kernel of a profile: its times, resources and occupancy, from the launches of all runs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from rocm_perf_lab.analysis.exact_registers import exact_registers
from rocm_perf_lab.analysis.occupancy import occupancy
from rocm_perf_lab.analysis.stability import stability
from rocm_perf_lab.arch.device import device
from rocm_perf_lab.codeobj.metadata import KernelMetadata
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile, LaunchGroup
from rocm_perf_lab.contracts.profiling.occupancy import Occupancy
from rocm_perf_lab.contracts.profiling.resources import Resources
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.profiling.documents.kernel_code import NOT_LOOKED_AT, KernelCode
from rocm_perf_lab.profiling.documents.launch_groups import KernelGroups, LaunchesByRun, median_ms, times_of
from rocm_perf_lab.profiling.documents.rooflines import Rooflines
from rocm_perf_lab.rocpd.rows import Agent
from rocm_perf_lab.units import ms

NO_MEDIAN = "the trace was summed without medians"
MIXED = "launches differ in geometry: each group has its own"
NOT_IN_TRACE = "the trace does not say"
_OF_THE_CODE = ("vgpr_spills", "sgpr_spills", "code_bytes")


@dataclass(frozen=True)
class KernelMaker:
    """What all kernels of one document have in common."""

    agents: Mapping[int, Agent]
    gpu_places: Mapping[int, int]
    origin: Origin
    all_ns: int  # of all kernels in all runs, whether in the document or not
    rooflines: Rooflines
    code: KernelCode | None
    _occupancies: dict[tuple[object, ...], Occupancy] = field(default_factory=dict)

    def make(self, kernel: KernelGroups) -> KernelProfile:
        times = times_of(kernel.groups)
        per_run = kernel.total_ns_per_run()
        groups = tuple(self._group(group) for group in kernel.groups)
        first = groups[0]
        roofline, why_not = self.rooflines.of([group.key for group in kernel.groups])
        missing = {}
        if len(groups) > 1:
            missing["median_ms"] = MIXED
        elif first.median_ms is None:
            missing["median_ms"] = NO_MEDIAN
        if first.occupancy is None:
            missing["occupancy"] = first.missing["occupancy"]
        if roofline is None:
            missing["roofline"] = why_not
        return KernelProfile(
            origin=self.origin,
            missing=missing,
            name=kernel.name,
            launches=times.launches,
            total_ms=times.total_ms,
            share=sum(per_run) / self.all_ns if self.all_ns else 0.0,
            mean_ms=times.mean_ms,
            median_ms=first.median_ms if len(groups) == 1 else None,
            min_ms=times.min_ms,
            max_ms=times.max_ms,
            stability=stability([ms(total) for total in per_run], self.origin),
            resources=self._resources(kernel),
            occupancy=first.occupancy,
            roofline=roofline,
            groups=groups,
        )

    def _group(self, group: LaunchesByRun) -> LaunchGroup:
        times, median = times_of([group]), median_ms(group)
        occupied, no_occupancy = self._occupancy(group)
        roofline, no_roofline = self.rooflines.of([group.key])
        missing = {}
        if median is None:
            missing["median_ms"] = NO_MEDIAN
        if occupied is None:
            missing["occupancy"] = no_occupancy
        if roofline is None:
            missing["roofline"] = no_roofline
        return LaunchGroup(
            origin=self.origin,
            missing=missing,
            gpu=self.gpu_places.get(group.key.agent, 0),
            grid=group.key.grid,
            block=group.key.workgroup,
            lds_bytes=group.key.lds_bytes,
            launches=times.launches,
            total_ms=times.total_ms,
            mean_ms=times.mean_ms,
            median_ms=median,
            min_ms=times.min_ms,
            max_ms=times.max_ms,
            occupancy=occupied,
            roofline=roofline,
        )

    def _occupancy(self, group: LaunchesByRun) -> tuple[Occupancy | None, str]:
        agent = self.agents.get(group.key.agent)
        if agent is None:
            return None, "the trace does not describe the GPU"
        limits = device(agent.name, agent.product_name)
        if limits is None:
            return None, f"the limits of {agent.name} are not known"
        achieved, why_not = self.rooflines.achieved_occupancy(group.key)
        threads = math.prod(group.key.workgroup)
        # Launches often differ in their grid alone, which does not matter here.
        alike = (group.key.kernel, agent, threads, group.resources, group.key.lds_bytes, achieved, why_not)
        if alike not in self._occupancies:
            known = self._metadata(group.key.kernel)
            resources = exact_registers(group.resources, known).resources
            self._occupancies[alike] = occupancy(
                limits,
                threads_per_block=threads,
                arch_vgprs=resources.arch_vgprs,
                accum_vgprs=resources.accum_vgprs,
                sgprs=resources.sgprs,
                lds_bytes=group.key.lds_bytes,
                wave_size=(known and known.wave_size) or agent.wave_size,
                cu_mode=bool(known and known.cu_mode),
                achieved=achieved,
                achieved_missing=why_not,
            )
        return self._occupancies[alike], ""

    def _code(self, name: str) -> KernelMetadata | str:
        return self.code(name) if self.code else NOT_LOOKED_AT

    def _metadata(self, name: str) -> KernelMetadata | None:
        code = self._code(name)
        return None if isinstance(code, str) else code

    def _resources(self, kernel: KernelGroups) -> Resources:
        first = kernel.groups[0]
        said, source = exact_registers(first.resources, self._metadata(kernel.name))
        static = said.lds_static_bytes
        dynamic = None if static is None else first.key.lds_bytes - static
        scratch = said.scratch_bytes if said.scratch_bytes is not None else first.key.scratch_bytes
        code = self._code(kernel.name)
        values = {
            "arch_vgprs": said.arch_vgprs,
            "accum_vgprs": said.accum_vgprs,
            "sgprs": said.sgprs,
            "lds_static_bytes": static,
            "lds_dynamic_bytes": dynamic,
        }
        missing = {name: NOT_IN_TRACE for name, value in values.items() if value is None}
        compiled: dict[str, int | None] = dict.fromkeys(_OF_THE_CODE)
        if not isinstance(code, str):
            compiled = {name: getattr(code, name) for name in _OF_THE_CODE}
        for name, value in compiled.items():
            if value is None:
                missing[name] = code if isinstance(code, str) else "the code object does not say"
        return Resources(
            origin="spec",
            missing=missing,
            registers_from=source,
            scratch_bytes_per_lane=scratch,
            **compiled,
            **values,
        )
