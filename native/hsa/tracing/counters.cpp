#include "hsa/tracing/counters.h"

#include <algorithm>
#include <vector>

#include "trace/device.h"

namespace vrocm::hsa {

bool counters_wanted() {
    return !trace::wanted_counters().empty();
}

void trace_counters(const sim::DispatchRun& run, std::uint64_t dispatch) {
    const std::vector<std::string>& wanted = trace::wanted_counters();
    const std::vector<sim::counters::RawCount> counted = run.counts();
    std::vector<trace::CounterValue> values;
    for (const sim::counters::RawCount& count : counted)
        if (std::find(wanted.begin(), wanted.end(), count.name) != wanted.end())
            values.push_back({count.name, count.instance, count.value});
    trace::record_counters(dispatch, values);
}

}  // namespace vrocm::hsa
