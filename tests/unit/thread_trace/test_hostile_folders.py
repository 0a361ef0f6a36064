"""Folders with anything anywhere: read, or refused with the file's name, but never with a traceback."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.contracts.documents import to_json
from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.profiling.documents.thread_traces import analyze_traces
from rocm_perf_lab.reporting.terminal.att import render

from .made_folder import put, write_folder

FILES = (
    "filenames.json",
    "code.json",
    "occupancy.json",
    "snapshots.json",
    "wstates3.json",
    "se0_sm0_sl0_wv0.json",
)
JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**62,
    -(2**63),
    2**64,
    10**40,
    0.5,
    1e300,
    "",
    "\x1b[31m",
    "x" * 5000,
    "../../etc/passwd",
    "\udcff",
    [],
    {},
    [[]],
    [None],
    {"": {}},
    [[1, 2], [3]],
    [[0, 0, 0, 0, 0, 0]],
)


def places(content: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places in a JSON document."""
    found = [at]
    keys = (
        content.keys()
        if isinstance(content, dict)
        else range(len(content))
        if isinstance(content, list)
        else ()
    )
    for key in keys:
        found += places(content[key], (*at, key))
    return found


def mutated(content: Any, chance: random.Random) -> Any:
    place = chance.choice(places(content)[1:] or [()])
    if not place:
        return chance.choice(JUNK)
    branch = content
    for key in place[:-1]:
        branch = branch[key]
    if chance.random() < 0.2:
        del branch[place[-1]]
    else:
        branch[place[-1]] = chance.choice(JUNK)
    return content


@pytest.mark.parametrize("seed", range(12))
def test_mutations(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    whole = write_folder(tmp_path / "whole", chance.choice(("3.0.0", "3.1.0")))
    outcomes = set()
    for turn in range(25):
        folder = tmp_path / str(turn) / whole.name
        shutil.copytree(whole, folder)
        for _ in range(chance.randint(1, 3)):
            file = folder / chance.choice(FILES)
            put(file, mutated(json.loads(file.read_text()), chance))
        outcomes.add(outcome_of(folder))
    assert outcomes == {"read", "refused"}


def outcome_of(folder: Path) -> str:
    try:
        document = analyze_traces([folder])
    except BadInput as refused:
        return "refused" if str(folder) in refused.cause.encode().decode() else refused.cause
    to_json(document).encode()
    return "read" if "\x1b" not in render(document).encode().decode() else "steers the terminal"
