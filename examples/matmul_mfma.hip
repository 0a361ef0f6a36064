// C = A B in half precision on the matrix cores: one wave computes a 16x16 tile of C with
// v_mfma_f32_16x16x16_f16, accumulating in float. Lane l holds four consecutive k of row l%16 of A and of column
// l%16 of B, starting at k = 4*(l/16); it receives rows 4*(l/16)..+3 of column l%16 of C.
#include <hip/hip_fp16.h>

#include "check.h"

typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef float float4_ __attribute__((ext_vector_type(4)));

__global__ void matmul_mfma(const _Float16* a, const _Float16* b, float* c, int n) {
    int lane = threadIdx.x, side = lane % 16, group = lane / 16;
    int row = blockIdx.y * 16, column = blockIdx.x * 16;
    float4_ sum = {0, 0, 0, 0};
    for (int k = 0; k < n; k += 16) {
        half4 left, right;
        for (int i = 0; i < 4; ++i) {
            left[i] = a[(row + side) * n + k + 4 * group + i];
            right[i] = b[(k + 4 * group + i) * n + column + side];
        }
        sum = __builtin_amdgcn_mfma_f32_16x16x16f16(left, right, sum, 0, 0, 0);
    }
    for (int i = 0; i < 4; ++i) c[(row + 4 * group + i) * n + column + side] = sum[i];
}

int main() {
    const int n = 128;
    std::vector<float> a = noise(n * n, 9), b = noise(n * n, 10), want(n * n);
    std::vector<_Float16> ha(n * n), hb(n * n);
    for (int i = 0; i < n * n; ++i) ha[i] = _Float16(a[i]), hb[i] = _Float16(b[i]);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += double(ha[i * n + k]) * double(hb[k * n + j]);
            want[i * n + j] = float(sum);
        }
    _Float16 *da = to_device(ha), *db = to_device(hb);
    float* dc = nullptr;
    HIP_CHECK(hipMalloc(&dc, n * n * sizeof(float)));
    matmul_mfma<<<dim3(n / 16, n / 16), 64>>>(da, db, dc, n);
    HIP_CHECK(hipGetLastError());
    std::vector<float> got = to_host(dc, n * n);
    HIP_CHECK(hipFree(da));
    HIP_CHECK(hipFree(db));
    HIP_CHECK(hipFree(dc));
    // MI200 takes half-precision denormals as zero, which costs up to 6e-5 a product.
    return verdict("matmul_mfma", got, want, 1e-4);
}
