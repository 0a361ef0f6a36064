// Radix-2 FFT of 1024 complex points a block in LDS, with sincospif twiddles, against a direct transform.
#include <hip/hip_runtime.h>
#include <hip/hip_complex.h>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

template <int N>
__global__ __launch_bounds__(N / 2) void fft(const hipFloatComplex* in, hipFloatComplex* out) {
    __shared__ hipFloatComplex x[N];
    const int bits = __ffs(N) - 1;
    for (int i = threadIdx.x; i < N; i += blockDim.x) x[__brev(i) >> (32 - bits)] = in[blockIdx.x * N + i];
    for (int half = 1; half < N; half *= 2) {
        __syncthreads();
        int k = threadIdx.x % half, at = threadIdx.x / half * half * 2 + k;
        float s, c;
        sincospif(-float(k) / half, &s, &c);
        hipFloatComplex odd = hipCmulf(make_hipFloatComplex(c, s), x[at + half]), even = x[at];
        x[at] = hipCaddf(even, odd);
        x[at + half] = hipCsubf(even, odd);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x) out[blockIdx.x * N + i] = x[i];
}

int main() {
    const int n = 1024, batch = 3;
    std::vector<hipFloatComplex> in(n * batch), got(n * batch);
    for (int i = 0; i < n * batch; ++i) in[i] = make_hipFloatComplex(sinf(i * 0.37f), cosf(i * 0.11f + i % 5));
    hipFloatComplex *a, *b;
    hipMalloc((void**)&a, in.size() * sizeof in[0]);
    hipMalloc((void**)&b, in.size() * sizeof in[0]);
    hipMemcpy(a, in.data(), in.size() * sizeof in[0], hipMemcpyHostToDevice);
    fft<n><<<batch, n / 2>>>(a, b);
    hipMemcpy(got.data(), b, in.size() * sizeof in[0], hipMemcpyDeviceToHost);
    double worst = 0;
    for (int b = 0; b < batch; ++b)
        for (int k = 0; k < n; k += 37) {
            std::complex<double> sum = 0;
            for (int i = 0; i < n; ++i)
                sum += std::complex<double>(hipCrealf(in[b * n + i]), hipCimagf(in[b * n + i])) * std::polar(1.0, -2 * M_PI * k * i / n);
            worst = fmax(worst, std::abs(sum - std::complex<double>(got[b * n + k].x, got[b * n + k].y)));
        }
    printf("worst %g\n%s\n", worst, worst < 1e-3 ? "PASS" : "FAIL");
    hipFree(a);
    hipFree(b);
    return worst < 1e-3 ? 0 : 1;
}
