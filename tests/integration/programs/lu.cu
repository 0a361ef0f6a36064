// LU decomposition without pivoting, one launch a column: many small launches, 2D grids, double precision.
#include <hip/hip_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void scale_column(double* a, int n, int k) {
    int i = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i * n + k] /= a[k * n + k];
}

__global__ void update(double* a, int n, int k) {
    int j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x, i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

int main() {
    const int n = 120;
    std::vector<double> a(n * n), lu(n * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) a[i * n + j] = std::sin(i * 13.0 + j * 7.0) + (i == j ? n : 0);
    double* d;
    hipMalloc((void**)&d, n * n * sizeof(double));
    hipMemcpy(d, a.data(), n * n * sizeof(double), hipMemcpyHostToDevice);
    for (int k = 0; k + 1 < n; ++k) {
        int rest = n - k - 1;
        scale_column<<<(rest + 63) / 64, 64>>>(d, n, k);
        update<<<dim3((rest + 15) / 16, (rest + 15) / 16), dim3(16, 16)>>>(d, n, k);
    }
    hipMemcpy(lu.data(), d, n * n * sizeof(double), hipMemcpyDeviceToHost);
    double worst = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k <= std::min(i, j); ++k) sum += (k == i ? 1.0 : lu[i * n + k]) * lu[k * n + j];
            worst = std::fmax(worst, std::fabs(sum - a[i * n + j]));
        }
    printf("worst %g\n%s\n", worst, worst < 1e-11 ? "PASS" : "FAIL");
    hipFree(d);
    return worst < 1e-11 ? 0 : 1;
}
