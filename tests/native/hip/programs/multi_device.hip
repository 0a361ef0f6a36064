// Two devices at once; run with VROCM_DEVICES=2.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include "check.h"

namespace cg = cooperative_groups;

__device__ int own_copy = 1;

__global__ void bump(int* out) { *out = ++own_copy; }
__global__ void read_peer(const int* from, int* to) { *to = *from; }
__global__ void meet(int* arrived, int* out) {
    cg::multi_grid_group all = cg::this_multi_grid();
    if (threadIdx.x == 0) atomicAdd_system(arrived, 1);
    all.sync();
    if (threadIdx.x == 0 && blockIdx.x == 0) *out = *static_cast<volatile int*>(arrived) * 10 + all.grid_rank();
}

static int fetch(const int* from) {
    int value = -1;
    OK(hipMemcpy(&value, from, 4, hipMemcpyDeviceToHost));
    return value;
}

int main() {
    int* out[2];
    hipStream_t stream[2];
    for (int device = 0; device < 2; ++device) {
        OK(hipSetDevice(device));
        OK(hipMalloc(&out[device], 4));
        OK(hipStreamCreate(&stream[device]));
    }
    // Variables exist once on each device.
    for (int round = 0; round < 2; ++round) {
        OK(hipSetDevice(0));
        bump<<<1, 1>>>(out[0]);
    }
    OK(hipSetDevice(1));
    bump<<<1, 1>>>(out[1]);
    CHECK(fetch(out[0]) == 3 && fetch(out[1]) == 2);

    OK(hipDeviceEnablePeerAccess(0, 0));
    read_peer<<<1, 1, 0, stream[1]>>>(out[0], out[1]);
    OK(hipStreamSynchronize(stream[1]));
    CHECK(fetch(out[1]) == 3);

    int* arrived;
    OK(hipHostMalloc(&arrived, 4));
    *arrived = 0;
    hipLaunchParams launches[2];
    void* args[2][2];
    for (int device = 0; device < 2; ++device) {
        args[device][0] = &arrived;
        args[device][1] = &out[device];
        launches[device] = {reinterpret_cast<void*>(meet), dim3(4), dim3(64), args[device], 0, stream[device]};
    }
    OK(hipLaunchCooperativeKernelMultiDevice(launches, 2, 0));
    for (hipStream_t s : stream) OK(hipStreamSynchronize(s));
    CHECK(fetch(out[0]) == 80 && fetch(out[1]) == 81);
    return finish();
}
