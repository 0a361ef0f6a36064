// Kernels that fail. Argument 1: which. The error must come from the next wait and then from every call.
#include <hip/hip_runtime.h>

#include <cassert>

#include "check.h"

__global__ void write_far(int* data) { data[1ull << 34] = 1; }
__global__ void read_null(int* data, int* out) { *out = *data; }
__global__ void must_be_small(int x) { assert(x < 10); }
__global__ void for_ever(volatile int* data) {
    while (*data == 0) {
    }
}
__global__ void trap() { __builtin_trap(); }
__global__ void fine(int* data) { *data = 1; }

int main(int, char** argv) {
    int* data;
    OK(hipMalloc(&data, 64));
    const char which = argv[1][0];
    hipError_t expected = hipErrorIllegalAddress;
    if (which == 'w') write_far<<<1, 1>>>(data);
    if (which == 'n') read_null<<<1, 64>>>(nullptr, data);
    if (which == 'a') {
        must_be_small<<<1, 64>>>(20);
        expected = hipErrorLaunchFailure;
    }
    if (which == 'h') {
        OK(hipMemset(data, 0, 64));
        for_ever<<<1, 64>>>(data);
        expected = hipErrorLaunchTimeOut;
    }
    if (which == 't') {
        trap<<<1, 1>>>();
        expected = hipErrorLaunchFailure;
    }
    CHECK(hipDeviceSynchronize() == expected);
    CHECK(hipGetLastError() == expected);
    CHECK(hipGetLastError() == expected);  // sticks
    CHECK(hipMalloc(&data, 64) == expected);
    fine<<<1, 1>>>(data);
    CHECK(hipGetLastError() == expected);
    CHECK(hipDeviceSynchronize() == expected);
    return finish();
}
