// Two code objects with a kernel of one name, loaded from files. Compiled with VALUE it is such a code object.
#include <hip/hip_runtime.h>

#ifdef VALUE
extern "C" __global__ void twin(int* out) { out[threadIdx.x] += VALUE; }
#else
#include <cstdio>
#define CHECK(call) \
    if ((call) != hipSuccess) return std::printf("%s failed\n", #call), 1

int main(int, char** paths) {
    int* out;
    CHECK(hipMalloc(&out, 256));
    CHECK(hipMemset(out, 0, 256));
    hipModule_t modules[2];
    hipFunction_t twins[2];
    for (int i = 0; i < 2; ++i) {
        CHECK(hipModuleLoad(&modules[i], paths[i + 1]));
        CHECK(hipModuleGetFunction(&twins[i], modules[i], "twin"));
    }
    void* arguments[] = {&out};
    for (int i = 0; i < 4; ++i)
        CHECK(hipModuleLaunchKernel(twins[i % 2], 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    int host[64];
    CHECK(hipMemcpy(host, out, 256, hipMemcpyDeviceToHost));
    std::printf("%d\n", host[63]);
    CHECK(hipModuleUnload(modules[0]));
    CHECK(hipModuleUnload(modules[1]));
}
#endif
