#!/usr/bin/env python3
"""Draws the pictures of docs/ARCHITECTURE.md: who may import whom, and the way of one dispatch.

    .venv/bin/python scripts/drawings.py

The layers are those that the linter keeps (pyproject.toml), so that the picture is what is checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import tomli

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 960
# A background of its own, so that it can be read on pages of any colour.
STYLE = """
  text { font: 13px sans-serif; fill: #1f2933 }
  .code { font: 12px monospace; white-space: pre }
  .title { font: bold 15px sans-serif }
  .word { fill: #52606d }
  .page { fill: #ffffff } .panel { fill: #f3f5f7; stroke: #cbd2d9 } .box { fill: #ffffff; stroke: #9aa5b1 }
  .ours { fill: #e3ecf7; stroke: #5b84b1 } .theirs { fill: #fbeede; stroke: #c58b3f }
  .arrow { stroke: #52606d; stroke-width: 1.5; fill: none; marker-end: url(#head) }
  .head { fill: #52606d } .dashed { stroke-dasharray: 5 4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e7eb } .word { fill: #a5b0bc }
    .page { fill: #1b2027 } .panel { fill: #242b34; stroke: #3e4c59 } .box { fill: #2f3843; stroke: #616e7c }
    .ours { fill: #24405f; stroke: #6f9bcb } .theirs { fill: #54401f; stroke: #d19b52 }
    .arrow { stroke: #a5b0bc } .head { fill: #a5b0bc }
  }
"""


@dataclass
class Drawing:
    says: str
    height: int
    parts: list[str] = field(default_factory=list)

    def box(self, kind: str, x: float, y: float, width: float, height: float) -> None:
        self.parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="4"/>')

    def text(self, words: str, x: float, y: float, kind: str = "", anchor: str = "start") -> None:
        shown = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text{shown} x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>')

    def labelled(
        self, kind: str, words: str, x: float, y: float, width: float, height: float = 28, note: str = ""
    ) -> None:
        """A box with a name in the middle of it, and below that what it is."""
        self.box(kind, x, y, width, height)
        middle = y + height / 2 + 4 - (8 if note else 0)
        self.text(words, x + width / 2, middle, "code", "middle")
        if note:
            self.text(note, x + width / 2, middle + 17, "word", "middle")

    def arrow(self, *points: tuple[float, float], dashed: bool = False) -> None:
        way = "L".join(f"{x} {y}" for x, y in points)
        self.parts.append(f'<path class="arrow{" dashed" if dashed else ""}" d="M{way}"/>')

    def svg(self) -> str:
        size = f'viewBox="0 0 {WIDTH} {self.height}" width="{WIDTH}" height="{self.height}"'
        marker = (
            '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"'
            ' orient="auto" markerUnits="userSpaceOnUse"><path class="head" d="M0 0L8 4L0 8Z"/></marker>'
        )
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
                f"<title>{escape(self.says)}</title>",
                f"<style>{STYLE}</style>",
                f"<defs>{marker}</defs>",
                f'<rect class="page" width="{WIDTH}" height="{self.height}" rx="8"/>',
                *self.parts,
                "</svg>\n",
            ]
        )


def import_rules() -> tuple[list[str], list[str]]:
    """The layers of the product from top to bottom, and what it may import of the virtual ROCm."""
    settings: dict[str, Any] = tomli.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers, public = settings["contracts"][:2]
    rooms = [" · ".join(re.findall(r"rocm_perf_lab\.(\w+)", layer)) for layer in layers["layers"]]
    names = [found for rule in public["ignore_imports"] for found in re.findall(r"-> vrocm\.?(\w*)$", rule)]
    return rooms, [name for name in names if name]


def rooms() -> str:
    layers, public = import_rules()
    bar, top = 26, 78
    bottom = top + len(layers) * (bar + 7) + 8
    drawing = Drawing("Rooms of the source tree, and who may import whom", bottom + 42)
    drawing.box("panel", 16, 16, 400, bottom - 16)
    drawing.text("src/rocm_perf_lab", 32, 42, "title")
    drawing.text("the product: a room imports rooms below it, never above", 32, 62, "word")
    for place, layer in enumerate(layers):
        drawing.labelled("ours", layer, 60, top + place * (bar + 7), 340, bar)
    drawing.arrow((40, top), (40, bottom - 12))
    draw_virtual_rocm(drawing, public)
    draw_native(drawing, 230, bottom)
    drawing.text("solid: imports, or includes", 20, bottom + 26, "word")
    drawing.text("dashed: runs it, as a program or a library of another", 240, bottom + 26, "word")
    return drawing.svg()


def draw_virtual_rocm(drawing: Drawing, public: Sequence[str]) -> None:
    drawing.box("panel", 480, 16, 464, 198)
    drawing.text("src/vrocm", 496, 42, "title")
    drawing.text("the virtual ROCm: imports nothing of the product", 496, 62, "word")
    drawing.box("theirs", 496, 76, 432, 86)
    drawing.text("what the product may import", 508, 95, "word")
    lines = [""]
    for name in public:
        longer = f"{lines[-1]} · {name}" if lines[-1] else name
        lines[-1:] = [longer] if len(longer) < 58 else [lines[-1], name]
    for place, line in enumerate(lines):
        drawing.text(line, 508, 114 + place * 17, "code")
    drawing.arrow((416, 119), (495, 119))
    for place, name in enumerate(("hipcc", "devicelib", "include", "rocprofv3", "data")):
        drawing.labelled("theirs", name, 496 + place * 88, 174, 80)


def draw_native(drawing: Drawing, top: int, bottom: int) -> None:
    drawing.box("panel", 480, top, 464, bottom - top)
    drawing.text("native", 496, top + 26, "title")
    drawing.text("C++; beside what is drawn: capi, roctx, openmp", 496, top + 46, "word")
    left, right, width, height = 496, 724, 204, 42
    rows = [top + 58 + place * 58 for place in range(6)]
    middles = [row + height / 2 for row in rows]
    stack = (
        ("theirs", "hip", "libamdhip64, libhiprtc"),
        ("box", "abi/hsa", "the HSA API"),
        ("theirs", "hsa", "libhsa-runtime64"),
        ("theirs", "sim", "the virtual GPU"),
        ("theirs", "isa", "instructions"),
    )
    for (kind, name, note), row in zip(stack, rows, strict=False):
        drawing.labelled(kind, name, right, row, width, height, note)
    for row in (rows[0], rows[2], rows[3]):
        drawing.arrow((right + width / 2, row + height), (right + width / 2, row + 57))
    drawing.arrow(
        (right + width / 2, rows[2]), (right + width / 2, rows[1] + height + 1)
    )  # what it implements
    drawing.labelled("ours", "capture · replay", left, rows[0], width, height, "run on hardware, too")
    drawing.labelled("ours", "snapshot", left, rows[1], width, height, "files of captures")
    drawing.labelled("theirs", "trace", left, rows[2], width, height, "the log of a process")
    drawing.labelled("theirs", "gpus", left, rows[3], width, height, "tables of src/vrocm/data")
    drawing.labelled(
        "box", "codeobj · compression", left, rows[5], 432, height, "for hip, hsa, sim, capture and replay"
    )
    drawing.arrow((left + width / 2, rows[0] + height), (left + width / 2, rows[1] - 1))
    drawing.arrow((left + width, middles[0]), (712, middles[0]), (712, middles[1]), (right - 1, middles[1]))
    for row in (2, 3):
        drawing.arrow((right, middles[row]), (left + width + 1, middles[row]))
    drawing.arrow((416, middles[0]), (left - 1, middles[0]), dashed=True)


@dataclass(frozen=True)
class Step:
    happens: str
    where: str


WAY = (
    ("the program", "box", (Step("hipLaunchKernel(stub, grid, block, arguments, …)", ""),)),
    (
        "the ROCm prefix: vrocm, or AMD's on hardware",
        "theirs",
        (
            Step(
                "The kernel of the stub is looked up, its arguments are packed", "native/hip/api/launch.cpp"
            ),
            Step("An AQL packet in the stream's queue; the doorbell rings", "native/hip/stream/stream.cpp"),
            Step(
                "The GPU's thread takes packets in order, and checks them",
                "native/hsa/queue/hardware_queue.cpp",
            ),
            Step("Workgroups run on threads of the host …", "native/sim/dispatch/scheduler.cpp"),
            Step(
                "… in the order and the time that the model gives them", "native/sim/timing/engine/detail.cpp"
            ),
            Step("Start and end on the timeline; the signal is set", "native/hsa/time/virtual_time.cpp"),
            Step("A record in the log of the process", "native/trace/device.cpp"),
            Step(
                "A row of rocpd_kernel_dispatch in a database", "src/vrocm/rocprofv3/formats/rocpd_writer.py"
            ),
        ),
    ),
    (
        "the product",
        "ours",
        (
            Step(
                "The pass has ended; its database is in .rocpd_profile",
                "src/rocm_perf_lab/profiling/passes/execution.py",
            ),
            Step(
                "Rows with types; launches that are alike are summed",
                "src/rocm_perf_lab/rocpd/trace_builder.py",
            ),
            Step(
                "Runs of the same kernel side by side",
                "src/rocm_perf_lab/profiling/documents/launch_groups.py",
            ),
            Step("Mean and scatter of their times", "src/rocm_perf_lab/analysis/stability.py"),
            Step("An entry of profile.json", "src/rocm_perf_lab/contracts/profiling/kernel.py"),
            Step("A row of the report", "src/rocm_perf_lab/reporting/terminal/profile.py"),
        ),
    ),
)
ROW = "softmax_rows  100.0%  88.75 us  3  29.58 us"


def dispatch() -> str:
    step, head, gap = 34, 34, 14
    height = sum(head + step * len(steps) + 10 + gap for _, _, steps in WAY) + 16 + 24
    drawing = Drawing("The way of one dispatch from hipLaunchKernel to a row of the report", height)
    y, number = 16, 0
    for title, kind, steps in WAY:
        drawing.box("panel", 16, y, WIDTH - 32, head + step * len(steps) + 10)
        drawing.text(title, 80, y + 23, "title")
        if number:
            drawing.arrow((49, y - gap - 18), (49, y + head - 1))
        y += head
        for one in steps:
            number += 1
            drawing.labelled(kind, str(number), 32, y, 34, 26)
            drawing.text(one.happens, 80, y + 18)
            drawing.text(one.where, WIDTH - 32, y + 18, "code", "end")
            y += step
        y += 10 + gap
    drawing.arrow((49, y - gap - 18), (49, y + 4), (74, y + 4))
    drawing.text(ROW, 80, y + 8, "code")
    return drawing.svg()


DRAWINGS = {"rooms": rooms, "dispatch": dispatch}


def main() -> None:
    for name, draw in DRAWINGS.items():
        path = ROOT / "docs" / "images" / f"{name}.svg"
        path.write_text(draw())
        print(path)


if __name__ == "__main__":
    main()
