"""The files of GPUs: what is in them, what is refused, and that one more file is one more GPU."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.another_gpu import FILE, NAME, PRODUCT, ROOT, python_of, tree_with_it

from vrocm import data

Edit = Callable[[str], str]


def read(folder: Path) -> list[str]:
    return list(data.read_gpus(folder, data.architectures()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copied = shutil.copytree(data.FOLDER / "gpus", tmp_path / "gpus")
    (copied / f"{NAME}.toml").write_text(FILE)
    return copied


def test_one_more_file_is_one_more_gpu(folder: Path) -> None:
    assert read(folder) == [*data.gpus(), NAME]
    found = data.read_gpus(folder, data.architectures())[NAME]
    assert found.limits["lds_bytes"] == 32 << 10
    assert found.limits["barriers"] == found.architecture.limits["barriers"]
    assert found.costs == data.gpus()["MI325X"].costs
    assert found.units["sdma_engines"] == data.gpus()["MI300X"].units["sdma_engines"]
    assert "infinity_cache_gbps" not in found.roofline


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("clock_mhz = 1500", "clock_mhz = 1500\nturbo = 1", "'turbo' in [clocks] is not known"),
        ('[links]\nlike = "MI300X"', "[links]\npeer_mbps = 1", "'host_mbps' in [links] is missing"),
        ('[costs]\nlike = "MI325X"', '[costs]\nlike = "MI999"', "is like 'MI999', which is no other file"),
        ('[costs]\nlike = "MI325X"', '[costs]\nlike = "MI1"', "is like 'MI1', which is no other file"),
        ('[costs]\nlike = "MI325X"\n', "", "it has no table [costs]"),
        ("rank = 99", 'rank = "last"', "rank is missing, or is not of type int"),
        ("rank = 99", "rank = 99\ncolour = 1", "'colour' is not known"),
        ('"gfx942"', '"gfx1"', "architecture 'gfx1' has no file"),
        ("compute_units = 96", "compute_units = 95", "95 compute units on 4 dies"),
        ("front_caches_per_xcc = 12", "front_caches_per_xcc = 11", "11 front caches"),
        ("Accelerator MI999", "Accelerator", "has to have the file's name"),
        ('lds_bytes_per_workgroup = "32 KiB"', "lds_bytes_per_workgroup = 1000", "no multiple of 512"),
        ("chip_id = 0x7999", "chip_id =", "MI999.toml"),
    ],
)
def test_what_cannot_be_right_is_refused(folder: Path, old: str, new: str, said: str) -> None:
    assert old in FILE
    (folder / f"{NAME}.toml").write_text(FILE.replace(old, new))
    with pytest.raises(data.BadGpuFile, match=re.escape(said)):
        read(folder)


def test_files_that_are_like_each_other_are_refused(folder: Path) -> None:
    (folder / "MI998.toml").write_text(FILE.replace("MI999", "MI998").replace("MI325X", "MI999"))
    (folder / f"{NAME}.toml").write_text(FILE.replace("MI325X", "MI998"))
    with pytest.raises(data.BadGpuFile, match="no other file"):
        read(folder)


def test_every_parameter_of_the_native_sources_has_a_value() -> None:
    """A key that they do not know does not compile; one that no file has would be zero."""
    gpu = next(iter(data.gpus().values()))
    of_architecture = {"l2_channels"}
    parts = (
        ("native/sim/timing/parameters.h", "Parameters", {*gpu.timing, *gpu.caches} | of_architecture),
        ("native/hsa/time/costs.h", "Costs", {*gpu.costs, "device"}),
    )
    for path, name, given in parts:
        (text,) = re.findall(rf"^struct {name} {{\n(.*?)^}};", (ROOT / path).read_text(), re.M | re.S)
        code = re.sub(r"//.*", "", text)
        fields = {field for names in re.findall(r"[\w:]+\s+([\w,\s]+);", code) for field in names.split(",")}
        assert {field.strip() for field in fields} == given


PROGRAM = """
#include <cstdio>
#include "hsa/time/costs.h"
#include "sim/timing/parameters.h"
using namespace vrocm;
int main() {
    for (const sim::GpuModel& gpu : sim::gpu_models()) {
        const sim::timing::Parameters& p = sim::timing::parameters(gpu);
        std::printf("%s %s %x %u %u %u %u %llu %u %llu\\n", gpu.key.data(), gpu.gfx.data(), gpu.chip_id,
                    gpu.compute_units, gpu.clock_mhz, gpu.lds_bytes, gpu.architecture->barriers,
                    static_cast<unsigned long long>(gpu.memory_bytes), p.l1.bytes / p.l1.line,
                    static_cast<unsigned long long>(hsa::costs_of(gpu.key).link_in));
    }
}
"""
EXPECTED = """\
MI300X gfx942 74a1 304 2100 65536 16 206158430208 256 55000
MI325X gfx942 74a5 304 2100 65536 16 274877906944 256 55000
MI300A gfx942 74a0 228 2100 65536 16 137438953472 256 57600
MI250X gfx90a 7408 110 1700 65536 16 68719476736 256 28000
MI999 gfx942 7999 96 1500 32768 16 34359738368 256 55000
"""
SOURCES = ("sim/gpu_model.cpp", "sim/timing/parameters.cpp", "hsa/time/costs.cpp")
ASKED = """
import json, sys
import rocm_perf_lab, vrocm
from rocm_perf_lab.arch.device import device, peaks
from vrocm.rocprofv3.device import architecture
product = sys.argv[1]
known, rates = device("gfx942", product), peaks("gfx942", product)
print(json.dumps({
    "from": [rocm_perf_lab.__file__, vrocm.__file__],
    "last": vrocm.devices()[-1].name,
    "traced as": architecture(),
    "lds": known.lds_bytes,
    "lds of others": device("gfx942", "AMD Instinct MI300X").lds_bytes,
    "product": [rates.product.name, rates.product.cu_count, rates.memory_bytes_per_second().high],
}))
"""


def test_both_languages_know_a_gpu_by_its_file(tmp_path: Path) -> None:
    tree = tree_with_it(tmp_path / "tree")
    generate = [tree / "native" / "gpus" / "generate.py", tree / "src", tmp_path / "tables" / "gpus"]
    subprocess.run([sys.executable, *generate], check=True)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "tables" / "gpus").iterdir()}
    subprocess.run([sys.executable, *generate], check=True)
    assert before == {path: path.stat().st_mtime_ns for path in before}, "what is the same is not written"
    (tmp_path / "shown.cpp").write_text(PROGRAM)
    native = tree / "native"
    words = ["g++", "-std=c++20", f"-I{native}", f"-I{tmp_path / 'tables'}", tmp_path / "shown.cpp"]
    subprocess.run([*words, *(native / name for name in SOURCES), "-o", tmp_path / "shown"], check=True)
    assert subprocess.check_output([tmp_path / "shown"], text=True) == EXPECTED

    python = python_of(tree, tmp_path / "python")
    devices = subprocess.check_output([python, "-m", "vrocm", "devices"], text=True)
    assert devices.splitlines()[-1] == f"{NAME} gfx942"
    answer = subprocess.check_output(
        [python, "-c", ASKED, PRODUCT], env={"VROCM_DEVICE": NAME.lower()}, text=True
    )
    found = json.loads(answer)
    assert all(Path(place).is_relative_to(tree) for place in found.pop("from"))
    assert found == {
        "last": NAME,
        "traced as": "gfx942",
        "lds": 32 << 10,
        "lds of others": 64 << 10,
        "product": [NAME, 96, 1000e9],
    }


def test_the_generator_says_what_is_wrong(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src" / "vrocm" / "data", tmp_path / "vrocm" / "data")
    (tmp_path / "vrocm" / "data" / "gpus" / f"{NAME}.toml").write_text(FILE.replace("xccs = 4", "xccs = 5"))
    words = [sys.executable, ROOT / "native" / "gpus" / "generate.py", tmp_path, tmp_path / "tables"]
    done = subprocess.run(words, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert "MI999.toml: 96 compute units on 5 dies" in done.stderr
    assert not (tmp_path / "tables").exists()
