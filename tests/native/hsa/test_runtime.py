"""Programs against the HSA runtime: each checks itself and says where it failed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hsa_build import build_kernels, build_program, run_program, runtime_folder


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hsa")


def passes(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize(
    ("source", "environment"),
    [
        ("init.cpp", {}),
        ("agents.cpp", {"VROCM_DEVICES": "2"}),
        ("signals.cpp", {}),
        ("memory.cpp", {"VROCM_MEMORY": "1G"}),
        ("reserve_first.cpp", {}),
        ("small_memory.cpp", {}),
    ],
    ids=["init", "agents", "signals", "memory", "reserve first", "small memory"],
)
def test_host_side(scratch: Path, source: str, environment: dict[str, str]) -> None:
    passes(run_program(build_program(scratch, source), **environment))


@pytest.mark.parametrize(
    "source", ["queues.cpp", "intercept.cpp", "virtual_memory.cpp", "svm.cpp", "classic.cpp"]
)
def test_with_kernels(scratch: Path, source: str) -> None:
    passes(run_program(build_program(scratch, source), build_kernels(scratch)))


def test_two_gpus(scratch: Path) -> None:
    passes(run_program(build_program(scratch, "two_gpus.cpp"), build_kernels(scratch), VROCM_DEVICES="2"))


def test_strict_bounds_are_those_of_the_allocation(scratch: Path) -> None:
    program, kernels = build_program(scratch, "faults.cpp"), build_kernels(scratch)
    passes(run_program(program, kernels, "past-the-end"))  # whole pages, as on hardware
    strict = run_program(program, kernels, "past-the-end", VROCM_STRICT="1")
    assert strict.returncode == 1
    assert "64-byte device allocation" in strict.stderr


@pytest.mark.parametrize(("device", "arch"), [("MI300X", "gfx942"), ("MI250X", "gfx90a")])
@pytest.mark.parametrize("mode", ["off", "sampled", "full"])
def test_all_of_the_block_that_a_small_allocation_was_cut_from_can_be_read(
    scratch: Path, mode: str, device: str, arch: str
) -> None:
    program, kernels = build_program(scratch, "faults.cpp"), build_kernels(scratch, arch=arch)
    settings = {"VROCM_DEVICE": device, "VROCM_TIMING": mode}
    passes(run_program(program, kernels, "read-far", **settings))
    strict = run_program(program, kernels, "read-far", **settings, VROCM_STRICT="1")
    assert strict.returncode == 1
    assert "4-byte read" in strict.stderr
    assert "64-byte device allocation" in strict.stderr


def test_executables(scratch: Path) -> None:
    objects = [
        build_kernels(scratch),
        build_kernels(scratch, "external.c"),
        build_kernels(scratch, arch="gfx90a"),
    ]
    passes(run_program(build_program(scratch, "executables.cpp"), *objects))


def test_faults_are_reported(scratch: Path) -> None:
    done = run_program(build_program(scratch, "faults.cpp"), build_kernels(scratch))
    passes(done)
    assert "add_one" in done.stderr  # the report names the kernel


@pytest.mark.parametrize("cause", ["null", "trap", "limit"])
@pytest.mark.parametrize("mode", ["off", "sampled", "full"])
def test_the_callback_of_a_failed_queue_can_end_every_wait(scratch: Path, mode: str, cause: str) -> None:
    program = build_program(scratch, "fault_waits.cpp")
    limit = "20000"
    passes(
        run_program(program, build_kernels(scratch), cause, VROCM_TIMING=mode, VROCM_INSTRUCTION_LIMIT=limit)
    )


def test_a_fault_without_handler_ends_the_process(scratch: Path) -> None:
    done = run_program(build_program(scratch, "faults.cpp"), build_kernels(scratch), "unhandled")
    assert done.returncode == -6, done.stderr
    assert "add_one" in done.stderr
    assert "has no handler" in done.stderr


def test_gfx90a(scratch: Path) -> None:
    passes(
        run_program(
            build_program(scratch, "svm.cpp"), build_kernels(scratch, arch="gfx90a"), VROCM_DEVICE="MI250X"
        )
    )


@pytest.mark.parametrize("way", ["return", "exit", "exit-from-thread", "shut-down", "fork"])
def test_process_ends_cleanly(scratch: Path, way: str) -> None:
    done = run_program(build_program(scratch, "ends.cpp"), build_kernels(scratch), way)
    passes(done)
    assert "static destructor" in done.stdout


def test_tool_library(scratch: Path) -> None:
    tool = build_program(scratch, "tool.cpp", shared=True)
    done = run_program(
        build_program(scratch, "tool_client.cpp"), build_kernels(scratch), HSA_TOOLS_LIB=str(tool)
    )
    passes(done)
    lines = done.stdout.splitlines()
    assert lines[0] == "tool: load, version 3, 0 failed"
    assert "tool: queue of 32 packets" in lines
    assert "tool: packet 0 type 2" in lines
    assert "tool: allocate 256" in lines
    assert (
        lines.index("tool: wait")
        < lines.index("client: 1")
        < lines.index("tool: shut down")
        < lines.index("tool: unload")
    )
    assert lines.count("tool: unload") == 2
    assert lines[-1] == "client: done"


def test_several_tools_and_failing_ones(scratch: Path) -> None:
    tool = build_program(scratch, "tool.cpp", shared=True)
    client, kernels = build_program(scratch, "tool_client.cpp"), build_kernels(scratch)
    done = run_program(client, kernels, HSA_TOOLS_LIB=f'/missing/tool.so "{tool}"')
    passes(done)
    assert "/missing/tool.so" in done.stderr
    assert done.stdout.startswith("tool: load, version 3, 1 failed: /missing/tool.so\n")
    refused = run_program(client, kernels, HSA_TOOLS_LIB=str(tool), TOOL_REFUSES="1")
    assert "tool: unload" not in refused.stdout


def test_unknown_device_is_named(scratch: Path) -> None:
    done = run_program(build_program(scratch, "init.cpp"), VROCM_DEVICE="MI9000")
    assert done.returncode != 0
    assert "MI9000" in done.stderr
    assert "MI300X" in done.stderr


@pytest.mark.parametrize(("device", "name", "units"), [("MI300A", "gfx942", 228), ("mi250x", "gfx90a", 110)])
def test_rocminfo(device: str, name: str, units: int) -> None:
    library = runtime_folder()
    program = next(p for p in (library.parent / "bin" / "rocminfo", library / "rocminfo") if p.exists())
    done = run_program(program, VROCM_DEVICE=device, VROCM_DEVICES="2")
    passes(done)
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert lines.count(f"Name:                    {name}") == 2
    assert any(line.split() == ["Compute", "Unit:", str(units)] for line in lines)
    assert f"Name:                    amdgcn-amd-amdhsa--{name}:sramecc+:xnack-" in lines
    assert any(line.startswith("Marketing Name:          AMD Instinct") for line in lines)


def test_visible_devices_filter() -> None:
    library = runtime_folder()
    program = next(p for p in (library.parent / "bin" / "rocminfo", library / "rocminfo") if p.exists())
    done = run_program(program, VROCM_DEVICES="4", ROCR_VISIBLE_DEVICES="2,0")
    uuids = [line.split()[1] for line in done.stdout.splitlines() if "GPU-" in line]
    assert uuids == ["GPU-0000000000000a12", "GPU-0000000000000a10"]
