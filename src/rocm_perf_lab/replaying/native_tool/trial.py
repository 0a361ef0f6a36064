"""One replay as a trial: a fresh process whose memory afterwards is looked at."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocm_perf_lab.capturing.folder import Capture
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.replaying.memory.buffers import Buffer
from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges, Range
from rocm_perf_lab.replaying.memory.memory_state import CapturedMemory, Observation
from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest, replay
from rocm_perf_lab.replaying.native_tool.tool import Tool
from rocm_perf_lab.replaying.proof.poison_pattern import poison_file

# The virtual GPU keeps one order of workgroups unless it is told another; time is not asked for here.
UNTIMED = {"VROCM_TIMING": "off"}
# Of what the original takes, and at least: how long a kernel may take with other values. Chosen.
PATIENCE = 10.0
LEAST_PATIENCE_S = 20.0


@dataclass(frozen=True)
class Poisoned:
    seed: int
    ranges: ByteRanges


@dataclass
class ReplayBench:
    """What trials are made with and on."""

    capture: Capture
    memory: CapturedMemory
    buffers: Sequence[Buffer]
    tool: Tool
    scratch: Path
    progress: Progress
    timeout_s: float | None = None
    trials: int = 0

    @property
    def work_items(self) -> int:
        x, y, z = self.capture.dispatch.geometry.grid
        return x * y * z

    def order(self, run: int) -> Mapping[str, str]:
        """Variables for the run with this number: from the second on, workgroups start in another order."""
        if not self.tool.virtual or run == 0:
            return {}
        return {**UNTIMED, "VROCM_GROUP_ORDER": str(run)}

    def patience_s(self, usual_s: float) -> float:
        """How long to wait for a kernel that was given other values and takes this long with its own."""
        patience = max(LEAST_PATIENCE_S, PATIENCE * usual_s)
        return patience if self.timeout_s is None else min(patience, self.timeout_s)

    def trial(
        self,
        label: str,
        *,
        hsaco: Path | None = None,
        poisoned: Poisoned | None = None,
        variables: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> ReplayTrial:
        """Raises what goes with a replay that failed."""
        self.trials += 1
        number = self.trials
        self.progress.begin(label)
        poison: Path | None = None
        if poisoned is not None and poisoned.ranges:
            poison = self.scratch / f"poison_{number}.json"
            poison.write_text(poison_file(poisoned.seed, self._by_region(poisoned.ranges)))
        observe = self.scratch / f"observed_{number}"
        request = ReplayRequest(
            self.capture.path,
            timeout_s=self.timeout_s if timeout_s is None else timeout_s,
            hsaco=hsaco,
            poison=poison,
            observe=observe,
        )
        document = replay(
            self.tool,
            request,
            variables if variables is not None else (UNTIMED if self.tool.virtual else {}),
            self.progress.ticker,
        )
        return ReplayTrial(document, next(iter(sorted(observe.glob("iteration_*"))), observe))

    def _by_region(self, ranges: ByteRanges) -> list[Range]:
        """Each within one region: regions may touch."""
        return [
            one
            for region in self.memory.regions.values()
            for one in ranges.intersection(ByteRanges(((region.base, region.base + region.size),)))
        ]


@dataclass(frozen=True)
class ReplayTrial:
    document: dict[str, Any]
    folder: Path

    def observe(self) -> Observation:
        return Observation(self.folder)

    def discard(self) -> None:
        """What it left was looked at, and is not needed again."""
        shutil.rmtree(self.folder, ignore_errors=True)
