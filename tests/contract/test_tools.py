"""The tools of a ROCm prefix, as the product calls them: doctor, hipcc, rocminfo, rocprofv3."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rocm_perf_lab.codeobj.kernels import kernels_in_file
from rocm_perf_lab.profiling.passes.counter_plan import parse_available
from rocm_perf_lab.profiling.passes.rocprof_options import (
    COUNTERS,
    KERNEL_TRACE,
    LIST_COUNTERS,
    OUTPUT_FOLDER,
    OUTPUT_FORMAT,
    VERSION,
)
from rocm_perf_lab.rocm.agents import list_gpus
from rocm_perf_lab.rocm.find import Prefix
from rocm_perf_lab.rocpd.read import find_databases, read_trace

from .conftest import Run

pytestmark = pytest.mark.contract

LAUNCHES = {"scale(float const*, float*, float, int)": 3, "shift(float*, float, int)": 2}


def test_doctor_finds_nothing_wrong(prefix: Prefix, rocm_perf: Run) -> None:
    document = rocm_perf("doctor", "--json").document
    assert document["prefix"]["kind"] == prefix.kind
    statuses = {check["name"]: check["status"] for check in document["checks"]}
    decoder = statuses.pop("trace decoder")  # not part of every ROCm
    assert decoder == "ok" or (prefix.kind, decoder) == ("real", "warning")
    assert statuses == {
        "prefix": "ok",
        "host compiler": "ok",
        "hipcc": "ok",
        "GPUs": "ok",
        "replay": "ok",
        "rocprofv3": "ok",
        "compile and run": "ok",
    }


def test_the_options_of_hipcc(prefix: Prefix, run: Run, program: Path, waves: int, tmp_path: Path) -> None:
    assert run(prefix.tool("hipcc"), "--version").code == 0
    gpu = list_gpus(prefix)[0]
    assert gpu.name.startswith("gfx")
    source = Path(__file__).parent / "two_kernels.hip"
    compiled = run(
        prefix.tool("hipcc"), "-O2", f"--offload-arch={gpu.name}", "-c", source, "-o", tmp_path / "a.o"
    )
    assert compiled.code == 0, compiled.stderr
    linked = run(prefix.tool("hipcc"), tmp_path / "a.o", "-o", tmp_path / "a")
    assert linked.code == 0, linked.stderr
    assert run(tmp_path / "a").stdout == f"waves {waves}\nPASS\n"
    assert set(LAUNCHES) <= set(kernels_in_file(program, gpu.name))


def test_rocprofv3_tells_its_version_and_counters(prefix: Prefix, run: Run) -> None:
    tool = prefix.tool("rocprofv3")
    assert re.search(r"^\s*version:\s*\d", run(tool, VERSION).stdout, re.MULTILINE)
    listed = run(tool, LIST_COUNTERS)
    assert listed.code == 0, listed.stderr
    offered = parse_available(listed.stdout)
    assert offered is not None
    assert {"SQ_WAVES", "GRBM_GUI_ACTIVE", "SQ_INSTS_VALU"} <= {name for name in offered if not offered[name]}


def test_every_format_tells_the_same_launches(
    prefix: Prefix, run: Run, rocm_perf: Run, program: Path, tmp_path: Path
) -> None:
    formats = ("rocpd", "csv", "json")
    tool, output = prefix.tool("rocprofv3"), tmp_path / "out"
    traced = run(tool, KERNEL_TRACE, OUTPUT_FORMAT, *formats, OUTPUT_FOLDER, output, "--", program)
    assert traced.code == 0, traced.stderr
    files = {
        "rocpd": list(output.rglob("*_results.db")),
        "csv": list(output.rglob("*_kernel_trace.csv")),
        "json": list(output.rglob("*_results.json")),
    }
    told = {}
    for name in formats:
        document = rocm_perf("analyze", "--json", "--out", tmp_path / name, *files[name]).document
        told[name] = {kernel["name"]: kernel["launches"] for kernel in document["kernels"]}
    assert told == dict.fromkeys(formats, LAUNCHES)


def test_a_counter_counts(prefix: Prefix, run: Run, program: Path, waves: int, tmp_path: Path) -> None:
    output = (OUTPUT_FORMAT, "rocpd", OUTPUT_FOLDER, tmp_path / "out")
    counted = run(prefix.tool("rocprofv3"), KERNEL_TRACE, COUNTERS, "SQ_WAVES", *output, "--", program)
    assert counted.code == 0, counted.stderr
    trace = read_trace(find_databases(tmp_path / "out"))
    assert {one.key.kernel: one.counters["SQ_WAVES"] for one in trace.launches} == {
        name: launches * waves for name, launches in LAUNCHES.items()
    }
