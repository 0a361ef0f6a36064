// A kernel that is launched in three shapes, one of them once, between launches of a kernel with a longer name.
#include <hip/hip_runtime.h>

#include <cstdio>

template <typename T, int N>
__global__ void scale(T* data, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) data[i] = data[i] * N + 1;
}

template <typename T, int N>
__global__ void scale_more(T* data, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) data[i] += N;
}

int main() {
    const int count = 1 << 15;
    float* data = nullptr;
    if (hipMalloc(&data, count * sizeof(float)) != hipSuccess) return 1;
    for (int turn = 0; turn < 3; ++turn) {
        scale<float, 4><<<128, 256>>>(data, count);
        scale_more<float, 4><<<128, 256>>>(data, count);
        scale<float, 4><<<256, 128>>>(data, count);
    }
    scale<float, 4><<<1, 64>>>(data, 64);
    if (hipDeviceSynchronize() != hipSuccess) return 1;
    std::puts("done");
    return 0;
}
