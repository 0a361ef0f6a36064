"""The virtual GPU and check.json name the same classes of defects."""

from __future__ import annotations

import re
from pathlib import Path

from rocm_perf_lab.checking.request import CLASSES

NATIVE = Path(__file__).parents[3] / "native" / "sim" / "checkers" / "options.cpp"


def test_names_are_those_of_the_virtual_gpu() -> None:
    table = re.search(r"kNames = \{(.*?)\}", NATIVE.read_text(), re.DOTALL)
    assert table is not None
    assert tuple(re.findall(r'"([^"]+)"', table[1])) == CLASSES
