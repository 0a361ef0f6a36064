// The last thread writes one element past the end, still in the same page.
#include "run.h"

__global__ void scale(float* x, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (kDefect ? i <= count : i < count) x[i] *= 2.0f;
}

int main() {
    const int count = 1000;
    float* x = device<float>(count);
    scale<<<4, 256>>>(x, count);
    require(hipDeviceSynchronize());
    require(hipFree(x));
}
