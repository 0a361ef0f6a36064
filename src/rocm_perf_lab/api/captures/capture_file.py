"""A capture as one file to share, and back, as ``rocm-perf replay export`` and ``import`` do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.requests.values import AnyPath, path_of

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.captures.bundle import ExportDocument, ImportDocument


def export_capture(capture: AnyPath, file: AnyPath) -> ExportDocument:
    """Write a capture as one file: with a manifest and hashes, without what tells of the machine.

    The memory of the program is in it as it was. A file that is there is not overwritten.
    """
    from rocm_perf_lab.replaying.bundle import export_capture as exported

    return exported(Path(capture), Path(file))


def import_capture(file: AnyPath, *, out: AnyPath | None = None) -> ImportDocument:
    """Make a capture of such a file; every hash in it is checked. ``out`` is the new folder (else: named as
    the file)."""
    from rocm_perf_lab.replaying.bundle import import_capture as imported

    return imported(Path(file), path_of(out))
