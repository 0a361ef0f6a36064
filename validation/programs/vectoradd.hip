// a[i] = b[i] + c[i], one thread an element.
#include "harness.h"

__global__ void vector_add(float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i] + c[i];
}

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    const long n = plain_size(options);
    float *a = on_device<float>(n), *b = on_device<float>(n), *c = on_device<float>(n);
    std::vector<float> left, right;
    if (options.check) {
        left = small_numbers(n, 1);
        right = small_numbers(n, 2);
        to_device(b, left);
        to_device(c, right);
    }
    time_body("vectoradd", options, [&] { vector_add<<<(n + 255) / 256, 256>>>(a, b, c, int(n)); });
    if (options.check) {
        for (long i = 0; i < n; ++i) left[i] += right[i];
        expect_equal(from_device(a, n), left, "a");
    }
}
