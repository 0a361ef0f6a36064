// Runs "scale" of the code object that is named: out = 3 · x, for as many as there are.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                                           \
    if (const hipError_t status = (call); status != hipSuccess) {                             \
        std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(status));                   \
        return 1;                                                                             \
    }

int main(int, char** arguments) {
    constexpr int kCount = 5000, kBlock = 256;
    hipModule_t module;
    hipFunction_t scale;
    CHECK(hipModuleLoad(&module, arguments[1]));
    CHECK(hipModuleGetFunction(&scale, module, "scale"));
    std::vector<int> x(kCount);
    for (int i = 0; i < kCount; ++i) x[i] = i;
    int *in, *out, count = kCount;
    CHECK(hipMalloc(&in, sizeof(int) * kCount));
    CHECK(hipMalloc(&out, sizeof(int) * kCount));
    CHECK(hipMemcpy(in, x.data(), sizeof(int) * kCount, hipMemcpyHostToDevice));
    void* parameters[] = {&in, &out, &count};
    CHECK(hipModuleLaunchKernel(scale, (kCount + kBlock - 1) / kBlock, 1, 1, kBlock, 1, 1, 0, nullptr, parameters,
                                nullptr));
    CHECK(hipMemcpy(x.data(), out, sizeof(int) * kCount, hipMemcpyDeviceToHost));
    for (int i = 0; i < kCount; ++i)
        if (x[i] != 3 * i) return 2;
    return 0;
}
