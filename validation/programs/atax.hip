// y = A^T (A x). Two memsets and two kernels; both add to their result in global memory at every step, so nothing
// here is __restrict__. The first walks rows (uncoalesced), the second columns (coalesced).
#include "harness.h"

__global__ void rows(const float* a, const float* x, float* tmp, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 0; j < n; ++j) tmp[i] += a[i * n + j] * x[j];
}

__global__ void columns(const float* a, float* y, const float* tmp, int n) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n)
        for (int i = 0; i < n; ++i) y[j] += a[i * n + j] * tmp[i];
}

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    const long n = square_size(options, 1);
    float* a = on_device<float>(std::size_t(n) * n);
    float *x = on_device<float>(n), *y = on_device<float>(n), *tmp = on_device<float>(n);
    const std::vector<float> matrix = small_numbers(options.check ? n * n : 0, 11);
    const std::vector<float> vector = small_numbers(n, 12);
    if (options.check) to_device(a, matrix);
    to_device(x, vector);
    const int blocks = int(n + 255) / 256;
    time_body("atax", options, [&] {
        HIP_OK(hipMemset(tmp, 0, n * sizeof(float)));
        HIP_OK(hipMemset(y, 0, n * sizeof(float)));
        rows<<<blocks, 256>>>(a, x, tmp, int(n));
        columns<<<blocks, 256>>>(a, y, tmp, int(n));
    });
    if (options.check) {
        std::vector<float> product(n, 0.0f), want(n, 0.0f);
        for (long i = 0; i < n; ++i)
            for (long j = 0; j < n; ++j) product[i] += matrix[i * n + j] * vector[j];
        for (long i = 0; i < n; ++i)
            for (long j = 0; j < n; ++j) want[j] += matrix[i * n + j] * product[i];
        expect_equal(from_device(y, n), want, "y");
    }
}
