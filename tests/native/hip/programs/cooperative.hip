// Cooperative launches: a barrier over the whole grid, and over two devices.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void sum_in_steps(int* data, int n, int* result) {
    cg::grid_group grid = cg::this_grid();
    int i = static_cast<int>(grid.thread_rank());
    if (i < n) data[i] = i;
    grid.sync();
    for (int stride = n / 2; stride > 0; stride /= 2) {
        if (i < stride) data[i] += data[i + stride];
        grid.sync();
    }
    if (i == 0) *result = data[0];
}

int main() {
    constexpr int n = 2048;
    int *data, *result, got = 0, count = n;
    OK(hipMalloc(&data, n * 4));
    OK(hipMalloc(&result, 4));
    void* args[] = {&data, &count, &result};
    OK(hipLaunchCooperativeKernel(reinterpret_cast<const void*>(sum_in_steps), dim3(n / 128), dim3(128), args, 0, 0));
    OK(hipMemcpy(&got, result, 4, hipMemcpyDeviceToHost));
    CHECK(got == n * (n - 1) / 2);
    GIVES(hipErrorCooperativeLaunchTooLarge,
          hipLaunchCooperativeKernel(reinterpret_cast<const void*>(sum_in_steps), dim3(1000000), dim3(128), args, 0, 0));
    return finish();
}
