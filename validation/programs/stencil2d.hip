// One step of a 9-point stencil. A block of (1, 64) threads computes 16 rows of 64 columns from an LDS tile of
// 18 x 66 floats. The matrix has a halo of one element and rows padded to a multiple of 16 floats.
#include "harness.h"

constexpr int kRows = 16, kColumns = 64;

__global__ void stencil(const float* in, float* out, int pitch, float center, float cardinal, float diagonal) {
    __shared__ float tile[kRows + 2][kColumns + 2];
    const int lane = threadIdx.y;
    const int first_row = blockIdx.x * kRows;  // of the halo
    const int column = blockIdx.y * kColumns + lane + 1;

    for (int r = 0; r < kRows + 2; ++r) tile[r][lane + 1] = in[(first_row + r) * pitch + column];
    if (lane == 0)
        for (int r = 0; r < kRows + 2; ++r) tile[r][0] = in[(first_row + r) * pitch + column - 1];
    else if (lane == kColumns - 1)
        for (int r = 0; r < kRows + 2; ++r) tile[r][kColumns + 1] = in[(first_row + r) * pitch + column + 1];
    __syncthreads();

    for (int r = 1; r <= kRows; ++r) {
        const int c = lane + 1;
        const float cross = tile[r - 1][c] + tile[r + 1][c] + tile[r][c - 1] + tile[r][c + 1];
        const float corners = tile[r - 1][c - 1] + tile[r - 1][c + 1] + tile[r + 1][c - 1] + tile[r + 1][c + 1];
        out[(first_row + r) * pitch + column] = center * tile[r][c] + cardinal * cross + diagonal * corners;
    }
}

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    const long n = square_size(options, 64);
    const long pitch = (n + 2 + 15) / 16 * 16;
    const std::size_t count = std::size_t(n + 2) * pitch;
    float *in = on_device<float>(count), *out = on_device<float>(count);
    const std::vector<float> values = small_numbers(options.check ? count : 0, 10);
    if (options.check) to_device(in, values);
    const dim3 grid(n / kRows, n / kColumns), block(1, kColumns);
    const float center = 0.25f, cardinal = 0.5f, diagonal = 2.0f;
    time_body("stencil2d", options, [&] { stencil<<<grid, block>>>(in, out, int(pitch), center, cardinal, diagonal); });
    if (!options.check) return 0;
    const std::vector<float> got = from_device(out, count);
    for (long r = 1; r <= n; ++r)
        for (long c = 1; c <= n; ++c) {
            const float* at = &values[r * pitch + c];
            const float want = center * at[0] + cardinal * (at[-pitch] + at[pitch] + at[-1] + at[1]) +
                               diagonal * (at[-pitch - 1] + at[-pitch + 1] + at[pitch - 1] + at[pitch + 1]);
            if (got[r * pitch + c] != want) {
                std::fprintf(stderr, "out[%ld][%ld] is %g, expected %g\n", r, c, got[r * pitch + c], want);
                return 1;
            }
        }
}
