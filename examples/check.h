// Shared by the examples: stop on a HIP error, compare with a reference, report.
#pragma once

#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HIP_CHECK(call)                                                                             \
    do {                                                                                            \
        hipError_t status_ = (call);                                                                \
        if (status_ != hipSuccess) {                                                                \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorString(status_)); \
            std::exit(1);                                                                           \
        }                                                                                           \
    } while (0)

template <typename T>
T* to_device(const std::vector<T>& host) {
    T* device = nullptr;
    HIP_CHECK(hipMalloc(&device, host.size() * sizeof(T)));
    HIP_CHECK(hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice));
    return device;
}

template <typename T>
std::vector<T> to_host(const T* device, size_t count) {
    std::vector<T> host(count);
    HIP_CHECK(hipMemcpy(host.data(), device, count * sizeof(T), hipMemcpyDeviceToHost));
    return host;
}

// A repeatable sequence in [-1, 1).
inline std::vector<float> noise(size_t count, unsigned seed) {
    std::vector<float> values(count);
    unsigned state = seed * 2654435761u + 1;
    for (float& value : values) {
        state = state * 1664525u + 1013904223u;
        value = float(int(state)) / 2147483648.0f;
    }
    return values;
}

// Ends the program: exit code 0 when every value is within the tolerance (relative above 1, absolute below).
template <typename T>
int verdict(const char* name, const std::vector<T>& got, const std::vector<T>& want, double tolerance) {
    double worst = 0;
    size_t where = 0;
    for (size_t i = 0; i < want.size(); ++i) {
        double scale = std::fmax(1.0, std::fabs(double(want[i])));
        double error = std::fabs(double(got[i]) - double(want[i])) / scale;
        if (!(error <= worst)) worst = error, where = i;  // also catches NaN
    }
    bool pass = worst <= tolerance;
    std::printf("%-12s %s  (%zu values, worst error %.2e at %zu, allowed %.0e)\n", name, pass ? "PASS" : "FAIL",
                want.size(), worst, where, tolerance);
    return pass ? 0 : 1;
}
