// Float sums by atomics: the order of additions, and with it the last bits, may differ from run to run. An integer
// histogram by atomics beside it does not depend on the order.
#include "check.h"

__global__ void sum(const float* values, float* total, unsigned* bins, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        atomicAdd(total, values[i]);
        atomicAdd(bins + (i * 7) % 16, 1u);
    }
}

int main() {
    const int count = 5000;
    const std::vector<float> host = noise(count, 3);
    float* values = to_device(host);
    float* total = to_device(std::vector<float>{100.0f});
    unsigned* bins = to_device(std::vector<unsigned>(16, 5));
    sum<<<(count + 255) / 256, 256>>>(values, total, bins, count);
    HIP_CHECK(hipGetLastError());
    double want = 100;
    for (float value : host) want += value;
    return verdict("atomic_sum", to_host(total, 1), std::vector<float>{float(want)}, 1e-3);
}
