// Bilateral-like filter on uchar4 pixels with a lambda, structs by value, 2D blocks, hipMemcpy2D and pitched memory.
#include <hip/hip_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Parameters {
    int width, height, radius;
    float inverse_sigma;
};

template <typename Fetch>
__host__ __device__ uchar4 filter_pixel(Parameters p, int x, int y, Fetch fetch) {
    uchar4 centre = fetch(x, y);
    float sum = 0, r = 0, g = 0, b = 0;
    for (int dy = -p.radius; dy <= p.radius; ++dy)
        for (int dx = -p.radius; dx <= p.radius; ++dx) {
            int px = x + dx < 0 ? 0 : x + dx >= p.width ? p.width - 1 : x + dx;
            int py = y + dy < 0 ? 0 : y + dy >= p.height ? p.height - 1 : y + dy;
            uchar4 q = fetch(px, py);
            float d = fabsf(float(q.x) - centre.x) + fabsf(float(q.y) - centre.y) + fabsf(float(q.z) - centre.z);
            float w = expf(-d * p.inverse_sigma - 0.1f * (dx * dx + dy * dy));
            sum += w, r += w * q.x, g += w * q.y, b += w * q.z;
        }
    return make_uchar4((unsigned char)(r / sum + 0.5f), (unsigned char)(g / sum + 0.5f), (unsigned char)(b / sum + 0.5f), 255);
}

__global__ void filter(Parameters p, const char* in, size_t pitch_in, char* out, size_t pitch_out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= p.width || y >= p.height) return;
    auto fetch = [=](int px, int py) { return ((const uchar4*)(in + py * pitch_in))[px]; };
    ((uchar4*)(out + y * pitch_out))[x] = filter_pixel(p, x, y, fetch);
}

int main() {
    const Parameters p = {121, 77, 3, 1.0f / 40};
    std::vector<uchar4> image(p.width * p.height), got(image.size());
    for (size_t i = 0; i < image.size(); ++i) image[i] = make_uchar4(i * 31 % 256, i / p.width * 3 % 256, i * i % 251, 0);
    void *in, *out;
    size_t pitch_in, pitch_out, row = p.width * sizeof(uchar4);
    hipMallocPitch(&in, &pitch_in, row, p.height);
    hipMallocPitch(&out, &pitch_out, row, p.height);
    hipMemcpy2D(in, pitch_in, image.data(), row, row, p.height, hipMemcpyHostToDevice);
    dim3 block(32, 8), grid((p.width + 31) / 32, (p.height + 7) / 8);
    filter<<<grid, block>>>(p, (const char*)in, pitch_in, (char*)out, pitch_out);
    hipMemcpy2D(got.data(), row, out, pitch_out, row, p.height, hipMemcpyDeviceToHost);
    int worst = pitch_in >= row && pitch_in % 4 == 0 ? 0 : 1000;
    for (int y = 0; y < p.height; ++y)
        for (int x = 0; x < p.width; ++x) {
            uchar4 want = filter_pixel(p, x, y, [&](int px, int py) { return image[py * p.width + px]; });
            uchar4 g = got[y * p.width + x];
            worst = std::max({worst, abs(g.x - want.x), abs(g.y - want.y), abs(g.z - want.z)});
        }
    printf("worst %d\n%s\n", worst, worst <= 1 ? "PASS" : "FAIL");
    hipFree(in);
    hipFree(out);
    return worst <= 1 ? 0 : 1;
}
