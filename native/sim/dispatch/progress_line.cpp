#include "sim/dispatch/progress_line.h"

#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace vrocm::sim {

namespace {

constexpr double kPatience = 3, kBetween = 0.5;  // seconds

double seconds_now() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool switched_on(const char* name, bool otherwise) {
    const char* text = std::getenv(name);
    return text && *text ? std::strcmp(text, "0") != 0 : otherwise;
}

}  // namespace

void ProgressLine::show(const std::string& kernel, std::uint64_t ended, std::uint64_t groups,
                        std::uint64_t instructions) {
    static const bool wanted = switched_on("VROCM_PROGRESS", isatty(STDERR_FILENO) == 1);
    if (!wanted) return;
    const double now = seconds_now();
    if (began_ == 0) began_ = now;
    if (now - began_ < kPatience || now - shown_ < kBetween) return;
    shown_ = now;
    visible_ = true;
    std::fprintf(stderr, "\rvrocm: %.40s: %llu of %llu workgroups, %.1f million wave instructions, %.0f s \033[K",
                 kernel.c_str(), static_cast<unsigned long long>(ended), static_cast<unsigned long long>(groups),
                 static_cast<double>(instructions) * 1e-6, now - began_);
    std::fflush(stderr);
}

ProgressLine::~ProgressLine() {
    if (visible_) std::fputs("\r\033[K", stderr);
}

bool dispatch_log_wanted() {
    static const bool wanted = switched_on("VROCM_TIMING_LOG", false);
    return wanted;
}

void log_dispatch(const std::string& kernel, const DispatchTime& time, const DispatchStats& stats) {
    std::fprintf(stderr,
                 "vrocm: %s: %llu ns, %llu cycles%s, %llu instructions, %llu workgroups; use of slots %u, VALU %u, LDS "
                 "%u, L2 %u, memory %u per mille\n",
                 kernel.c_str(), static_cast<unsigned long long>(time.nanoseconds),
                 static_cast<unsigned long long>(time.cycles), time.sampled ? " (sampled)" : "",
                 static_cast<unsigned long long>(stats.instructions), static_cast<unsigned long long>(stats.workgroups),
                 time.use[DispatchTime::WaveSlots], time.use[DispatchTime::VectorIssue],
                 time.use[DispatchTime::LdsBandwidth], time.use[DispatchTime::L2Bandwidth],
                 time.use[DispatchTime::MemoryBandwidth]);
}

}  // namespace vrocm::sim
