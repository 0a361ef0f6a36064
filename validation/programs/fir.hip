// Finite impulse response filter: a thread an output, `taps` products each; what came before the input is in a
// history array.
#include "harness.h"

__global__ void fir(float* output, const float* coeff, const float* input, const float* history, unsigned taps) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (unsigned tap = 0; tap < taps; ++tap) {
        if (i >= tap)
            sum += coeff[tap] * input[i - tap];
        else
            sum += coeff[tap] * history[taps - (tap - i)];
    }
    output[i] = sum;
}

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    long n = 0;
    unsigned taps = 0;
    if (std::sscanf(options.size.c_str(), "%ld_taps%u", &n, &taps) != 2 || n % 256 || !taps) refuse(options, "N_tapsT");
    float *output = on_device<float>(n), *coeff = on_device<float>(taps);
    float *input = on_device<float>(n), *history = on_device<float>(taps);
    const std::vector<float> signal = small_numbers(n, 7), weights = small_numbers(taps, 8),
                             past = small_numbers(taps, 9);
    to_device(input, signal);
    to_device(coeff, weights);
    to_device(history, past);
    time_body("fir", options, [&] { fir<<<n / 256, 256>>>(output, coeff, input, history, taps); });
    if (options.check) {
        std::vector<float> want(n, 0.0f);
        for (long i = 0; i < n; ++i)
            for (long tap = 0; tap < taps; ++tap)
                want[i] += weights[tap] * (i >= tap ? signal[i - tap] : past[taps - (tap - i)]);
        expect_equal(from_device(output, n), want, "output");
    }
}
