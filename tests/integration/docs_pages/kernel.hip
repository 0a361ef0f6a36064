// The program that the examples of the commands' help are tried on: a product of matrices in blocks of --bm rows
// and --bn columns, and four steps of its sum; other arguments are as good as none.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

__global__ void matmul(const float* a, const float* b, float* c, int n) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

template <typename T>
__global__ void reduce(T* data, int half) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < half) data[at] += data[half + at];
}

int main(int count, char** words) {
    const int n = 64;
    int block_m = 4, block_n = 16;
    for (int at = 1; at + 1 < count; ++at) {
        if (!std::strcmp(words[at], "--bm")) block_m = std::atoi(words[at + 1]);
        if (!std::strcmp(words[at], "--bn")) block_n = std::atoi(words[at + 1]);
    }
    std::vector<float> a(n * n), b(n * n);
    for (int at = 0; at < n * n; ++at) a[at] = float(at % 3), b[at] = float(at % 5);
    float want = 0;  // whole numbers, small enough to be exact in any order
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column)
            for (int k = 0; k < n; ++k) want += a[row * n + k] * b[k * n + column];

    const size_t bytes = n * n * sizeof(float);
    float *left = nullptr, *right = nullptr, *product = nullptr;
    for (float** memory : {&left, &right, &product})
        if (hipMalloc(memory, bytes) != hipSuccess) return 1;
    if (hipMemcpy(left, a.data(), bytes, hipMemcpyHostToDevice) != hipSuccess) return 1;
    if (hipMemcpy(right, b.data(), bytes, hipMemcpyHostToDevice) != hipSuccess) return 1;
    dim3 block(block_n, block_m), grid((n + block_n - 1) / block_n, (n + block_m - 1) / block_m);
    matmul<<<grid, block>>>(left, right, product, n);
    int values = n * n;
    for (int step = 0; step < 4; ++step) {
        values /= 2;
        reduce<float><<<values / 64, 64>>>(product, values);
    }
    std::vector<float> sums(values);
    if (hipMemcpy(sums.data(), product, values * sizeof(float), hipMemcpyDeviceToHost) != hipSuccess) return 1;
    for (float* memory : {left, right, product})
        if (hipFree(memory) != hipSuccess) return 1;
    float got = std::accumulate(sums.begin(), sums.end(), 0.0f);
    std::puts(got == want ? "PASSED" : "FAILED");
    return got == want ? 0 : 1;
}
