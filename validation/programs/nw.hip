// Needleman-Wunsch: a copy of the score matrix to the device, then one kernel for each anti-diagonal of 64x64
// blocks. A block of 64 threads sweeps its tile in LDS along the tile's own anti-diagonals.
#include "harness.h"

constexpr int kTile = 64;

// Block `blockIdx.x` of the diagonal that begins at tile column `first_column`, in tile row `last_row` going up.
__global__ void sweep(const int* reference, int* scores, int pitch, int penalty, int first_column, int first_row) {
    __shared__ int tile[kTile + 1][kTile + 1];
    __shared__ int weights[kTile][kTile];
    const int lane = threadIdx.x;
    const int tile_x = first_column + blockIdx.x, tile_y = first_row - blockIdx.x;
    const int corner = tile_y * kTile * pitch + tile_x * kTile;  // the element above and left of the tile
    const int inside = corner + pitch + 1;

    if (lane == 0) tile[0][0] = scores[corner];
    for (int r = 0; r < kTile; ++r) weights[r][lane] = reference[inside + r * pitch + lane];
    __syncthreads();
    tile[lane + 1][0] = scores[corner + (lane + 1) * pitch];
    __syncthreads();
    tile[0][lane + 1] = scores[corner + lane + 1];
    __syncthreads();

    for (int step = 0; step < kTile; ++step) {
        if (lane <= step) {
            const int x = lane + 1, y = step - lane + 1;
            tile[y][x] = max(tile[y - 1][x - 1] + weights[y - 1][x - 1],
                             max(tile[y][x - 1] - penalty, tile[y - 1][x] - penalty));
        }
        __syncthreads();
    }
    for (int step = kTile - 2; step >= 0; --step) {
        if (lane <= step) {
            const int x = lane + kTile - step, y = kTile - lane;
            tile[y][x] = max(tile[y - 1][x - 1] + weights[y - 1][x - 1],
                             max(tile[y][x - 1] - penalty, tile[y - 1][x] - penalty));
        }
        __syncthreads();
    }
    for (int r = 0; r < kTile; ++r) scores[inside + r * pitch + lane] = tile[r + 1][lane + 1];
}

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    int length = 0;
    if (std::sscanf(options.size.c_str(), "length=%d", &length) != 1 || length <= 0 || length % kTile)
        refuse(options, "length=L, L a multiple of 64");
    const int pitch = length + 1, tiles = length / kTile, penalty = 10;
    const std::size_t count = std::size_t(pitch) * pitch;
    int *reference = on_device<int>(count), *scores = on_device<int>(count);
    int* host = static_cast<int*>(std::calloc(count, sizeof(int)));
    if (!host) refuse(options, "something that fits in memory");
    for (int i = 1; i <= length; ++i) host[i] = host[std::size_t(i) * pitch] = -i * penalty;
    std::vector<int> pairs;
    if (options.check) {
        pairs.resize(count);
        unsigned seed = 16;
        for (int& value : pairs) value = int((seed = seed * 1664525u + 1013904223u) >> 28) - 8;
        to_device(reference, pairs);
    }
    time_body("nw", options, [&] {
        HIP_OK(hipMemcpy(scores, host, count * sizeof(int), hipMemcpyHostToDevice));
        for (int blocks = 1; blocks <= tiles; ++blocks)
            sweep<<<blocks, kTile>>>(reference, scores, pitch, penalty, 0, blocks - 1);
        for (int blocks = tiles - 1; blocks >= 1; --blocks)
            sweep<<<blocks, kTile>>>(reference, scores, pitch, penalty, tiles - blocks, tiles - 1);
    });
    if (!options.check) return 0;
    std::vector<int> want(host, host + count);
    for (int y = 1; y <= length; ++y)
        for (int x = 1; x <= length; ++x) {
            const std::size_t at = std::size_t(y) * pitch + x;
            const int gap = std::max(want[at - 1], want[at - pitch]) - penalty;
            want[at] = std::max(want[at - pitch - 1] + pairs[at], gap);
        }
    expect_equal(from_device(scores, count), want, "scores");
}
