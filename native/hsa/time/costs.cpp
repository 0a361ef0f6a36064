#include "hsa/time/costs.h"

#include <algorithm>

namespace vrocm::hsa {

namespace {

constexpr Costs kCosts[] = {
#include "gpus/costs.inc"
};

std::uint64_t time_for(std::uint64_t bytes, std::uint64_t bytes_per_microsecond) {
    return (bytes * 1000 + bytes_per_microsecond - 1) / bytes_per_microsecond;
}

// Through a pinned buffer, piece by piece: the host copies one while the engine moves another.
std::uint64_t staged_time(const Costs& costs, std::uint64_t bytes) {
    const std::uint64_t first = std::min(bytes, costs.staged_small_limit);
    return costs.staged_setup + time_for(first, costs.staged) + time_for(bytes - first, costs.staged_more);
}

}  // namespace

const Costs& costs_of(std::string_view device) {
    for (const Costs& costs : kCosts)
        if (costs.device == device) return costs;
    return kCosts[0];
}

std::uint32_t call_cost(vrocm_clock_cost cost) {
    switch (cost) {
        case VROCM_COST_NONE:
        case VROCM_COST_COUNT:
            return 0;
        case VROCM_COST_TRIVIAL:
            return 60;  // assumed
        case VROCM_COST_SIGNAL:
            return 30;  // assumed: an uncontended atomic on memory that the GPU reads
        case VROCM_COST_QUERY:
            return 300;  // assumed
        case VROCM_COST_LAUNCH:
            return 2000;  // 2.2 us a launch of HIP back to back: AdaptiveCpp issue 879
        case VROCM_COST_RECORD:
            return 1000;  // fitted
        case VROCM_COST_COPY:
            return 1500;  // fitted
        case VROCM_COST_WAIT:
            return 300;  // assumed
        case VROCM_COST_CREATE:
            return 1000;  // assumed
        case VROCM_COST_QUEUE:
            return 500'000;  // assumed: a call of the driver that maps a queue
        case VROCM_COST_ALLOCATE:
            return 20'000;  // assumed: a call of the driver that maps pages
        case VROCM_COST_FREE:
            return 10'000;  // assumed
        case VROCM_COST_LOAD_CODE:
            return 1'000'000;  // assumed
    }
    return 0;
}

Operation copy_operation(const Costs& costs, CopyPath path, std::uint64_t bytes, bool pageable) {
    Operation made;
    made.setup = costs.copy_setup;
    made.finish = costs.copy_finish;
    const bool staged = pageable && bytes <= costs.staged_limit;
    const std::uint64_t pinning = pageable && !staged ? costs.pin : 0;
    switch (path) {
        case CopyPath::HostToDevice: {
            if (staged) {
                made.work = staged_time(costs, bytes);
            } else {
                made.work = pinning + time_for(bytes, costs.link_in);
                made.use[LinkIn] = 1000;
            }
            break;
        }
        case CopyPath::DeviceToHost:
            if (staged) {
                made.work = staged_time(costs, bytes);
            } else {
                made.work = pinning + time_for(bytes, costs.link_out);
                made.use[LinkOut] = 1000;
            }
            break;
        case CopyPath::Peer:
            made.work = time_for(bytes, costs.peer);
            made.use[LinkPeer] = 1000;
            break;
        case CopyPath::WithinDevice: {
            const std::uint64_t near = std::min(bytes, costs.blit_cached / 2);
            made.setup = costs.dispatch;
            made.finish = costs.release;
            made.work =
                costs.blit_least + time_for(near, costs.blit_copy) + time_for(bytes - near, costs.blit_copy_large);
            made.use[MemoryBandwidth] = made.use[L2Bandwidth] = 800;  // assumed: a copy kernel is bound by memory
            made.use[WaveSlots] = 500;
            break;
        }
        case CopyPath::HostToHost:
            made.setup = made.finish = 0;
            made.work = time_for(bytes, 10000);  // assumed: a core's memcpy
            break;
    }
    return made;
}

Operation fill_operation(const Costs& costs, std::uint64_t bytes) {
    Operation made;
    made.setup = costs.fill_setup;
    made.finish = costs.fill_setup;
    made.work = costs.fill_least + time_for(bytes, costs.blit_fill);
    made.use[MemoryBandwidth] = made.use[L2Bandwidth] = 800;
    made.use[WaveSlots] = 500;
    return made;
}

}  // namespace vrocm::hsa
