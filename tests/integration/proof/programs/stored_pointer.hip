// Many small allocations around the code, and a pointer to a __device__ array that lies in device memory: replays only
// where the code is at its address.
#include "check.h"

__device__ int table[1024];

__global__ void look_up(int** through, int* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = (*through)[i % 1024] + i;
}

int main() {
    const int count = 512;
    std::vector<int> values(1024), want(count);
    for (int i = 0; i < 1024; ++i) values[i] = 31 * i;
    for (int i = 0; i < count; ++i) want[i] = 32 * i;
    for (int i = 0; i < 20; ++i) to_device(values);
    HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(table), values.data(), sizeof table));
    int* address = nullptr;
    HIP_CHECK(hipGetSymbolAddress(reinterpret_cast<void**>(&address), HIP_SYMBOL(table)));
    int** through = to_device(std::vector<int*>{address});
    int* out = nullptr;
    HIP_CHECK(hipMalloc(&out, count * sizeof(int)));
    look_up<<<count / 64, 64>>>(through, out, count);
    HIP_CHECK(hipGetLastError());
    return verdict("pointer", to_host(out, count), want, 0);
}
