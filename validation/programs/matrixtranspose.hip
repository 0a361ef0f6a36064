// Transpose: a block of 16x16 threads moves 64x64 floats through LDS, a thread 4x4 of them as four float4. Block
// ids run along diagonals, so blocks that run together touch different rows and columns.
#include "harness.h"

constexpr int kBlock = 16;  // threads a side

__global__ void transpose(float4* out, const float4* in, int pitch) {  // pitch in float4
    extern __shared__ float4 tile[];                                   // 64 rows of 16 float4
    const int block_y = blockIdx.x;
    const int block_x = (blockIdx.x + blockIdx.y) % gridDim.x;
    const int x = threadIdx.x, y = threadIdx.y;

    const float4* source = in + (block_y * kBlock + y) * 4 * pitch + block_x * kBlock + x;
    float4* row = tile + y * 4 * kBlock + x;
    for (int r = 0; r < 4; ++r) row[r * kBlock] = source[r * pitch];
    __syncthreads();

    const float4* column = tile + x * 4 * kBlock + y;
    const float4 v0 = column[0], v1 = column[kBlock], v2 = column[2 * kBlock], v3 = column[3 * kBlock];
    float4* target = out + (block_x * kBlock + y) * 4 * pitch + block_y * kBlock + x;
    target[0] = make_float4(v0.x, v1.x, v2.x, v3.x);
    target[pitch] = make_float4(v0.y, v1.y, v2.y, v3.y);
    target[2 * pitch] = make_float4(v0.z, v1.z, v2.z, v3.z);
    target[3 * pitch] = make_float4(v0.w, v1.w, v2.w, v3.w);
}

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    const long n = square_size(options, 64);
    const std::size_t quads = std::size_t(n) * n / 4;
    float4 *in = on_device<float4>(quads), *out = on_device<float4>(quads);
    const std::vector<float> values = small_numbers(options.check ? n * n : 0, 6);
    if (options.check) to_device(reinterpret_cast<float*>(in), values);
    const dim3 grid(n / 4 / kBlock, n / 4 / kBlock), block(kBlock, kBlock);
    const std::size_t lds = 4 * kBlock * kBlock * sizeof(float4);
    time_body("matrixtranspose", options, [&] { transpose<<<grid, block, lds>>>(out, in, int(n / 4)); });
    if (options.check) {
        std::vector<float> want(values.size());
        for (long i = 0; i < n; ++i)
            for (long j = 0; j < n; ++j) want[j * n + i] = values[i * n + j];
        expect_equal(from_device(reinterpret_cast<float*>(out), n * n), want, "out");
    }
}
