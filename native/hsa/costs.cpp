#include "hsa/costs.h"

#include <algorithm>

namespace vrocm::hsa {

namespace {

// "Fitted" means fitted to the MI300A times in data/mi300a/kernel_times.csv (sarchlab/mgpusim): the event-to-event
// time of an almost empty kernel (4.2 us), h2d/d2h/d2d rows, and the small sizes of fastwalshtransform and nw.
// "Assumed" means that no public figure was found and that none of those rows depends on it.
constexpr Costs kMi300a = {
    .device = "MI300A",
    .doorbell = 300,        // fitted together with the next
    .doorbell_idle = 1800,  // fitted: the marker before a kernel is slower to start than the kernel
    .idle_after = 5000,     // assumed
    .dispatch = 1200,       // fitted with `release`: kernels of fastwalshtransform follow each other every 3.6 us
    .release = 1000,        // fitted
    .barrier = 400,         // fitted
    .wake_up = 1000,        // fitted with the copies
    .handler = 10000,       // assumed: an interrupt and a thread switch
    .copy_setup = 2000,     // fitted: the rows of 2 MB and more are 10.5 us + bytes / rate
    .copy_finish = 500,
    .link_in = 57600,          // fitted, memcopy_h2d
    .link_out = 57600,         // fitted, memcopy_d2h (min)
    .peer = 48000,             // one xGMI link, 64 GB/s raw: AMD, MI300A data sheet; three quarters reach the user
    .staged_limit = 1 << 20,   // ROCm's default of GPU_PINNED_MIN_XFER_SIZE
    .pin = 4000,               // fitted
    .staged_setup_in = 4000,   // fitted: fastwalshtransform and nw with less than 1 MB, memcopy_h2d 1MB
    .staged_setup_out = 9000,  // fitted: memcopy_d2h 1MB
    .staged_small_limit = 192 << 10,
    .staged_in = 4200,
    .staged_in_more = 10000,
    .staged_out = 3500,
    .blit_least = 800,             // fitted, memcopy_d2d 1MB
    .blit_copy = 2'050'000,        // fitted, memcopy_d2d up to 128 MB
    .blit_copy_large = 1'550'000,  // fitted, memcopy_d2d 256MB and 512MB
    .blit_fill = 3'000'000,        // the write rate of large kernels is about 3 TB/s (relu, vectoradd)
    .blit_cached = 256ull << 20,
};

// Discrete cards: the packet processor is the same as that of the MI300A; a doorbell crosses PCIe.
constexpr Costs discrete(Costs costs, std::string_view device, std::uint64_t link) {
    costs.device = device;
    costs.doorbell += 400;  // assumed: a posted write over PCIe
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
                const std::uint64_t first = std::min(bytes, costs.staged_small_limit);
                made.work = costs.staged_setup_in + time_for(first, costs.staged_in) +
                            time_for(bytes - first, costs.staged_in_more);
            } else {
                made.work = pinning + time_for(bytes, costs.link_in);
                made.use[LinkIn] = 1000;
            }
            break;
        }
        case CopyPath::DeviceToHost:
            if (staged) {
                made.work = costs.staged_setup_out + time_for(bytes, costs.staged_out);
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
    made.setup = costs.dispatch;
    made.finish = costs.release;
    made.work = costs.blit_least + time_for(bytes, costs.blit_fill);
    made.use[MemoryBandwidth] = made.use[L2Bandwidth] = 800;
    made.use[WaveSlots] = 500;
    return made;
}

}  // namespace vrocm::hsa
