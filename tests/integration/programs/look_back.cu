// Single-pass prefix sum over many blocks: each block spins on the published state of the one before it.
// Works only if blocks make progress independently.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>

__global__ void scan(const int* in, int* out, volatile int* sums, int* ready, int* ticket, int n) {
    __shared__ int data[256], block;
    if (threadIdx.x == 0) block = atomicAdd(ticket, 1);
    __syncthreads();
    int i = block * 256 + threadIdx.x;
    data[threadIdx.x] = i < n ? in[i] : 0;
    for (int step = 1; step < 256; step *= 2) {
        __syncthreads();
        int other = (int)threadIdx.x >= step ? data[threadIdx.x - step] : 0;
        __syncthreads();
        data[threadIdx.x] += other;
    }
    __syncthreads();
    __shared__ int before;
    if (threadIdx.x == 0) {
        before = 0;
        if (block > 0) {
            while (atomicAdd(&ready[block - 1], 0) == 0) {
            }
            __threadfence();
            before = sums[block - 1];
        }
        sums[block] = before + data[255];
        __threadfence();
        atomicExch(&ready[block], 1);
    }
    __syncthreads();
    if (i < n) out[i] = data[threadIdx.x] + before;
}

int main() {
    const int n = 100000, blocks = (n + 255) / 256;
    std::vector<int> in(n), got(n);
    for (int i = 0; i < n; ++i) in[i] = i * 7 % 13 - 6;
    int *a, *b, *state;
    hipMalloc((void**)&a, n * 4);
    hipMalloc((void**)&b, n * 4);
    hipMalloc((void**)&state, (2 * blocks + 1) * 4);
    hipMemset(state, 0, (2 * blocks + 1) * 4);
    hipMemcpy(a, in.data(), n * 4, hipMemcpyHostToDevice);
    scan<<<blocks, 256>>>(a, b, state, state + blocks, state + 2 * blocks, n);
    hipMemcpy(got.data(), b, n * 4, hipMemcpyDeviceToHost);
    int sum = 0, bad = 0;
    for (int i = 0; i < n; ++i) bad += got[i] != (sum += in[i]);
    printf("%s\n", bad ? "FAIL" : "PASS");
    hipFree(a);
    hipFree(b);
    hipFree(state);
    return bad != 0;
}
