#include "hsa/time/costs.h"

#include <algorithm>

namespace vrocm::hsa {

namespace {

// "Fitted" means fitted to MI300A times in data/mi300a/kernel_times.csv (sarchlab/mgpusim), of the programs that
// validation/programs.json gives for fitting, with the kernels' own times as the simulator has them: the event-to-event
// time of small vectoradd (4.2 to 4.6 us), nw with its copies of less than 1 MB, memcopy_h2d.
// "Assumed" means that no public figure was found and that none of those rows depends on it.
constexpr Costs kMi300a = {
    .device = "MI300A",
    .doorbell = 300,          // fitted together with the next
    .doorbell_idle = 1800,    // fitted: a marker on an idle queue is slower to start than the kernel behind it
    .idle_after = 1500,       // assumed
    .dispatch = 1000,         // fitted with `release`
    .release = 800,           // fitted
    .barrier = 250,           // fitted
    .wake_up = 1000,          // fitted with the copies
    .handler = 10000,         // assumed: an interrupt and a thread switch
    .copy_setup = 2000,       // fitted: memcopy_h2d of 2 MB and more is 10.5 us + bytes / rate
    .copy_finish = 500,       // assumed
    .link_in = 57600,         // fitted, memcopy_h2d
    .link_out = 57600,        // as link_in
    .peer = 48000,            // one xGMI link, 64 GB/s raw (AMD, MI300A data sheet); assumed that three quarters arrive
    .staged_limit = 1 << 20,  // ROCm's default of GPU_PINNED_MIN_XFER_SIZE
    .pin = 4000,              // fitted
    .staged_setup = 4000,     // fitted: nw, memcopy_h2d 1MB
    .staged_small_limit = 256 << 10,
    .staged = 4200,
    .staged_more = 8500,
    .fill_setup = 0,               // fitted: atax, two small fills before its kernels take next to nothing
    .fill_least = 500,             // the simulator's time for an empty kernel
    .blit_least = 1500,            // ... for a small one that waits for a load
    .blit_copy = 2'100'000,        // half the rate at which vectoradd of 16 M elements moves bytes
    .blit_copy_large = 1'600'000,  // the same for 128 M elements
    .blit_fill = 4'000'000,        // writing, MI300X: 4.1 to 4.5 TB/s measured by others
    .blit_cached = 256ull << 20,   // the Infinity Cache
};

// Discrete cards: the packet processor is the same as that of the MI300A; a doorbell crosses PCIe.
constexpr Costs discrete(Costs costs, std::string_view device, std::uint64_t link) {
    costs.device = device;
    costs.doorbell += 400;              // assumed: a posted write over PCIe
    costs.fill_setup = costs.dispatch;  // a kernel of the runtime's, as any other
    costs.link_in = costs.link_out = link;
    return costs;
}

constexpr Costs kCosts[] = {
    discrete(kMi300a, "MI300X", 55000),  // PCIe 5.0 x16: 63 GB/s raw (PCI-SIG), 55 GB/s assumed to reach the user
    discrete(kMi300a, "MI325X", 55000),
    kMi300a,
    discrete(kMi300a, "MI250X", 28000),  // PCIe 4.0 x16: 31.5 GB/s raw (PCI-SIG)
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
