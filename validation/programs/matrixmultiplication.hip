// C = A * B. A thread computes 4x4 elements as four float4; a block of 8x8 threads computes 32x32 and stages the
// 32x32 tile of A through one scratch buffer in global memory that every block uses. Blocks overwrite each other's
// tiles, so only a grid of one block has a defined result: that is what --check needs.
#include "harness.h"

constexpr int kBlock = 8;  // threads a side; also float4 of A a row of the tile

__device__ void add_product(float4& sum, float factor, const float4& row) {
    sum.x += factor * row.x;
    sum.y += factor * row.y;
    sum.z += factor * row.z;
    sum.w += factor * row.w;
}

__global__ void multiply(const float4* a, const float4* b, float4* c, int width, float4* tile) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;  // in float4
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    const int pitch = width / 4;
    const int across = blockDim.x;  // known at run time only, so the loop over it stays a loop
    const int slot = threadIdx.x + threadIdx.y * 4 * across;
    float4 sum[4];
    for (int r = 0; r < 4; ++r) sum[r] = make_float4(0, 0, 0, 0);

    for (int step = 0; step < pitch / across; ++step) {
        const float4* source = a + row * pitch + step * across + threadIdx.x;
        for (int r = 0; r < 4; ++r) tile[slot + r * across] = source[r * pitch];
        __syncthreads();
        for (int k = 0; k < across; ++k) {
            float4 left[4], right[4];
            for (int r = 0; r < 4; ++r) left[r] = tile[threadIdx.y * 4 * across + r * across + k];
            for (int r = 0; r < 4; ++r) right[r] = b[((step * across + k) * 4 + r) * pitch + column];
            for (int r = 0; r < 4; ++r) {
                add_product(sum[r], left[r].x, right[0]);
                add_product(sum[r], left[r].y, right[1]);
                add_product(sum[r], left[r].z, right[2]);
                add_product(sum[r], left[r].w, right[3]);
            }
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; ++r) c[(row + r) * pitch + column] = sum[r];
}

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    const long n = square_size(options, 32);
    if (options.check && n != 32) refuse(options, "32x32x32 (with --check)");
    const std::size_t quads = std::size_t(n) * n / 4;
    float4 *a = on_device<float4>(quads), *b = on_device<float4>(quads), *c = on_device<float4>(quads);
    float4* tile = on_device<float4>(kBlock * kBlock * 4);
    const std::vector<float> left = small_numbers(options.check ? n * n : 0, 4);
    const std::vector<float> right = small_numbers(options.check ? n * n : 0, 5);
    if (options.check) {
        to_device(reinterpret_cast<float*>(a), left);
        to_device(reinterpret_cast<float*>(b), right);
    }
    const dim3 grid(n / 4 / kBlock, n / 4 / kBlock), block(kBlock, kBlock);
    time_body("matrixmultiplication", options, [&] { multiply<<<grid, block>>>(a, b, c, int(n), tile); });
    if (options.check) {
        std::vector<float> want(n * n, 0.0f);
        for (long i = 0; i < n; ++i)
            for (long k = 0; k < n; ++k)
                for (long j = 0; j < n; ++j) want[i * n + j] += left[i * n + k] * right[k * n + j];
        expect_equal(from_device(reinterpret_cast<float*>(c), n * n), want, "c");
    }
}
