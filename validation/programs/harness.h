// What every program of this folder shares: its command line, its clock and its one line of output.
//
//   PROGRAM SIZE [--repeats K] [--check]
//
// SIZE is written as in the problem_size column of the measured table. A run prints one JSON line
// {"program": ..., "size": ..., "avg_ms": ...}. Without --check the arrays are left as allocated wherever their
// values cannot change the time, so that sizes close to the host's memory can be timed.
#pragma once

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "../include/measure.h"

struct Options {
    std::string size;
    int repeats = 2;  // the virtual clock repeats exactly: more only matter on hardware
    bool check = false;
};

inline Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--check")
            options.check = true;
        else if (word == "--repeats" && i + 1 < argc)
            options.repeats = std::atoi(argv[++i]);
        else if (options.size.empty() && word[0] != '-')
            options.size = word;
        else
            options.size = "", i = argc;
    }
    if (options.size.empty() || options.repeats < 1) {
        std::fprintf(stderr, "usage: %s SIZE [--repeats K] [--check]\n", argv[0]);
        std::exit(2);
    }
    return options;
}

[[noreturn]] inline void refuse(const Options& options, const char* expected) {
    std::fprintf(stderr, "size %s is not of the form %s\n", options.size.c_str(), expected);
    std::exit(2);
}

// The first number of "NxN" or "NxNxN"; all of them must be equal and `multiple` must divide them.
inline long square_size(const Options& options, long multiple) {
    char* end = nullptr;
    const long n = std::strtol(options.size.c_str(), &end, 10);
    bool good = n > 0 && n % multiple == 0 && *end == 'x';
    while (good && *end == 'x') good = std::strtol(end + 1, &end, 10) == n;
    if (!good || *end) refuse(options, "NxN");
    return n;
}

inline long plain_size(const Options& options) {
    char* end = nullptr;
    const long n = std::strtol(options.size.c_str(), &end, 10);
    if (n <= 0 || *end) refuse(options, "N");
    return n;
}

template <class T>
void to_device(T* device, const std::vector<T>& host) {
    HIP_OK(hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice));
}

template <class T>
std::vector<T> from_device(const T* device, std::size_t count) {
    std::vector<T> host(count);
    HIP_OK(hipMemcpy(host.data(), device, count * sizeof(T), hipMemcpyDeviceToHost));
    return host;
}

// Small whole numbers, so that single precision sums are exact in any order.
inline std::vector<float> small_numbers(std::size_t count, unsigned seed) {
    std::vector<float> values(count);
    for (float& value : values) {
        seed = seed * 1664525u + 1013904223u;
        value = static_cast<float>(static_cast<int>(seed >> 28) - 8);
    }
    return values;
}

template <class T>
void expect_equal(const std::vector<T>& got, const std::vector<T>& want, const char* what) {
    for (std::size_t i = 0; i < want.size(); ++i)
        if (got[i] != want[i]) {
            std::fprintf(stderr, "%s[%zu] is %g, expected %g\n", what, i, double(got[i]), double(want[i]));
            std::exit(1);
        }
}

// One warm-up, then the average of events around each repeat.
template <class Body>
void time_body(const char* program, const Options& options, Body body) {
    const double ms = event_ms(body, options.repeats);
    std::printf("{\"program\": \"%s\", \"size\": \"%s\", \"avg_ms\": %.6f}\n", program, options.size.c_str(), ms);
    std::fflush(stdout);
}
