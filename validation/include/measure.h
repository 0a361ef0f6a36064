// What the programs of this folder share: error checks, device arrays and time between two events.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define HIP_OK(call)                                                                                        \
    do {                                                                                                    \
        const hipError_t status_ = (call);                                                                  \
        if (status_ != hipSuccess) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorString(status_)); \
            std::exit(1);                                                                                   \
        }                                                                                                   \
    } while (0)

template <class T>
T* on_device(std::size_t count) {
    void* pointer = nullptr;
    HIP_OK(hipMalloc(&pointer, count * sizeof(T)));
    return static_cast<T*>(pointer);
}

// Average milliseconds between an event before and one after the body, for `repeats` bodies after one warm-up.
// The virtual clock repeats exactly: more repeats only matter on hardware.
template <class Body>
double event_ms(Body body, int repeats = 2) {
    hipEvent_t start, stop;
    HIP_OK(hipEventCreate(&start));
    HIP_OK(hipEventCreate(&stop));
    body();
    HIP_OK(hipDeviceSynchronize());
    double total = 0;
    for (int i = 0; i < repeats; ++i) {
        HIP_OK(hipEventRecord(start, nullptr));
        body();
        HIP_OK(hipEventRecord(stop, nullptr));
        HIP_OK(hipEventSynchronize(stop));
        float ms = 0;
        HIP_OK(hipEventElapsedTime(&ms, start, stop));
        total += ms;
    }
    HIP_OK(hipGetLastError());
    HIP_OK(hipEventDestroy(start));
    HIP_OK(hipEventDestroy(stop));
    return total / repeats;
}

// Names given on the command line; none means all.
inline int named_count = 0;
inline char** named = nullptr;
inline void take_names(int argc, char** argv) {
    named_count = argc - 1;
    named = argv + 1;
}
inline bool wanted(const char* name) {
    for (int i = 0; i < named_count; ++i)
        if (std::strcmp(named[i], name) == 0) return true;
    return named_count == 0;
}
