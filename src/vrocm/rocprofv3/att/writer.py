"""Thread traces (ATT): asks the runtime for them, and turns what it recorded into rocprofv3's files."""

from __future__ import annotations

import os
import shutil
import sys
from itertools import chain
from pathlib import Path

from ..errors import RequestRefused
from ..formats.output_path import expand
from ..logs.log import ProcessLog
from ..logs.selection import KernelSelection
from ..logs.trace import ProcessTrace
from ..options import Options
from .code import Code, Image, load_image
from .options import AttOptions
from .output import DispatchFolder
from .perfcounters import sample
from .raw import DamagedTrace, RawTrace, read_raw
from .waves import decode_waves, lines_of

# How long a dispatch is simulated in detail for its trace (defaults: native/sim/thread_trace.h).
_LIMITS = {"waves": "VROCM_ATT_WAVES", "instructions": "VROCM_ATT_INSTRUCTIONS"}


def request(options: Options) -> dict[str, str]:
    """Variables for the program by which the runtime learns what to trace (native/hsa/traced_threads.h)."""
    if options.att is None:
        return {"VROCM_ATT": ""}  # whatever is around this run asks for
    if os.environ.get("VROCM_TIMING") == "off":
        raise RequestRefused(
            "--att: a thread trace is made of times; VROCM_TIMING=off says that there are none"
        )
    KernelSelection(options.kernel_include, options.kernel_exclude, options.kernel_iterations)  # or refuses
    att = options.att
    names = "mangled" if options.mangled_kernels else "truncated" if options.truncate_kernels else "demangled"
    ranges = (f"{low}-{high}" for low, high in options.kernel_iterations.ranges)
    return {
        "VROCM_ATT": _settings(att),
        "VROCM_ATT_INCLUDE": options.kernel_include or "",
        "VROCM_ATT_EXCLUDE": options.kernel_exclude or "",
        "VROCM_ATT_ITERATIONS": ",".join(ranges),
        "VROCM_ATT_NAMES": names,
    }


def _settings(att: AttOptions) -> str:
    values = {
        "target_cu": att.target_cu,
        "se_mask": att.shader_engine_mask,
        "simd_mask": att.simd_select,
        "buffer": att.buffer_size,
    }
    for name, variable in _LIMITS.items():
        given = os.environ.get(variable)
        if given:
            if not given.isdigit():
                raise RequestRefused(f"{variable}: '{given}' is not a number")
            values[name] = int(given)
    return ",".join(f"{name}={value}" for name, value in values.items())


