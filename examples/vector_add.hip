// c = a + b, one thread an element: the smallest complete HIP program.
#include "check.h"

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main() {
    const int n = 1'000'003;  // not a multiple of the block: the last block is partly idle
    std::vector<float> a = noise(n, 1), b = noise(n, 2), want(n);
    for (int i = 0; i < n; ++i) want[i] = a[i] + b[i];

    float *da = to_device(a), *db = to_device(b), *dc = nullptr;
    HIP_CHECK(hipMalloc(&dc, n * sizeof(float)));
    vector_add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
    HIP_CHECK(hipGetLastError());
    std::vector<float> got = to_host(dc, n);
    HIP_CHECK(hipFree(da));
    HIP_CHECK(hipFree(db));
    HIP_CHECK(hipFree(dc));
    return verdict("vector_add", got, want, 0);
}
