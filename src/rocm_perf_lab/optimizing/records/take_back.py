"""Takes back what the last optimization of a source wrote, change by change, newest first."""

from __future__ import annotations

import hashlib
from pathlib import Path

from rocm_perf_lab.contracts.changes.optimization import ReversionDocument
from rocm_perf_lab.errors import BadInput, UsageProblem
from rocm_perf_lab.optimizing.records.folder import changes_of, runs_of
from rocm_perf_lab.optimizing.records.safe_write import Written, read_record, revert_change


def take_back(source: Path) -> ReversionDocument:
    """All changes of the newest optimization whose text the source has; done again, those of the one before.

    A source that somebody changed since is left alone.
    """
    present = _digest(source)
    runs = [_written(run) for run in reversed(runs_of(source))]
    if not any(runs):
        raise UsageProblem(
            f"no optimization has written {source}, as far as is known at it, above it, and here",
            "name the source that was optimized",
        )
    for changes in runs:
        newest_first = list(reversed(changes))
        here = next((at for at, (_, one) in enumerate(newest_first) if one.after_sha256 == present), None)
        if here is not None:
            taken = []
            for record, _ in newest_first[here:]:
                revert_change(record)
                taken.append(str(record))
            return ReversionDocument(
                source=str(source), taken_back=tuple(taken), present_sha256=_digest(source)
            )
    if any(one.before_sha256 == present for changes in runs for _, one in changes):
        return ReversionDocument(source=str(source), taken_back=(), present_sha256=present)
    newest = next(changes for changes in runs if changes)[0][0]
    raise UsageProblem(
        f"{source} was changed since; it is left as it is", f"merge by hand: {newest / 'before'}"
    )


def _written(run: Path) -> list[tuple[Path, Written]]:
    return [(path, record) for path in changes_of(run) if (record := read_record(path)) is not None]


def _digest(source: Path) -> str:
    try:
        return hashlib.sha256(source.read_bytes()).hexdigest()
    except OSError as error:
        raise BadInput(f"{source} cannot be read: {error.strerror}", "check the path") from error