class AttWriter:
    """Writes the thread traces of all processes of a run."""

    def __init__(self, logs: Path, options: Options) -> None:
        self._logs, self._options = logs, options
        self._taken: set[Path] = set()

    def write(self, log: ProcessLog, trace: ProcessTrace, base: Path) -> list[Path]:
        """Folders and statistics go into ``-d``; raw traces and code objects are named like the database."""
        beginning = log.path.name.removesuffix("vlog")
        by_dispatch: dict[int, list[Path]] = {}
        for path in self._logs.glob(f"{beginning}dispatch_*.att"):
            number = int(path.name.removeprefix(f"{beginning}dispatch_").partition("_")[0])
            by_dispatch.setdefault(number, []).append(path)
        if not by_dispatch:
            return []
        images = self._images(log, beginning, base)
        process = log.process
        root = Path(expand(self._options.output_directory, process.pid, process.parent, process.command))
        root /= self._options.sub_directory or ""
        written = []
        # A dispatch without a record did not come to its end: the period says nothing about it.
        outside = {dispatch.number for dispatch in log.dispatches} - trace.collected
        for number in sorted(by_dispatch.keys() - outside):
            folder = self._write_dispatch(log, trace, root, base, by_dispatch[number], images)
            if folder:
                written.append(folder)
        return written

    def _images(self, log: ProcessLog, beginning: str, base: Path) -> list[Image]:
        images = []
        architecture = {agent.handle: agent.name for agent in log.agents}
        for item in log.code_objects:
            path = self._logs / f"{beginning}code_object_{item.id}.out"
            if not path.is_file():
                continue
            images.append(load_image(item, path))
            shutil.copyfile(path, f"{base}_{architecture[item.agent]}_code_object_id_{item.id}.out")
        return images

    def _write_dispatch(
        self,
        log: ProcessLog,
        trace: ProcessTrace,
        root: Path,
        base: Path,
        paths: list[Path],
        images: list[Image],
    ) -> Path | None:
        traces = (raw for path in sorted(paths, key=_engine) if (raw := _read_and_keep(path, base)))
        first = next(traces, None)
        if first is None:
            return None
        folder = self._folder(root, trace.pid, first)
        begins = {dispatch.number: dispatch.begin for dispatch in log.dispatches}
        output = DispatchFolder(folder, begins.get(first.dispatch, 0))
        code = Code(_nearest_first(images, log, first.kernel))
        att = self._options.att
        counters, period = (att.perfcounters, att.perfcounter_period) if att else ((), 0)
        waves, units = 0, set[int]()
        for raw in chain([first], traces):
            lines = lines_of(raw, code)
            output.add_engine(raw, decode_waves(raw, lines), sample(raw, lines, counters, period))
            _report_losses(raw, folder.name)
            waves += len(raw.waves)
            units |= {life.cu for life in raw.lives}
        if not waves:
            _warn(
                folder.name,
                f"no wave was on compute unit {first.target_cu}; units with waves: {_listed(units)}",
            )
        kernels = {kernel.id: kernel.name.removesuffix(".kd") for kernel in log.kernels}
        output.finish(code, kernels, tuple(map(str, counters)))
        return folder

    def _folder(self, root: Path, pid: int, raw: RawTrace) -> Path:
        folder = root / f"ui_output_agent_{_agent_id(raw)}_dispatch_{raw.dispatch}"
        if folder in self._taken:  # another process of this run has a dispatch of that number
            folder = root / f"ui_output_agent_{pid + _agent_id(raw)}_dispatch_{raw.dispatch}"
        self._taken.add(folder)
        return folder


def _agent_id(raw: RawTrace) -> int:
    """As in the database."""
    return raw.agent + 1


def _nearest_first(images: list[Image], log: ProcessLog, kernel: int) -> list[Image]:
    """The kernel's own code object, then those loaded last: an address may have been used more than once."""
    own = next((symbol.code_object for symbol in log.kernels if symbol.id == kernel), 0)
    return sorted(images, key=lambda image: (image.id != own, -image.id))


def _engine(path: Path) -> int:
    return int(path.stem.rpartition("_")[2])


def _read_and_keep(path: Path, base: Path) -> RawTrace | None:
    """The trace in a raw file, of which a copy goes to the results."""
    try:
        raw = read_raw(path)
    except DamagedTrace as problem:
        print(f"rocprofv3: warning: {problem}", file=sys.stderr)
        return None
    shutil.copyfile(path, f"{base}_{_agent_id(raw)}_shader_engine_{raw.engine}_{raw.dispatch}.att")
    return raw


def _report_losses(raw: RawTrace, name: str) -> None:
    if raw.lost:
        _warn(name, f"shader engine {raw.engine}: the buffer was full and {raw.lost} records are lost")
        return
    cut = sum(wave.end is None and bool(wave.records) for wave in raw.waves)
    if cut:
        _warn(
            name,
            f"shader engine {raw.engine}: {cut} waves are cut: the simulation in detail ended before them",
        )


def _listed(numbers: set[int]) -> str:
    return ", ".join(map(str, sorted(numbers))) or "none"


def _warn(name: str, text: str) -> None:
    print(f"rocprofv3: warning: {name}: {text}", file=sys.stderr)
