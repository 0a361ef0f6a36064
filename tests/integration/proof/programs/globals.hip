// Constants and globals of the module, changed after loading; and a pointer to a global that lies in device memory.
#include "check.h"

__constant__ float coefficients[8];
__device__ int counter = 40;
__device__ float table[256];
__device__ float* where = table;  // relocated when the code object is loaded

__global__ void use(float** through, float* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += coefficients[k] * (*through)[(i + k) % 256];
    out[i] = sum + where[i % 256];
    if (i == 0) counter += 2;
}

int main() {
    const int count = 512;
    const std::vector<float> weights = noise(8, 1), values = noise(256, 2);
    HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(coefficients), weights.data(), 8 * sizeof(float)));
    HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(table), values.data(), 256 * sizeof(float)));
    float* address = nullptr;
    HIP_CHECK(hipGetSymbolAddress(reinterpret_cast<void**>(&address), HIP_SYMBOL(table)));
    float** through = to_device(std::vector<float*>{address});
    float* out = nullptr;
    HIP_CHECK(hipMalloc(&out, count * sizeof(float)));
    use<<<count / 64, 64>>>(through, out, count);
    use<<<count / 64, 64>>>(through, out, count);
    HIP_CHECK(hipGetLastError());
    std::vector<float> want(count);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 8; ++k) want[i] = std::fma(weights[k], values[(i + k) % 256], want[i]);
        want[i] += values[i % 256];
    }
    int counted = 0;
    HIP_CHECK(hipMemcpyFromSymbol(&counted, HIP_SYMBOL(counter), sizeof counted));
    if (counted != 44) return std::printf("globals FAIL  (counter %d)\n", counted), 1;
    return verdict("globals", to_host(out, count), want, 1e-6);
}
