"""What is judged, read from the JSON files of this folder and the measured data."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent.parent / "shared" / "data"


class DataMissing(Exception):
    """Measured data that a comparison needs is not there."""


@dataclass(frozen=True)
class Program:
    name: str
    source: Path
    flags: tuple[str, ...]
    subset: str  # fit | held-out


@dataclass(frozen=True)
class Row:
    """One line of the measured table."""

    program: str
    size: str
    avg_ms: float
    min_ms: float
    max_ms: float


@dataclass(frozen=True)
class Figure:
    """A published number of the hardware, as a band."""

    name: str
    low: float
    high: float
    unit: str
    source: str


@dataclass(frozen=True)
class Pair:
    name: str
    source: Path
    winner: str
    loser: str
    at_least: float
    reason: str


def document(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((ROOT / name).read_text())
    return loaded


def programs() -> list[Program]:
    return [
        Program(
            entry["name"],
            ROOT / "programs" / entry["source"],
            tuple(entry.get("flags", ())),
            entry["set"],
        )
        for entry in document("programs.json")["programs"]
    ]


def measured_rows(quick: bool) -> list[Row]:
    path = DATA / "mi300a" / "kernel_times.csv"
    if not path.exists():
        raise DataMissing(f"measured kernel times are not at {path}; nothing to compare the programs with")
    wanted = document("programs.json")["quick"]
    with path.open(newline="") as stream:
        rows = [
            Row(
                line["kernel_name"],
                line["problem_size"],
                float(line["avg_ms"]),
                float(line["min_ms"]),
                float(line["max_ms"]),
            )
            for line in csv.DictReader(stream)
        ]
    return [row for row in rows if not quick or row.size in wanted.get(row.program, ())]


def figures() -> list[Figure]:
    entry = document("microbench.json")
    known = [Figure(**figure) for figure in entry["figures"]]
    mfma = entry["mfma"]
    path = DATA / mfma["table"]
    if not path.exists():
        return known
    with path.open(newline="") as stream:
        for line in csv.DictReader(stream):
            if line["arch"] == mfma["arch"]:
                cycles = float(line["cycles"])
                slack = cycles * mfma["tolerance"]
                known.append(
                    Figure(line["instruction"], cycles - slack, cycles + slack, "cycles", mfma["source"])
                )
    return known


def microbenchmarks(quick: bool) -> list[Path]:
    entry = document("microbench.json")
    return [ROOT / "microbench" / name for name in entry["quick" if quick else "sources"]]


def pairs() -> list[Pair]:
    return [
        Pair(
            entry["name"],
            ROOT / "pairs" / entry["source"],
            entry["winner"],
            entry["loser"],
            entry["at_least"],
            entry["reason"],
        )
        for entry in document("pairs.json")["pairs"]
    ]


def suspected_reasons() -> list[dict[str, Any]]:
    reasons: list[dict[str, Any]] = document("reasons.json")["reasons"]
    return reasons
