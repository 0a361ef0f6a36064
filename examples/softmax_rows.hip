// Row-wise softmax as one would first write it for a GPU: a workgroup a row, largest value and sum through
// shared-memory atomics, one launch for each batch of rows. The worked example of docs/guide/optimize.md.
#include "check.h"

// Integers in the order of the floating-point numbers whose bits they have, for atomicMax.
__device__ int ordered(float value) {
    int bits = __float_as_int(value);
    return bits < 0 ? bits ^ 0x7fffffff : bits;
}

__global__ void softmax_rows(const float* in, float* out, int columns) {
    __shared__ int largest;
    __shared__ float sum;
    const float* x = in + size_t(blockIdx.x) * columns;
    float* y = out + size_t(blockIdx.x) * columns;
    if (threadIdx.x == 0) {
        largest = ordered(x[0]);
        sum = 0;
    }
    __syncthreads();
    float mine = x[0];
    for (int j = threadIdx.x; j < columns; j += blockDim.x) mine = fmaxf(mine, x[j]);
    atomicMax(&largest, ordered(mine));
    __syncthreads();
    int bits = largest;
    float top = __int_as_float(bits < 0 ? bits ^ 0x7fffffff : bits);
    float part = 0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x) part += expf(x[j] - top);
    atomicAdd(&sum, part);
    __syncthreads();
    for (int j = threadIdx.x; j < columns; j += blockDim.x) y[j] = expf(x[j] - top) / sum;
}

int main() {
    const int batches = 3, rows = 64, columns = 2048;
    const size_t count = size_t(batches) * rows * columns;
    std::vector<float> in = noise(count, 5), want(count);
    for (float& value : in) value *= 8;
    for (size_t start = 0; start < count; start += columns) {
        double sum = 0;
        for (int j = 0; j < columns; ++j) sum += std::exp(double(in[start + j]));
        for (int j = 0; j < columns; ++j) want[start + j] = float(std::exp(double(in[start + j])) / sum);
    }
    float *din = to_device(in), *dout = nullptr;
    HIP_CHECK(hipMalloc(&dout, count * sizeof(float)));
    for (int batch = 0; batch < batches; ++batch) {
        const size_t start = size_t(batch) * rows * columns;
        softmax_rows<<<rows, 64>>>(din + start, dout + start, columns);
        HIP_CHECK(hipGetLastError());
    }
    std::vector<float> got = to_host(dout, count);
    HIP_CHECK(hipFree(din));
    HIP_CHECK(hipFree(dout));
    return verdict("softmax_rows", got, want, 2e-6);
}
