// Bitcode of two programs, joined by hipLink. And what is refused by name: memory of other APIs.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include "check.h"

static std::vector<char> bitcode(const char* source) {
    hiprtcProgram program;
    CHECK(hiprtcCreateProgram(&program, source, "part.hip", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
    const char* options[] = {"-fgpu-rdc"};
    CHECK(hiprtcCompileProgram(program, 1, options) == HIPRTC_SUCCESS);
    size_t size = 0;
    CHECK(hiprtcGetBitcodeSize(program, &size) == HIPRTC_SUCCESS);
    std::vector<char> code(size);
    CHECK(hiprtcGetBitcode(program, code.data()) == HIPRTC_SUCCESS);
    hiprtcDestroyProgram(&program);
    return code;
}

int main() {
    std::vector<char> a = bitcode("__device__ int twice(int x) { return 2 * x; }");
    std::vector<char> b = bitcode(
        "extern __device__ int twice(int);\nextern \"C\" __global__ void run(int* p) { *p = twice(*p); }");
    hipLinkState_t state;
    OK(hipLinkCreate(0, nullptr, nullptr, &state));
    OK(hipLinkAddData(state, hipJitInputLLVMBitcode, a.data(), a.size(), "a", 0, nullptr, nullptr));
    OK(hipLinkAddData(state, hipJitInputLLVMBitcode, b.data(), b.size(), "b", 0, nullptr, nullptr));
    GIVES(hipErrorFileNotFound, hipLinkAddFile(state, hipJitInputLLVMBitcode, "/no/such", 0, nullptr, nullptr));
    GIVES(hipErrorInvalidValue, hipLinkAddData(state, hipJitInputPtx, a.data(), a.size(), "", 0, nullptr, nullptr));
    void* image = nullptr;
    size_t size = 0;
    OK(hipLinkComplete(state, &image, &size));
    hipModule_t module;
    OK(hipModuleLoadData(&module, image));
    OK(hipLinkDestroy(state));
    GIVES(hipErrorInvalidValue, hipLinkDestroy(state));
    hipFunction_t function;
    OK(hipModuleGetFunction(&function, module, "run"));
    int *data, value = 21;
    OK(hipMalloc(&data, sizeof value));
    OK(hipMemcpy(data, &value, sizeof value, hipMemcpyHostToDevice));
    void* arguments[] = {&data};
    OK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    OK(hipMemcpy(&value, data, sizeof value, hipMemcpyDeviceToHost));
    CHECK(value == 42);

    hipExternalMemory_t memory;
    hipExternalMemoryHandleDesc description{};
    description.type = hipExternalMemoryHandleTypeOpaqueFd;
    GIVES(hipErrorNotSupported, hipImportExternalMemory(&memory, &description));
    return finish();
}
