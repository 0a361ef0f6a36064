// Launches of workgroups that wait for each other, one like the other: prints how long each takes.
#include <hip/hip_runtime.h>

#include <cstdio>

#include "check.h"

__global__ void chain(unsigned* flags) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x > 0)
        while (__hip_atomic_load(flags + blockIdx.x - 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0)
            __builtin_amdgcn_s_sleep(1);
    __hip_atomic_store(flags + blockIdx.x, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

int main() {
    constexpr unsigned kGroups = 400;
    unsigned* flags;
    OK(hipMalloc(&flags, kGroups * sizeof(unsigned)));
    hipEvent_t begin, end;
    OK(hipEventCreate(&begin));
    OK(hipEventCreate(&end));
    for (int i = 0; i < 5; ++i) {
        OK(hipMemset(flags, 0, kGroups * sizeof(unsigned)));
        OK(hipEventRecord(begin));
        chain<<<kGroups, 64>>>(flags);
        OK(hipEventRecord(end));
        OK(hipEventSynchronize(end));
        float ms = 0;
        OK(hipEventElapsedTime(&ms, begin, end));
        std::printf("%.6f\n", ms);
    }
}
