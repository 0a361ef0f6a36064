// The language: launches, qualifiers, symbols, templates, lambdas, dynamic parallel structure of a block.
#include "check.h"

__constant__ float coefficients[8];
__constant__ int table[4] = {10, 20, 30, 40};
__device__ int counter = 5;
__device__ double matrix[4][4];
__managed__ int shared_with_host = 7;
static __device__ int internal_counter;

__global__ void coordinates(unsigned* out) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const dim3 size = blockDim;
    const uint3 where = blockIdx;
    out[block * threads + thread] = hipThreadIdx_x + 10 * hipThreadIdx_y + 100 * hipThreadIdx_z + 1000 * where.x +
                                    10000 * hipBlockIdx_y + 100000 * where.z + 1000000 * (size.x + hipGridDim_z);
}

template <typename T, int N>
__global__ __launch_bounds__(N) void reverse(const T* in, T* out) {
    __shared__ T buffer[N];
    extern __shared__ char dynamic[];
    T* second = reinterpret_cast<T*>(dynamic);
    buffer[threadIdx.x] = in[blockIdx.x * N + threadIdx.x];
    second[threadIdx.x] = buffer[threadIdx.x];
    __syncthreads();
    out[blockIdx.x * N + threadIdx.x] = buffer[N - 1 - threadIdx.x] + second[threadIdx.x];
}
__launch_bounds__(256, 2) __global__ void bounded(int* out) {
    HIP_DYNAMIC_SHARED(int, cells)
    cells[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = cells[blockDim.x - 1 - threadIdx.x];
}

__global__ void symbols(float* out) {
    out[threadIdx.x] = coefficients[threadIdx.x] + table[threadIdx.x % 4] + (float)matrix[threadIdx.x % 4][1];
    if (threadIdx.x == 0) {
        atomicAdd(&counter, 3);
        atomicAdd(&internal_counter, 2);
        shared_with_host *= 6;
    }
}

struct Shape {
    float scale;
    __host__ __device__ explicit Shape(float s) : scale(s) {}
    __device__ virtual float area() const { return scale; }
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    __host__ __device__ explicit Square(float s) : Shape(s) {}
    __device__ float area() const override { return scale * scale; }
};
__device__ float apply(float (*f)(float), float x) { return f(x); }
__device__ float twice(float x) { return 2 * x; }
__device__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
__global__ void object_code(float* out) {
    Square square(3.0f);
    const Shape* shape = &square;
    out[0] = shape->area();
    out[1] = apply(twice, 4.0f);
    out[2] = (float)factorial(6 + (int)threadIdx.x);
    int array[16];
    for (int i = 0; i < 16; ++i) array[i] = i * i;
    out[3] = (float)array[(int)out[0]];
}

__global__ void votes(int* out, int limit) {
    const int i = threadIdx.x;
    out[i * 3] = __syncthreads_count(i < limit);
    out[i * 3 + 1] = __syncthreads_and(i < limit);
    out[i * 3 + 2] = __syncthreads_or(i == limit);
}

__global__ void clocks(long long* out) {
    const long long a = clock64(), b = wall_clock64();
    __threadfence();
    out[0] = clock64() - a;
    out[1] = wall_clock64() - b;
}

int main() {
    {
        DeviceArray<unsigned> out(2 * 3 * 2 * 4 * 2 * 2);
        hipLaunchKernelGGL(coordinates, dim3(2, 3, 2), dim3(4, 2, 2), 0, 0, out);
        const std::vector<unsigned> got = out.read();
        size_t i = 0;
        for (unsigned bz = 0; bz < 2; ++bz)
            for (unsigned by = 0; by < 3; ++by)
                for (unsigned bx = 0; bx < 2; ++bx)
                    for (unsigned tz = 0; tz < 2; ++tz)
                        for (unsigned ty = 0; ty < 2; ++ty)
                            for (unsigned tx = 0; tx < 4; ++tx)
                                EXPECT(got[i++] == tx + 10 * ty + 100 * tz + 1000 * bx + 10000 * by + 100000 * bz + 6000000);
    }
    {
        std::vector<double> in(256);
        for (int i = 0; i < 256; ++i) in[i] = i;
        DeviceArray<double> din(in), out(256);
        hipLaunchKernelGGL(HIP_KERNEL_NAME(reverse<double, 128>), dim3(2), dim3(128), 128 * sizeof(double), 0,
                           (const double*)din, (double*)out);
        const std::vector<double> got = out.read();
        for (int i = 0; i < 256; ++i) EXPECT(got[i] == (i / 128 * 128 + 127 - i % 128) + i);
        DeviceArray<int> flipped(200);
        bounded<<<1, 200, 200 * sizeof(int)>>>(flipped);
        const std::vector<int> reversed = flipped.read();
        for (int i = 0; i < 200; ++i) EXPECT(reversed[i] == 199 - i);
    }
    {
        const float host[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        double grid[4][4];
        for (int i = 0; i < 16; ++i) grid[i / 4][i % 4] = 100 * i;
        HIP_CHECK(hipMemcpyToSymbol(coefficients, host, sizeof(host)));
        HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(matrix), grid, sizeof(grid)));
        DeviceArray<float> out(8);
        symbols<<<1, 8>>>(out);
        const std::vector<float> got = out.read();
        for (int i = 0; i < 8; ++i) EXPECT(got[i] == i + 10 * (i % 4 + 1) + 100 * (i % 4 * 4 + 1));
        int value = 0;
        HIP_CHECK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(counter), sizeof(value)));
        EXPECT(value == 8);
        HIP_CHECK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(internal_counter), sizeof(value)));
        EXPECT(value == 2);
        EXPECT(shared_with_host == 42);
    }
    {
        DeviceArray<float> out(4);
        object_code<<<1, 1>>>(out);
        const std::vector<float> got = out.read();
        EXPECT(got[0] == 9 && got[1] == 8 && got[2] == 720 && got[3] == 81);
    }
    {
        DeviceArray<int> out(300 * 3);
        votes<<<1, 300>>>(out, 77);
        const std::vector<int> got = out.read();
        for (int i = 0; i < 300; ++i) EXPECT(got[i * 3] == 77 && got[i * 3 + 1] == 0 && got[i * 3 + 2] != 0);
        votes<<<1, 300>>>(out, 300);
        const std::vector<int> all = out.read();
        for (int i = 0; i < 300; ++i) EXPECT(all[i * 3] == 300 && all[i * 3 + 1] != 0 && all[i * 3 + 2] == 0);
    }
    {
        DeviceArray<long long> out(2);
        clocks<<<1, 1>>>(out);
        const std::vector<long long> got = out.read();
        EXPECT(got[0] > 0 && got[1] >= 0);
    }
    {
        // Captures by value, nested, generic.
        DeviceArray<int> out(64);
        int* p = out;
        const int offset = 3;
        auto inner = [=] __host__ __device__(int x) { return x + offset; };
        for_each(64, [=] __device__(int i) { p[i] = inner(i) * 2; });
        const std::vector<int> got = out.read();
        for (int i = 0; i < 64; ++i) EXPECT(got[i] == (i + 3) * 2);
        EXPECT(inner(1) == 4);
    }
    static_assert(warpSize == 64, "usable in constant expressions");
    return finish();
}
