// The standard library in kernels: math overloads, complex numbers, allocation, memory functions, utilities.
#include <algorithm>
#include <array>
#include <complex>
#include <new>
#include <tuple>
#include <utility>

#include "check.h"

#define NEAR(got, want) EXPECT(std::fabs((double)(got) - (double)(want)) <= 1e-5 * std::fmax(1.0, std::fabs((double)(want))))

// Called the same way on both sides: each must find its own overload.
__host__ __device__ inline void overloads(float f, double d, int i, double* out) {
    int k = 0;
    out[k++] = std::sin(f) + sin(f) + sinf(f) + std::sin(d) + sin(d) + std::sin(i);
    out[k++] = std::pow(f, 2) + std::pow(f, 2.0f) + pow(f, 2.5) + std::pow(i, 2) + powf(f, 3.0f) + pow(d, i);
    out[k++] = std::abs(f) + std::abs(-i) + fabs(d) + std::fabs(f) + fabsf(-f) + std::abs(-3L) + abs(-i);
    out[k++] = std::max(f, 2.0f) + std::min(i, 3) + fmax(f, d) + std::fmin(f, 2.0) + fmaxf(f, 1.0f);
    out[k++] = std::sqrt(f) + sqrt(d) + std::sqrt(i) + cbrt(d) + std::hypot(f, 2.0f) + hypot(d, 1.0);
    out[k++] = std::exp(f) + exp2(f) + log(d + 2) + std::log2(f + 2) + log10(f + 1) + std::log1p(f) + expm1(d);
    out[k++] = std::floor(f) + ceil(d) + std::round(f) + trunc(d) + rint(f) + std::nearbyint(d) + lround(d) + llrint(f);
    out[k++] = std::atan2(f, d) + atan(f) + std::asin(f / 4) + acos(d / 4) + std::tan(f) + tanh(d) + sinh(f) + std::cosh(d);
    out[k++] = std::isnan(f) + isinf(d) + std::isfinite(f) + signbit(-d) + std::isnormal(d);
    out[k++] = erf(f) + erfc(d) + std::tgamma(d + 1) + lgamma(f + 1) + fma(d, 2.0, 1.0) + std::fma(f, 2.0f, 1.0f);
    int exponent;
    out[k++] = std::frexp(d, &exponent) + exponent + ldexp(f, 3) + std::fmod(d, 0.3) + remainder(f, 0.7f);
    double whole;
    out[k++] = std::modf(d + 3, &whole) + whole + std::copysign(f, -1.0f) + nextafter(d, 10.0) + fdim(d, 0.1);
}
constexpr int kOverloads = 12;

__host__ __device__ inline std::complex<double> complex_work(std::complex<double> a, std::complex<float> b) {
    a *= std::complex<double>(1.5, -0.5);
    a = a / std::complex<double>(0.25, 2.0) + std::conj(a) * 2.0;
    b = b * b + std::complex<float>(0, 1);
    return a + std::complex<double>(b.real(), b.imag()) + std::exp(a * 0.1) + std::sqrt(a) + std::abs(a) + std::polar(1.0, 0.5) +
           std::norm(a) + std::arg(a);
}

struct Node {
    int value;
    Node* next;
    __device__ explicit Node(int v) : value(v), next(nullptr) {}
};
__global__ void heap(int* out) {
    const int i = threadIdx.x;
    Node* list = nullptr;
    for (int k = 0; k < 5; ++k) {
        Node* node = new Node(i + k);
        node->next = list;
        list = node;
    }
    int sum = 0;
    while (list) {
        sum += list->value;
        Node* next = list->next;
        delete list;
        list = next;
    }
    int* array = new int[10];
    int* copy = (int*)malloc(10 * sizeof(int));
    for (int k = 0; k < 10; ++k) array[k] = k * i;
    memcpy(copy, array, 10 * sizeof(int));
    memset(array, 0xff, 10 * sizeof(int));
    sum += copy[9] + array[3] + (memcmp(array, copy, sizeof(int)) != 0 ? 0 : 1000000);
    delete[] array;
    free(copy);
    alignas(Node) char place[sizeof(Node)];
    Node* placed = new (place) Node(1000);
    out[i] = sum + placed->value;
}

__global__ void utilities(int* out) {
    std::array<int, 4> values = {4, 2, 3, 1};
    std::pair<int, float> pair(3, 0.5f);
    auto tuple = std::make_tuple(1, 2.5f, 'c');
    out[0] = values[0] + values[3] + (int)values.size();
    out[1] = pair.first + (int)(pair.second * 4) + std::get<0>(tuple) + (int)std::get<1>(tuple);
    out[2] = std::numeric_limits<short>::max() + std::min({5, 3, 9});
    const char* text = "hello";
    char buffer[8];
    strcpy(buffer, text);
    out[3] = (int)strlen(buffer) + (strcmp(buffer, "hello") == 0 ? 10 : 0);
    assert(out[3] == 15);
    // A value is printed by one thread, in one piece.
    if (threadIdx.x == 0) printf("printed %d %5.2f %s %c %llu %x\n", 42, 2.5, "text", 'z', 1ull << 40, 255);
}

int main() {
    const int n = 256;
    DeviceArray<double> out(n * kOverloads);
    DeviceArray<std::complex<double>> complex_out(n);
    double* po = out;
    std::complex<double>* pc = complex_out;
    for_each(n, [=] __device__(int i) {
        overloads(0.25f + i * 0.0078125f, 0.125 + i * 0.00390625, i % 7 + 1, po + i * kOverloads);
        pc[i] = complex_work(std::complex<double>(i, 1), std::complex<float>(0.5f, (float)i));
    });
    const std::vector<double> got = out.read();
    const std::vector<std::complex<double>> got_complex = complex_out.read();
    for (int i = 0; i < n; ++i) {
        double want[kOverloads];
        overloads(0.25f + i * 0.0078125f, 0.125 + i * 0.00390625, i % 7 + 1, want);
        for (int k = 0; k < kOverloads; ++k) NEAR(got[i * kOverloads + k], want[k]);
        const std::complex<double> c = complex_work(std::complex<double>(i, 1), std::complex<float>(0.5f, (float)i));
        NEAR(got_complex[i].real(), c.real());
        NEAR(got_complex[i].imag(), c.imag());
    }

    DeviceArray<int> sums(64), some(4);
    heap<<<1, 64>>>(sums);
    const std::vector<int> got_sums = sums.read();
    for (int i = 0; i < 64; ++i) EXPECT(got_sums[i] == 5 * i + 10 + 9 * i - 1 + 1000);
    utilities<<<1, 32>>>(some);
    const std::vector<int> got_some = some.read();
    EXPECT(got_some[0] == 9 && got_some[1] == 8 && got_some[2] == 32770 && got_some[3] == 15);
    return finish();
}
