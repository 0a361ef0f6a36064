// Option prices in float and double with the cumulative normal distribution by erf, log, exp and sqrt.
#include <hip/hip_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

template <typename T>
__host__ __device__ T normal_cdf(T x) { return T(0.5) * (T(1) + erf(x * T(0.70710678118654752440))); }

template <typename T>
__host__ __device__ T call_price(T spot, T strike, T years, T rate, T volatility) {
    T d1 = (log(spot / strike) + (rate + volatility * volatility / T(2)) * years) / (volatility * sqrt(years));
    T d2 = d1 - volatility * sqrt(years);
    return spot * normal_cdf(d1) - strike * exp(-rate * years) * normal_cdf(d2);
}

template <typename T>
__global__ void price(const T* spot, const T* strike, const T* years, T* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = call_price<T>(spot[i], strike[i], years[i], T(0.03), T(0.25));
}

template <typename T>
double worst_error(int n) {
    std::vector<T> data[3], got(n);
    T* device[4];
    for (int k = 0; k < 3; ++k) {
        data[k].resize(n);
        for (int i = 0; i < n; ++i) data[k][i] = T((k == 2 ? 0.25 : 20) + (i * (k + 3) * 37 % 1000) * (k == 2 ? 0.004 : 0.08));
        hipMalloc(&device[k], n * sizeof(T));
        hipMemcpy(device[k], data[k].data(), n * sizeof(T), hipMemcpyHostToDevice);
    }
    hipMalloc(&device[3], n * sizeof(T));
    price<T><<<(n + 255) / 256, 256>>>(device[0], device[1], device[2], device[3], n);
    hipMemcpy(got.data(), device[3], n * sizeof(T), hipMemcpyDeviceToHost);
    double worst = 0;
    for (int i = 0; i < n; ++i) {
        double want = call_price<double>(data[0][i], data[1][i], data[2][i], 0.03, 0.25);
        worst = std::fmax(worst, std::fabs(want - got[i]) / 100);
    }
    for (T* p : device) hipFree(p);
    return worst;
}

int main() {
    double single = worst_error<float>(5000), twice = worst_error<double>(5000);
    printf("float %g double %g\n", single, twice);
    bool ok = single < 1e-6 && twice < 1e-14;
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
