"""A small trace folder on disk: one kernel of four instructions, two waves."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

NAME = "ui_output_agent_2_dispatch_7"
HEADER = "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle"
FIELDS_3_1 = [
    "time",
    "cu",
    "simd",
    "wave_id",
    "start",
    "kernel_id",
    "me_id",
    "pipe_id",
    "is_ext",
    "workgroup_id",
    "cluster_id",
]
# Each wave: load at 10, a wait of 50, an addition that stalls 3 of 7 clocks, the end after 2 idle ones.
INSTRUCTIONS = [[10, 4, 0, 4, 1], [14, 9, 50, 50, 2], [64, 6, 3, 7, 3], [73, 11, 0, 4, 4]]
TIMELINE = [[1, 10], [2, 4], [3, 50], [4, 3], [2, 4], [1, 2], [2, 4]]
END = 77
CODE: list[list[Any]] = [
    ["; _Z3addPf", 0, 0, "add(float*)", 1, 4096, 0, 0, 0, 0],
    ["global_load_dword v1, v0, s[0:1]", 0, 1, "/src/add.hip:3", 1, 4096, 2, 8, 0, 20],
    ["s_waitcnt vmcnt(0)", 0, 2, "/src/add.hip:4 -> /src/add.hip:9", 1, 4104, 2, 100, 100, 0],
    ["v_add_f32_e32 v1, v1, v1", 0, 3, "/src/add.hip:4", 1, 4108, 2, 14, 6, 0],
    ["s_endpgm", 0, 4, "", 1, 4112, 2, 8, 0, 4],
]


def wave(simd: int) -> dict[str, Any]:
    return {
        "name": "SE0",
        "duration": END,
        "num_insts": 4,
        "num_stitched": 4,
        "wave": {
            "cu": 1,
            "id": 0,
            "simd": simd,
            "slot": 0,
            "begin": 0,
            "end": END,
            "instructions": INSTRUCTIONS,
            "timeline": TIMELINE,
            "waitcnt": [[2, [[1, 0]]]],
        },
    }


def put(path: Path, content: object) -> None:
    path.write_text(json.dumps(content))


def write_folder(root: Path, version: str = "3.0.0", gfxip: int = 9, name: str = NAME) -> Path:
    folder = root / name
    folder.mkdir(parents=True)
    names = {}
    for simd in (0, 1):
        file = f"se0_sm{simd}_sl0_wv0.json"
        put(folder / file, wave(simd))
        names[str(simd)] = {"0": {"0": [file, 0, END]}}
    manifest: dict[str, Any] = {
        "counter_names": [],
        "gfxip": gfxip,
        "gfxv": "vega" if gfxip == 9 else "navi",
        "global_begin_time": 0,
        "version": version,
        "wave_filenames": {"0": names},
    }
    if version.startswith("3.1"):
        manifest |= {"thread_trace": True, "pc_sampling": False, "is_pcs_stochastic": False, "num_se": 1}
    put(folder / "filenames.json", manifest)
    put(folder / "code.json", {"code": CODE, "header": HEADER, "version": version})
    put(folder / "occupancy.json", occupancy(version))
    put(folder / "snapshots.json", {"/": {"src": {"add.hip": "source_0_add.hip"}}})
    (folder / "source_0_add.hip").write_text("\n\nfloat x = a[i];\na[i] = x + x;\n")
    # How many waves are idle, executing, waiting and stalled: both do the same at the same time.
    steps = {1: (0, 10, 71, 73), 2: (10, 14, 67, 71, 73, END), 3: (14, 64), 4: (64, 67)}
    for state, times in steps.items():
        counts = [2, 0] * (len(times) // 2)
        content = {"name": f"wstates{state}.json", "time": times, "state": counts}
        put(folder / f"wstates{state}.json", content)
    write_statistics(root / f"stats_{name}.csv", CODE)
    return folder


def occupancy(version: str) -> dict[str, Any]:
    lives = ((0, 1, 0, 1, 3), (0, 1, 1, 1, 3), (2, 4, 0, 1, 2), (END, 1, 0, 0, 3), (END, 1, 1, 0, 3))
    events = [[time, cu, simd, 0, start, kernel] for time, cu, simd, start, kernel in lives]
    made: dict[str, Any] = {"dispatches": {"2": "_Z5otherv", "3": "_Z3addPf"}, "version": version}
    if not version.startswith("3.1"):
        return {"0": events, **made}
    wide = [[*event, 1, 0, False, 0, 0] for event in events]
    dispatch = {"kind": "dispatch", "time": 0, "kernel_id": 3, "thread_dim_x": 64}
    return {"0": wide, "occupancy_fields": FIELDS_3_1, "events": {"0": [dispatch]}, **made}


def write_statistics(path: Path, code: list[list[Any]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(("CodeObj", "Vaddr", "Instruction", "Hitcount", "Latency", "Stall", "Idle", "Source"))
        for text, _, _, source, code_object, address, *totals in code:
            writer.writerow((code_object, address, text, *totals, source))
