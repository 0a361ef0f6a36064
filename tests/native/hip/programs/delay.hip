// Kernels that wait until a clock of the GPU has advanced by a millisecond. Argument: workgroups. Prints by events, in
// milliseconds, what one took for each of the two clocks.
#include <hip/hip_runtime.h>
#include <time.h>

#include <cstdlib>

#include "check.h"

__global__ void by_wall_clock(long long ticks) {
    const long long begin = wall_clock64();
    while (wall_clock64() - begin < ticks) {
    }
}
__global__ void by_shader_clock(long long clocks) {
    const long long begin = clock64();
    while (clock64() - begin < clocks) {
    }
}
__global__ void tell(long long* ticks) {
    *ticks = wall_clock64();
}

template <class Launch>
static void report(Launch&& launch) {
    hipEvent_t begin, end;
    OK(hipEventCreate(&begin));
    OK(hipEventCreate(&end));
    OK(hipEventRecord(begin));
    launch();
    OK(hipEventRecord(end));
    OK(hipEventSynchronize(end));
    float milliseconds = 0;
    OK(hipEventElapsedTime(&milliseconds, begin, end));
    std::printf("%.6f\n", milliseconds);
}

static long long ticks_of_the_host() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 100'000'000ll + t.tv_nsec / 10;
}

int main(int, char** argv) {
    const unsigned blocks = static_cast<unsigned>(std::atoi(argv[1]));
    int wall_khz = 0, shader_khz = 0;
    OK(hipDeviceGetAttribute(&wall_khz, hipDeviceAttributeWallClockRate, 0));
    OK(hipDeviceGetAttribute(&shader_khz, hipDeviceAttributeClockRate, 0));
    report([&] { by_wall_clock<<<blocks, 64>>>(wall_khz); });
    report([&] { by_shader_clock<<<blocks, 64>>>(shader_khz); });
    // With VROCM_TIMING=off it is the host's clock, which others can read.
    long long* ticks;
    OK(hipHostMalloc(&ticks, 2 * sizeof *ticks));
    const long long before = ticks_of_the_host();
    tell<<<1, 1>>>(ticks);
    by_wall_clock<<<1, 1>>>(wall_khz);
    tell<<<1, 1>>>(ticks + 1);
    OK(hipDeviceSynchronize());
    CHECK(ticks[1] - ticks[0] >= wall_khz);
    const char* timing = std::getenv("VROCM_TIMING");
    if (timing && !std::strcmp(timing, "off")) CHECK(before <= ticks[0] && ticks[1] <= ticks_of_the_host());
    return finish();
}
