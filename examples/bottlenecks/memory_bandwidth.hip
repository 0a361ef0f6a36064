// Built to be memory-bandwidth bound: a copy through arrays larger than all caches, one load and one store for each
// multiplication, with enough waves to hide the latency of memory.
#include "../check.h"

__global__ void stream(const float4* from, float4* to, float factor) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    const float4 value = from[i];
    to[i] = make_float4(value.x * factor, value.y * factor, value.z * factor, value.w * factor);
}

int main() {
    const size_t count = size_t(1) << 20;  // 16 MiB each way
    std::vector<float4> host(count);
    for (size_t i = 0; i < count; ++i) host[i].x = float(i & 1023);
    float4* from = to_device(host);
    float4* to = nullptr;
    HIP_CHECK(hipMalloc(&to, count * sizeof(float4)));
    stream<<<count / 256, 256>>>(from, to, 2.0f);
    HIP_CHECK(hipGetLastError());
    const std::vector<float4> got = to_host(to, count);
    HIP_CHECK(hipFree(from));
    HIP_CHECK(hipFree(to));
    for (size_t i = 0; i < count; ++i) {
        if (got[i].x != 2 * host[i].x) return std::puts("memory_bandwidth FAIL"), 1;
    }
    std::puts("memory_bandwidth PASS");
    return 0;
}
