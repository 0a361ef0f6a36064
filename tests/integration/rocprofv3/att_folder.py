"""One ``ui_output_agent_*_dispatch_*`` folder, and the rules by which its files must agree."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

WAIT_STATE = 3


@dataclass(frozen=True)
class Row:
    """Of code.json."""

    text: str
    number: int
    source: str
    code_object: int
    address: int
    hit: int
    latency: int
    stall: int
    idle: int

    @property
    def is_label(self) -> bool:
        return self.text.startswith("; ")


class Folder:
    def __init__(self, path: Path) -> None:
        self.path = path

    def json(self, name: str) -> Any:
        return json.loads((self.path / name).read_text())

    @cached_property
    def rows(self) -> list[Row]:
        rows = self.json("code.json")["code"]
        assert all(len(row) == 10 and row[1] == 0 for row in rows)
        return [Row(row[0], *row[2:]) for row in rows]

    @cached_property
    def by_number(self) -> dict[int, Row]:
        return {row.number: row for row in self.rows}

    @cached_property
    def waves(self) -> dict[str, Any]:
        return {
            path.name: json.loads(path.read_text()) for path in sorted(self.path.glob("se*_sm*_wv*.json"))
        }

    def line(self, pattern: str) -> Row:
        found = [row for row in self.rows if re.search(pattern, row.text)]
        assert len(found) == 1, f"{pattern}: {[row.text for row in found]}"
        return found[0]

    @property
    def statistics(self) -> Path:
        return self.path.with_name(f"stats_{self.path.name}.csv")


def expected_category(text: str) -> set[int]:
    """What hardware calls an instruction."""
    name = text.split()[0]
    for prefix, categories in (
        ("s_load", {1}),
        ("s_buffer_load", {1}),
        ("s_memtime", {1}),
        ("s_memrealtime", {1}),
        ("buffer_", {3}),
        ("global_", {4}),
        ("flat_", {4}),
        ("scratch_", {4}),
        ("ds_", {5}),
        ("v_", {6}),
        ("s_cbranch", {7, 8}),
        ("s_branch", {7}),
        ("s_setpc", {7}),
        ("s_swappc", {7}),
        ("s_waitcnt", {9}),
        ("s_barrier", {9}),
        ("s_nop", {9}),
        ("s_setprio", {9}),
        ("s_sleep", {9}),
        ("s_endpgm", {11}),
        ("s_sendmsg", {11}),
        ("s_", {2}),
    ):
        if name.startswith(prefix):
            return categories
    raise AssertionError(text)


def check(folder: Folder) -> None:
    """All rules. Holds for folders without waves too."""
    _check_code(folder)
    totals: dict[int, Counter[str]] = defaultdict(Counter)
    for name, wave in folder.waves.items():
        _check_wave(folder, name, wave)
        _add_totals(wave["wave"], totals)
    for row in folder.rows:
        found = totals[row.number]
        expected = (found["hit"], found["latency"], found["stall"], found["idle"])
        assert (row.hit, row.latency, row.stall, row.idle) == expected, row
    _check_names(folder)
    _check_states(folder)
    _check_occupancy(folder)
    _check_statistics(folder)


def _check_code(folder: Folder) -> None:
    code = folder.json("code.json")
    assert code["header"] == "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle"
    assert code["version"] == "3.0.0"
    assert [row.number for row in folder.rows] == list(range(len(folder.rows)))
    for row in folder.rows:
        if row.is_label:
            assert (row.hit, row.latency, row.stall, row.idle) == (0, 0, 0, 0)
            assert row.source
        assert row.stall <= row.latency
        if row.text.startswith(("s_waitcnt", "s_barrier")):
            assert row.stall == row.latency


def _add_totals(wave: dict[str, Any], totals: dict[int, Counter[str]]) -> None:
    previous_end = wave["begin"]
    for time, _, stall, duration, line in wave["instructions"]:
        totals[line]["hit"] += 1
        totals[line]["latency"] += duration
        totals[line]["stall"] += stall
        totals[line]["idle"] += max(0, time - previous_end)
        previous_end = max(previous_end, time + duration)


def _check_wave(folder: Folder, name: str, content: dict[str, Any]) -> None:
    wave = content["wave"]
    place = re.fullmatch(r"se(\d+)_sm(\d)_sl(\d+)_wv(\d+)\.json", name)
    assert place
    assert content["name"] == f"SE{place[1]}"
    assert (wave["simd"], wave["slot"], wave["id"]) == (int(place[2]), int(place[3]), int(place[4]))
    assert content["duration"] == wave["end"] - wave["begin"]
    assert content["num_insts"] == content["num_stitched"] == len(wave["instructions"])
    assert sum(clocks for _, clocks in wave["timeline"]) == content["duration"]
    assert all(state in (1, 2, 3, 4) and clocks > 0 for state, clocks in wave["timeline"])
    waited = 0
    time_before = wave["begin"]
    for time, category, stall, duration, line in wave["instructions"]:
        text = folder.by_number[line].text
        assert category in expected_category(text), text
        assert time >= time_before, text
        assert 0 <= stall <= duration, text
        assert time + duration <= wave["end"], text
        time_before = time + duration
        if text.startswith(("s_waitcnt", "s_barrier")):
            assert stall == duration
            waited += duration
    assert sum(clocks for state, clocks in wave["timeline"] if state == WAIT_STATE) == waited
    assert wave["waitcnt"] == replayed_waits(folder, wave)


def replayed_waits(folder: Folder, wave: dict[str, Any]) -> list[Any]:
    """Memory operations return in order: what each wait found outstanding beyond what it allows."""
    vector: list[tuple[int, int]] = []
    local: list[tuple[int, int]] = []
    waits: list[Any] = []
    for place, (_, _, _, _, line) in enumerate(wave["instructions"]):
        text = folder.by_number[line].text
        if text.startswith(("global_", "scratch_", "buffer_load", "buffer_store", "buffer_atomic", "flat_")):
            vector.append((place, line))
        if text.startswith(
            ("flat_", "ds_", "s_load", "s_buffer_load", "s_memtime", "s_memrealtime", "s_sendmsg")
        ):
            local.append((place, line))
        if not text.startswith("s_waitcnt"):
            continue
        causes: list[tuple[int, int]] = []
        for name, outstanding in (("lgkmcnt", local), ("vmcnt", vector)):
            allowed = re.search(rf"{name}\((\d+)\)", text)
            while allowed and len(outstanding) > int(allowed[1]):
                operation = outstanding.pop(0)
                causes += [operation] if operation not in causes else []
        if causes:
            waits.append([line, [[cause, 0] for _, cause in causes]])
    return waits


def _check_names(folder: Folder) -> None:
    names = folder.json("filenames.json")
    assert (names["gfxip"], names["gfxv"], names["version"]) == (9, "vega", "3.0.0")
    assert names["global_begin_time"] == 0
    listed = {}
    for engine, simds in names["wave_filenames"].items():
        for simd, slots in simds.items():
            for slot, waves in slots.items():
                for number, (file, begin, end) in waves.items():
                    assert file == f"se{engine}_sm{simd}_sl{slot}_wv{number}.json"
                    listed[file] = (begin, end)
    found = {name: (wave["wave"]["begin"], wave["wave"]["end"]) for name, wave in folder.waves.items()}
    assert listed == found


def _check_states(folder: Folder) -> None:
    """The step functions have the area of the timelines, and end with no wave."""
    clocks: Counter[int] = Counter()
    for wave in folder.waves.values():
        for state, length in wave["wave"]["timeline"]:
            clocks[state] += length
    for state in (1, 2, 3, 4):
        counted = folder.json(f"wstates{state}.json")
        times, counts = counted["time"], counted["state"]
        assert counted["name"] == f"wstates{state}.json"
        assert len(times) == len(counts)
        assert times == sorted(set(times))
        assert all(0 <= count <= len(folder.waves) for count in counts)
        area = sum(count * (after - at) for at, after, count in zip(times, times[1:], counts, strict=False))
        assert area == clocks[state]
        assert not counts or counts[-1] == 0


def _check_occupancy(folder: Folder) -> None:
    occupancy = folder.json("occupancy.json")
    assert occupancy["version"] == "3.0.0"
    realtime = folder.json("realtime.json")
    assert realtime["metadata"]["frequency"] == 100_000_000
    engines = [key for key in occupancy if key.isdigit()]
    assert engines == [key.removeprefix("SE") for key in realtime if key != "metadata"]
    for engine in engines:
        assert (folder.path / f"se{engine}_perfcounter.json").is_file()
        present: dict[tuple[int, int, int], int] = {}
        lives = set()
        events = occupancy[engine]
        assert [event[0] for event in events] == sorted(event[0] for event in events)
        for time, cu, simd, slot, start, kernel in events:
            assert str(kernel) in occupancy["dispatches"]
            if start:
                assert (cu, simd, slot) not in present
                present[cu, simd, slot] = time
            else:
                lives.add((cu, simd, slot, present.pop((cu, simd, slot)), time))
        for name, content in folder.waves.items():
            wave = content["wave"]
            key = (wave["cu"], wave["simd"], wave["slot"])
            if name.startswith(f"se{engine}_"):
                assert (*key, wave["begin"], wave["end"]) in lives or present.get(key) == wave["begin"]


def _check_statistics(folder: Folder) -> None:
    with folder.statistics.open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["CodeObj", "Vaddr", "Instruction", "Hitcount", "Latency", "Stall", "Idle", "Source"]
    expected = [
        [row.code_object, row.address, row.text, row.hit, row.latency, row.stall, row.idle, row.source]
        for row in sorted(folder.rows, key=lambda row: (row.code_object, row.address, not row.is_label))
    ]
    assert rows[1:] == [[str(value) for value in row] for row in expected]
