// The program of `rocm-perf demo`. Two streams: one computes the norm of every row of a matrix, the other smooths a
// signal; the last kernel needs both. The norms take longest and are on the critical path, the smoothing is not.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HIP_CHECK(call)                                                                               \
    do {                                                                                              \
        const hipError_t status_ = (call);                                                            \
        if (status_ != hipSuccess) {                                                                  \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(status_));      \
            std::exit(1);                                                                             \
        }                                                                                             \
    } while (0)

// A thread for each row. The matrix lies column by column, so that neighbours read neighbours; every step waits for
// its load.
__global__ void row_norms(const float* matrix, float* norms, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int column = 0; column < columns; ++column) {
        const float value = matrix[column * rows + row];
        sum += value * value;
    }
    norms[row] = sqrtf(sum);
}

__global__ void smooth(const float* in, float* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float left = in[i > 0 ? i - 1 : 0], right = in[i < count - 1 ? i + 1 : i];
    out[i] = 0.25f * left + 0.5f * in[i] + 0.25f * right;
}

__global__ void scale(const float* signal, const float* norms, float* out, int count, int rows) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = signal[i] * norms[i % rows];
}

int main() {
    const int rows = 8192, columns = 256, count = 1 << 18, block = 256;
    std::vector<float> matrix(size_t(rows) * columns), signal(count), result(count);
    for (size_t i = 0; i < matrix.size(); ++i) matrix[i] = float(i % 97) / 97 - 0.5f;
    for (int i = 0; i < count; ++i) signal[i] = float(i % 31) - 15;

    float *d_matrix, *d_norms, *d_signal, *d_smooth, *d_result;
    HIP_CHECK(hipMalloc(&d_matrix, matrix.size() * sizeof(float)));
    HIP_CHECK(hipMalloc(&d_norms, rows * sizeof(float)));
    HIP_CHECK(hipMalloc(&d_signal, count * sizeof(float)));
    HIP_CHECK(hipMalloc(&d_smooth, count * sizeof(float)));
    HIP_CHECK(hipMalloc(&d_result, count * sizeof(float)));
    HIP_CHECK(hipMemcpy(d_matrix, matrix.data(), matrix.size() * sizeof(float), hipMemcpyHostToDevice));
    HIP_CHECK(hipMemcpy(d_signal, signal.data(), count * sizeof(float), hipMemcpyHostToDevice));

    hipStream_t first, second;
    hipEvent_t smoothed;
    HIP_CHECK(hipStreamCreate(&first));
    HIP_CHECK(hipStreamCreate(&second));
    HIP_CHECK(hipEventCreate(&smoothed));
    smooth<<<count / block, block, 0, second>>>(d_signal, d_smooth, count);
    HIP_CHECK(hipEventRecord(smoothed, second));
    row_norms<<<rows / block, block, 0, first>>>(d_matrix, d_norms, rows, columns);
    HIP_CHECK(hipStreamWaitEvent(first, smoothed, 0));
    scale<<<count / block, block, 0, first>>>(d_smooth, d_norms, d_result, count, rows);
    HIP_CHECK(hipStreamSynchronize(first));
    HIP_CHECK(hipMemcpy(result.data(), d_result, count * sizeof(float), hipMemcpyDeviceToHost));

    double worst = 0;
    for (int i = 0; i < 64; ++i) {  // a sample: the host is slow
        double sum = 0;
        for (int column = 0; column < columns; ++column) sum += std::pow(matrix[size_t(column) * rows + i], 2);
        const double left = signal[i > 0 ? i - 1 : 0], right = signal[i + 1];
        const double want = (0.25 * left + 0.5 * signal[i] + 0.25 * right) * std::sqrt(sum);
        worst = std::fmax(worst, std::fabs(result[i] - want) / std::fmax(1.0, std::fabs(want)));
    }
    for (float* memory : {d_matrix, d_norms, d_signal, d_smooth, d_result}) HIP_CHECK(hipFree(memory));
    HIP_CHECK(hipEventDestroy(smoothed));
    HIP_CHECK(hipStreamDestroy(first));
    HIP_CHECK(hipStreamDestroy(second));
    std::printf("two streams: %s (worst error %.1e)\n", worst < 1e-5 ? "right" : "WRONG", worst);
    return worst < 1e-5 ? 0 : 1;
}
