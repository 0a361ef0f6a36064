// Pairs about LDS: bank conflicts, tiles that are reused, reductions without LDS.
#include "pair.h"

// A 64x64 tile is written by rows and read by columns, `rounds` times.
template <int kPitch>
__global__ void turn_tile(const float* __restrict__ in, float* __restrict__ out, int rounds) {
    __shared__ float tile[64 * kPitch];
    const int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
    float sum = in[blockIdx.x * 256 + threadIdx.x];
    for (int round = 0; round < rounds; ++round) {
        for (int r = wave; r < 64; r += 4) tile[r * kPitch + lane] = sum;
        __syncthreads();
        for (int c = wave; c < 64; c += 4) sum += tile[lane * kPitch + c];
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

constexpr int kSide = 1024, kDepth = 256;  // (1024 x 256) times (256 x 1024)

__global__ void multiply_direct(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < kDepth; ++k) sum += a[row * kDepth + k] * b[k * kSide + column];
    c[row * kSide + column] = sum;
}

// 64x64 results a group of 256 threads, 4x4 a thread, both operands through LDS.
__global__ void multiply_tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    __shared__ float left[16][64 + 1], right[16][64];
    const int x = threadIdx.x, y = threadIdx.y, thread = y * 16 + x;
    const int row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int step = 0; step < kDepth; step += 16) {
        for (int i = 0; i < 4; ++i) {
            const int at = thread + i * 256;
            left[at % 16][at / 16] = a[(row + at / 16) * kDepth + step + at % 16];
            right[at / 64][at % 64] = b[(step + at / 64) * kSide + column + at % 64];
        }
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) sum[i][j] += left[k][y * 4 + i] * right[k][x + j * 16];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) c[(row + y * 4 + i) * kSide + column + x + j * 16] = sum[i][j];
}

constexpr int kRounds = 16;

__global__ void reduce_lds(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float part[256];
    const int t = threadIdx.x;
    float total = 0;
    for (int round = 0; round < kRounds; ++round) {
        part[t] = in[blockIdx.x * 256 + t] + total;
        __syncthreads();
        for (int half = 128; half > 0; half /= 2) {
            if (t < half) part[t] += part[t + half];
            __syncthreads();
        }
        total = part[0];
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = total;
}

__global__ void reduce_shuffle(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float part[4];
    const int t = threadIdx.x;
    float total = 0;
    for (int round = 0; round < kRounds; ++round) {
        float value = in[blockIdx.x * 256 + t] + total;
        for (int half = 32; half > 0; half /= 2) value += __shfl_down(value, half);
        if (t % 64 == 0) part[t / 64] = value;
        __syncthreads();
        total = part[0] + part[1] + part[2] + part[3];
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = total;
}

int main(int argc, char** argv) {
    take_names(argc, argv);
    const std::size_t count = std::size_t(kSide) * kSide;
    float *a = on_device<float>(count), *b = on_device<float>(count), *c = on_device<float>(count);
    variant("lds_padding", "pitch_64_conflicts", [&] { turn_tile<64><<<304, 256>>>(a, b, 4); });
    variant("lds_padding", "pitch_65", [&] { turn_tile<65><<<304, 256>>>(a, b, 4); });
    variant("lds_tiling", "direct", [&] { multiply_direct<<<dim3(64, 64), dim3(16, 16)>>>(a, b, c); });
    variant("lds_tiling", "tiled", [&] { multiply_tiled<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c); });
    variant("reduction", "lds_tree", [&] { reduce_lds<<<304, 256>>>(a, b); });
    variant("reduction", "shuffle", [&] { reduce_shuffle<<<304, 256>>>(a, b); });
}
