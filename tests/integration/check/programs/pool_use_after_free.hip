// Stream-ordered memory is used after it was given back to its pool.
#include "run.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = 1;
}

int main() {
    hipStream_t stream;
    require(hipStreamCreate(&stream));
    int* x = nullptr;
    require(hipMallocAsync(reinterpret_cast<void**>(&x), 64 * sizeof(int), stream));
    fill<<<1, 64, 0, stream>>>(x);
    if (kDefect) require(hipFreeAsync(x, stream));
    fill<<<1, 64, 0, stream>>>(x);
    if (!kDefect) require(hipFreeAsync(x, stream));
    if (hipStreamSynchronize(stream) != hipSuccess) return 1;
    require(hipStreamDestroy(stream));
}
