"""What a profile leaves behind: documents and the folder they are in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument


@dataclass(frozen=True)
class Profiled:
    profile: ProfileDocument
    text: str  # of profile.json
    folder: Path
    analysis: AnalysisDocument | None = None
    """None without a tracer."""

    @property
    def runtime_ms(self) -> float:
        """GPU time of one run; without a tracer the wall time of the process."""
        if self.profile.runtime_ms is not None:
            return self.profile.runtime_ms
        assert self.profile.wall_ms
        return self.profile.wall_ms.mean_ms
