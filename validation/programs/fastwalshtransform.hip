// Fast Walsh transform in place: a copy to the device, then one kernel for each of log2(N) butterfly distances.
#include "harness.h"

__global__ void butterfly(float* data, unsigned step) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned group = thread % step;
    const unsigned first = 2 * step * (thread / step) + group;
    const unsigned second = first + step;
    const float left = data[first], right = data[second];
    data[first] = left + right;
    data[second] = left - right;
}

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    const long n = plain_size(options);
    if (n < 512 || (n & (n - 1))) refuse(options, "a power of two of at least 512");
    float* data = on_device<float>(n);
    std::vector<float> checked = small_numbers(options.check ? n : 0, 13);
    // calloc leaves large arrays untouched; the copy costs the same.
    float* host = options.check ? checked.data() : static_cast<float*>(std::calloc(n, sizeof(float)));
    if (!host) refuse(options, "something that fits in memory");
    time_body("fastwalshtransform", options, [&] {
        HIP_OK(hipMemcpy(data, host, n * sizeof(float), hipMemcpyHostToDevice));
        for (unsigned step = 1; step < n; step *= 2) butterfly<<<n / 2 / 256, 256>>>(data, step);
        HIP_OK(hipDeviceSynchronize());
    });
    if (!options.check) return 0;
    const std::vector<float> got = from_device(data, n);
    for (long step = 1; step < n; step *= 2)
        for (long first = 0; first < n; first += 2 * step)
            for (long i = first; i < first + step; ++i) {
                const float left = checked[i], right = checked[i + step];
                checked[i] = left + right;
                checked[i + step] = left - right;
            }
    expect_equal(got, checked, "data");
}
