"""The files of one thread-traced dispatch, as rocprofv3 writes them and rocprof-compute-viewer reads them."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

from .att_code import Code
from .att_raw import RawTrace
from .att_waves import DecodedWave, State, state_counts

VERSION = "3.0.0"
_HEADER = "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle"
_COLUMNS = ("CodeObj", "Vaddr", "Instruction", "Hitcount", "Latency", "Stall", "Idle", "Source")
_REALTIME_HZ = 100_000_000  # of the counter that s_memrealtime reads


def _write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


class DispatchFolder:
    """``ui_output_agent_<agent>_dispatch_<n>`` and the statistics beside it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        shutil.rmtree(folder, ignore_errors=True)  # of an earlier run
        folder.mkdir(parents=True)

    def write(
        self,
        traces: list[RawTrace],
        waves: list[DecodedWave],
        code: Code,
        kernels: dict[int, str],
        counters: tuple[str, ...],
        samples: dict[int, list[list[int]]],
        begin: int,
    ) -> None:
        """``kernels``: symbols by id; ``samples``: counters by engine; ``begin``: of the dispatch, in ns."""
        for wave in waves:
            _write(self._folder / wave_file(wave), _wave(wave))
        self._write_code(code)
        self._write_sources(code)
        self._write_statistics(code)
        _write(self._folder / "filenames.json", _filenames(waves, counters))
        _write(self._folder / "occupancy.json", _occupancy(traces, kernels))
        for state in (State.IDLE, State.EXEC, State.WAIT, State.STALL):
            name = f"wstates{int(state)}.json"
            times, counts = state_counts(waves, state)
            _write(self._folder / name, {"name": name, "state": counts, "time": times})
        for trace in traces:
            _write(
                self._folder / f"se{trace.engine}_perfcounter.json", {"data": samples.get(trace.engine, [])}
            )
        _write(self._folder / "realtime.json", _realtime(traces, begin))

    def _write_code(self, code: Code) -> None:
        rows = [
            [
                line.text,
                0,
                line.number,
                line.source,
                line.code_object,
                line.address,
                line.hit,
                line.latency,
                line.stall,
                line.idle,
            ]
            for line in code.lines
        ]
        _write(self._folder / "code.json", {"code": rows, "header": _HEADER, "version": VERSION})

    def _write_statistics(self, code: Code) -> None:
        path = self._folder.with_name(f"stats_{self._folder.name}.csv")
        ordered = sorted(code.lines, key=lambda line: (line.code_object, line.address, not line.is_label))
        with path.open("w", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
            writer.writerow(_COLUMNS)
            for line in ordered:
                writer.writerow(
                    (
                        line.code_object,
                        line.address,
                        line.text,
                        line.hit,
                        line.latency,
                        line.stall,
                        line.idle,
                        line.source,
                    )
                )

    def _write_sources(self, code: Code) -> None:
        """Copies of the source files, and the tree of their paths."""
        places = {line.source.rpartition(":")[0] for line in code.lines if not line.is_label}
        tree: dict[str, Any] = {}
        count = 0
        for place in sorted(filter(None, places)):
            path = Path(place)
            if not path.is_file():
                continue
            name = f"source_{count}_{path.name}"
            count += 1
            shutil.copyfile(path, self._folder / name)
            branch = tree
            for part in path.parts[:-1]:
                branch = branch.setdefault(part, {})
            branch[path.name] = name
        _write(self._folder / "snapshots.json", tree)


def wave_file(wave: DecodedWave) -> str:
    return f"se{wave.engine}_sm{wave.simd}_sl{wave.slot}_wv{wave.number}.json"


def _wave(wave: DecodedWave) -> dict[str, Any]:
    return {
        "name": f"SE{wave.engine}",
        "duration": wave.end - wave.begin,
        "num_insts": len(wave.instructions),
        "num_stitched": len(wave.instructions),
        "wave": {
            "cu": wave.cu,
            "id": wave.number,
            "simd": wave.simd,
            "slot": wave.slot,
            "begin": wave.begin,
            "end": wave.end,
            "instructions": wave.instructions,
            "timeline": wave.timeline,
            "waitcnt": [[line, [[cause, 0] for cause in causes]] for line, causes in wave.waitcnt],
        },
    }


def _filenames(waves: list[DecodedWave], counters: tuple[str, ...]) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for wave in sorted(waves, key=lambda w: (w.engine, w.simd, w.slot, w.number)):
        engine = names.setdefault(str(wave.engine), {})
        slot = engine.setdefault(str(wave.simd), {}).setdefault(str(wave.slot), {})
        slot[str(wave.number)] = [wave_file(wave), wave.begin, wave.end]
    return {
        "counter_names": list(counters),
        "gfxip": 9,
        "gfxv": "vega",
        "global_begin_time": 0,
        "version": VERSION,
        "wave_filenames": names,
    }


def _occupancy(traces: list[RawTrace], kernels: dict[int, str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for trace in traces:
        made[str(trace.engine)] = [
            [life.time, life.cu, life.simd, life.slot, int(life.starts), trace.kernel] for life in trace.lives
        ]
    made["dispatches"] = {str(number): name for number, name in kernels.items()}
    made["version"] = VERSION
    return made


def _realtime(traces: list[RawTrace], begin: int) -> dict[str, Any]:
    """Shader clocks with the 100 MHz counter at the same moments: at the begin and at the end."""
    made: dict[str, Any] = {"metadata": {"frequency": _REALTIME_HZ}}
    first = begin * _REALTIME_HZ // 1_000_000_000
    for trace in traces:
        last = first + trace.last * _REALTIME_HZ // (trace.clock_mhz * 1_000_000)
        made[f"SE{trace.engine}"] = [[0, first], [trace.last, last]]
    return made
