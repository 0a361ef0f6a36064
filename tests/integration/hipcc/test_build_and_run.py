"""Programs built in the ways that build scripts use, and run."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.wanted import wanted

PROJECT = Path(__file__).parent / "project"

MAIN = """
#include <hip/hip_runtime.h>
#include <cstdio>
int half_of(int x);
int run_other();
__global__ void kernel(int* out) { out[threadIdx.x] = threadIdx.x * 2; }
int main() {
    int *device, host[64];
    if (hipMalloc(&device, sizeof(host)) != hipSuccess) return 1;
    kernel<<<1, 64>>>(device);
    if (hipMemcpy(host, device, sizeof(host), hipMemcpyDeviceToHost) != hipSuccess) return 2;
    for (int i = 0; i < 64; ++i) if (half_of(host[i]) != i) return 3;
    std::printf("ok %d\\n", run_other());
}
"""
OTHER = """
#include <hip/hip_runtime.h>
__global__ void kernel(int* out) { *out = 7; }
int run_other() {
    int *device, host = 0;
    (void)hipMalloc(&device, sizeof(int));
    hipLaunchKernelGGL(kernel, dim3(1), dim3(1), 0, 0, device);
    (void)hipMemcpy(&host, device, sizeof(int), hipMemcpyDeviceToHost);
    return host;
}
"""
HALF = "int half_of(int x) { return x / 2; }\n"


@pytest.fixture
def sources(tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text(MAIN)
    (tmp_path / "other.cu").write_text(OTHER.replace("kernel", "other_kernel"))
    (tmp_path / "half.cc").write_text(HALF)


@pytest.mark.usefixtures("sources")
def test_several_sources_at_once(hipcc, run) -> None:
    hipcc("main.cpp", "other.cu", "half.cc", "-o", "program")
    assert run("./program").stdout == "ok 7\n"


@pytest.mark.usefixtures("sources")
def test_objects_archive_and_shared_library(hipcc, run, tmp_path: Path) -> None:
    hipcc("-c", "main.cpp")
    hipcc("-fPIC", "-shared", "other.cu", "-o", "libother.so")
    hipcc("-c", "half.cc", "-o", "half.o", "-O1", "-g")
    assert run("ar", "rcs", "libhalf.a", "half.o").returncode == 0
    hipcc(
        "main.o", "-L.", "-lother", "-lhalf", f"-Wl,-rpath,{tmp_path}", "-static-libstdc++", "-o", "program"
    )
    assert run("./program").stdout == "ok 7\n"


@pytest.mark.usefixtures("sources")
def test_system_compiler_can_link_hipccs_objects(hipcc, run, environment) -> None:
    hipcc("-c", "main.cpp", "other.cu")
    library = environment["ROCM_PATH"] + "/lib"
    linked = run("g++", "main.o", "other.o", "half.cc", "-o", "program", f"-L{library}", "-lamdhip64")
    assert linked.returncode == 0, linked.stderr
    assert run("./program").stdout == "ok 7\n"


@pytest.mark.usefixtures("sources")
def test_debug_build_and_two_targets(hipcc, run) -> None:
    hipcc("-g", "-O0", "--offload-arch=gfx90a,gfx942", "main.cpp", "other.cu", "half.cc", "-o", "program")
    assert run("./program").stdout == "ok 7\n"


def test_relocatable_device_code_across_units(hipcc, run, tmp_path: Path) -> None:
    (tmp_path / "a.hip").write_text(
        "#include <hip/hip_runtime.h>\n#include <cstdio>\n"
        "extern __device__ int table[4];\n__device__ int scaled(int);\nstatic __device__ int hidden = 1;\n"
        "__global__ void k(int* out) { out[threadIdx.x] = scaled(table[threadIdx.x]) + hidden; }\n"
        "int* second();\n"
        "int main() { int *d, h[4]; (void)hipMalloc(&d, 16); k<<<1, 4>>>(d);\n"
        "  (void)hipMemcpy(h, d, 16, hipMemcpyDeviceToHost);\n"
        '  std::printf("%d %d %d %d %d\\n", h[0], h[1], h[2], h[3], *second()); }\n'
    )
    (tmp_path / "b.hip").write_text(
        "#include <hip/hip_runtime.h>\n"
        "__device__ int table[4] = {1, 2, 3, 4};\nstatic __device__ int hidden = 10;\n"
        "__device__ int scaled(int x) { return x * hidden; }\n"
        "__global__ void k2(int* out) { *out = scaled(5); }\n"
        "int* second() { static int h; int* d; (void)hipMalloc(&d, 4); k2<<<1, 1>>>(d);\n"
        "  (void)hipMemcpy(&h, d, 4, hipMemcpyDeviceToHost); return &h; }\n"
    )
    hipcc("-fgpu-rdc", "-c", "a.hip")
    hipcc("-fgpu-rdc", "-c", "b.hip")
    hipcc("-fgpu-rdc", "--hip-link", "a.o", "b.o", "-o", "objects")
    assert run("ar", "rcs", "libb.a", "b.o").returncode == 0
    hipcc("-fgpu-rdc", "--hip-link", "a.o", "-L.", "-lb", "-o", "archive")
    hipcc("-fgpu-rdc", "a.hip", "b.hip", "-o", "direct")
    hipcc("-fgpu-rdc", "--emit-static-lib", "b.hip", "-o", "libc.a")
    hipcc("-fgpu-rdc", "-fuse-ld=lld", "a.o", "libc.a", "-o", "emitted")
    for program in ("objects", "archive", "direct", "emitted"):
        assert run(f"./{program}").stdout == "11 21 31 41 50\n"
    missing = run("hipcc", "-fgpu-rdc", "a.hip", "-o", "missing")
    assert missing.returncode != 0
    assert "scaled(int)" in missing.stderr


def test_code_object_for_the_module_api(hipcc, run, tmp_path: Path) -> None:
    (tmp_path / "kernel.hip").write_text(
        '#include <hip/hip_runtime.h>\nextern "C" __global__ void triple(int* p) { p[threadIdx.x] *= 3; }\n'
    )
    (tmp_path / "loader.cpp").write_text(
        "#include <hip/hip_runtime.h>\n"
        "int main(int, char** argv) {\n"
        "  hipModule_t m; hipFunction_t f; int h[8] = {0, 1, 2, 3, 4, 5, 6, 7}, *d;\n"
        '  if (hipModuleLoad(&m, argv[1]) || hipModuleGetFunction(&f, m, "triple")) return 1;\n'
        "  (void)hipMalloc(&d, sizeof(h)); (void)hipMemcpy(d, h, sizeof(h), hipMemcpyHostToDevice);\n"
        "  void* args[] = {&d};\n"
        "  if (hipModuleLaunchKernel(f, 1, 1, 1, 8, 1, 1, 0, 0, args, nullptr)) return 2;\n"
        "  (void)hipMemcpy(h, d, sizeof(h), hipMemcpyDeviceToHost);\n"
        "  for (int i = 0; i < 8; ++i) if (h[i] != 3 * i) return 3;\n"
        "}\n"
    )
    hipcc("--genco", "kernel.hip", "-o", "bundle.co")
    hipcc("--genco", "--no-gpu-bundle-output", "kernel.hip", "-o", "bare.co")
    hipcc("loader.cpp", "-o", "loader")
    assert (tmp_path / "bundle.co").read_bytes().startswith(b"__CLANG_OFFLOAD_BUNDLE__")
    assert (tmp_path / "bare.co").read_bytes().startswith(b"\x7fELF")
    for name in ("bundle.co", "bare.co"):
        assert run("./loader", name).returncode == 0


OPENMP = r"""
#include <omp.h>
#include <cstdio>
#include <vector>
int main() {
    const int n = 10000;
    std::vector<double> a(n);
    const double start = omp_get_wtime();
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) a[i] = i;
    double sum = 0, largest = -1;
    #pragma omp parallel for reduction(+:sum) reduction(max:largest) schedule(dynamic, 7) num_threads(4)
    for (unsigned i = 0; i < (unsigned)n; i += 3) {
        sum += a[i];
        largest = a[i] > largest ? a[i] : largest;
    }
    double guided = 0;
    #pragma omp parallel for reduction(+:guided) schedule(guided)
    for (long i = n - 1; i >= 0; i -= 2) guided += a[i];
    int threads = 0, order = 0, in_order = 1, tasks = 0, shared = 0, last = 0;
    #pragma omp parallel num_threads(3)
    {
        #pragma omp single
        threads = omp_get_num_threads();
        int own = 0;
        #pragma omp single copyprivate(own)
        own = 5;
        #pragma omp critical
        shared += own;
        #pragma omp for ordered schedule(dynamic) lastprivate(last)
        for (int i = 0; i < 40; ++i) {
            last = i;
            #pragma omp ordered
            { in_order &= order == i; ++order; }
        }
        #pragma omp single
        for (int i = 0; i < 10; ++i) {
            #pragma omp task firstprivate(i) shared(tasks)
            {
                #pragma omp atomic
                tasks += i;
            }
        }
    }
    int pairs = 0;
    #pragma omp parallel for collapse(2) reduction(+:pairs) schedule(static, 3)
    for (int i = 0; i < 9; ++i) for (int j = 0; j < 5; ++j) pairs += i * j;
    const bool right = sum == 3.0 * 3333 * 3334 / 2 && largest == 9999 && guided == 25000000 &&
                       threads == 3 && shared == 15 && in_order && order == 40 &&
                       last == 39 && tasks == 45 && pairs == 360 &&
                       omp_get_wtime() >= start;
    std::printf("%s\n", right ? "PASS" : "FAIL");
    return !right;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_openmp_on_the_host(level: str, hipcc, run, tmp_path: Path) -> None:
    (tmp_path / "omp.cpp").write_text(OPENMP)
    hipcc(level, "-fopenmp", "omp.cpp", "-o", "omp")
    for threads in ("1", "2", "5"):
        result = run("env", f"OMP_NUM_THREADS={threads}", "./omp")
        assert result.stdout == "PASS\n", threads


