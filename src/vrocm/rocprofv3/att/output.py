"""The files of one thread-traced dispatch, as rocprofv3 writes them and rocprof-compute-viewer reads them."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .code import Code
from .raw import RawTrace
from .waves import DecodedWave, WaveState, WaveStateCounts

VERSION = "3.0.0"
_HEADER = "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle"
_COLUMNS = ("CodeObj", "Vaddr", "Instruction", "Hitcount", "Latency", "Stall", "Idle", "Source")
_REALTIME_HZ = 100_000_000  # of the counter that s_memrealtime reads


def _write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


class DispatchFolder:
    """``ui_output_agent_<agent>_dispatch_<n>`` and the statistics beside it.

    Shader engines are added one after the other, so that the instructions of one at a time are in memory.
    """

    def __init__(self, folder: Path, begin: int) -> None:
        """``begin``: of the dispatch, in ns."""
        self._folder, self._begin = folder, begin * _REALTIME_HZ // 1_000_000_000
        self._states = WaveStateCounts()
        self._files: list[tuple[tuple[int, int, int, int], str, int, int]] = []
        self._occupancy: dict[str, Any] = {}
        self._realtime: dict[str, Any] = {"metadata": {"frequency": _REALTIME_HZ}}
        shutil.rmtree(folder, ignore_errors=True)  # of an earlier run
        folder.mkdir(parents=True)

    def add_engine(self, raw: RawTrace, waves: Iterable[DecodedWave], samples: list[list[int]]) -> None:
        """``samples``: of counters over time."""
        for wave in waves:
            name = f"se{wave.engine}_sm{wave.simd}_sl{wave.slot}_wv{wave.number}.json"
            _write(self._folder / name, _wave(wave))
            place = (wave.engine, wave.simd, wave.slot, wave.number)
            self._files.append((place, name, wave.begin, wave.end))
            self._states.add(wave)
        self._occupancy[str(raw.engine)] = [
            [life.time, life.cu, life.simd, life.slot, int(life.starts), raw.kernel] for life in raw.lives
        ]
        # Shader clocks with the 100 MHz counter at the same moments: at the begin and at the end.
        last = self._begin + raw.last * _REALTIME_HZ // (raw.clock_mhz * 1_000_000)
        self._realtime[f"SE{raw.engine}"] = [[0, self._begin], [raw.last, last]]
        _write(self._folder / f"se{raw.engine}_perfcounter.json", {"data": samples})

    def finish(self, code: Code, kernels: dict[int, str], counters: tuple[str, ...]) -> None:
        """``kernels``: symbols by id."""
        self._write_code(code)
        self._write_sources(code)
        self._write_statistics(code)
        self._write_filenames(counters)
        names = {str(number): name for number, name in kernels.items()}
        _write(self._folder / "occupancy.json", {**self._occupancy, "dispatches": names, "version": VERSION})
        for state in (WaveState.IDLE, WaveState.EXEC, WaveState.WAIT, WaveState.STALL):
            name = f"wstates{int(state)}.json"
            times, counts = self._states.steps(state)
            _write(self._folder / name, {"name": name, "state": counts, "time": times})
        _write(self._folder / "realtime.json", self._realtime)

    def _write_filenames(self, counters: tuple[str, ...]) -> None:
        names: dict[str, Any] = {}
        for (engine, simd, slot, number), name, begin, end in sorted(self._files):
            simds = names.setdefault(str(engine), {})
            waves = simds.setdefault(str(simd), {}).setdefault(str(slot), {})
            waves[str(number)] = [name, begin, end]
        content = {
            "counter_names": list(counters),
            "gfxip": 9,
            "gfxv": "vega",
            "global_begin_time": 0,
            "version": VERSION,
            "wave_filenames": names,
        }
        _write(self._folder / "filenames.json", content)

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
