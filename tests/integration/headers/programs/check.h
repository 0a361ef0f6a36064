// What the programs in this folder share: run a kernel over arrays, compare with the host, count failures.
#pragma once
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#define HIP_CHECK(call)                                                                        \
    do {                                                                                       \
        hipError_t status = (call);                                                            \
        if (status != hipSuccess) {                                                            \
            std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorString(status)); \
            std::exit(2);                                                                      \
        }                                                                                      \
    } while (0)

inline int& failures() {
    static int count = 0;
    return count;
}
// Bits decide, so that NaN equals NaN and -0 differs from 0.
template <class T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T>
void expect_same(const char* what, long index, const T& got, const T& want, const char* file, int line) {
    if (same_bits(got, want)) return;
    if (++failures() <= 20)
        std::printf("%s:%d: %s [%ld]: got %.17g, want %.17g\n", file, line, what, index, (double)got, (double)want);
}
#define EXPECT_SAME(what, index, got, want) expect_same(what, index, got, want, __FILE__, __LINE__)
#define EXPECT(condition)                                                                  \
    do {                                                                                   \
        if (!(condition) && ++failures() <= 20)                                            \
            std::printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);          \
    } while (0)

// An array on the device that starts as a copy of a host vector.
template <class T>
class DeviceArray {
    T* data_ = nullptr;
    size_t size_;

  public:
    explicit DeviceArray(size_t size) : size_(size) {
        HIP_CHECK(hipMalloc(&data_, size * sizeof(T)));
        HIP_CHECK(hipMemset(data_, 0, size * sizeof(T)));
    }
    explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
        HIP_CHECK(hipMemcpy(data_, values.data(), size_ * sizeof(T), hipMemcpyHostToDevice));
    }
    DeviceArray(const DeviceArray&) = delete;
    ~DeviceArray() { (void)hipFree(data_); }
    operator T*() const { return data_; }
    std::vector<T> read() const {
        HIP_CHECK(hipDeviceSynchronize());
        std::vector<T> values(size_);
        HIP_CHECK(hipMemcpy(values.data(), data_, size_ * sizeof(T), hipMemcpyDeviceToHost));
        return values;
    }
};

// f(i) for i < n, one thread each.
template <class F>
__global__ void for_each_kernel(int n, F f) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}
template <class F>
void for_each(int n, F f) {
    for_each_kernel<<<(n + 255) / 256, 256>>>(n, f);
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipDeviceSynchronize());
}

inline int finish() {
    std::printf(failures() ? "%d failures\n" : "PASS\n", failures());
    return failures() != 0;
}
