// Row-wise softmax as one would first write it: one thread a row, three passes over it. Uncoalesced and
// latency-bound on purpose; it is the worked example for finding and fixing that.
#include "check.h"

__global__ void softmax(const float* in, float* out, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* x = in + size_t(row) * columns;
    float* y = out + size_t(row) * columns;
    float largest = x[0];
    for (int j = 1; j < columns; ++j) largest = fmaxf(largest, x[j]);
    float sum = 0;
    for (int j = 0; j < columns; ++j) sum += expf(x[j] - largest);
    for (int j = 0; j < columns; ++j) y[j] = expf(x[j] - largest) / sum;
}

int main() {
    const int rows = 1024, columns = 256;
    std::vector<float> in = noise(size_t(rows) * columns, 3), want(in.size());
    for (float& value : in) value *= 8;
    for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int j = 0; j < columns; ++j) sum += std::exp(double(in[r * columns + j]));
        for (int j = 0; j < columns; ++j) want[r * columns + j] = float(std::exp(double(in[r * columns + j])) / sum);
    }
    float *din = to_device(in), *dout = nullptr;
    HIP_CHECK(hipMalloc(&dout, in.size() * sizeof(float)));
    softmax<<<(rows + 127) / 128, 128>>>(din, dout, rows, columns);
    HIP_CHECK(hipGetLastError());
    std::vector<float> got = to_host(dout, in.size());
    HIP_CHECK(hipFree(din));
    HIP_CHECK(hipFree(dout));
    return verdict("softmax", got, want, 2e-6);
}
