// Pairs about occupancy: the same latency-bound kernel with waves lost to registers, to LDS or to a small grid.
#include "pair.h"

constexpr int kSteps = 32;

// Dependent loads of neighbouring lanes: each wave's next place comes from the value before. The array is all zeros.
__device__ unsigned wander(const unsigned* __restrict__ links, unsigned count) {
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) / 64 * 2246822519u;
    for (int step = 0; step < kSteps; ++step)
        at = at * 1664525u + 1013904223u + links[(at >> 8 & (count - 64)) + threadIdx.x % 64];
    return at;
}

__global__ void few_registers(const unsigned* links, unsigned count, unsigned* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = wander(links, count);
}

// Naming v250 makes the kernel allocate 251 registers: two waves a SIMD.
__global__ void __launch_bounds__(256) many_registers(const unsigned* links, unsigned count, unsigned* out) {
    asm volatile("; uses v250" ::: "v250");
    out[blockIdx.x * blockDim.x + threadIdx.x] = wander(links, count);
}

__global__ void with_lds(const unsigned* links, unsigned count, unsigned* out) {
    extern __shared__ unsigned unused[];
    const unsigned value = wander(links, count);
    if (value == count + 1) unused[threadIdx.x] = value;
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void sum_share(const float* __restrict__ data, float* __restrict__ out, unsigned share) {
    float sum = 0;
    const unsigned base = blockIdx.x * share;
    for (unsigned i = threadIdx.x; i < share; i += blockDim.x) sum += data[base + i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main(int argc, char** argv) {
    take_names(argc, argv);
    const unsigned count = 16 * kMiB / sizeof(unsigned);
    unsigned *links = on_device<unsigned>(count), *out = on_device<unsigned>(2432 * 256);
    HIP_OK(hipMemset(links, 0, count * sizeof(unsigned)));
    const unsigned groups = 304 * 8;  // fills every wave slot of MI300X once
    variant("occupancy_registers", "8_waves_a_simd", [&] { few_registers<<<groups, 256>>>(links, count, out); });
    variant("occupancy_registers", "2_waves_a_simd", [&] { many_registers<<<groups, 256>>>(links, count, out); });
    variant("occupancy_lds", "no_lds", [&] { with_lds<<<groups, 256, 0>>>(links, count, out); });
    variant("occupancy_lds", "32_kb_lds", [&] { with_lds<<<groups, 256, 32768>>>(links, count, out); });
    const unsigned total = 8 * kMiB / sizeof(float);
    const float* data = reinterpret_cast<const float*>(links);
    float* sums = reinterpret_cast<float*>(out);
    variant("grid_size", "8_groups", [&] { sum_share<<<8, 256>>>(data, sums, total / 8); });
    variant("grid_size", "2048_groups", [&] { sum_share<<<2048, 256>>>(data, sums, total / 2048); });
}
