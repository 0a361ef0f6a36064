// What things cost in virtual time, as data for each GPU. Values and their sources: src/vrocm/data/gpus.
#pragma once

#include <cstdint>
#include <string_view>

#include "abi/vrocm/clock.h"
#include "hsa/time/timeline.h"

namespace vrocm::hsa {

// Nanoseconds unless said otherwise.
struct Costs {
    std::string_view device;
    // Packet processor.
    std::uint32_t doorbell;       // doorbell rung until the packet is looked at, on a queue in use
    std::uint32_t doorbell_idle;  // the same on a queue that had nothing to do for `idle_after`
    std::uint32_t idle_after;
    std::uint32_t dispatch;  // packet looked at and allowed to start until the first workgroup starts
    std::uint32_t release;   // last workgroup's end until caches are written back and the signal is changed
    std::uint32_t barrier;   // a barrier packet
    // Host side of the end of an operation.
    std::uint32_t wake_up;  // signal changed until a waiting thread goes on
    std::uint32_t handler;  // ... until a handler or a host function of a stream begins
    // Copy engines. Rates are bytes a microsecond (= MB/s).
    std::uint32_t copy_setup, copy_finish;
    std::uint64_t link_in, link_out, peer;  // host to device, device to host, device to device
    // Pageable host memory: up to `staged_limit` bytes through a pinned buffer in pieces, above by pinning it.
    std::uint64_t staged_limit;
    std::uint32_t pin;  // once a copy
    std::uint32_t staged_setup;
    std::uint64_t staged_small_limit;   // bytes copied at the first rate
    std::uint64_t staged, staged_more;  // rates
    // Blit kernels (fills, copies within a device).
    std::uint32_t fill_setup;                             // from its turn to its start, and from its end to the signal
    std::uint32_t fill_least;                             // shortest time from start to end
    std::uint32_t blit_least;                             // shortest time from start to end
    std::uint64_t blit_copy, blit_copy_large, blit_fill;  // rates; large: beyond the Infinity Cache
    std::uint64_t blit_cached;                            // bytes that a copy may touch at the first rate
};

const Costs& costs_of(std::string_view device);

// Of an API call on the host, before anything it waits for.
std::uint32_t call_cost(vrocm_clock_cost cost);

enum class CopyPath { HostToDevice, DeviceToHost, WithinDevice, Peer, HostToHost };
// A copy or fill: everything about its operation except when and after what.
Operation copy_operation(const Costs& costs, CopyPath path, std::uint64_t bytes, bool pageable);
Operation fill_operation(const Costs& costs, std::uint64_t bytes);

}  // namespace vrocm::hsa
