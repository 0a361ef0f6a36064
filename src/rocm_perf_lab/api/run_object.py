"""A profiled program as an object: its documents, and each kernel with all that is known of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.errors import UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument, Criticality, KernelAnalysis
    from rocm_perf_lab.contracts.profiling.att import AttDocument
    from rocm_perf_lab.contracts.profiling.bottleneck import Bottleneck, Headroom
    from rocm_perf_lab.contracts.profiling.dag import DagDocument
    from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
    from rocm_perf_lab.contracts.profiling.occupancy import Occupancy
    from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
    from rocm_perf_lab.contracts.profiling.resources import Resources
    from rocm_perf_lab.contracts.profiling.roofline import Roofline
    from rocm_perf_lab.contracts.profiling.roofline_document import RooflineDocument
    from rocm_perf_lab.contracts.section import Origin
    from rocm_perf_lab.reporting.run_documents import RunDocuments as Documents
    from rocm_perf_lab.requests.values import AnyPath

NOT_PREDICTED = "not predicted: dag.json says of this kernel why"
NO_ANALYSIS = "the run has no analysis of this kernel: profile it again"


class Kernel:
    """One kernel of a run. What is not known is None, and ``missing`` says why."""

    def __init__(self, profile: KernelProfile, analysis: KernelAnalysis | None) -> None:
        self.profile: KernelProfile = profile
        """As it stands in profile.json."""
        self.analysis: KernelAnalysis | None = analysis
        """As it stands in analysis.json."""

    @property
    def name(self) -> str:
        """Demangled."""
        return self.profile.name

    @property
    def launches(self) -> int:
        """In one run of the program."""
        return self.profile.launches

    @property
    def time_ms(self) -> float:
        """GPU time of all launches of one run of the program."""
        return self.profile.total_ms

    @property
    def mean_ms(self) -> float:
        """GPU time of one launch."""
        return self.profile.mean_ms

    @property
    def share(self) -> float:
        """Of the GPU time of all kernels, 0 to 1."""
        return self.profile.share

    @property
    def resources(self) -> Resources:
        """Registers, LDS and scratch."""
        return self.profile.resources

    @property
    def occupancy(self) -> Occupancy | None:
        """How many waves fit, what limits them, and what one step more would take."""
        return self.profile.occupancy

    @property
    def roofline(self) -> Roofline | None:
        """Work, traffic and the nearest ceiling; needs counters (``profile(…, roofline=True)``)."""
        return self.profile.roofline

    @property
    def bottleneck(self) -> Bottleneck | None:
        """What holds it back: label, evidence, how sure."""
        return self.analysis.bottleneck if self.analysis else None

    @property
    def headroom(self) -> Headroom | None:
        """How far it is from the ceiling that would hold it back next."""
        return self.analysis.headroom if self.analysis else None

    @property
    def criticality(self) -> Criticality | None:
        """Its part in the critical path; needs ``profile(…, focus_critical=True)``."""
        return self.analysis.criticality if self.analysis else None

    @property
    def gain_at_2x_ms(self) -> float | None:
        """What the whole would take less if its launches took half the time."""
        return self.criticality.gain_at_2x_ms if self.criticality else None

    @property
    def missing(self) -> dict[str, str]:
        """For what is None here: why."""
        reasons = {
            name: reason
            for name, reason in self.profile.missing.items()
            if name in ("occupancy", "roofline") and getattr(self, name) is None
        }
        analysed = self.analysis.missing if self.analysis else {}
        for name in ("bottleneck", "headroom", "criticality"):
            if getattr(self, name) is None:
                reasons[name] = analysed.get(name, NO_ANALYSIS)
        if self.gain_at_2x_ms is None:
            reasons["gain_at_2x_ms"] = reasons.get("criticality", NOT_PREDICTED)
        return reasons

    def __repr__(self) -> str:
        label = f", {self.bottleneck.label}" if self.bottleneck else ""
        return f"<Kernel {self.name}: {self.time_ms:.6g} ms, {self.share:.0%}{label}>"


class Run:
    """A run of ``profile`` or what saved traces amount to: documents, kernels, and a page that shows them."""

    def __init__(
        self,
        folder: Path | None,
        profile: ProfileDocument,
        analysis: AnalysisDocument | None,
        rest: Callable[[], Documents],
        text: str | None = None,
    ) -> None:
        """Made by ``profile``, ``analyze`` and ``load_run``; ``rest`` fetches the other documents when they
        are asked for, ``text`` is that of profile.json where it is known."""
        self.folder: Path | None = folder
        """The run folder; None where the traces that were read lie in several places."""
        self.profile: ProfileDocument = profile
        """What the program did on the GPU (profile.json)."""
        self.analysis: AnalysisDocument | None = analysis
        """Why each kernel takes its time (analysis.json); None where the GPU was not looked at."""
        self._rest = rest
        self._text = text

    @cached_property
    def documents(self) -> Documents:
        """All documents of the run, read when they are first asked for."""
        return self._rest()

    @property
    def roofline(self) -> RooflineDocument | None:
        """Where each kernel stands under the roofs (roofline.json)."""
        return self.documents.roofline

    @property
    def dag(self) -> DagDocument | None:
        """The critical path (dag.json); needs ``profile(…, focus_critical=True)``."""
        return self.documents.dag

    @property
    def att(self) -> AttDocument | None:
        """What the waves did (att.json); needs ``profile(…, deep_analysis=True)``."""
        return self.documents.att

    @property
    def problems(self) -> tuple[str, ...]:
        """Documents that are there and could not be read: why."""
        return self.documents.problems

    @property
    def unfinished(self) -> tuple[str, ...]:
        """Of a run that did not come to its end: why, and what is missing; empty where all is there."""
        return self.profile.unfinished

    @property
    def origin(self) -> Origin:
        """measured: on hardware; simulated: on the virtual GPU."""
        return self.profile.origin

    @property
    def runtime_ms(self) -> float | None:
        """GPU time of one run of the program; None where the GPU was not looked at."""
        return self.profile.runtime_ms

    @property
    def wall_ms(self) -> float | None:
        """Wall time of the process; only of runs with ``rocprof=False``."""
        return self.profile.wall_ms.mean_ms if self.profile.wall_ms else None

    @cached_property
    def kernels(self) -> tuple[Kernel, ...]:
        """By time, longest first."""
        analyses = {kernel.name: kernel for kernel in self.analysis.kernels} if self.analysis else {}
        return tuple(Kernel(kernel, analyses.get(kernel.name)) for kernel in self.profile.kernels)

    def to_json(self) -> str:
        """The text of profile.json."""
        if self._text is None:
            from rocm_perf_lab.contracts.documents import to_json

            self._text = to_json(self.profile)
        return self._text

    def report(self, output: AnyPath | None = None) -> Path:
        """Writes the run as one HTML file that needs nothing else, and says where: ``report.html`` of the run
        folder unless a file is named."""
        from rocm_perf_lab.reporting.whole_file import write_whole

        if output is None and self.folder is None:
            raise UsageProblem("the traces lie in several places: none is that of the page", "name a file")
        file = Path(output) if output is not None else self.documents.folder / "report.html"
        write_whole(file, [self.html().encode()])
        return file

    def html(self) -> str:
        """The text of that file."""
        from rocm_perf_lab.reporting.html.page import render
        from rocm_perf_lab.reporting.html.view_model import report_view

        return render(report_view(self.documents))

    def markdown(self) -> str:
        """The summary of the run as Markdown."""
        from rocm_perf_lab.reporting.formats.summary_markdown import render

        return render(self.documents)

    def __repr__(self) -> str:
        time = f"{self.runtime_ms:.6g} ms" if self.runtime_ms is not None else "no GPU time"
        return f"<Run {self.folder}: {time} {self.origin}, {len(self.kernels)} kernels>"
