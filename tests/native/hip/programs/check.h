// Checks of the test programs: a failed one is printed with its place, and the program ends with 1.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

inline int failures = 0;

inline void report(const char* file, int line, const char* what) {
    std::printf("%s:%d: %s\n", file, line, what);
    ++failures;
}

#define CHECK(condition) \
    do { \
        if (!(condition)) report(__FILE__, __LINE__, #condition); \
    } while (0)

// The call gives this error code, and nothing else.
#define GIVES(expected, call) \
    do { \
        hipError_t got_ = (call); \
        if (got_ != (expected)) { \
            char text_[512]; \
            std::snprintf(text_, sizeof text_, "%s gives %s, not %s", #call, hipGetErrorName(got_), #expected); \
            report(__FILE__, __LINE__, text_); \
        } \
    } while (0)
#define OK(call) GIVES(hipSuccess, call)

inline int finish() {
    if (failures == 0) std::printf("all checks passed\n");
    return failures != 0;
}
