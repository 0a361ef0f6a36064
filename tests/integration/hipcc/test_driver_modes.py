"""What hipcc writes in each mode, what it says, and what it refuses."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from vrocm.hipcc.bundle import read_bundle

SOURCE = """#include <hip/hip_runtime.h>
__global__ void kernel(float* p) { p[threadIdx.x] *= 2; }
int main() { kernel<<<1, 64>>>(nullptr); return 0; }
"""


@pytest.fixture(autouse=True)
def source(tmp_path: Path) -> Path:
    path = tmp_path / "k.hip"
    path.write_text(SOURCE)
    return path


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"k.hip"}


@pytest.mark.parametrize(
    ("arguments", "name", "content"),
    [
        (["-c"], "k.o", b"\x7fELF"),
        (["-S"], "k.s", b"__hip_fatbin"),
        (["-S", "-emit-llvm"], "k.ll", b'target triple = "x86_64'),
        (["-c", "-emit-llvm", "--cuda-device-only"], "k-hip-amdgcn-amd-amdhsa-gfx942.bc", b"BC\xc0\xde"),
        (["-S", "--cuda-device-only"], "k-hip-amdgcn-amd-amdhsa-gfx942.s", b".amdgcn_target"),
        (
            ["-S", "--cuda-device-only", "--offload-arch=gfx90a"],
            "k-hip-amdgcn-amd-amdhsa-gfx90a.s",
            b"gfx90a",
        ),
        (["-c", "--cuda-device-only"], "k-hip-amdgcn-amd-amdhsa.hipfb", b"__CLANG_OFFLOAD_BUNDLE__"),
        (["-S", "--cuda-host-only", "-o", "host.s"], "host.s", b"main:"),
        (["-c", "-o", "deep.o", "-MD"], "deep.d", b"deep.o:"),
    ],
)
def test_outputs(arguments: list[str], name: str, content: bytes, hipcc, tmp_path: Path) -> None:
    result = hipcc(*arguments, "k.hip")
    assert result.stderr == ""
    assert content in (tmp_path / name).read_bytes()


def test_bundle_has_an_entry_per_target(hipcc, tmp_path: Path) -> None:
    hipcc("--genco", "--offload-arch=gfx90a,gfx942:xnack+", "k.hip", "-o", "k.co")
    images = read_bundle((tmp_path / "k.co").read_bytes())
    assert [image.arch for image in images] == ["gfx90a", "gfx942:xnack+"]
    assert all(image.content.startswith(b"\x7fELF") for image in images)


def test_preprocessing_shows_both_sides(hipcc) -> None:
    text = hipcc("-E", "k.hip").stdout
    assert "// __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx942" in text
    assert "// __CLANG_OFFLOAD_BUNDLE____START__ host-x86_64-unknown-linux-gnu-" in text
    host = hipcc("-E", "-dM", "--cuda-host-only", "-x", "hip", "-", text="").stdout
    for macro in ("__HIP_PLATFORM_AMD__ 1", "__HIPCC__ 1", "__HIP__ 1", "__x86_64__ 1"):
        assert f"#define {macro}\n" in host
    assert "__HIP_DEVICE_COMPILE__" not in host
    device = hipcc("-E", "-dM", "--cuda-device-only", "-x", "hip", "-", text="").stdout
    for macro in ("__HIP_DEVICE_COMPILE__ 1", "__gfx942__ 1", "__AMDGCN__ 1"):
        assert f"#define {macro}\n" in device


def test_dependencies_only(hipcc) -> None:
    assert hipcc("-MM", "k.hip").stdout == "k.o: k.hip\n"
    assert "hip/hip_runtime.h" in hipcc("-M", "k.hip").stdout


def test_save_temps(hipcc, tmp_path: Path) -> None:
    hipcc("--save-temps", "-c", "k.hip")
    device, host = "k-hip-amdgcn-amd-amdhsa-gfx942", "k-host-x86_64-unknown-linux-gnu"
    wanted = {f"{device}.{suffix}" for suffix in ("hipi", "bc", "s", "o", "out")}
    assert wanted | {f"{host}.s", f"{host}.bc", "k.o"} <= files(tmp_path)


def test_resource_usage_remarks(hipcc) -> None:
    remarks = hipcc("-c", "k.hip", "-Rpass-analysis=kernel-resource-usage").stderr
    assert "k.hip:2:1: remark: Function Name: _Z6kernelPf" in remarks
    assert remarks.count("remark:     VGPRs: ") == 1


def test_dry_run_shows_commands_and_does_nothing(hipcc, tmp_path: Path) -> None:
    shown = hipcc("-###", "k.hip", "-o", "program").stderr
    for part in ('"--cuda-device-only"', '"--cuda-host-only"', '"ld.lld"', '"-lamdhip64"'):
        assert part in shown
    assert files(tmp_path) == set()


def test_verbose_shows_commands_and_does_the_work(hipcc, tmp_path: Path) -> None:
    assert '"--cuda-host-only"' in hipcc("-v", "-c", "k.hip").stderr
    assert files(tmp_path) == {"k.o"}


def test_questions(hipcc, run) -> None:
    version = hipcc("--version").stdout
    assert version.startswith("HIP version: 7.")
    assert "clang version" in version
    assert hipcc("-dumpversion").stdout.count(".") == 2
    assert "x86_64" in hipcc("-print-target-triple").stdout
    assert run("hipconfig", "--platform").stdout == "amd"
    assert "-D__HIP_PLATFORM_AMD__" in run("hipconfig", "--cpp_config").stdout
    assert f"HIP version: {run('hipconfig', '--version').stdout}" == version.splitlines()[0]
    assert run("hipconfig", "--nonsense").returncode == 1
    assert run("rocm_agent_enumerator").stdout == "gfx942\n"


def test_errors_are_clangs_and_come_once(run, tmp_path: Path) -> None:
    (tmp_path / "bad.hip").write_text(
        "#include <hip/hip_runtime.h>\n__global__ void k(int* p) { p[0] = undefined_name; }\nint main() {}\n"
    )
    result = run("hipcc", "bad.hip", "-o", "program")
    assert result.returncode == 1
    assert result.stderr.count("bad.hip:2:36: error: use of undeclared identifier 'undefined_name'") == 1
    assert not (tmp_path / "program").exists()


def test_error_in_host_code_only(run, tmp_path: Path) -> None:
    (tmp_path / "bad.hip").write_text(
        "#include <hip/hip_runtime.h>\n#ifndef __HIP_DEVICE_COMPILE__\nint x = y;\n#endif\nint main() {}\n"
    )
    result = run("hipcc", "-c", "bad.hip")
    assert result.returncode == 1
    assert result.stderr.count("bad.hip:3:9: error:") == 1
    assert not (tmp_path / "bad.o").exists()


def test_warnings_come_once(hipcc, tmp_path: Path) -> None:
    (tmp_path / "warn.hip").write_text(
        "#include <hip/hip_runtime.h>\n"
        "__host__ __device__ int f() { int unused; return 1; }\n"
        "int main() { int also_unused; return f(); }\n"
    )
    text = hipcc("-Wall", "-c", "warn.hip").stderr
    assert text.count("unused variable 'unused'") == 1
    assert text.count("unused variable 'also_unused'") == 1
    assert hipcc("-Wall", "-w", "-c", "warn.hip").stderr == ""


def test_device_link_errors_name_the_function(run, tmp_path: Path) -> None:
    (tmp_path / "u.hip").write_text(
        "#include <hip/hip_runtime.h>\n__device__ int elsewhere(int);\n"
        "__global__ void k(int* p) { *p = elsewhere(*p); }\nint main() {}\n"
    )
    result = run("hipcc", "u.hip", "-o", "program")
    assert result.returncode != 0
    assert "elsewhere(int)" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["k.hip", "--no-such-flag"], "no-such-flag"),
        (["k.hip", "-flto"], "hipcc: error: cannot honour '-flto'"),
        (["nothing.hip"], "no such file or directory: 'nothing.hip'"),
        ([], "no input files"),
        (["-c", "k.hip", "k.hip", "-o", "x.o"], "cannot specify -o when generating multiple output files"),
        (["k.hip", "--offload-arch=gfx9999"], "gfx9999"),
        (["k.hip", "-lno_such_library"], "no_such_library"),
    ],
)
def test_refusals(arguments: list[str], message: str, run) -> None:
    result = run("hipcc", *arguments)
    assert result.returncode != 0
    assert message in result.stderr


def test_response_file_and_standard_input(hipcc, run, tmp_path: Path) -> None:
    (tmp_path / "flags.rsp").write_text("-O1 -DANSWER=42 -x hip -\n-o program")
    hipcc("@flags.rsp", text="int main() { return ANSWER; }\n")
    assert run("./program").returncode == 42


def test_plain_cxx_is_not_hip(hipcc, tmp_path: Path) -> None:
    (tmp_path / "plain.cpp").write_text("#ifdef __HIP__\n#error HIP\n#endif\nint x;\n")
    hipcc("-x", "c++", "-c", "plain.cpp", "-o", "plain.o")


def test_flags_from_the_environment(run, tmp_path: Path) -> None:
    (tmp_path / "e.hip").write_text("int main() { return FROM_ENVIRONMENT; }\n")
    command = ["env", "HIPCC_COMPILE_FLAGS_APPEND=-DFROM_ENVIRONMENT=9", "hipcc", "e.hip", "-o", "program"]
    assert run(*command).returncode == 0
    assert run("./program").returncode == 9


def test_second_compile_is_quick(hipcc) -> None:
    hipcc("k.hip", "-o", "program")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    hipcc("k.hip", "-o", "program")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Processor time, which other work on the machine changes little. Both passes run at the same time, so
    # with two processors the time on the clock is about half of it.
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert used < 3.0 * min(2, os.cpu_count() or 1)
