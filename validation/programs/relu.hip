// out[i] = max(in[i], 0), one thread an element.
#include "harness.h"

__global__ void relu(const float* __restrict__ in, float* __restrict__ out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] > 0.0f ? in[i] : 0.0f;
}

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    const long n = plain_size(options);
    float *in = on_device<float>(n), *out = on_device<float>(n);
    std::vector<float> values;
    if (options.check) {
        values = small_numbers(n, 3);
        to_device(in, values);
    }
    time_body("relu", options, [&] { relu<<<(n + 255) / 256, 256>>>(in, out, int(n)); });
    if (options.check) {
        for (float& value : values) value = value > 0 ? value : 0;
        expect_equal(from_device(out, n), values, "out");
    }
}
