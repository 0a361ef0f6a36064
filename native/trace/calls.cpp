// The exported functions for API calls, markers, streams and launches (abi/vrocm/trace.h).
#include <atomic>
#include <cstring>
#include <vector>

#include "hsa/clock.h"
#include "trace/call_stack.h"
#include "trace/log.h"

namespace vrocm::trace {

namespace {

struct ThreadCalls {
    std::vector<std::uint64_t> open;
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

std::uint64_t next_dispatch() {
    return last_dispatch.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace vrocm::trace

using namespace vrocm::trace;

extern "C" {

uint64_t vrocm_trace_call_begin(void) {
    const std::uint64_t call = last_call.fetch_add(1, std::memory_order_relaxed) + 1;
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
    append(Kind::Launch, Payload().numbers(dispatch, current_call(), current_stream()));
    return dispatch;
}

void vrocm_trace_mark(const char* operation, const char* message, uint64_t begin, uint64_t end) {
    if (!wanted(VROCM_TRACE_MARKER)) return;
    const std::uint64_t number = last_call.fetch_add(1, std::memory_order_relaxed) + 1;
    append(Kind::Mark, Payload().numbers(number, current_call(), begin, end).text(operation).text(message));
}

void vrocm_trace_pause(int paused) {
    pause(paused != 0);
}

void vrocm_trace_name_thread(const char* name) {
    if (active()) append(Kind::ThreadName, Payload().text(name));
}
}
