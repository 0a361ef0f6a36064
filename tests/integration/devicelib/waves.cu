// Reductions and scans over the active lanes of a wave, with all lanes and with some.
#include <hip/hip_runtime.h>

#include <cstdio>

extern "C" {
__device__ unsigned __ockl_wfred_add_u32(unsigned);
__device__ int __ockl_wfred_min_i32(int);
__device__ unsigned long __ockl_wfred_max_u64(unsigned long);
__device__ unsigned __ockl_wfred_xor_u32(unsigned);
__device__ double __ockl_wfred_add_f64(double);
__device__ float __ockl_wfred_max_f32(float);
__device__ unsigned __ockl_wfscan_add_u32(unsigned, bool);
__device__ float __ockl_wfscan_min_f32(float, bool);
__device__ unsigned __ockl_activelane_u32(void);
__device__ unsigned __ockl_lane_u32(void);
__device__ int __ockl_wfany_i32(int);
__device__ int __ockl_wfall_i32(int);
}

__device__ bool participates(int lane, int pattern) {
    switch (pattern) {
        case 0:
            return true;
        case 1:
            return lane % 3 == 1;
        case 2:
            return lane >= 40;
        default:
            return lane == 17;
    }
}

__global__ void check(int pattern, int* failures) {
    int lane = threadIdx.x;
    if (!participates(lane, pattern)) return;
    unsigned sum = 0, before = 0, exclusive = 0, mixed = 0;
    int smallest = 1000;
    float lowest = 1e30f, highest = -1e30f;
    double total = 0;
    for (int l = 0; l < 64; ++l) {
        if (!participates(l, pattern)) continue;
        if (l < lane) before += 1, exclusive += l * l;
        sum += l * l;
        mixed ^= l * 2654435761u;
        smallest = min(smallest, 5 - l);
        highest = fmaxf(highest, l * 0.5f - 8);
        if (l <= lane) lowest = fminf(lowest, 3.0f - l);
        total += l * 0.1;
    }
    int bad = 0;
    bad += __ockl_wfred_add_u32(lane * lane) != sum;
    bad += __ockl_wfred_min_i32(5 - lane) != smallest;
    bad += __ockl_wfred_max_u64(1ul << 40 | lane) != (1ul << 40 | (unsigned long)(5 - smallest));
    bad += __ockl_wfred_xor_u32(lane * 2654435761u) != mixed;
    bad += __ockl_wfred_add_f64(lane * 0.1) != total;
    bad += __ockl_wfred_max_f32(lane * 0.5f - 8) != highest;
    bad += __ockl_wfscan_add_u32(lane * lane, false) != exclusive;
    bad += __ockl_wfscan_add_u32(lane * lane, true) != exclusive + lane * lane;
    bad += __ockl_wfscan_min_f32(3.0f - lane, true) != lowest;
    bad += __ockl_activelane_u32() != before;
    bad += __ockl_lane_u32() != (unsigned)lane;
    bad += !__ockl_wfany_i32(lane == 17 || pattern != 3);
    bad += !__ockl_wfall_i32(lane < 64);
    if (bad) atomicAdd(failures, bad);
}

int main() {
    int *failures, result = -1;
    if (hipMalloc(&failures, sizeof(int)) != hipSuccess || hipMemset(failures, 0, sizeof(int)) != hipSuccess) return 1;
    for (int pattern = 0; pattern < 4; ++pattern) check<<<1, 64>>>(pattern, failures);
    if (hipMemcpy(&result, failures, sizeof(int), hipMemcpyDeviceToHost) != hipSuccess) return 1;
    std::printf("failures %d\n%s\n", result, result == 0 ? "PASS" : "FAIL");
    return result != 0;
}
