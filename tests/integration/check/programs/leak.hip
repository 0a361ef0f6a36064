// A buffer that is never freed, and one that a static object frees after main().
#include "run.h"

struct Buffer {
    int* memory = nullptr;
    ~Buffer() { require(hipFree(memory)); }
} kept;

__global__ void fill(int* x) {
    x[threadIdx.x] = 1;
}

int main() {
    kept.memory = device<int>(64);
    int* lost = device<int>(100);
    fill<<<1, 64>>>(lost);
    require(hipDeviceSynchronize());
    if (!kDefect) require(hipFree(lost));
}
