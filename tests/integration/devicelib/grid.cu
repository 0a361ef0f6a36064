// The barrier over a grid: every step of a stencil sees what all workgroups wrote in the step before.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kSize = 4096, kSteps = 24;

__global__ void smooth(int* a, int* b) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < kSteps; ++step) {
        int* from = step % 2 ? b : a;
        int* to = step % 2 ? a : b;
        // Reaches into other workgroups, near and far.
        to[i] = from[(i + 1) % kSize] + 2 * from[(i + kSize / 2 + 7) % kSize] + step;
        grid.sync();
    }
}

int main() {
    std::vector<int> a(kSize), b(kSize), result(kSize);
    for (int i = 0; i < kSize; ++i) a[i] = i * 7 % 11;
    int *device_a, *device_b;
    if (hipMalloc(&device_a, kSize * sizeof(int)) != hipSuccess) return 1;
    if (hipMalloc(&device_b, kSize * sizeof(int)) != hipSuccess) return 1;
    if (hipMemcpy(device_a, a.data(), kSize * sizeof(int), hipMemcpyHostToDevice) != hipSuccess) return 1;
    void* arguments[] = {&device_a, &device_b};
    hipError_t e = hipLaunchCooperativeKernel((void*)smooth, dim3(kSize / 128), dim3(128), arguments, 0, 0);
    if (e != hipSuccess || hipDeviceSynchronize() != hipSuccess) {
        std::printf("launch: %s\n", hipGetErrorString(e));
        return 1;
    }
    for (int step = 0; step < kSteps; ++step) {
        for (int i = 0; i < kSize; ++i) {
            b[i] = (int)((unsigned)a[(i + 1) % kSize] + 2u * (unsigned)a[(i + kSize / 2 + 7) % kSize] + step);
        }
        a.swap(b);
    }
    int* last = kSteps % 2 ? device_b : device_a;
    if (hipMemcpy(result.data(), last, kSize * sizeof(int), hipMemcpyDeviceToHost) != hipSuccess) return 1;
    bool ok = result == a;
    std::puts(ok ? "PASS" : "FAIL");
    return !ok;
}
