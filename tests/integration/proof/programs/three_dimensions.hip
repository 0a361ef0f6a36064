// A grid of three dimensions whose last groups are not full, and a kernel without arguments before it.
#include "check.h"

__device__ unsigned ran;
__global__ void no_arguments() {
    if (threadIdx.x == 0) atomicAdd(&ran, 1u);
}

template <typename T>
__global__ void mark(T* out, int3 size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < size.x && y < size.y && z < size.z)
        out[(z * size.y + y) * size.x + x] = T(x + 100 * y + 10'000 * z + 1'000'000 * int(gridDim.z * blockDim.y));
}

int main() {
    const int3 size{37, 11, 5};
    const int count = size.x * size.y * size.z;
    no_arguments<<<3, 64>>>();
    int* out = nullptr;
    HIP_CHECK(hipMalloc(&out, count * sizeof(int)));
    mark<<<dim3(5, 3, 3), dim3(8, 4, 2)>>>(out, size);
    HIP_CHECK(hipGetLastError());
    std::vector<int> want(count);
    for (int i = 0; i < count; ++i)
        want[i] = i % 37 + 100 * (i / 37 % 11) + 10'000 * (i / 37 / 11) + 1'000'000 * 3 * 4;
    return verdict("3-D", to_host(out, count), want, 0);
}
