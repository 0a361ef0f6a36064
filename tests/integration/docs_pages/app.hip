// The program that the commands of the agent skill are tried on: a column sum a thread, blocks as BLOCK says.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#ifndef BLOCK
#define BLOCK 64
#endif

__global__ void column_sums(const float* in, float* out, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum = 0;
    for (int row = 0; row < rows; ++row) sum += in[row * columns + column];
    out[column] = sum;
}

int main() {
    const int rows = 64, columns = 2048;
    std::vector<float> in(rows * columns), got(columns);
    for (int at = 0; at < rows * columns; ++at) in[at] = float(at % 17);
    float *from = nullptr, *to = nullptr;
    if (hipMalloc(&from, in.size() * sizeof(float)) != hipSuccess) return 1;
    if (hipMalloc(&to, got.size() * sizeof(float)) != hipSuccess) return 1;
    if (hipMemcpy(from, in.data(), in.size() * sizeof(float), hipMemcpyHostToDevice) != hipSuccess) return 1;
    column_sums<<<(columns + BLOCK - 1) / BLOCK, BLOCK>>>(from, to, rows, columns);
    if (hipMemcpy(got.data(), to, got.size() * sizeof(float), hipMemcpyDeviceToHost) != hipSuccess) return 1;
    for (int column = 0; column < columns; ++column) {
        float want = 0;
        for (int row = 0; row < rows; ++row) want += in[row * columns + column];
        if (got[column] != want) return 1;
    }
    std::puts("PASSED");
    return hipFree(from) == hipSuccess && hipFree(to) == hipSuccess ? 0 : 1;
}
