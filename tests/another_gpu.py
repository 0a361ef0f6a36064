"""A GPU that nobody makes: one file in a copy of the data, which is all that it takes."""

from __future__ import annotations

import shutil
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAME, PRODUCT = "MI999", "Invented Accelerator MI999"
FILE = f"""\
rank = 99
product = "{PRODUCT}"
architecture = "gfx942"

[identity]
like = "MI300X"
chip_id = 0x7999

[units]
like = "MI300X"
compute_units = 96
xccs = 4
shader_engines = 16
front_caches_per_xcc = 12

[clocks]
like = "MI300X"
clock_mhz = 1500

[memory]
like = "MI300X"
memory_bytes = "32 GiB"

[caches]
like = "MI300X"

[links]
like = "MI300X"

[limits]
lds_bytes = "32 KiB"
lds_bytes_per_workgroup = "32 KiB"

[roofline]
source = "invented"
memory_gbps = {{ value = 1000, source = "invented" }}

[timing]
like = "MI300X"

[costs]
like = "MI325X"
"""


def tree_with_it(into: Path) -> Path:
    """A copy of the sources in which the GPU has its file."""
    without = shutil.ignore_patterns("__pycache__")
    for part in ("src", "native"):
        shutil.copytree(ROOT / part, into / part, ignore=without)
    for part in ("CMakeLists.txt", "pyproject.toml"):
        shutil.copy(ROOT / part, into)
    (into / "src" / "vrocm" / "data" / "gpus" / f"{NAME}.toml").write_text(FILE)
    return into


def python_of(tree: Path, place: Path) -> Path:
    """An interpreter that imports both packages from a tree, and all else from where this one does."""
    venv.create(place)
    site = next((place / "lib").glob("python*")) / "site-packages"
    # A line is a folder; files of this kind in that folder (an editable installation) are not read.
    (site / "tree.pth").write_text(f"{tree / 'src'}\n{sysconfig.get_path('purelib')}\n")
    return place / "bin" / "python"
