"""What the demonstration runs: the commands a user would type, in their order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("two_streams.hip")
PROGRAM = "two_streams"


@dataclass(frozen=True)
class DemoStep:
    title: str
    command: tuple[str, ...]
    """As a user types it; "rocm-perf" and "hipcc" are those of this installation."""


BUILD = ("hipcc", "-O3", "-g", SOURCE.name, "-o", PROGRAM)
# Counters and a trace of the waves are for the report; a simulated run repeats exactly, so one is enough.
PROFILE = ("rocm-perf", "profile", "--runs", "1", "--roofline", "--focus-critical", "--deep-analysis")
# The first proposals are the most promising; two of them keep the demonstration short.
OPTIMIZE = ("rocm-perf", "optimize", f"./{PROGRAM}", "--source", SOURCE.name, "--yes")
SHORT = ("--max-iters", "1", "--max-trials", "2")

STEPS = (
    DemoStep("Build a program with two streams", BUILD),
    DemoStep("Where does its GPU time go, and what holds the kernels back?", (*PROFILE, f"./{PROGRAM}")),
    DemoStep("Which kernel is worth the work, end to end?", ("rocm-perf", "whatif", ".rocm-perf/latest")),
    DemoStep("Change the kernel; keep what is faster and proven to be right", (*OPTIMIZE, *SHORT)),
    DemoStep("Build what was accepted", BUILD),
    DemoStep(
        "Capture one dispatch of it while it runs",
        ("rocm-perf", "capture", "--kernel", "row_norms", "--out", "capture", f"./{PROGRAM}"),
    ),
    DemoStep(
        "Replay it at the same addresses, and prove that it is the same",
        ("rocm-perf", "replay", "validate", "capture"),
    ),
    DemoStep("One page with all of the profile", ("rocm-perf", "report", ".rocm-perf/latest")),
)
