// A kernel gets a pointer that was freed.
#include "run.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = 1;
}

int main() {
    int* old = device<int>(64);
    int* kept = device<int>(64);
    require(hipFree(old));
    int* fresh = device<int>(64);  // the addresses of the old one could be given out again
    fill<<<1, 64>>>(kDefect ? old : kept);
    const hipError_t error = hipDeviceSynchronize();
    if (error == hipSuccess) {
        require(hipFree(kept));
        require(hipFree(fresh));
    }
    return error != hipSuccess;
}
