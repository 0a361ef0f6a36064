"""What -L lists."""

from __future__ import annotations

from . import device
from .counters import load


def listing() -> str:
    catalogue = load(device.architecture())
    lines = []
    for gpu in range(device.count()):
        lines += [f"GPU:{gpu}", f"Name:{catalogue.architecture}", ""]
        for counter in catalogue.counters.values():
            kind = "Derived" if counter.expression else "Basic"
            lines.append(f"Counter_Name        :  {counter.name}")
            lines.append(f"Description         :  {counter.description}")
            if counter.expression:
                lines.append(f"Expression          :  {counter.expression}")
            else:
                lines.append(f"Block               :  {counter.block}")
            lines.append(f"Unit                :  {counter.unit}")
            if reason := catalogue.unavailable(counter.name):
                lines.append(f"Not available       :  {reason}")
            lines += [f"Kind                :  {kind}", ""]
    return "\n".join(lines) + "\n"
