"""A log-log picture of simulated against measured times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from .compare import RowResult

SIDE, MARGIN = 640, 70
COLOURS = (
    "#1b6ca8", "#d1495b", "#2e933c", "#b8860b", "#6a4c93", "#00798c", "#8d5524",
    "#e07a1f", "#44475a", "#c2185b", "#558b2f", "#0277bd", "#7b1fa2",
)  # fmt: skip


def draw(results: Sequence[RowResult]) -> str:
    shown = [result for result in results if result.simulated_ms]
    times = [value for r in shown for value in (r.measured_ms, r.simulated_ms or 0)]
    low = math.floor(math.log10(min(times, default=1e-3)))
    high = math.ceil(math.log10(max(times, default=1e2)))
    high = max(high, low + 1)

    def place(milliseconds: float) -> float:
        return (math.log10(milliseconds) - low) / (high - low) * SIDE

    def x(milliseconds: float) -> float:
        return MARGIN + place(milliseconds)

    def y(milliseconds: float) -> float:
        return 20 + SIDE - place(milliseconds)

    programs = list(dict.fromkeys(result.program for result in results))
    width, height = SIDE + MARGIN + 220, SIDE + MARGIN + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for power in range(low, high + 1):
        at = 10.0**power
        label = f"{at:g}"
        parts.append(
            f'<path d="M{x(at):.1f} 20V{20 + SIDE}M{MARGIN} {y(at):.1f}H{MARGIN + SIDE}" stroke="#ddd"/>'
        )
        parts.append(f'<text x="{x(at):.1f}" y="{SIDE + 38}" text-anchor="middle">{label}</text>')
        parts.append(f'<text x="{MARGIN - 8}" y="{y(at) + 4:.1f}" text-anchor="end">{label}</text>')
    first, last = 10.0**low, 10.0**high
    parts.append(
        f'<path d="M{x(first):.1f} {y(first):.1f}L{x(last):.1f} {y(last):.1f}" stroke="#333" fill="none"/>'
    )
    for factor in (0.65, 1.35):
        begin, end = max(first, first / factor), min(last, last / factor)
        parts.append(
            f'<path d="M{x(begin):.1f} {y(begin * factor):.1f}L{x(end):.1f} {y(end * factor):.1f}" '
            'stroke="#999" stroke-dasharray="4 4" fill="none"/>'
        )
    for result in shown:
        colour = COLOURS[programs.index(result.program) % len(COLOURS)]
        cx, cy = x(result.measured_ms), y(result.simulated_ms or first)
        tip = escape(
            f"{result.program} {result.size}: {result.simulated_ms:.4f} ms, {result.signed_percent:+.0f} %"
        )
        if result.subset == "fit":
            mark = f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="3.5" fill="{colour}" fill-opacity=".75">'
            end_mark = "</circle>"
        else:
            mark = (
                f'<rect x="{cx - 3:.1f}" y="{cy - 3:.1f}" width="6" height="6" fill="none" stroke="{colour}" '
                'stroke-width="1.6">'
            )
            end_mark = "</rect>"
        parts.append(f"{mark}<title>{tip}</title>{end_mark}")
    for index, program in enumerate(programs):
        subset = next(result.subset for result in results if result.program == program)
        colour = COLOURS[index % len(COLOURS)]
        parts.append(
            f'<text x="{MARGIN + SIDE + 16}" y="{40 + 18 * index}" fill="{colour}">'
            f"{'●' if subset == 'fit' else '□'} {escape(program)}</text>"
        )
    parts.append(f'<text x="{MARGIN + SIDE / 2}" y="{SIDE + 62}" text-anchor="middle">measured, ms</text>')
    parts.append(
        f'<text transform="translate(18 {20 + SIDE / 2}) rotate(-90)" '
        'text-anchor="middle">simulated, ms</text>'
    )
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
