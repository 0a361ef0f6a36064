// Loaded by modules.cpp as a code object of its own.
#include <hip/hip_runtime.h>

__device__ int offset = 10;

extern "C" __global__ void shift(int* data, int by) { data[threadIdx.x] += by + offset; }
extern "C" __global__ void count_items(int* out) { atomicAdd(out, 1); }
