"""The command line."""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import Done, run

from .conftest import Profile

Query = Callable[..., list[tuple[object, ...]]]


def _own(environment: dict[str, str], *arguments: str, **variables: str) -> Done:
    return run("rocprofv3", *arguments, environment={**environment, **variables})


def test_version(environment: dict[str, str]) -> None:
    for option in ("--version", "-v"):
        result = _own(environment, option)
        assert result.returncode == 0
        assert re.search(r"version: \d+\.\d+\.\d+", result.stdout)


def test_help(environment: dict[str, str]) -> None:
    result = _own(environment, "--help")
    assert result.returncode == 0
    options = (
        *("--kernel-trace", "--hip-trace", "--hsa-trace", "--memory-copy-trace", "--memory-allocation-trace"),
        *("--marker-trace", "--scratch-memory-trace", "--sys-trace", "--runtime-trace", "--stats", "--pmc"),
        *(
            "--kernel-include-regex",
            "--kernel-exclude-regex",
            "--kernel-iteration-range",
            "--att",
            "-L",
            "-S",
        ),
        *("--att-target-cu", "--att-shader-engine-mask", "--att-buffer-size", "--att-library-path"),
    )
    assert [option for option in options if option not in result.stdout] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--kernel-trce", "--", "true"], "unknown arguments: --kernel-trce"),
        (["--kernel-trace", "./program"], "'./program' is neither true nor false"),
        (["--kernel-trace"], "no program given"),
        (["--kernel-trace", "--"], "no program given"),
        (["-f", "xml", "--", "true"], "invalid choice: 'xml'"),
        (["-f", "otf2", "--kernel-trace", "--", "true"], "-f otf2"),
        (["--stats", "--", "true"], "nothing is traced"),
        (["--pc-sampling-beta-enabled", "--", "true"], "PC samples"),
        (["-E", "more.yaml", "--kernel-trace", "--", "true"], "--extra-counters"),
        (["-p", "1", "--", "true"], "attaching"),
        (["--kernel-iteration-range", "[3-1]", "--pmc", "SQ_WAVES", "--", "true"], "holds no run"),
        (["--kernel-iteration-range", "one", "--pmc", "SQ_WAVES", "--", "true"], "is not a range"),
        (["-P", "1:2", "--kernel-trace", "--", "true"], "DELAY:TIME:REPEAT"),
        (["--att-target-cu", "1", "--", "true"], "--att-target-cu needs --att"),
        (["--att", "--att-simd-select", "0x1F", "--", "true"], "--att-simd-select: "),
        (["--att", "--att-buffer-size", "big", "--", "true"], "'big' is not a number"),
    ],
)
def test_refused(environment: dict[str, str], arguments: list[str], message: str) -> None:
    result = _own(environment, *arguments)
    assert result.returncode in (1, 2)
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_nothing_asked_for(environment: dict[str, str]) -> None:
    result = _own(environment, "--", "echo", "hello")
    assert (result.returncode, result.stdout) == (0, "hello\n")
    assert "no tracing option" in result.stderr


def test_program_that_does_not_use_the_gpu(environment: dict[str, str]) -> None:
    result = _own(environment, "--sys-trace", "--", "echo", "hello")
    assert (result.returncode, result.stdout) == (0, "hello\n")
    assert "nothing was traced" in result.stderr


def test_absent_library_is_named(environment: dict[str, str]) -> None:
    result = _own(environment, "--rccl-trace", "--", "true")
    assert "--rccl-trace: the virtual ROCm has no such library" in result.stderr


def test_default_place(profile: Profile, program: Path) -> None:
    database = profile("--kernel-trace", program=[program]).file("*.db")
    assert database.parent.name == socket.gethostname()
    assert re.fullmatch(r"\d+_results\.db", database.name)


def test_placeholders(profile: Profile, program: Path) -> None:
    run = profile(
        *("--kernel-trace", "-o", "%tag%/%env{JOB}%-%rank%-%pid%"),
        program=[program],
        JOB="night",
        OMPI_COMM_WORLD_RANK="3",
    )
    database = run.file("*.db")
    assert database.parent.name == "scale"
    assert re.fullmatch(r"night-3-\d+_results\.db", database.name)


