"""What the critical path and thread traces of a run add to its analysis."""

from __future__ import annotations

from pathlib import Path

from tests.commands import rocm_perf_words

from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.contracts.profiling.att import AttDocument
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.profiling.documents.analysis import analysis_document, att_by_kernel, criticality_by_kernel
from rocm_perf_lab.profiling.documents.critical_path import write_dag

from .conftest import Build, Run


def test_critical_path_and_thread_trace(build: Build, run: Run, profile: Run, tmp_path: Path) -> None:
    program, folder = build("under_occupied"), tmp_path / "run"
    profile("--out", folder, program)
    run("rocprofv3", "--att", "-d", tmp_path / "att", "--", program)
    traced = run(*rocm_perf_words(), "att", tmp_path / "att", "--json")
    document = analysis_document(
        from_json(ProfileDocument, (folder / "profile.json").read_bytes(), "profile.json"),
        criticality=criticality_by_kernel(write_dag(folder)),
        att=att_by_kernel(from_json(AttDocument, traced, "att.json")),
    )
    to_json(document)
    (kernel,) = document.kernels
    assert kernel.bottleneck.label == "under-occupied"
    assert kernel.bottleneck.depth == "att"
    assert {"compute", "issue", "waiting", "occupied"} == set(kernel.figures.estimates)
    assert kernel.criticality
    assert kernel.criticality.weight == 1
    assert kernel.criticality.on_path_ms == kernel.total_ms
    assert kernel.att
    assert kernel.att.waves > 0
    assert 0 < (kernel.att.costliest_share or 0) <= 1
