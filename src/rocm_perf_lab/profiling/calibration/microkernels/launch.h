// What the microkernel programs share. They measure nothing: times come from a trace. What each kernel did is
// printed, a line for each: its name, and the operations or bytes of one short and of one long launch.
#pragma once

#include <hip/hip_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

inline void check(hipError_t status, const char* what) {
    if (status == hipSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(status));
    std::exit(1);
}

#define CHECK(call) check((call), #call)

// Which launch a kernel's name says it is: kernels are templates over this, so that a trace tells them apart.
enum Launch { kWarmUp, kShort, kLong };

constexpr int kThreads = 256;
constexpr int kWaves = kThreads / 64;
constexpr long kLongPerShort = 4;
// Launches get longer until one takes this time on the host, so that the ends of a kernel do not matter; on a
// GPU that is a few hundred microseconds. Where a launch takes longer from the start it stays as it is.
constexpr double kSecondsWanted = 1e-3;
constexpr long kMostRounds = 4096;
constexpr int kRepeats = 2, kRepeatsWhereCheap = 20;

inline int compute_units() {
    int units = 0;
    CHECK(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
    return units;
}

// Whether one of the program's arguments is this name.
inline bool wanted(int argc, char** argv, const char* name) {
    for (int at = 1; at < argc; ++at) {
        if (!std::strcmp(argv[at], name)) return true;
    }
    return false;
}

template <typename Kernel, typename... Values>
double seconds_of(Kernel kernel, int blocks, Values... values) {
    auto begin = std::chrono::steady_clock::now();
    kernel<<<blocks, kThreads>>>(values...);
    CHECK(hipGetLastError());
    CHECK(hipDeviceSynchronize());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Launches a kernel that repeats its work in rounds: work is that of one block in one round.
template <typename WarmUp, typename Short, typename Long, typename Pointer>
void run_rounds(const char* name, WarmUp warm_up, Short short_one, Long long_one, int blocks, double work, Pointer out,
                long rounds) {
    seconds_of(warm_up, blocks, out, rounds);  // the first launch also loads the code
    long most = rounds * kMostRounds;
    double seconds = seconds_of(warm_up, blocks, out, rounds);
    while (seconds < kSecondsWanted && rounds < most) {
        rounds *= 4;
        seconds = seconds_of(warm_up, blocks, out, rounds);
    }
    // One kind after the other: the first launch of a kernel after another one also fetches its code.
    int repeats = seconds < 4 * kSecondsWanted ? kRepeatsWhereCheap : kRepeats;
    for (int repeat = 0; repeat < repeats; ++repeat) seconds_of(short_one, blocks, out, rounds);
    for (int repeat = 0; repeat < repeats; ++repeat) seconds_of(long_one, blocks, out, rounds * kLongPerShort);
    std::printf("%s %.0f %.0f\n", name, work * blocks * rounds, work * blocks * rounds * kLongPerShort);
}

#define RUN_ROUNDS(name, blocks, work, out, rounds)                                             \
    if (wanted(argc, argv, #name)) {                                                            \
        run_rounds(#name, name<kWarmUp>, name<kShort>, name<kLong>, blocks, work, out, rounds); \
    }
