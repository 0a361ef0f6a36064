"""A plain reading of a trace folder, instruction by instruction: what the analysis has to agree with.

Here waits are followed by what the instructions say (vmcnt, lgkmcnt), not by the folder's own lists.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

VECTOR = ("global_", "scratch_", "flat_", "buffer_load", "buffer_store", "buffer_atomic")
LOCAL = ("ds_", "s_load", "s_buffer_load", "s_memtime", "s_memrealtime", "s_sendmsg", "flat_")
AT_ONCE = 4


@dataclass
class Replay:
    executions: Counter[int] = field(default_factory=Counter)
    latency: Counter[int] = field(default_factory=Counter)
    stall: Counter[int] = field(default_factory=Counter)
    caused: Counter[int] = field(default_factory=Counter)
    waited: dict[int, list[int]] = field(default_factory=dict)  # clocks from issue to the end of the wait
    states: Counter[int] = field(default_factory=Counter)
    lived: int = 0


def replay(folder: Path) -> Replay:
    texts = {row[2]: row[0] for row in json.loads((folder / "code.json").read_text())["code"]}
    made = Replay()
    for path in sorted(folder.glob("se*_sm*_wv*.json")):
        wave = json.loads(path.read_text())["wave"]
        made.lived += wave["end"] - wave["begin"]
        for state, clocks in wave["timeline"]:
            made.states[state] += clocks
        _replay(wave["instructions"], texts, made)
    return made


def _replay(instructions: list[list[int]], texts: dict[int, str], made: Replay) -> None:
    vector: list[tuple[int, int]] = []
    local: list[tuple[int, int]] = []
    for time, _, stall, duration, line in instructions:
        text = texts[line]
        made.executions[line] += 1
        made.latency[line] += duration
        made.stall[line] += stall
        operation = (time + stall, line)
        if text.startswith(VECTOR):
            vector.append(operation)
        if text.startswith(LOCAL):
            local.append(operation)
        causes: list[tuple[int, int]] = []
        if text.startswith("s_waitcnt"):
            for name, outstanding in (("lgkmcnt", local), ("vmcnt", vector)):
                allowed = re.search(rf"{name}\((\d+)\)", text)
                while allowed and len(outstanding) > int(allowed[1]):
                    oldest = outstanding.pop(0)
                    causes += [oldest] if oldest not in causes else []
        for issue, cause in causes:
            made.waited.setdefault(cause, []).append(time + duration - issue)
        if causes and stall > AT_ONCE:
            share, rest = divmod(stall, len(causes))
            for place, (_, cause) in enumerate(causes):
                made.caused[cause] += share + (place >= len(causes) - rest)
        else:
            made.caused[line] += stall
