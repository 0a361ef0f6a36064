// The loops of functional_speed.hip on one core of the host: prints nanoseconds of wall time.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

__attribute__((noinline)) void elementwise(const float* a, const float* b, float* c, int n) {
    for (int i = 0; i < n; ++i) c[i] = a[i] * b[i] + 1.0f;
}

__attribute__((noinline)) void matmul(const float* a, const float* b, float* c, int n) {
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
            c[row * n + column] = sum;
        }
}

int main(int argc, char** argv) {
    bool is_matmul = argc > 1 && !std::strcmp(argv[1], "matmul");
    const int n = is_matmul ? 512 : 1 << 24;
    const size_t count = is_matmul ? size_t(n) * n : n;
    std::vector<float> a(count), b(count), c(count);
    for (size_t i = 0; i < count; ++i) a[i] = b[i] = float(i % 1000) / 1000;
    for (int run = 0; run < 3; ++run) {
        auto begin = std::chrono::steady_clock::now();
        is_matmul ? matmul(a.data(), b.data(), c.data(), n) : elementwise(a.data(), b.data(), c.data(), n);
        auto end = std::chrono::steady_clock::now();
        std::printf("%lld\n", (long long)std::chrono::nanoseconds(end - begin).count());
        std::fprintf(stderr, "%g\n", c[count / 2]);
    }
}
