"""CMake projects find HIP in the prefix in the three ways that are in use."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.wanted import wanted


@pytest.fixture(autouse=True)
def cmake() -> None:
    wanted("cmake")


KERNEL = """
#include <hip/hip_runtime.h>
__global__ void add(int* p) { p[threadIdx.x] += 3; }
int run() {
  int* p;
  if (hipMalloc(&p, 256) != hipSuccess) return -1;
  (void)hipMemset(p, 0, 256);
  add<<<1, 64>>>(p);
  int v[64];
  (void)hipMemcpy(v, p, 256, hipMemcpyDeviceToHost);
  return v[63];
}
"""
HOST = """
#include <hip/hip_runtime_api.h>
#include <cstdio>
int run();
int main() {
  int count = 0;
  (void)hipGetDeviceCount(&count);
  std::printf("%d %d\\n", count, run());
}
"""


@pytest.fixture
def build(run, tmp_path: Path):
    """build(CMakeLists, options, …): configures and builds. Sources: kernel.hip, kernel.cpp, host.cpp."""

    def work(project: str, *options: str) -> str:
        (tmp_path / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.21)\n{project}")
        (tmp_path / "kernel.hip").write_text(KERNEL)
        (tmp_path / "kernel.cpp").write_text(KERNEL)
        (tmp_path / "host.cpp").write_text(HOST)
        configured = run("cmake", "-B", "build", *options)
        assert configured.returncode == 0, configured.stdout + configured.stderr
        built = run("cmake", "--build", "build")
        assert built.returncode == 0, built.stdout + built.stderr
        return configured.stdout + configured.stderr

    return work


def test_language_hip_with_host_code_by_another_compiler(build, run) -> None:
    build(
        "project(app LANGUAGES CXX HIP)\nset(CMAKE_HIP_STANDARD 17)\nfind_package(hip REQUIRED)\n"
        "add_library(kernel STATIC kernel.hip)\nadd_executable(app host.cpp)\n"
        "target_link_libraries(app PRIVATE kernel hip::host)\n"
        "set_source_files_properties(kernel.cpp PROPERTIES LANGUAGE HIP)\n"
        "add_executable(direct host.cpp kernel.cpp)\ntarget_link_libraries(direct PRIVATE hip::host)\n",
        "-DCMAKE_CXX_COMPILER=g++",
    )
    assert run("build/app").stdout == "1 3\n"
    assert run("build/direct").stdout == "1 3\n"


def test_device_target_with_the_clang_of_the_prefix(build, run, environment) -> None:
    build(
        "project(app CXX)\nfind_package(hip REQUIRED CONFIG)\nfind_package(hiprtc REQUIRED)\n"
        "add_executable(app host.cpp kernel.cpp)\ntarget_link_libraries(app hip::device hiprtc::hiprtc)\n",
        f"-DCMAKE_CXX_COMPILER={environment['ROCM_PATH']}/llvm/bin/clang++",
    )
    assert run("build/app").stdout == "1 3\n"


def test_find_hip_module_with_its_macros(build, run) -> None:
    log = build(
        "project(app CXX)\nset(CMAKE_MODULE_PATH $ENV{HIP_PATH}/lib/cmake/hip)\nfind_package(HIP REQUIRED)\n"
        'message(STATUS "HIP ${HIP_VERSION_MAJOR}")\nset(HIP_HIPCC_FLAGS -O2)\n'
        "hip_add_library(kernel SHARED kernel.cpp)\n"
        "hip_add_executable(app host.cpp HIPCC_OPTIONS -Wall DEBUG -Wno-such-flag)\n"
        "target_link_libraries(app kernel)\n",
        "-DCMAKE_BUILD_TYPE=Release",
    )
    assert "HIP 7" in log
    assert run("build/app").stdout == "1 3\n"
