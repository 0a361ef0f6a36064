// One kernel that reads and writes memory of every kind: each array gets +1 on every element, plus what it had.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                          \
    if (hipError_t e = (call); e != hipSuccess) {                            \
        std::printf("%s: %s\n", #call, hipGetErrorString(e));                \
        return 1;                                                            \
    }

constexpr int kCount = 3000;
__device__ int in_module[kCount];

__global__ void touch(int* device, int* pinned, int* managed, int* registered, int* pooled, int* inner) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= kCount) return;
    device[i] += 1;
    pinned[i] += 2;
    managed[i] += 3;
    registered[i] += 4;
    pooled[i] += 5;
    in_module[i] += 6;
    if (i < 100) inner[i] += 7;
}

int main() {
    int *device, *pinned, *managed, *pooled, *freed;
    CHECK(hipMalloc(&freed, 1234567));
    CHECK(hipMalloc(&device, kCount * 4));
    CHECK(hipHostMalloc(&pinned, kCount * 4));
    CHECK(hipMallocManaged(&managed, kCount * 4));
    int* registered = static_cast<int*>(std::aligned_alloc(4096, 16384));
    CHECK(hipHostRegister(registered, kCount * 4, hipHostRegisterDefault));
    hipStream_t stream;
    CHECK(hipStreamCreate(&stream));
    CHECK(hipMallocAsync(&pooled, kCount * 4, stream));
    std::vector<int> start(kCount);
    for (int i = 0; i < kCount; ++i) start[i] = i, pinned[i] = 2 * i, managed[i] = 3 * i, registered[i] = 4 * i;
    CHECK(hipMemcpy(device, start.data(), kCount * 4, hipMemcpyHostToDevice));
    CHECK(hipMemcpyAsync(pooled, start.data(), kCount * 4, hipMemcpyHostToDevice, stream));
    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(in_module), start.data(), kCount * 4));
    CHECK(hipFree(freed));
    touch<<<12, 256, 0, stream>>>(device, pinned, managed, registered, pooled, device + 2000);
    CHECK(hipStreamSynchronize(stream));
    std::vector<int> a(kCount), b(kCount), c(kCount);
    CHECK(hipMemcpy(a.data(), device, kCount * 4, hipMemcpyDeviceToHost));
    CHECK(hipMemcpy(b.data(), pooled, kCount * 4, hipMemcpyDeviceToHost));
    CHECK(hipMemcpyFromSymbol(c.data(), HIP_SYMBOL(in_module), kCount * 4));
    long sum = 0;
    for (int i = 0; i < kCount; ++i)
        sum += (i + 1L) * (a[i] + b[i] + c[i] + pinned[i] + managed[i] + registered[i]);
    std::printf("%ld\n", sum);
}
