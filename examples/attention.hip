// Single-head attention, out = softmax(Q K^T / sqrt(d)) V, one wave of 64 lanes a query. Scores of a query are
// kept in LDS; the maximum and the sum are reduced across the wave with shuffles.
#include "check.h"

constexpr int kHead = 64;  // columns of Q, K, V: one lane each

__global__ void attention(const float* q, const float* k, const float* v, float* out, int tokens) {
    extern __shared__ float scores[];
    int query = blockIdx.x, lane = threadIdx.x;
    __shared__ float row[kHead];
    row[lane] = q[query * kHead + lane] * rsqrtf(float(kHead));
    __syncthreads();

    float largest = -INFINITY;
    for (int key = lane; key < tokens; key += warpSize) {
        float dot = 0;
        for (int d = 0; d < kHead; ++d) dot += row[d] * k[key * kHead + d];
        scores[key] = dot;
        largest = fmaxf(largest, dot);
    }
    for (int step = warpSize / 2; step > 0; step /= 2) largest = fmaxf(largest, __shfl_xor(largest, step));
    float sum = 0;
    for (int key = lane; key < tokens; key += warpSize) {
        scores[key] = __expf(scores[key] - largest);
        sum += scores[key];
    }
    for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_xor(sum, step);
    __syncthreads();

    float result = 0;
    for (int key = 0; key < tokens; ++key) result += scores[key] * v[key * kHead + lane];
    out[query * kHead + lane] = result / sum;
}

int main() {
    const int tokens = 256;
    const size_t size = size_t(tokens) * kHead;
    std::vector<float> q = noise(size, 4), k = noise(size, 5), v = noise(size, 6), want(size);
    for (int i = 0; i < tokens; ++i) {
        std::vector<double> weight(tokens);
        double sum = 0;
        for (int j = 0; j < tokens; ++j) {
            double dot = 0;
            for (int d = 0; d < kHead; ++d) dot += double(q[i * kHead + d]) * k[j * kHead + d];
            sum += weight[j] = std::exp(dot / std::sqrt(double(kHead)));
        }
        for (int d = 0; d < kHead; ++d) {
            double result = 0;
            for (int j = 0; j < tokens; ++j) result += weight[j] * v[j * kHead + d];
            want[i * kHead + d] = float(result / sum);
        }
    }
    float *dq = to_device(q), *dk = to_device(k), *dv = to_device(v), *dout = nullptr;
    HIP_CHECK(hipMalloc(&dout, size * sizeof(float)));
    attention<<<tokens, kHead, tokens * sizeof(float)>>>(dq, dk, dv, dout, tokens);
    HIP_CHECK(hipGetLastError());
    std::vector<float> got = to_host(dout, size);
    for (float* buffer : {dq, dk, dv, dout}) HIP_CHECK(hipFree(buffer));
    return verdict("attention", got, want, 1e-5);
}
