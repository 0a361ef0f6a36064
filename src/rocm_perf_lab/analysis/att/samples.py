"""PC sampling: where waves were found, and why they did not issue."""

from __future__ import annotations

from collections.abc import Sequence

from rocm_perf_lab.analysis.att.classes import class_of
from rocm_perf_lab.analysis.att.hotspots import innermost
from rocm_perf_lab.contracts.profiling.att import AttSampledLine, AttSamples
from rocm_perf_lab.thread_trace.rows import SAMPLE_REASONS, CodeLine


def samples_of(code: Sequence[CodeLine]) -> AttSamples:
    found = [line.samples for line in code if line.samples]
    return AttSamples(
        issued=sum(samples.issued for samples in found),
        stalled=sum(samples.stalled for samples in found),
        stall_reasons={
            name: sum(samples.reasons[place] for samples in found)
            for place, name in enumerate(SAMPLE_REASONS)
            if any(samples.reasons[place] for samples in found)
        },
    )


def sampled_lines_of(code: Sequence[CodeLine]) -> tuple[AttSampledLine, ...]:
    """Lines with samples, most first."""
    everything = sum(line.samples.issued + line.samples.stalled for line in code if line.samples)
    made = []
    for line in code:
        samples = line.samples
        if line.is_label or samples is None or not samples.issued + samples.stalled:
            continue
        made.append(
            AttSampledLine(
                line=line.number,
                text=line.text,
                instruction_class=class_of(line.text),
                source=innermost(line.source),
                samples_issued=samples.issued,
                samples_stalled=samples.stalled,
                share_of_samples=(samples.issued + samples.stalled) / everything,
                stall_reasons={
                    name: count for name, count in zip(SAMPLE_REASONS, samples.reasons, strict=True) if count
                },
            )
        )
    return tuple(sorted(made, key=lambda item: (-item.samples_issued - item.samples_stalled, item.line)))
