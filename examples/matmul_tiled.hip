// C = A B with 16x16 tiles of A and B staged in LDS, so that each element is read from memory N/16 times.
#include "check.h"

constexpr int kTile = 16;

__global__ void matmul_tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
    float sum = 0;
    for (int k = 0; k < n; k += kTile) {
        tile_a[y][x] = a[row * n + k + x];
        tile_b[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main() {
    const int n = 256;
    std::vector<float> a = noise(n * n, 7), b = noise(n * n, 8), want(n * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += double(a[i * n + k]) * b[k * n + j];
            want[i * n + j] = float(sum);
        }
    float *da = to_device(a), *db = to_device(b), *dc = nullptr;
    HIP_CHECK(hipMalloc(&dc, n * n * sizeof(float)));
    matmul_tiled<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(da, db, dc, n);
    HIP_CHECK(hipGetLastError());
    std::vector<float> got = to_host(dc, n * n);
    for (float* buffer : {da, db, dc}) HIP_CHECK(hipFree(buffer));
    return verdict("matmul_tiled", got, want, 1e-5);
}
