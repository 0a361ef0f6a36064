"""Thread traces (ATT): asks the runtime for them, and turns what it recorded into rocprofv3's files."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from .att_code import Code, Image, load_image
from .att_options import AttOptions
from .att_output import DispatchFolder
from .att_perfcounters import sample
from .att_raw import DamagedTrace, RawTrace, read_raw
from .att_waves import DecodedWave, decode_waves, lines_of
from .errors import Refused
from .log import ProcessLog
from .options import Options
from .output_path import expand
from .selection import KernelSelection
from .trace import Trace


def request(options: Options) -> dict[str, str]:
    """Variables for the program by which the runtime learns what to trace (native/hsa/traced_threads.h)."""
    if options.att is None:
        return {}
    if os.environ.get("VROCM_TIMING") == "off":
        raise Refused("--att: a thread trace is made of times; VROCM_TIMING=off says that there are none")
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
    return ",".join(f"{name}={value}" for name, value in values.items())


class AttWriter:
    """Writes the thread traces of all processes of a run."""

    def __init__(self, logs: Path, options: Options) -> None:
        self._logs, self._options = logs, options
        self._taken: set[Path] = set()

    def write(self, log: ProcessLog, trace: Trace, base: Path) -> list[Path]:
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
            parts = _read(by_dispatch[number])
            if parts:
                written.append(self._write_dispatch(log, trace, root, base, parts, images))
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
        trace: Trace,
        root: Path,
        base: Path,
        parts: list[tuple[Path, RawTrace]],
        images: list[Image],
    ) -> Path:
        raw = parts[0][1]
        agent = next(a.index for a in log.agents if a.handle == raw.agent) + 1
        for path, part in parts:
            shutil.copyfile(path, f"{base}_{agent}_shader_engine_{part.engine}_{part.dispatch}.att")
        folder = root / f"ui_output_agent_{agent}_dispatch_{raw.dispatch}"
        if folder in self._taken:  # another process of this run has a dispatch of that number
            folder = root / f"ui_output_agent_{trace.pid + agent}_dispatch_{raw.dispatch}"
        self._taken.add(folder)
        code = Code(images)
        waves: list[DecodedWave] = []
        samples: dict[int, list[list[int]]] = {}
        att = self._options.att
        counters = att.perfcounters if att else ()
        for _, part in parts:
            lines = lines_of(part, code)
            waves += decode_waves(part, lines)
            samples[part.engine] = sample(part, lines, counters, att.perfcounter_period if att else 0)
            _report_losses(part, folder.name)
        begin = next((d.begin for d in log.dispatches if d.number == raw.dispatch), 0)
        kernels = {kernel.id: kernel.name.removesuffix(".kd") for kernel in log.kernels}
        names = tuple(map(str, counters))
        DispatchFolder(folder).write([p for _, p in parts], waves, code, kernels, names, samples, begin)
        return folder


def _read(paths: list[Path]) -> list[tuple[Path, RawTrace]]:
    """The traces of one dispatch, in order of their shader engines."""
    read = ((path, _read_one(path)) for path in paths)
    return sorted(((path, raw) for path, raw in read if raw), key=lambda part: part[1].engine)


def _read_one(path: Path) -> RawTrace | None:
    try:
        return read_raw(path)
    except DamagedTrace as problem:
        print(f"rocprofv3: warning: {problem}", file=sys.stderr)
        return None


def _report_losses(raw: RawTrace, name: str) -> None:
    where = f"rocprofv3: warning: {name}: shader engine {raw.engine}"
    if raw.lost:
        print(f"{where}: the buffer was full and {raw.lost} records are lost", file=sys.stderr)
    cut = sum(wave.end is None for wave in raw.waves)
    if cut and not raw.lost:
        print(f"{where}: {cut} waves are cut: the simulation in detail ended before them", file=sys.stderr)