def test_unknown_placeholder(profile: Profile, program: Path) -> None:
    run = profile("--kernel-trace", "-o", "%moon%", program=[program])
    assert run.code == 1
    assert "%moon% is not a placeholder" in run.stderr


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ([], {"scale(float*, float, int)", "void offset<float>(float*, float, int)"}),
        (["-T"], {"scale", "offset"}),
        (["--truncate-kernels"], {"scale", "offset"}),
        (["-M"], {"_Z5scalePffi", "_Z6offsetIfEvPT_S0_i"}),
        (["--mangled-kernels", "true"], {"_Z5scalePffi", "_Z6offsetIfEvPT_S0_i"}),
    ],
)
def test_kernel_names(
    profile: Profile, program: Path, query: Query, options: list[str], names: set[str]
) -> None:
    run = profile("--kernel-trace", *options, program=[program])
    assert {row[0] for row in query(run.file("*.db"), "SELECT name FROM kernels")} == names


# Option -> what it brings in: kernels, categories of regions, copies, allocations.
@pytest.mark.parametrize(
    ("option", "kernels", "regions", "copies", "allocations"),
    [
        ("--kernel-trace", 3, set(), 0, False),
        ("--hip-trace", 0, {"HIP_RUNTIME_API_EXT", "HIP_COMPILER_API_EXT"}, 0, False),
        ("--hip-runtime-trace", 0, {"HIP_RUNTIME_API_EXT"}, 0, False),
        ("--hip-compiler-trace", 0, {"HIP_COMPILER_API_EXT"}, 0, False),
        ("--hsa-trace", 0, {"HSA_CORE_API", "HSA_AMD_EXT_API"}, 0, False),
        ("--hsa-core-trace", 0, {"HSA_CORE_API"}, 0, False),
        ("--hsa-amd-trace", 0, {"HSA_AMD_EXT_API"}, 0, False),
        ("--memory-copy-trace", 0, set(), 2, False),
        ("--memory-allocation-trace", 0, set(), 0, True),
        ("-r", 3, {"HIP_RUNTIME_API_EXT"}, 2, True),
        (
            "-s",
            3,
            {"HIP_RUNTIME_API_EXT", "HIP_COMPILER_API_EXT", "HSA_CORE_API", "HSA_AMD_EXT_API"},
            2,
            True,
        ),
    ],
)
def test_what_is_traced(
    profile: Profile,
    program: Path,
    query: Query,
    option: str,
    kernels: int,
    regions: set[str],
    copies: int,
    allocations: bool,
) -> None:
    database = profile(option, program=[program]).file("*.db")
    assert query(database, "SELECT count(*) FROM kernels") == [(kernels,)]
    assert {row[0] for row in query(database, "SELECT DISTINCT category FROM regions")} == regions
    assert query(database, "SELECT count(*) FROM memory_copies") == [(copies,)]
    assert query(database, "SELECT count(*) > 0 FROM memory_allocations") == [(int(allocations),)]


def test_summary(profile: Profile, program: Path) -> None:
    run = profile("--kernel-trace", "--hip-trace", "-S", "-D", "-u", "usec", program=[program])
    assert "ROCPROFV3 SUMMARY:" in run.stderr
    assert "ROCPROFV3 KERNEL_DISPATCH SUMMARY:" in run.stderr
    assert "DURATION (usec)" in run.stderr
    assert re.search(r"\| scale\(float\*, float, int\) +\| KERNEL_DISPATCH \| +2 \|", run.stderr)
    grouped = profile(
        *(
            "--kernel-trace",
            "--hip-trace",
            "--summary-groups",
            "KERNEL.*",
            "--summary-output-file",
            "sum.txt",
        ),
        program=[program],
        folder="grouped",
    )
    text = grouped.file("sum.txt").read_text()
    assert "scale(float*" in text
    assert "hipMalloc" not in text


