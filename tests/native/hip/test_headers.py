"""The public headers: they compile on their own, declare what exists, and agree with ROCm's ABI."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.wanted import unpacked

REPOSITORY = Path(__file__).parents[3]
INCLUDE = REPOSITORY / "src/vrocm/include"
HEADERS = ["hip/hip_runtime_api.h", "hip/hiprtc.h", "hip/library_types.h", "vrocm/runtime_abi.h"]


def compile_only(compiler: str, standard: str, source: str, tmp_path: Path, *flags: str) -> None:
    path = tmp_path / ("header.c" if standard.startswith("c1") else "header.cpp")
    path.write_text(source)
    warnings = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    command = [compiler, f"-std={standard}", *warnings, f"-I{INCLUDE}", *flags, str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("header", HEADERS)
def test_header_is_plain_c(header, tmp_path, c_compiler):
    compile_only(c_compiler, "c11", f"#include <{header}>\n", tmp_path)


@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++17", "c++20"])
def test_header_is_plain_cpp(standard, tmp_path):
    source = "".join(f"#include <{header}>\n" for header in HEADERS)
    compile_only("g++", standard, source, tmp_path)


# Sizes and offsets of ROCm 7 on x86-64, from its headers.
ABI = """
#include <hip/hip_runtime_api.h>
static_assert(sizeof(hipDeviceProp_t) == 1472);
static_assert(offsetof(hipDeviceProp_t, totalGlobalMem) == 288);
static_assert(offsetof(hipDeviceProp_t, multiProcessorCount) == 388);
static_assert(offsetof(hipDeviceProp_t, gcnArchName) == 1160);
static_assert(offsetof(hipDeviceProp_t, asicRevision) == 1468);
static_assert(sizeof(hipPointerAttribute_t) == 32);
static_assert(sizeof(hipFuncAttributes) == 56);
static_assert(sizeof(hipMemcpy3DParms) == 160);
static_assert(sizeof(hipKernelNodeParams) == 64);
static_assert(sizeof(hipMemPoolProps) == 88);
static_assert(sizeof(hipLaunchAttribute) == 72);
static_assert(sizeof(hipGraphNodeParams) == 256);
static_assert(sizeof(hipTextureDesc) == 64);
static_assert(sizeof(hipResourceDesc) == 64);
static_assert(hipErrorTbd == 1054);
static_assert(hipDeviceAttributeWarpSize == 87);
static_assert(hipDeviceAttributeMultiprocessorCount == 63);
static_assert(hipDeviceAttributeMaxThreadsPerBlock == 56);
static_assert(hipDeviceAttributeMemoryPoolsSupported == 88);
static_assert(hipDeviceAttributeWallClockRate == 10017);
static_assert(hipMemoryTypeDevice == 2 && hipMemoryTypeHost == 1 && hipMemoryTypeManaged == 3);
static_assert(hipGraphNodeTypeKernel == 0 && hipGraphNodeTypeMemFree == 11);
int main() {}
"""


def test_layouts(tmp_path):
    compile_only("g++", "c++17", ABI, tmp_path, "-Wno-invalid-offsetof")


def declared_functions() -> set[str]:
    result = r"(?:hipError_t|hiprtcResult|const char\*|int)"
    pattern = re.compile(rf"^(?:\w+\([^)]*\)\)?\s+)?{result} (\w+)\(", re.MULTILINE)
    places = [*sorted((INCLUDE / "hip/amd_detail/api").glob("*.inc")), INCLUDE / "hip/hiprtc.h"]
    names = {name for place in places for name in pattern.findall(place.read_text())}
    versioned = {"hipGetDeviceProperties", "hipChooseDevice"}
    return {name + "R0600" if name in versioned else name for name in names}


def output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_every_declared_function_is_exported(vrocm):
    library = Path(vrocm["ROCM_PATH"]) / "lib/libamdhip64.so"
    listed = output_of("nm", "-D", "--defined-only", str(library))
    exported = {line.split()[-1] for line in listed.splitlines()}
    declared = declared_functions()
    assert len(declared) > 380
    assert declared - exported == set()
    for name in ["RegisterFatBinary", "RegisterFunction", "RegisterVar", "PushCallConfiguration"]:
        assert f"__hip{name}" in exported


def test_library_names(vrocm):
    folder = Path(vrocm["ROCM_PATH"]) / "lib"
    for name in ["libamdhip64.so", "libamdhip64.so.6", "libamdhip64.so.7", "libhiprtc.so", "libhiprtc.so.7"]:
        assert (folder / name).exists(), name
    dynamic = output_of("readelf", "-d", str(folder / "libamdhip64.so"))
    assert "Library soname: [libamdhip64.so.7]" in dynamic
    assert "libhsa-runtime64.so.1" in dynamic


def test_functions_used_by_real_programs_are_declared():
    used = """
    hipFree hipMalloc hipMemcpy hipDeviceSynchronize hipGetErrorString hipMemset hipMemcpyAsync
    hipGetLastError hipDeviceGetAttribute hipGetDevicePropertiesR0600 hipStreamCreate hipStreamDestroy
    hipHostFree hipHostMalloc hipSetDevice hipStreamSynchronize hipMallocManaged hipGetDeviceCount
    hipMemcpyToSymbol hipPeekAtLastError hipMemsetAsync hipEventDestroy hipEventRecord hipMemGetInfo
    hipEventCreate hipEventSynchronize hipDeviceReset hipGetDevice hipFuncSetAttribute hipMemcpyFromSymbol
    hipStreamWaitEvent hipEventElapsedTime hipMallocPitch hipStreamCreateWithFlags hipHostAlloc
    hipMallocHost hipLaunchKernel hipFreeHost hipMemcpy2D hipMemcpy2DAsync
    hipOccupancyMaxActiveBlocksPerMultiprocessor hipEventCreateWithFlags hipFuncSetCacheConfig
    hipGetErrorName hipGraphInstantiate hipStreamBeginCapture hipStreamEndCapture hipGraphLaunch
    hipDeviceSetLimit hipMalloc3D hipDeviceSetCacheConfig hipCreateTextureObject hipDestroyTextureObject
    hipDeviceEnablePeerAccess hipDeviceCanAccessPeer hipMemAdvise hipMemPrefetchAsync hipMemcpyWithStream
    hipMemPoolSetAttribute hipMallocAsync hipDeviceGetDefaultMemPool hipDeviceGetStreamPriorityRange
    hipStreamCreateWithPriority hipHostRegister hipHostUnregister hipHostGetDevicePointer hipModuleLoad
    hipModuleLaunchKernel hipLaunchCooperativeKernel hipStreamAddCallback hipLaunchHostFunc
    hipPointerGetAttributes hipMemAddressReserve hipMemCreate hipMemMap
    """
    assert set(used.split()) - declared_functions() == set()


# Values and sizes that ROCm has not changed since the release Debian ships.
SAME_SINCE_5_2 = """
    hipErrorInvalidValue hipErrorLaunchFailure hipErrorStreamCaptureImplicit hipErrorRuntimeOther
    hipMemcpyDeviceToHost hipMemcpyDefault hipDeviceAttributeWarpSize hipDeviceAttributePciBusId
    hipDeviceAttributeTotalGlobalMem hipDeviceAttributeImageSupport hipLimitMallocHeapSize
    hipMemPoolAttrUsedMemHigh hipFuncAttributePreferredSharedMemoryCarveout hipJitOptionFastCompile
    HIP_AD_FORMAT_FLOAT HIP_FUNC_ATTRIBUTE_NUM_REGS HIP_POINTER_ATTRIBUTE_RANGE_SIZE hipAddressModeBorder
    hipStreamCaptureModeRelaxed hipGraphExecUpdateErrorNotSupported hipResourceTypePitch2D
    sizeof(hipMemcpy3DParms) sizeof(hip_Memcpy2D) sizeof(hipKernelNodeParams)
    sizeof(hipMemsetParams) sizeof(hipTextureDesc) sizeof(hipResourceDesc) sizeof(textureReference)
    sizeof(hipFuncAttributes) sizeof(hipMemPoolProps) sizeof(hipMipmappedArray) sizeof(hipLaunchParams)
"""


def test_unchanged_parts_agree_with_debians_headers(tmp_path):
    places = os.environ.get("VROCM_DEBIAN_HIP_INCLUDE", "/usr/include").split(os.pathsep)
    old = next((Path(p) for p in places if (Path(p) / "hip/hip_runtime_api.h").exists()), None)
    package = unpacked("libamdhip64-dev", tmp_path) if old is None else None
    if package is not None:
        old = package / "usr" / "include"
    if old is None:
        pytest.skip("Debian's HIP headers (libamdhip64-dev) are not installed, and cannot be downloaded")
    line = '    std::printf("%s %lld\\n", "{0}", (long long)({0}));\n'
    lines = "".join(line.format(expression) for expression in SAME_SINCE_5_2.split())
    source = tmp_path / "values.cpp"
    source.write_text(f"#include <hip/hip_runtime_api.h>\n#include <cstdio>\nint main() {{\n{lines}}}\n")
    outputs = []
    for name, include in (("old", old), ("ours", INCLUDE)):
        program = str(tmp_path / name)
        output_of("g++", "-w", "-D__HIP_PLATFORM_AMD__", f"-I{include}", str(source), "-o", program)
        outputs.append(output_of(program))
    assert outputs[0] == outputs[1]
