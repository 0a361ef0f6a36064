// Launches kernels that do nothing but stay on the GPU, with chosen registers, workgroup size and LDS.
//   fill REGISTERS,THREADS,LDS_BYTES,GROUPS ...
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                        \
    if (hipError_t error = (call); error != hipSuccess) {                  \
        std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(error)); \
        return 1;                                                          \
    }

// The clobber makes the compiler allocate registers up to the one named. A turn takes some 8000 clocks.
#define FILL(registers, ...)                                                 \
    __global__ void __launch_bounds__(1024, 1) fill_##registers(int turns) { \
        asm volatile("" ::: __VA_ARGS__);                                    \
        for (int i = 0; i < turns; ++i) asm volatile("s_sleep 127");         \
    }

FILL(16, "v15", "s100")  // with many scalar registers
FILL(32, "v31")
FILL(96, "v95")
FILL(128, "v127")

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        int registers, threads, lds, groups;
        if (std::sscanf(argv[i], "%d,%d,%d,%d", &registers, &threads, &lds, &groups) != 4) return 2;
        const auto kernel = registers <= 16 ? fill_16 : registers <= 32 ? fill_32 : registers <= 96 ? fill_96 : fill_128;
        kernel<<<groups, threads, lds>>>(4);
        CHECK(hipGetLastError());
    }
    CHECK(hipDeviceSynchronize());
    return 0;
}
