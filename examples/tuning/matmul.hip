// A matrix product whose tile, work per thread and unrolling are chosen when it is compiled, for rocm-perf autotune.
#include "../check.h"

#ifndef TILE
#define TILE 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif

// A workgroup makes TILE columns and TILE * ROWS rows of c; a thread makes ROWS values of one column.
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float rows[TILE * ROWS][TILE + 1];
    __shared__ float columns[TILE][TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE * ROWS + y;
    float sums[ROWS] = {};
    for (int start = 0; start < n; start += TILE) {
        for (int r = 0; r < ROWS; ++r) rows[y + r * TILE][x] = a[(row + r * TILE) * n + start + x];
        columns[y][x] = b[(start + y) * n + column];
        __syncthreads();
#pragma unroll UNROLL
        for (int k = 0; k < TILE; ++k)
            for (int r = 0; r < ROWS; ++r) sums[r] += rows[y + r * TILE][k] * columns[k][x];
        __syncthreads();
    }
    for (int r = 0; r < ROWS; ++r) c[(row + r * TILE) * n + column] = sums[r];
}

int main() {
    const int n = 128;
    static_assert(n % (TILE * ROWS) == 0, "tiles have to divide the matrix");
    std::vector<float> a = noise(n * n, 1), b = noise(n * n, 2), want(n * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += double(a[i * n + k]) * b[k * n + j];
            want[i * n + j] = float(sum);
        }
    float *da = to_device(a), *db = to_device(b), *dc = nullptr;
    HIP_CHECK(hipMalloc(&dc, n * n * sizeof(float)));
    matmul<<<dim3(n / TILE, n / (TILE * ROWS)), dim3(TILE, TILE)>>>(da, db, dc, n);
    HIP_CHECK(hipGetLastError());
    std::vector<float> got = to_host(dc, n * n);
    HIP_CHECK(hipFree(da));
    HIP_CHECK(hipFree(db));
    HIP_CHECK(hipFree(dc));
    return verdict("matmul", got, want, 1e-5);
}
