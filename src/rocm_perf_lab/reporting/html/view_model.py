"""All that the page shows, as plain data: built here, drawn by page.py and the scripts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from rocm_perf_lab import __version__
from rocm_perf_lab.reporting.html.code_view import CodeView, code_view
from rocm_perf_lab.reporting.html.doubts_view import DoubtsView, doubts_view
from rocm_perf_lab.reporting.html.kernel_table_view import KernelTableView, kernel_table_view
from rocm_perf_lab.reporting.html.occupancy_view import OccupancyView, occupancy_view
from rocm_perf_lab.reporting.html.path_view import PathView, path_view
from rocm_perf_lab.reporting.html.reproduce_view import ReproduceView, reproduce_view
from rocm_perf_lab.reporting.html.roofline_view import RooflineView, roofline_view
from rocm_perf_lab.reporting.html.timeline_view import TimelineView, no_timeline, timeline_view
from rocm_perf_lab.reporting.run_documents import RunDocuments, read_run_timeline
from rocm_perf_lab.reporting.words.summary import Summary, summary


@dataclass(frozen=True)
class ReportView:
    version: str
    summary: Summary
    roofline: RooflineView
    timeline: TimelineView
    path: PathView
    kernels: KernelTableView
    occupancy: OccupancyView
    code: CodeView
    doubts: DoubtsView
    reproduce: ReproduceView

    def for_scripts(self) -> dict[str, Any]:
        """What the scripts draw: the rest is in the page's markup already."""
        return {
            "kernels": [
                {"name": row.name, "short": row.short, "share": row.share}
                for row in self.kernels.rows[:_NAMED]
            ],
            "roofline": asdict(self.roofline),
            "timeline": asdict(self.timeline),
            "occupancy": asdict(self.occupancy),
            "code": asdict(self.code),
        }


_NAMED = 60  # kernels that charts speak of


def report_view(run: RunDocuments) -> ReportView:
    timeline = read_run_timeline(run)
    return ReportView(
        version=__version__,
        summary=summary(run),
        roofline=roofline_view(run),
        timeline=no_timeline(timeline) if isinstance(timeline, str) else timeline_view(timeline, run.dag),
        path=path_view(run.dag),
        kernels=kernel_table_view(run),
        occupancy=occupancy_view(run),
        code=code_view(run.att),
        doubts=doubts_view(run),
        reproduce=reproduce_view(run),
    )
