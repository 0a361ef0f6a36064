// What devices do, as records of the log. Times are virtual nanoseconds; agents, queues and kernels go by the numbers
// under which they were described before.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/log.h"

namespace vrocm::trace {

// On whose behalf a device operation runs: noted on the thread that asks for it.
struct Origin {
    std::uint64_t call = 0, stream = 0;
    std::uint32_t thread = 0;
};
Origin current_origin();

struct DispatchRecord {
    std::uint64_t number = 0;  // vrocm_trace_launch, or dispatch_number() for a packet that came without
    std::uint64_t queue = 0, agent = 0, kernel = 0;
    std::uint32_t workgroup[3] = {}, grid[3] = {};
    std::uint32_t group_segment = 0, private_segment = 0;
    std::uint32_t thread = 0;  // that rang the doorbell
};

// The number of a dispatch whose packet carries `launch`, or 0 when it is not to be recorded.
std::uint64_t dispatch_number(std::uint64_t launch);
void record_dispatch(const DispatchRecord& dispatch, std::uint64_t begin, std::uint64_t end);

// The hardware counters that are to be recorded (VROCM_TRACE_COUNTERS), by name; empty: none.
const std::vector<std::string>& wanted_counters();
// Counters of one dispatch. Values of one counter in several instances of its block are several entries.
struct CounterValue {
    std::string_view name;
    std::uint64_t instance;
    double value;
};
void record_counters(std::uint64_t dispatch, std::span<const CounterValue> values);

void record_copy(const Origin& origin, std::uint64_t begin, std::uint64_t end, std::uint64_t from_agent,
                 const void* from, std::uint64_t to_agent, const void* to, std::uint64_t bytes);
// `agent` 0: not known, as for a release.
void record_allocation(AllocationOperation operation, std::uint64_t agent, const void* address, std::uint64_t bytes,
                       std::uint64_t begin, std::uint64_t end);
void record_scratch(ScratchOperation operation, std::uint64_t agent, std::uint64_t queue, std::uint64_t bytes,
                    std::uint64_t time, std::uint32_t thread = 0);

}  // namespace vrocm::trace
