"""Writing coefficients as C++ headers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mpmath import log, mpf

FOLDER = Path(__file__).resolve().parent.parent


def literal(value: mpf, kind: str) -> str:
    """A hexadecimal literal, exact for a value that is already rounded."""
    text = float(value).hex()
    mantissa, exponent = text.split("p")
    mantissa = mantissa.rstrip("0") if "." in mantissa else mantissa
    mantissa = mantissa.rstrip(".")
    return f"{mantissa}p{exponent}" + ("f" if kind == "f32" else "")


def split(value: mpf, parts: int = 2, kind: str = "f64") -> list[mpf]:
    """``value`` as an unevaluated sum of floating-point numbers."""
    from minimax import round_to

    rest, out = mpf(value), []
    for _ in range(parts):
        out.append(round_to(rest, kind))
        rest -= out[-1]
    return out


class Header:
    def __init__(self, place: str, script: str, about: str) -> None:
        self.path = FOLDER / f"{place}.h"
        name = self.path.stem
        self.lines = [
            f"// {about}",
            f"// Written by derive/{script}; change that, not this.",
            "#pragma once",
            "",
        ]
        self.lines += ['#include "common/hardware.h"', "", f"namespace {name} {{", ""]
        self.name = name

    def scalar(self, name: str, value: mpf, kind: str = "f64", comment: str = "") -> None:
        note = f"  // {comment}" if comment else ""
        self.lines.append(f"constexpr {kind} {name} = {literal(value, kind)};{note}")

    def parts(self, name: str, value: mpf, parts: int = 2, kind: str = "f64") -> None:
        for part, suffix in zip(split(value, parts, kind), ("Hi", "Lo", "Lo2", "Lo3"), strict=False):
            self.scalar(name + suffix, part, kind)

    def array(self, name: str, values: Sequence[mpf], kind: str = "f64", error: mpf | None = None) -> None:
        note = "" if error is None else f"  // largest error 2^{float(log(abs(error), 2)):.1f}"
        self.lines.append(f"constexpr {kind} {name}[] = {{{note}")
        for value in values:
            self.lines.append(f"    {literal(value, kind)},")
        self.lines.append("};")

    def text(self, line: str = "") -> None:
        self.lines.append(line)

    def write(self) -> None:
        self.lines += ["", f"}}  // namespace {self.name}", ""]
        self.path.write_text("\n".join(self.lines))