def test_openmp_header_without_openmp(hipcc, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("#include <omp.h>\nint f() { return sizeof(omp_lock_t); }\n")
    hipcc("-c", "a.cpp")


@pytest.mark.parametrize(
    "settings", [["OPTIMIZE=yes"], ["OPTIMIZE=no", "DEBUG=yes"]], ids=["release", "debug"]
)
def test_makefile_project(settings: list[str], run, tmp_path: Path) -> None:
    command = [wanted("make"), "-C", str(PROJECT), f"OUT={tmp_path}/build", *settings]
    built = run(*command)
    assert built.returncode == 0, built.stderr
    assert built.stderr == ""
    ran = run(*command, "run")
    assert "PASS" in ran.stdout
    # Dependencies were written, so nothing is built again, and a touched header builds its users.
    assert "up to date" in run(*command).stdout
    dependencies = (tmp_path / "build" / "saxpy.d").read_text()
    assert "kernels.h" in dependencies
    assert "hip_runtime.h" not in dependencies


def test_fast_math_and_unsafe_atomics_change_the_code(hipcc, tmp_path: Path) -> None:
    (tmp_path / "k.hip").write_text(
        "#include <hip/hip_runtime.h>\n"
        "__global__ void k(double* d, float* f) { atomicAdd(d, (double)sinf(*f)); }\n"
    )
    flags = ["--cuda-device-only", "-S", "k.hip", "-o"]
    hipcc(*flags, "exact.s")
    hipcc("-ffast-math", *flags, "fast.s")
    exact, fast = (tmp_path / "exact.s").read_text(), (tmp_path / "fast.s").read_text()
    assert len(fast.splitlines()) < len(exact.splitlines())
    assert "v_sin_f32" in fast


def test_cmake_project_with_hipcc_as_the_cxx_compiler(run, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(app LANGUAGES CXX)\nset(CMAKE_CXX_STANDARD 17)\n"
        "find_package(OpenMP REQUIRED)\n"
        "add_library(kernels STATIC kernels.cpp)\nadd_executable(app main.cpp)\n"
        "target_link_libraries(app kernels OpenMP::OpenMP_CXX)\n"
    )
    (tmp_path / "kernels.cpp").write_text(OTHER)
    (tmp_path / "main.cpp").write_text(
        "#include <cstdio>\nint run_other();\nint main() {\n  int sum = 0;\n"
        "  #pragma omp parallel for reduction(+:sum)\n  for (int i = 0; i < 10; ++i) sum += i;\n"
        '  std::printf("%d %d\\n", run_other(), sum);\n}\n'
    )
    cmake = wanted("cmake")
    configured = run(cmake, "-B", "build", "-DCMAKE_CXX_COMPILER=hipcc", "-DCMAKE_BUILD_TYPE=Release")
    assert configured.returncode == 0, configured.stdout + configured.stderr
    built = run(cmake, "--build", "build")
    assert built.returncode == 0, built.stdout + built.stderr
    assert run("build/app").stdout == "7 45\n"
