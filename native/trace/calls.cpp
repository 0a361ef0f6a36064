// The exported functions for API calls, markers, streams and launches (abi/vrocm/trace.h).
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "hsa/time/clock.h"
#include "trace/call_stack.h"
#include "trace/log.h"

namespace vrocm::trace {

namespace {

struct Range {
    std::uint64_t number, begin;
    std::string message;
};

struct ThreadCalls {
    std::vector<std::uint64_t> open;
    std::vector<Range> ranges;  // pushed and not yet popped
    std::uint64_t stream = 0;
};

ThreadCalls& thread_calls() {
    // Not destroyed with the thread: destructors of other thread-local objects may still make calls.
    static thread_local ThreadCalls* calls = new ThreadCalls;
    return *calls;
}

std::atomic<std::uint64_t> last_call{0};
std::atomic<std::uint64_t> last_dispatch{0};

}  // namespace

std::uint64_t current_call() {
    const auto& open = thread_calls().open;
    return open.empty() ? 0 : open.back();
}

std::uint64_t current_stream() {
    return thread_calls().stream;
}

std::uint64_t next_number() {
    return last_call.fetch_add(1, std::memory_order_relaxed) + 1;
}

void forget_calls_after_fork() {
    last_call = 0;
    last_dispatch = 0;
    thread_calls() = {};
}

std::uint64_t next_dispatch() {
    return last_dispatch.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace vrocm::trace

using namespace vrocm::trace;

namespace {

void record_mark(std::uint64_t number, const char* operation, const char* message, std::uint64_t begin,
                 std::uint64_t end) {
    if (!wanted(VROCM_TRACE_MARKER)) return;
    append(Kind::Mark, Payload().numbers(number, current_call(), begin, end).text(operation).text(message));
}

}  // namespace

extern "C" {

uint64_t vrocm_trace_call_begin(void) {
    const std::uint64_t call = next_number();
    thread_calls().open.push_back(call);
    return call;
}

void vrocm_trace_call_end(uint64_t call, uint32_t category, const char* name, uint64_t begin, uint64_t end,
                          const vrocm_trace_argument* arguments, size_t count) {
    if (call == 0) return;
    auto& open = thread_calls().open;
    while (!open.empty() && open.back() >= call) open.pop_back();
    if (!wanted(category)) return;
    Payload record;
    record.numbers(call, current_call(), category, begin, end).text(name).number(count);
    for (size_t i = 0; i < count; ++i) {
        const vrocm_trace_argument& a = arguments[i];
        record.text({a.type, a.type_size}).text({a.name, a.name_size});
        record.numbers(a.is_pointer, a.pointer).text({a.text, a.text_size});
    }
    append(Kind::Call, record);
}

uint64_t vrocm_trace_now(void) {
    return vrocm::hsa::clock::now();
}

void vrocm_trace_stream(uint64_t stream, const char* kind) {
    if (active()) append(Kind::Stream, Payload().number(stream).text(kind));
}

void vrocm_trace_set_stream(uint64_t stream) {
    if (active()) thread_calls().stream = stream;
}

uint64_t vrocm_trace_launch(void) {
    if (!active()) return 0;
    if (!wanted(VROCM_TRACE_KERNEL | VROCM_TRACE_COUNTERS)) return kNotRecorded;
    const std::uint64_t dispatch = next_dispatch();
    const auto& ranges = thread_calls().ranges;
    const std::uint64_t range = ranges.empty() ? 0 : ranges.back().number;
    append(Kind::Launch, Payload().numbers(dispatch, current_call(), current_stream(), range));
    return dispatch;
}

void vrocm_trace_mark(const char* operation, const char* message, uint64_t begin, uint64_t end) {
    record_mark(next_number(), operation, message, begin, end);
}

size_t vrocm_trace_range_push(const char* message) {
    auto& ranges = thread_calls().ranges;
    ranges.push_back({next_number(), vrocm_trace_now(), message ? message : ""});
    return ranges.size() - 1;
}

int vrocm_trace_range_pop(void) {
    auto& ranges = thread_calls().ranges;
    if (ranges.empty()) return -1;
    const Range range = std::move(ranges.back());
    ranges.pop_back();
    record_mark(range.number, "roctxThreadRangeA", range.message.c_str(), range.begin, vrocm_trace_now());
    return static_cast<int>(ranges.size());
}

void vrocm_trace_pause(int paused) {
    pause(paused != 0);
}

void vrocm_trace_name_thread(const char* name) {
    if (active()) append(Kind::ThreadName, Payload().text(name));
}
}
