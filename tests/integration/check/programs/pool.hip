// Stream-ordered memory: one element past its end, where the pool has room.
#include "run.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = 1;
}

int main() {
    hipStream_t stream;
    require(hipStreamCreate(&stream));
    int* x = nullptr;
    require(hipMallocAsync(reinterpret_cast<void**>(&x), (kDefect ? 60 : 64) * sizeof(int), stream));
    fill<<<1, 64, 0, stream>>>(x);
    require(hipFreeAsync(x, stream));
    require(hipStreamSynchronize(stream));
    require(hipStreamDestroy(stream));
}
