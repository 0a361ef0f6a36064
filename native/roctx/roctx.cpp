// roctx over the trace log. Without a tracer these functions keep count and do nothing else.
#include <rocprofiler-sdk-roctx/roctx.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <string>

#include "abi/vrocm/trace.h"

namespace {

struct ProcessRange {
    std::string message;
    std::uint64_t begin;
};

// Ranges that were started and not stopped. Never destroyed: programs stop ranges in static destructors.
struct OpenRanges {
    std::mutex mutex;
    std::uint64_t last = 0;
    std::map<roctx_range_id_t, ProcessRange> ranges;
};
OpenRanges& open_ranges() {
    static auto* ranges = new OpenRanges;
    return *ranges;
}

void mark(const char* operation, const char* message) {
    const std::uint64_t now = vrocm_trace_now();
    vrocm_trace_mark(operation, message ? message : "", now, now);
}

int name(const char* operation, const char* text) {
    if (!text) return -1;
    mark(operation, text);
    return 0;
}

}  // namespace

extern "C" {

uint32_t roctx_version_major(void) {
    return ROCTX_VERSION_MAJOR;
}
uint32_t roctx_version_minor(void) {
    return ROCTX_VERSION_MINOR;
}

void roctxMarkA(const char* message) {
    mark("roctxMarkA", message);
}

int roctxRangePushA(const char* message) {
    return static_cast<int>(vrocm_trace_range_push(message));
}

int roctxRangePop(void) {
    return vrocm_trace_range_pop();
}

roctx_range_id_t roctxRangeStartA(const char* message) {
    OpenRanges& open = open_ranges();
    std::lock_guard lock(open.mutex);
    open.ranges[++open.last] = {message ? message : "", vrocm_trace_now()};
    return open.last;
}

void roctxRangeStop(roctx_range_id_t id) {
    OpenRanges& open = open_ranges();
    std::lock_guard lock(open.mutex);
    const auto found = open.ranges.find(id);
    if (found == open.ranges.end()) return;
    vrocm_trace_mark("roctxProcessRangeA", found->second.message.c_str(), found->second.begin, vrocm_trace_now());
    open.ranges.erase(found);
}

// Collection is a matter of the process; a thread cannot be left out alone.
int roctxProfilerPause(roctx_thread_id_t) {
    mark("roctxProfilerPause", "");
    vrocm_trace_pause(1);
    return 0;
}
int roctxProfilerResume(roctx_thread_id_t) {
    vrocm_trace_pause(0);
    mark("roctxProfilerResume", "");
    return 0;
}

int roctxGetThreadId(roctx_thread_id_t* tid) {
    if (!tid) return -1;
    *tid = static_cast<roctx_thread_id_t>(syscall(SYS_gettid));
    return 0;
}

int roctxNameOsThread(const char* text) {
    if (text) vrocm_trace_name_thread(text);
    return name("roctxNameOsThread", text);
}
int roctxNameHsaAgent(const char* text, const struct hsa_agent_s*) {
    return name("roctxNameHsaAgent", text);
}
int roctxNameHipDevice(const char* text, int) {
    return name("roctxNameHipDevice", text);
}
int roctxNameHipStream(const char* text, const struct ihipStream_t*) {
    return name("roctxNameHipStream", text);
}
}
