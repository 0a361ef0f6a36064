// Five-point stencil, several steps, with the tile and its halo staged in LDS.
#include "check.h"

constexpr int kBlock = 16;

__global__ void stencil(const float* in, float* out, int width, int height) {
    __shared__ float tile[kBlock + 2][kBlock + 2];
    int x = blockIdx.x * kBlock + threadIdx.x, y = blockIdx.y * kBlock + threadIdx.y;
    auto at = [&](int px, int py) {
        return px < 0 || py < 0 || px >= width || py >= height ? 0.0f : in[py * width + px];
    };
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    tile[ty][tx] = at(x, y);
    if (tx == 1) tile[ty][0] = at(x - 1, y);
    if (tx == kBlock) tile[ty][kBlock + 1] = at(x + 1, y);
    if (ty == 1) tile[0][tx] = at(x, y - 1);
    if (ty == kBlock) tile[kBlock + 1][tx] = at(x, y + 1);
    __syncthreads();
    if (x < width && y < height)
        out[y * width + x] = 0.5f * tile[ty][tx] + 0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1]) +
                             0.125f * (tile[ty - 1][tx] + tile[ty + 1][tx]);
}

int main() {
    const int width = 300, height = 200, steps = 8;
    std::vector<float> grid = noise(width * height, 11), want = grid, next(grid.size());
    for (int step = 0; step < steps; ++step) {
        auto at = [&](int x, int y) { return x < 0 || y < 0 || x >= width || y >= height ? 0.0f : want[y * width + x]; };
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                next[y * width + x] = 0.5f * at(x, y) + 0.125f * (at(x - 1, y) + at(x + 1, y)) +
                                      0.125f * (at(x, y - 1) + at(x, y + 1));
        want.swap(next);
    }
    float *from = to_device(grid), *to = to_device(grid);
    dim3 blocks((width + kBlock - 1) / kBlock, (height + kBlock - 1) / kBlock);
    for (int step = 0; step < steps; ++step) {
        stencil<<<blocks, dim3(kBlock, kBlock)>>>(from, to, width, height);
        std::swap(from, to);
    }
    HIP_CHECK(hipGetLastError());
    std::vector<float> got = to_host(from, grid.size());
    HIP_CHECK(hipFree(from));
    HIP_CHECK(hipFree(to));
    return verdict("stencil", got, want, 1e-6);
}
