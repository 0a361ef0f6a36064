"""Figures as people read them: durations, shares, rates, cut lines."""

from __future__ import annotations

_STEPS = ((1e3, "s", 1e-3), (1.0, "ms", 1.0), (1e-3, "us", 1e3))


def duration(milliseconds: float) -> str:
    """Three or four digits with the unit that suits: ``6.34 us``."""
    for least, unit, factor in _STEPS:
        if abs(milliseconds) >= least:
            return f"{digits(milliseconds * factor)} {unit}"
    return f"{milliseconds * 1e6:.0f} ns"


def digits(value: float) -> str:
    """At least three significant digits, no exponent below a million."""
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1e6:
        return f"{value:.3g}"
    places = 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 10 else 3 if size >= 0.1 else 5
    return f"{value:.{places}f}"


def byte_size(number: int) -> str:
    """``512 B``, ``3.81 MiB``."""
    if number < 1024:
        return f"{number} B"
    value, units = number / 1024, ["KiB", "MiB", "GiB", "TiB"]
    while value >= 1023.95 and len(units) > 1:
        value, units = value / 1024, units[1:]
    return f"{value:.{0 if value >= 999.95 else 1 if value >= 99.995 else 2}f} {units[0]}"


def percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def count(number: int, thing: str, plural: str = "") -> str:
    return f"{number} {thing if number == 1 else plural or thing + 's'}"


def cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def cut_middle(text: str, width: int) -> str:
    """Keeps both ends: long names often differ at their end."""
    if len(text) <= width:
        return text
    tail = (width - 1) // 3
    return text[: width - 1 - tail] + "…" + text[len(text) - tail :]
