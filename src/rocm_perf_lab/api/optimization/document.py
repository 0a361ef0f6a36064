"""The document of an optimization that came to its end."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.optimization.plan import NOTHING, OptimizationPlan
from rocm_perf_lab.errors import NoKernels

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.changes.optimization import OptimizationDocument
    from rocm_perf_lab.optimizing.app_stages import AppStages
    from rocm_perf_lab.optimizing.loop import LoopOutcome, OptimizationLoop


def document_of(
    plan: OptimizationPlan,
    folder: Path,
    loop: OptimizationLoop,
    stages: AppStages,
    outcome: LoopOutcome,
    before: bytes,
) -> OptimizationDocument:
    from rocm_perf_lab.contracts.changes.optimization import OptimizationDocument, OptimizationFiles
    from rocm_perf_lab.optimizing.records.document import begun_with, changes_in, left_out_in
    from rocm_perf_lab.optimizing.records.folder import DOCUMENT, NOT_WRITTEN, PAGE
    from rocm_perf_lab.optimizing.records.journal import read_journal
    from rocm_perf_lab.optimizing.records.safe_write import keep_change

    entries = read_journal(loop.journal.path)
    tried, accepted = changes_in(entries, folder, keeps=not plan.request.dry_run)
    left_out = left_out_in(entries)
    if not tried and left_out:
        raise NoKernels(
            f"{plan.source} has no kernel that could be worked on: "
            f"{left_out[0].kernel}: {left_out[0].refusal}",
            "name the kernel's source file with --source",
        )
    present = plan.source.read_bytes()
    patch: str | None = None
    if outcome.text != present and not plan.request.dry_run:
        patch = str(keep_change(plan.source, present, outcome.text, folder / NOT_WRITTEN))
    files = OptimizationFiles(
        folder=str(folder),
        journal=str(loop.journal.path),
        document=str(folder / DOCUMENT),
        page=str(folder / PAGE),
        patch=patch,
    )
    assert stages.origin is not None  # a loop that ended has profiled
    return OptimizationDocument(
        origin=stages.origin,
        missing={"files": "a dry run keeps none"} if plan.request.dry_run else {},
        source=str(plan.source),
        command=plan.program,
        build=plan.build,
        proposer=loop.proposer.name,
        via=plan.request.via,
        dry_run=plan.request.dry_run,
        end=outcome.end,
        before_sha256=begun_with(entries) or hashlib.sha256(before).hexdigest(),
        present_sha256=hashlib.sha256(present).hexdigest(),
        accepted=accepted,
        tried=tried,
        left_out=left_out,
        files=None if plan.request.dry_run else files,
        notes=_notes(plan, patch),
    )


def _notes(plan: OptimizationPlan, patch: str | None) -> tuple[str, ...]:
    notes = []
    if plan.found_through is not None:
        notes.append(f"the source {plan.source} was found through {plan.found_through}")
    if plan.built_by == NOTHING:
        notes.append(
            f"built with {plan.build}: neither {plan.program[0]} nor a compile_commands.json says how "
            "it was built; name the flags with --build"
        )
    elif plan.built_by is not None:
        notes.append(f"built by {plan.built_by}: {plan.build}")
    if patch is not None:
        notes.append(
            "there is no terminal to ask on: accepted changes are not written; --yes would write them"
        )
    return tuple(notes)
