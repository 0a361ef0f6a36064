"""The HIP headers: programs that compare the device with the host, and compilation by other compilers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.commands import SECONDS
from tests.tiers import sweep

import vrocm

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.hip"))

PUBLIC_HEADERS = [
    "hip/hip_runtime.h",
    "hip/hip_runtime_api.h",
    "hip/hip_fp16.h",
    "hip/hip_bf16.h",
    "hip/hip_bfloat16.h",
    "hip/hip_fp8.h",
    "hip/hip_complex.h",
    "hip/hip_vector_types.h",
    "hip/hip_cooperative_groups.h",
    "hip/hip_ext.h",
    "hip/hiprtc.h",
    "hip/math_functions.h",
    "hip/device_functions.h",
    "hip/hip_texture_types.h",
    "hip/hip_math_constants.h",
    "rocm-core/rocm_version.h",
]


def run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    return {**os.environ, **vrocm.environment()}


CASES = [(name, level) for name in PROGRAMS for level in ("-O0", "-O3")]
KEPT_NAMES = ("atomics", "bfloat16_fp8", "conversions", "half", "language", "textures", "warp")
KEPT = {f"{name}-O3" for name in KEPT_NAMES}


@pytest.mark.parametrize(("name", "level"), sweep(CASES, keep=KEPT, name="".join))
def test_device_agrees_with_host(name: str, level: str, environment: dict[str, str], tmp_path: Path) -> None:
    program = tmp_path / name
    source = str(FOLDER / f"{name}.hip")
    built = run(["hipcc", "-std=c++17", "-Wall", "-Wextra", level, source, "-o", str(program)], environment)
    assert built.returncode == 0, built.stderr
    ran = run([str(program)], environment)
    assert ran.stdout.splitlines()[-1] == "PASS", ran.stdout + ran.stderr
    assert ran.returncode == 0


STRICT = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]


@pytest.mark.parametrize(
    "header", sweep(PUBLIC_HEADERS, keep={"hip/hip_runtime.h", "hip/hip_fp16.h", "hip/hiprtc.h"})
)
def test_header_compiles_alone(header: str, environment: dict[str, str], tmp_path: Path) -> None:
    source = tmp_path / "one.hip"
    source.write_text(f"#include <{header}>\n#include <{header}>\nint main() {{ return 0; }}\n")
    checked = run(["hipcc", *STRICT, str(source)], environment)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    "standard", sweep(["c++11", "c++14", "gnu++17", "c++20", "c++23"], keep={"c++11", "c++23"})
)
def test_headers_compile_together_in_every_standard(
    standard: str, environment: dict[str, str], tmp_path: Path
) -> None:
    source = tmp_path / "all.hip"
    source.write_text("".join(f"#include <{header}>\n" for header in PUBLIC_HEADERS) + "int main() {}\n")
    checked = run(["hipcc", f"-std={standard}", *STRICT, str(source)], environment)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_host_headers_compile_with_the_system_compiler(environment: dict[str, str], tmp_path: Path) -> None:
    source = tmp_path / "host.cpp"
    text = "".join(f"#include <{header}>\n" for header in PUBLIC_HEADERS)
    text += """
    #include <cstdio>
    int main() {
        int wrong = 0;
        for (unsigned bits = 0; bits < 65536; ++bits) {
            const __half h = __ushort_as_half((unsigned short)bits);
            if (!__hisnan(h)) wrong += __half_as_ushort(__float2half(__half2float(h))) != bits;
        }
        const float4 sum = make_float4(1, 2, 3, 4) + float4(1.0f);
        const __hip_bfloat16 product = __hip_bfloat16(3.0f) * __hip_bfloat16(2.0f);
        wrong += sum.w != 5 || (float)product != 6 || (float)__hip_fp8_e4m3(17.0f) != 16;
        wrong += hipCabs(make_hipDoubleComplex(3, 4)) != 5;
        return wrong != 0;
    }
    """
    source.write_text(text)
    program = tmp_path / "host"
    include = f"-isystem{vrocm.prefix()}/include"
    for standard in ("c++11", "c++17", "c++20"):
        flags = [f"-std={standard}", "-D__HIP_PLATFORM_AMD__", include, "-Wall"]
        built = run(["g++", *flags, str(source), "-o", str(program)], environment)
        assert built.returncode == 0, built.stderr
        assert run([str(program)], environment).returncode == 0


def test_c_programs_can_use_the_api(environment: dict[str, str], tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "#include <hip/hip_runtime.h>\n#include <hip/hip_complex.h>\n"
        "int main(void) {\n"
        "    const float4 v = make_float4(1, 2, 3, 4);\n"
        "    const hipComplex c = hipCmulf(make_hipComplex(0, 1), make_hipComplex(0, 1));\n"
        "    int count = 0;\n"
        "    return hipGetDeviceCount(&count) != hipSuccess || count < 1 || v.z != 3 || c.x != -1;\n"
        "}\n"
    )
    root = vrocm.prefix()
    for compiler in (["gcc", "-D__HIP_PLATFORM_AMD__", f"-I{root}/include"], ["hipcc"]):
        program = tmp_path / compiler[0]
        libraries = ["-o", str(program), f"-L{root}/lib", "-lamdhip64", "-lm"]
        built = run([*compiler, str(source), *libraries], environment)
        assert built.returncode == 0, built.stderr
        assert run([str(program)], environment).returncode == 0