def test_collection_period(profile: Profile, program: Path, query: Query) -> None:
    run = profile("--kernel-trace", "-P", "1:1:1", "--collection-period-unit", "hour", program=[program])
    assert query(run.file("*.db"), "SELECT count(*) FROM kernels") == [(0,)]
    run = profile("--kernel-trace", "-P", "0:1:1", program=[program], folder="open")
    assert query(run.file("*.db"), "SELECT count(*) FROM kernels") == [(3,)]


def test_agent_index(profile: Profile, program: Path) -> None:
    run = profile("--kernel-trace", "-A", "type-relative", "-f", "csv", program=[program])
    assert '"GPU 0"' in run.file("*_kernel_trace.csv").read_text()


def test_counters_are_listed(environment: dict[str, str]) -> None:
    mi300, mi250 = (_own(environment, "-L", VROCM_DEVICE=device).stdout for device in ("MI300X", "MI250X"))
    assert "Name:gfx942" in mi300
    assert re.search(r"Counter_Name +: +TCC_EA0_RDREQ\n", mi300)
    assert "Name:gfx90a" in mi250
    assert re.search(r"Counter_Name +: +TCC_EA_RDREQ\n", mi250)
    assert "TCC_BUBBLE\n" not in mi250


def test_too_many_counters_of_a_block(environment: dict[str, str]) -> None:
    names = [
        f"SQ_INSTS_{name}"
        for name in ("VALU", "SALU", "SMEM", "VMEM", "FLAT", "LDS", "GDS", "BRANCH", "SENDMSG")
    ]
    result = _own(environment, "--pmc", *names, "--", "true")
    assert result.returncode == 1
    assert "9 counters of block SQ are asked for and it has 8 slots" in result.stderr
    result = _own(environment, "--pmc", "TCC_HIT,TCC_MISS,TCC_REQ,TCC_READ,TCC_WRITE", "--", "true")
    assert "5 counters of block TCC" in result.stderr


def test_derived_counters_take_slots(environment: dict[str, str]) -> None:
    # FETCH_SIZE needs three counters of the TCC and WRITE_SIZE two.
    result = _own(environment, "--pmc", "FETCH_SIZE", "WRITE_SIZE", "--", "true")
    assert "5 counters of block TCC" in result.stderr


def test_unknown_counter(environment: dict[str, str]) -> None:
    result = _own(environment, "--pmc", "SQ_WISHES", "--", "true")
    assert (result.returncode, "SQ_WISHES is not a counter of gfx942" in result.stderr) == (1, True)


def test_identity_of_the_host(profile: Profile, program: Path, query: Query) -> None:
    run = profile("-r", program=[program], VROCM_TRACE_IDENTITY="host")
    database = run.file("*.db")
    pid = int(database.name.split("_")[0])
    assert query(database, "SELECT pid, hostname FROM processes") == [(pid, os.uname().nodename)]
    assert query(database, "SELECT DISTINCT tid FROM kernels") == [(pid,)]
    run = profile("-r", program=[program], folder="bad", VROCM_TRACE_IDENTITY="mine")
    assert "VROCM_TRACE_IDENTITY=mine" in run.stderr


def test_options_are_written_beside_the_results(profile: Profile, program: Path) -> None:
    run = profile("--kernel-trace", "--output-config", "-o", "x", program=[program])
    config = json.loads(run.file("x_config.json").read_text())
    assert (config["traces"], config["formats"]) == (["kernel"], ["rocpd"])


def test_minimum_of_data(profile: Profile, program: Path) -> None:
    assert profile("--kernel-trace", "--minimum-output-data", "100", program=[program]).files("*") == []


def test_queues_instead_of_streams(profile: Profile, program: Path) -> None:
    options = ("--kernel-trace", "-f", "pftrace", "-o", "x")
    streams = profile(*options, program=[program, "streams"]).file("*.pftrace").read_bytes()
    queues = profile(*options, "--group-by-queue", program=[program, "streams"], folder="queues")
    assert b"STREAM 2" in streams
    assert b"QUEUE 2" in queues.file("*.pftrace").read_bytes()


def test_preloaded_library(profile: Profile, program: Path) -> None:
    run = profile("--kernel-trace", "--preload", "libm.so.6", program=["sh", "-c", "echo $LD_PRELOAD"])
    assert run.stdout == "libm.so.6\n"
