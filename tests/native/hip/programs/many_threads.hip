// Host threads that launch and wait, each in a stream of its own. Arguments: threads, launches of all of them together.
// Prints what a launch cost: processor time in microseconds, and how often a thread went to sleep.
#include <hip/hip_runtime.h>
#include <sys/resource.h>

#include <cstdlib>
#include <thread>

#include "check.h"

__global__ void add_one(int* p) {
    ++*p;
}

static void launch_and_wait(int launches) {
    hipStream_t stream;
    int* p;
    OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    OK(hipHostMalloc(&p, sizeof(int)));
    *p = 0;
    for (int i = 0; i < launches; ++i) {
        add_one<<<1, 1, 0, stream>>>(p);
        OK(hipStreamSynchronize(stream));
    }
    CHECK(*p == launches);
    OK(hipHostFree(p));
    OK(hipStreamDestroy(stream));
}

static double microseconds(const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
}

int main(int, char** argv) {
    const int threads = std::atoi(argv[1]), launches = std::atoi(argv[2]) / threads;
    launch_and_wait(1);  // what the first launch of all takes
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    std::vector<std::thread> started;
    for (int i = 0; i < threads; ++i) started.emplace_back(launch_and_wait, launches);
    for (std::thread& thread : started) thread.join();
    getrusage(RUSAGE_SELF, &after);
    const double processor = microseconds(after.ru_utime) + microseconds(after.ru_stime) -
                             microseconds(before.ru_utime) - microseconds(before.ru_stime);
    const long sleeps = after.ru_nvcsw - before.ru_nvcsw;
    std::printf("%.1f %.2f\n", processor / (launches * threads), static_cast<double>(sleeps) / (launches * threads));
    return finish();
}
