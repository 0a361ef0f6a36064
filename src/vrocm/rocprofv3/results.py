"""Turns the logs of one run into the files that were asked for."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

from . import device
from .att.writer import AttWriter
from .counters import Catalogue, load
from .counters.derive import values_of
from .errors import NoRoom, RequestRefused
from .formats.csv_writer import CsvWriter
from .formats.json_writer import write_json
from .formats.output_path import base_path
from .formats.perfetto_writer import write_perfetto
from .formats.rocpd_writer import write_rocpd
from .formats.summary import print_summary
from .logs.identity import Identity, chosen
from .logs.log import DamagedLog, LoggedCounterValue, ProcessLog, read_log
from .logs.resolve import resolve
from .logs.trace import ProcessTrace
from .options import Options


def read_logs(folder: Path) -> list[ProcessLog]:
    """The logs of all processes, parents before children."""
    found = [_read(path) for path in sorted(folder.glob("*.vlog"), key=_image)]
    return [log for log in found if log]


def _read(path: Path) -> ProcessLog | None:
    if path.stat().st_size == 0:
        raise NoRoom(f"no room for the trace log in {path.parent}; TMPDIR names another folder")
    try:
        return read_log(path)
    except DamagedLog as problem:
        print(f"rocprofv3: warning: {problem}", file=sys.stderr)
        return None


def _image(path: Path) -> tuple[int, int]:
    pid, image = path.name.split(".")[:2]
    return int(pid), int(image)


def write_results(folder: Path, options: Options) -> list[Path]:
    """Writes all files and says which."""
    logs = read_logs(folder)
    if not logs and options.collects():
        print("rocprofv3: warning: nothing was traced: the program did not use the GPU", file=sys.stderr)
    pids = [log.process.pid for log in logs]
    try:
        identity = chosen(pids, {log.process.pid: log.process.parent for log in logs})
    except ValueError as problem:
        raise RequestRefused(str(problem)) from None
    catalogue = load(device.architecture())
    names = _Names(options)
    thread_traces = AttWriter(folder, options)
    written: list[Path] = []
    for log in logs:
        written += _write_process(log, options, identity, catalogue, names, thread_traces)
    return written


class _Names:
    """File names that do not collide when several processes have the same."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._taken: set[Path] = set()

    def base(self, log: ProcessLog) -> Path:
        o, process = self._options, log.process
        wanted = base_path(
            o.output_directory, o.sub_directory, o.output_file, process.pid, process.parent, process.command
        )
        name, copies = wanted, 1
        while name in self._taken:
            copies += 1
            name = wanted.with_name(f"{wanted.name}-{copies}")
        self._taken.add(name)
        return name


def _write_process(
    log: ProcessLog,
    options: Options,
    identity: Identity,
    catalogue: Catalogue,
    names: _Names,
    thread_traces: AttWriter,
) -> list[Path]:
    _derive_counters(log, options, catalogue)
    trace = resolve(log, options, identity)
    base = names.base(log)
    if _too_little(trace, options):
        return []
    base.parent.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    if "rocpd" in options.formats:
        written.append(Path(f"{base}_results.db"))
        write_rocpd(trace, catalogue, written[-1])
    if "json" in options.formats:
        written.append(Path(f"{base}_results.json"))
        write_json(trace, catalogue, options, written[-1])
    if "pftrace" in options.formats:
        written.append(Path(f"{base}_results.pftrace"))
        write_perfetto(trace, options.group_by_queue, written[-1])
    tables = CsvWriter(trace, base, options.agent_index, "kernel" in options.traces)
    if "csv" in options.formats:
        written += tables.write()
    if options.stats:
        written += tables.write_stats()
    if options.output_config:
        written.append(Path(f"{base}_config.json"))
        written[-1].write_text(json.dumps(dataclasses.asdict(options), indent=2, default=sorted) + "\n")
    if options.att:
        written += thread_traces.write(log, trace, base)
    print_summary(trace, options, base)
    return written


def _too_little(trace: ProcessTrace, options: Options) -> bool:
    """--minimum-output-data: an event is some 100 bytes in any format."""
    events = len(trace.regions) + len(trace.dispatches) + len(trace.copies) + len(trace.allocations)
    return events * 100 < options.minimum_output_kb * 1024


def _derive_counters(log: ProcessLog, options: Options, catalogue: Catalogue) -> None:
    """Puts the counters that were asked for in place of what the GPU counted."""
    if not options.counters:
        return
    agents = {agent.handle: agent.properties for agent in log.agents if agent.is_gpu}
    for dispatch in log.dispatches:
        counted: dict[str, list[float]] = {}
        for raw in log.counters.get(dispatch.number, ()):
            counted.setdefault(raw.name, []).append(raw.value)
        found = values_of(options.counters, catalogue, counted, agents[dispatch.agent])
        log.counters[dispatch.number] = [
            LoggedCounterValue(value.name, 0, value.value, value.extrapolated) for value in found
        ]
