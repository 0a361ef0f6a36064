"""Kernels through the HIP runtime: launches, modules, printf, graphs, faults, online compilation."""

from __future__ import annotations

import pytest


def passed(done) -> None:
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all checks passed" in done.stdout


@pytest.mark.parametrize("name", ["kernels", "graph_kernels", "cooperative", "textures", "ipc"])
def test_program_passes(name, hip_program, run):
    passed(run(hip_program(f"{name}.hip")))


def test_two_devices(hip_program, run):
    passed(run(hip_program("multi_device.hip"), VROCM_DEVICES="2"))


def test_modules(hip_program, run, tmp_path):
    image = hip_program("module_kernels.hip", "--genco", "--offload-arch=gfx942")
    passed(run(hip_program("modules.cpp", "-x", "hip"), str(image), str(tmp_path / "cut")))


def test_default_stream_of_each_thread(hip_program, run):
    passed(run(hip_program("per_thread.hip", "-fgpu-default-stream=per-thread")))


def test_online_compilation(hip_program, run):
    passed(run(hip_program("online.cpp", "-x", "hip")))


def test_device_linker_and_what_is_refused(hip_program, run):
    done = run(hip_program("linker.hip"))
    passed(done)
    assert "hipImportExternalMemory" in done.stderr


def test_code_for_another_gpu_is_refused(hip_program, run):
    assert run(hip_program("launch_status.hip", "--offload-arch=gfx90a")).stdout == "hipErrorNoBinaryForGpu\n"
    both = hip_program("launch_status.hip", "--offload-arch=gfx90a", "--offload-arch=gfx942")
    assert run(both).stdout == "hipSuccess\n"


def test_printf_formats_like_the_host(hip_program, run):
    program = hip_program("printing.hip")
    device, host = run(program), run(program, "host")
    assert device.returncode == 0, device.stderr
    assert device.stdout == host.stdout
    assert device.stdout.count("\n") == 8


def test_printf_keeps_its_place_in_the_output(hip_program, run):
    lines = run(hip_program("printing.hip"), "order").stdout.splitlines()
    assert lines[0] == "before"
    assert lines[-1] == "after"
    assert lines[1:-1] == [f"thread {t} of block {b}" for b in range(2) for t in range(2)]


def test_printf_loses_nothing(hip_program, run):
    lines = run(hip_program("printing.hip"), "many").stdout.splitlines()
    assert len(lines) == 64000
    assert set(lines) == {f"line {i} of thread {t}" for i in range(1000) for t in range(64)}


def test_printf_of_a_kernel_nobody_waits_for(hip_program, run):
    assert run(hip_program("printing.hip"), "exit").stdout == "thread 0 of block 0\n"


@pytest.mark.parametrize(
    ("which", "message"),
    [
        ("write", "write_far"),
        ("write", "past the end of the 64-byte device allocation"),
        ("null", "null pointer"),
        ("trap", "trap 2"),
    ],
)
def test_a_fault_is_reported_and_sticks(which, message, hip_program, run):
    done = run(hip_program("faults.hip"), which)
    passed(done)
    assert message in done.stderr


def test_a_kernel_that_never_ends_is_stopped(hip_program, run):
    done = run(hip_program("faults.hip"), "hang", VROCM_INSTRUCTION_LIMIT="1000000")
    passed(done)
    assert "for_ever" in done.stderr


def test_a_host_without_avx2_is_told_so(hip_program, run):
    done = run(hip_program("launch_status.hip"), VROCM_PRETEND_OLD_HOST="1")
    assert "needs a host CPU with AVX2, FMA and BMI2" in done.stderr
    assert done.stdout == "hipErrorNoDevice\n"


def test_a_failed_assertion_is_printed_and_sticks(hip_program, run):
    done = run(hip_program("faults.hip"), "assert")
    passed(done)
    assert "must_be_small(int): Device-side assertion `x < 10' failed." in done.stderr


@pytest.mark.parametrize("kind", ["write", "assert"])
def test_errors_of_kernels_abort_when_asked_to(hip_program, run, kind):
    assert run(hip_program("faults.hip"), kind, HIP_SKIP_ABORT_ON_GPU_ERROR="0").returncode == -6
