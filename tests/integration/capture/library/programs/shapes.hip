// Kernels of many shapes: templates, overloads, none of arguments, three dimensions, globals, LDS of two kinds.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                          \
    if (hipError_t e = (call); e != hipSuccess) {                            \
        std::printf("%s: %s\n", #call, hipGetErrorString(e));                \
        return 1;                                                            \
    }

__device__ int ticks = 5;
__device__ float history[64];
__constant__ int table[4];

template <class T, int Factor>
__global__ void scale(T* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * Factor + 1;
}

__global__ void add(float* data, float value) { data[threadIdx.x] += value; }
__global__ void add(int* data, int value) { data[threadIdx.x] += value; }

__global__ void tick() { ticks += table[2]; }

__global__ void volume(int* out, int x, int y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
              k = blockIdx.z * blockDim.z + threadIdx.z;
    out[(k * y + j) * x + i] = i + 100 * j + 10000 * k;
}

__global__ void reverse(int* data) {
    extern __shared__ int dynamic[];
    __shared__ int fixed[64];
    fixed[threadIdx.x] = data[threadIdx.x];
    dynamic[63 - threadIdx.x] = fixed[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = dynamic[threadIdx.x];
    history[threadIdx.x] = fixed[threadIdx.x];
}

int main() {
    const int host_table[4] = {1, 2, 3, 4};
    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(table), host_table, sizeof host_table));
    float* f;
    int* n;
    CHECK(hipMalloc(&f, 4096 * sizeof(float)));
    CHECK(hipMalloc(&n, 4096 * sizeof(int)));
    std::vector<float> hf(4096);
    std::vector<int> hn(4096);
    for (int i = 0; i < 4096; ++i) hf[i] = 0.5f * i, hn[i] = i;
    CHECK(hipMemcpy(f, hf.data(), hf.size() * 4, hipMemcpyHostToDevice));
    CHECK(hipMemcpy(n, hn.data(), hn.size() * 4, hipMemcpyHostToDevice));
    scale<float, 2><<<16, 256>>>(f, 4000);
    scale<int, 3><<<16, 256>>>(n, 4000);
    scale<int, 3><<<16, 256>>>(n, 10);
    add<<<1, 64>>>(f, 0.25f);
    add<<<1, 64>>>(n, 1000);
    tick<<<1, 1>>>();
    tick<<<1, 1>>>();
    reverse<<<1, 64, 256>>>(n);
    volume<<<dim3(2, 3, 4), dim3(4, 2, 2)>>>(n + 1024, 8, 6);
    CHECK(hipDeviceSynchronize());
    CHECK(hipMemcpy(hf.data(), f, hf.size() * 4, hipMemcpyDeviceToHost));
    CHECK(hipMemcpy(hn.data(), n, hn.size() * 4, hipMemcpyDeviceToHost));
    int seen;
    CHECK(hipMemcpyFromSymbol(&seen, HIP_SYMBOL(ticks), 4));
    double sum = seen;
    for (int i = 0; i < 4096; ++i) sum += (i % 17 + 1) * (double(hf[i]) + hn[i]);
    std::printf("%d %.3f\n", seen, sum);
}
