// Kernels whose access sets are known, each in a launch of its own. Prints where the buffers lie.
#include <hip/hip_runtime.h>

#include <cstdio>

#include "check.h"

constexpr unsigned kCount = 5000;  // no multiple of the block

__global__ void strided(const unsigned* in, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i * 3 < kCount) out[i * 3] = in[kCount - 1 - i * 3];
}
__global__ void bytes(unsigned char* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kCount && i % 7 != 3) out[i] = 1;
}
__global__ void atomics(unsigned* counters, const unsigned char* which) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kCount) atomicAdd(&counters[which[i] * 2], 1u);
}
// Every wave reads the same words through scalar loads.
__global__ void scalar(const unsigned* table, unsigned* out) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 20; i += 2) sum += table[i * gridDim.x];
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__global__ void fill(uint4* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kCount / 4) out[i] = make_uint4(1, 2, 3, 4);
}
__global__ void in_out(unsigned* x) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kCount) x[i] = x[i] * 2 + 1;
}
// The lower half is read again after its wave has written it; the upper half is read first.
__global__ void own_writes(volatile unsigned* x) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kCount / 2) {
        x[i] = i;
        x[i] = x[i] + 1;
    } else if (i < kCount) {
        x[i] = x[i] + 1;
    }
}
// What one wave writes another reads after the barrier.
__global__ void through_memory(volatile unsigned* x, unsigned* out) {
    const unsigned first = blockIdx.x * blockDim.x;
    x[first + threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[first + threadIdx.x] = x[first + (threadIdx.x + 64) % blockDim.x];
}
// The store is where two runs of decoded instructions meet.
__global__ void joined(unsigned* x, unsigned one) {
    asm volatile(
        "s_cmp_eq_u32 %2, 1\n"
        "s_cbranch_scc1 2f\n"
        "s_branch 1f\n"
        "2: s_nop 0\n"
        "1: global_store_dword %0, %1, off\n"
        :
        : "v"(x + threadIdx.x), "v"(one), "s"(one)
        : "memory", "scc");
}
__global__ void nothing() {}

template <class T>
T* made(const char* name, size_t bytes) {
    T* memory = nullptr;
    CHECK(hipMalloc(&memory, bytes) == hipSuccess);
    CHECK(hipMemset(memory, 0, bytes) == hipSuccess);
    std::printf("%s %p\n", name, static_cast<void*>(memory));
    return memory;
}

int main() {
    unsigned* in = made<unsigned>("in", kCount * 4);
    unsigned* out = made<unsigned>("out", kCount * 4);
    unsigned char* which = made<unsigned char>("which", kCount);
    unsigned char host[kCount];
    for (unsigned i = 0; i < kCount; ++i) host[i] = static_cast<unsigned char>(i * 37 % 101);
    CHECK(hipMemcpy(which, host, kCount, hipMemcpyHostToDevice) == hipSuccess);
    const dim3 blocks((kCount + 255) / 256), threads(256);
    strided<<<blocks, threads>>>(in, out);
    bytes<<<blocks, threads>>>(reinterpret_cast<unsigned char*>(out));
    atomics<<<blocks, threads>>>(out, which);
    scalar<<<blocks, threads>>>(in, out);
    fill<<<blocks, threads>>>(reinterpret_cast<uint4*>(out));
    in_out<<<blocks, threads>>>(out);
    own_writes<<<blocks, threads>>>(out);
    through_memory<<<kCount / 256, threads>>>(in, out);
    joined<<<1, 256>>>(out, 1);
    nothing<<<1, 64>>>();
    CHECK(hipDeviceSynchronize() == hipSuccess);
    return failures != 0;
}
