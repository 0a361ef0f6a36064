"""Reads a recorded tuning in whichever format it is."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.autotuning.formats.json_file import read_text
from rocm_perf_lab.autotuning.formats.kernel_tuner import is_cache, parse_cache, read_cache
from rocm_perf_lab.autotuning.formats.recording import Recording
from rocm_perf_lab.autotuning.formats.t4 import is_t4, read_t4
from rocm_perf_lab.errors import BadInput


def read_recording(path: Path) -> Recording:
    document = parse_cache(read_text(path), str(path))
    if is_cache(document):
        return read_cache(document, str(path))
    if is_t4(document):
        return read_t4(document, str(path))
    raise BadInput(
        f"{path} is no recorded tuning", "Kernel Tuner cache files and T4 results are read, also compressed"
    )
