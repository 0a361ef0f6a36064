"""A ``ui_output_agent_<a>_dispatch_<n>`` folder: found, opened, and its waves read one at a time.

Everything but the waves is in memory at once: code, lives of waves and counts are small. A wave is held only
while it is looked at, so that memory does not grow with the number of waves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.thread_trace.code_file import read_code
from rocm_perf_lab.thread_trace.json_file import FOREIGN
from rocm_perf_lab.thread_trace.manifest_file import read_manifest
from rocm_perf_lab.thread_trace.over_time import read_counter_sums, read_occupancy, read_states
from rocm_perf_lab.thread_trace.rows import Kind, Manifest, ThreadTrace, Wave
from rocm_perf_lab.thread_trace.source_files import read_sources
from rocm_perf_lab.thread_trace.statistics_file import read_statistics
from rocm_perf_lab.thread_trace.wave_file import read_wave

_NAME = re.compile(r"ui_output_agent_(\d+)_dispatch_(\d+)")
MANIFEST, CODE = "filenames.json", "code.json"
# With these bytes begin the raw traces of the virtual GPU; those of hardware have no such mark.
_VIRTUAL = b"VROCMATT"


def find_traces(path: Path) -> list[Path]:
    """The trace folders at or below a path, by agent and dispatch; statistics that stand alone, too."""
    if path.is_file():
        if path.suffix == ".csv":
            return [path]
        raise BadInput(f"{path} is a file, and no stats_*.csv", FOREIGN)
    if not path.is_dir():
        raise BadInput(f"there is no folder {path}", FOREIGN)
    if is_trace_folder(path):
        return [path]
    folders = sorted((below for below in path.rglob("ui_output*") if below.is_dir()), key=_order)
    covered = {f"stats_{folder.name}.csv" for folder in folders}
    alone = sorted(table for table in path.rglob("stats_*.csv") if table.name not in covered)
    if not folders and not alone:
        raise BadInput(f"there is no thread trace in {path}", FOREIGN)
    return [*folders, *alone]


def is_trace_folder(path: Path) -> bool:
    return path.name.startswith("ui_output") or (path / MANIFEST).is_file() or (path / CODE).is_file()


def _order(path: Path) -> tuple[str, int, int, str]:
    found = _NAME.match(path.name)
    return (str(path.parent), int(found[1]), int(found[2]), path.name) if found else ("", 0, 0, str(path))


def open_trace(path: Path) -> ThreadTrace:
    """All of a folder except for its waves."""
    found = _NAME.search(path.name)
    agent, dispatch = (int(found[1]), int(found[2])) if found else (None, None)
    if path.is_file():
        return ThreadTrace(
            path=path,
            kind="statistics",
            manifest=Manifest(None, None, None, (), (), thread_trace=False, pc_sampling=False),
            code=read_statistics(path),
            simulated=_simulated(path, dispatch),
            agent=agent,
            dispatch=dispatch,
        )
    manifest = read_manifest(path / MANIFEST)
    code = read_code(path / CODE)
    events = path / "occupancy.json"
    lives, kernels = read_occupancy(events) if events.is_file() else ((), {})
    beside = path.with_name(f"stats_{path.name}.csv")
    return ThreadTrace(
        path=path,
        kind=_kind(manifest, any(line.samples for line in code)),
        manifest=manifest,
        code=code,
        lives=lives,
        kernels=kernels,
        counter_sums=read_counter_sums(path, manifest.counters),
        states=read_states(path),
        statistics=read_statistics(beside) if beside.is_file() else None,
        sources=read_sources(path),
        simulated=_simulated(path, dispatch),
        agent=agent,
        dispatch=dispatch,
    )


def _kind(manifest: Manifest, has_samples: bool) -> Kind:
    sampled = has_samples and (manifest.pc_sampling or not manifest.waves)
    return "pc-sampling" if sampled and not manifest.waves else "thread-trace"


def read_waves(trace: ThreadTrace) -> Iterator[Wave]:
    """The waves of a folder, one at a time."""
    for file in trace.manifest.waves:
        yield read_wave(trace.path, file)


def _simulated(path: Path, dispatch: int | None) -> bool | None:
    """Whether the raw trace, which rocprofv3 leaves beside or one below, is of the virtual GPU."""
    ending = f"*_shader_engine_*_{'*' if dispatch is None else dispatch}.att"
    raw = next((raw for pattern in (ending, f"*/{ending}") for raw in path.parent.glob(pattern)), None)
    if raw is None:
        return None
    try:
        with raw.open("rb") as file:
            return file.read(len(_VIRTUAL)) == _VIRTUAL
    except OSError:
        return None
