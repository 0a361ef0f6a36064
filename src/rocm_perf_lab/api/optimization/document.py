"""The document of an optimization that came to its end."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.optimization.wish import NOTHING, Wish
from rocm_perf_lab.errors import NoKernels

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.changes.optimization import OptimizationDocument
    from rocm_perf_lab.optimizing.app_stages import AppStages
    from rocm_perf_lab.optimizing.loop import Loop, Outcome


def document_of(
    wish: Wish, folder: Path, loop: Loop, stages: AppStages, outcome: Outcome, before: bytes
) -> OptimizationDocument:
    from rocm_perf_lab.contracts.changes.optimization import OptimizationDocument, OptimizationFiles
    from rocm_perf_lab.optimizing.records.document import begun_with, changes_in, left_out_in
    from rocm_perf_lab.optimizing.records.folder import DOCUMENT, NOT_WRITTEN, PAGE
    from rocm_perf_lab.optimizing.records.journal import read_journal
    from rocm_perf_lab.optimizing.records.safe_write import keep_change

    entries = read_journal(loop.journal.path)
    tried, accepted = changes_in(entries, folder, keeps=not wish.dry_run)
    left_out = left_out_in(entries)
    if not tried and left_out:
        raise NoKernels(
            f"{wish.source} has no kernel that could be worked on: "
            f"{left_out[0].kernel}: {left_out[0].refusal}",
            "name the kernel's source file with --source",
        )
    present = wish.source.read_bytes()
    patch: str | None = None
    if outcome.text != present and not wish.dry_run:
        patch = str(keep_change(wish.source, present, outcome.text, folder / NOT_WRITTEN))
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
        missing={"files": "a dry run keeps none"} if wish.dry_run else {},
        source=str(wish.source),
        command=wish.program,
        build=wish.build,
        proposer=loop.proposer.name,
        via=wish.options["via"],
        dry_run=wish.dry_run,
        end=outcome.end,
        before_sha256=begun_with(entries) or hashlib.sha256(before).hexdigest(),
        present_sha256=hashlib.sha256(present).hexdigest(),
        accepted=accepted,
        tried=tried,
        left_out=left_out,
        files=None if wish.dry_run else files,
        notes=_notes(wish, patch),
    )


def _notes(wish: Wish, patch: str | None) -> tuple[str, ...]:
    notes = []
    if wish.found_through is not None:
        notes.append(f"the source {wish.source} was found through {wish.found_through}")
    if wish.built_by == NOTHING:
        notes.append(
            f"built with {wish.build}: neither {wish.program[0]} nor a compile_commands.json says how it was "
            "built; name the flags with --build"
        )
    elif wish.built_by is not None:
        notes.append(f"built by {wish.built_by}: {wish.build}")
    if patch is not None:
        notes.append(
            "there is no terminal to ask on: accepted changes are not written; --yes would write them"
        )
    return tuple(notes)
