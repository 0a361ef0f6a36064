// Atomic functions: every operation, type and scope, on global and shared memory.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#include "check.h"

constexpr int kThreads = 1024;

// Each cell is hammered by all threads with one operation.
template <class T>
__global__ void integer_operations(T* cells) {
    const T i = (T)(blockIdx.x * blockDim.x + threadIdx.x);
    atomicAdd(&cells[0], i);
    atomicSub(&cells[1], i);
    atomicMin(&cells[2], i);
    atomicMax(&cells[3], i);
    atomicAnd(&cells[4], (T)~((T)1 << (i % 16)));
    atomicOr(&cells[5], (T)1 << (i % 16));
    atomicXor(&cells[6], i);
    atomicExch(&cells[7], (T)42);
    T old = cells[8], seen;
    do {
        seen = old;
        old = atomicCAS(&cells[8], seen, (T)(seen + 2));
    } while (old != seen);
    atomicAdd_system(&cells[9], i);
    atomicAdd_block(&cells[10], i);
    __hip_atomic_fetch_add(&cells[11], i, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __atomic_fetch_add(&cells[12], i, __ATOMIC_RELAXED);
    __sync_fetch_and_add(&cells[13], i);
    __shared__ T sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, i);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&cells[14], sum);
}
template <class T>
static void test_integer() {
    std::vector<T> start(16, 0);
    start[2] = std::numeric_limits<T>::max();
    start[4] = (T)~(T)0;
    DeviceArray<T> cells(start);
    integer_operations<T><<<kThreads / 128, 128>>>(cells);
    const std::vector<T> got = cells.read();
    const T total = (T)((long long)kThreads * (kThreads - 1) / 2);
    T all_xor = 0;
    for (int i = 0; i < kThreads; ++i) all_xor ^= (T)i;
    EXPECT(got[0] == total && got[1] == (T)-total);
    EXPECT(got[2] == 0 && got[3] == (T)(kThreads - 1));
    EXPECT(got[4] == (T)(~(T)0 << 16) && got[5] == (T)0xffff && got[6] == all_xor);
    EXPECT(got[7] == 42 && got[8] == (T)(2 * kThreads));
    for (int i = 9; i < 15; ++i) EXPECT(got[i] == total);
}

template <class T>
__global__ void float_operations(T* cells) {
    const T i = (T)(blockIdx.x * blockDim.x + threadIdx.x);
    atomicAdd(&cells[0], i);
    atomicSub(&cells[1], i);
    atomicMin(&cells[2], i - 500);
    atomicMax(&cells[3], i - 500);
    unsafeAtomicAdd(&cells[4], i);
    safeAtomicAdd(&cells[5], i);
    atomicAdd_system(&cells[6], i);
    atomicExch(&cells[7], (T)42);
    T old = cells[8], seen;
    do {
        seen = old;
        old = atomicCAS(&cells[8], seen, seen + 2);
    } while (old != seen);
    unsafeAtomicMax(&cells[9], i);
    __shared__ T sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, i);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&cells[10], sum);
}
template <class T>
static void test_float() {
    DeviceArray<T> cells(16);
    float_operations<T><<<kThreads / 128, 128>>>(cells);
    const std::vector<T> got = cells.read();
    const T total = (T)(kThreads * (kThreads - 1) / 2);  // small enough to be exact in float
    EXPECT(got[0] == total && got[1] == -total);
    EXPECT(got[2] == -500 && got[3] == kThreads - 501);
    EXPECT(got[4] == total && got[5] == total && got[6] == total && got[7] == 42);
    EXPECT(got[8] == 2 * kThreads && got[9] == kThreads - 1 && got[10] == total);
}

__global__ void wrapping(unsigned* cells) {
    atomicInc(&cells[0], 9u);
    atomicDec(&cells[1], 9u);
    atomicInc_system(&cells[2], 9u);
}
__global__ void halves(__half2* h, __half* single, __hip_bfloat162* b) {
    atomicAdd(&h[0], __floats2half2_rn(1.0f, 2.0f));
    unsafeAtomicAdd(&h[1], __floats2half2_rn(1.0f, 2.0f));
    atomicAdd(&single[1], __float2half(1.0f));
    unsafeAtomicAdd(&b[0], __floats2bfloat162_rn(1.0f, 2.0f));
    atomicAdd(&b[1], __floats2bfloat162_rn(1.0f, 2.0f));
}

int main() {
    test_integer<int>();
    test_integer<unsigned>();
    test_integer<long>();
    test_integer<unsigned long>();
    test_integer<long long>();
    test_integer<unsigned long long>();
    test_float<float>();
    test_float<double>();

    DeviceArray<unsigned> cells(3);
    wrapping<<<1, 64>>>(cells);
    const std::vector<unsigned> wrapped = cells.read();
    EXPECT(wrapped[0] == 64 % 10 && wrapped[1] == (10 - 64 % 10) % 10 && wrapped[2] == 64 % 10);

    DeviceArray<__half2> h(2);
    DeviceArray<__half> single(4);
    DeviceArray<__hip_bfloat162> b(2);
    halves<<<2, 32>>>(h, single, b);
    for (const __half2& pair : h.read()) EXPECT(__low2float(pair) == 64 && __high2float(pair) == 128);
    const std::vector<__half> one = single.read();
    EXPECT(__half2float(one[0]) == 0 && __half2float(one[1]) == 64 && __half2float(one[2]) == 0);
    for (const __hip_bfloat162& pair : b.read()) EXPECT(__low2float(pair) == 64 && __high2float(pair) == 128);
    return finish();
}
