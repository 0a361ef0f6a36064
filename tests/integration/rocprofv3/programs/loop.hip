// Kernels whose traces are known beforehand: loop GROUPS ROUNDS LAUNCHES. With no rounds, a kernel that faults.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                \
    do {                                                           \
        if (hipError_t status = (call); status != hipSuccess) {    \
            std::printf("error: %s\n", hipGetErrorString(status)); \
            std::exit(2);                                          \
        }                                                          \
    } while (0)

// A loop that runs `rounds` times, LDS and a barrier.
__global__ void loop_sum(const float* a, const float* b, float* out, int mask, int rounds) {
    __shared__ float tile[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) sum += a[(i + round * 64) & mask] * b[i];
    tile[threadIdx.x] = sum;
    __syncthreads();
    out[i] = tile[255 - threadIdx.x];
}

// Two loads that are waited for one after the other, and a scalar one; written by hand so that nothing is reordered.
__global__ void two_loads(const int* first, const int* second, int* out) {
    int a, b, c;
    const int byte = (threadIdx.x & 63) * 4;
    asm volatile(
        "s_load_dword %2, %3, 0x0\n"
        "global_load_dword %0, %5, %3\n"
        "global_load_dword %1, %5, %4\n"
        "s_waitcnt vmcnt(1)\n"
        "v_add_u32 %0, 1, %0\n"
        "s_waitcnt lgkmcnt(0)\n"
        "s_waitcnt vmcnt(0)\n"
        : "=&v"(a), "=&v"(b), "=&s"(c)
        : "s"(first), "s"(second), "v"(byte)
        : "memory");
    out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c;
}

int main(int argc, char** argv) {
    const int groups = argc > 1 ? std::atoi(argv[1]) : 64;
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 10;
    const int launches = argc > 3 ? std::atoi(argv[3]) : 1;
    const int count = 1 << 16;
    float *a, *b, *out;
    CHECK(hipMalloc(&a, count * sizeof(float)));
    CHECK(hipMalloc(&b, groups * 256 * sizeof(float)));
    CHECK(hipMalloc(&out, groups * 256 * sizeof(float)));
    CHECK(hipMemset(a, 0, count * sizeof(float)));
    CHECK(hipMemset(b, 0, groups * 256 * sizeof(float)));
    for (int launch = 0; launch < launches; ++launch) {
        loop_sum<<<groups, 256>>>(a, b, rounds ? out : nullptr, count - 1, rounds);
        two_loads<<<groups, 64>>>(reinterpret_cast<int*>(a), reinterpret_cast<int*>(b), reinterpret_cast<int*>(out));
    }
    CHECK(hipDeviceSynchronize());
    std::puts("done");
}
