#include "trace/device.h"

#include <cstdlib>
#include <sstream>

#include "trace/call_stack.h"

namespace vrocm::trace {

Origin current_origin() {
    return {current_call(), current_stream(), thread_id()};
}

std::uint64_t dispatch_number(std::uint64_t launch) {
    if (launch) return launch == kNotRecorded ? 0 : launch;
    return wanted(VROCM_TRACE_KERNEL | VROCM_TRACE_COUNTERS) ? next_dispatch() : 0;
}

void record_dispatch(const DispatchRecord& d, std::uint64_t begin, std::uint64_t end) {
    Payload record;
    record.numbers(d.number, d.queue, d.agent, d.kernel, begin, end, d.workgroup[0], d.workgroup[1], d.workgroup[2],
                   d.grid[0], d.grid[1], d.grid[2], d.group_segment, d.private_segment);
    append(Kind::Dispatch, record, d.thread);
}

const std::vector<std::string>& wanted_counters() {
    static const auto* names = [] {
        auto* made = new std::vector<std::string>;
        const char* list = std::getenv("VROCM_TRACE_COUNTERS");
        std::stringstream text(asked_for(VROCM_TRACE_COUNTERS) && list ? list : "");
        for (std::string name; std::getline(text, name, ',');)
            if (!name.empty()) made->push_back(name);
        return made;
    }();
    return *names;
}

void record_counters(std::uint64_t dispatch, std::span<const CounterValue> values) {
    Payload record;
    record.numbers(dispatch, values.size());
    for (const CounterValue& counter : values) record.text(counter.name).number(counter.instance).real(counter.value);
    append(Kind::Counters, record);
}

void record_copy(const Origin& origin, std::uint64_t begin, std::uint64_t end, std::uint64_t from_agent,
                 const void* from, std::uint64_t to_agent, const void* to, std::uint64_t bytes) {
    Payload record;
    record.numbers(origin.call, origin.stream, begin, end, from_agent, reinterpret_cast<std::uint64_t>(from), to_agent,
                   reinterpret_cast<std::uint64_t>(to), bytes);
    append(Kind::Copy, record, origin.thread);
}

void record_allocation(AllocationOperation operation, std::uint64_t agent, const void* address, std::uint64_t bytes,
                       std::uint64_t begin, std::uint64_t end) {
    Payload record;
    record.numbers(current_call(), agent, begin, end, operation, reinterpret_cast<std::uint64_t>(address), bytes);
    append(Kind::Allocation, record);
}

void record_scratch(ScratchOperation operation, std::uint64_t agent, std::uint64_t queue, std::uint64_t bytes,
                    std::uint64_t time, std::uint32_t thread) {
    append(Kind::Scratch, Payload().numbers(agent, queue, time, time, operation, bytes), thread);
}

}  // namespace vrocm::trace
