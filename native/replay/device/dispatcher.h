// Runs the kernel once and says how long the GPU took: a queue, the packet, the completion signal, and what can go
// wrong meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "replay/captured/folder.h"
#include "replay/device/device.h"
#include "replay/device/hsa_library.h"

namespace rpl::replay {

struct PreparedDispatch {
    std::uint64_t kernel_object = 0, kernarg_address = 0;
    std::uint32_t group_size = 0, private_size = 0;
};

class Dispatcher {
  public:
    Dispatcher(const HsaLibrary& hsa, const ReplayDevice& device);
    ~Dispatcher();
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    std::uint64_t queue_address() const { return reinterpret_cast<std::uint64_t>(queue_); }
    // Microseconds on the GPU. Throws Failure when the kernel faults or takes longer than the timeout; after that the
    // process can only end, since a kernel cannot be recalled.
    double run(const Capture& capture, const PreparedDispatch& launch, std::chrono::duration<double> timeout);

  private:
    void submit(const Capture& capture, const PreparedDispatch& launch);
    void wait(const Capture& capture, std::chrono::duration<double> timeout);
    [[noreturn]] void report_fault(const Capture& capture) const;
    static void on_queue_error(hsa_status_t status, hsa_queue_t* queue, void* self);
    static hsa_status_t on_event(const hsa_amd_event_t* event, void* self);

    const HsaLibrary& hsa_;
    const ReplayDevice& device_;
    std::uint64_t frequency_;
    hsa_queue_t* queue_ = nullptr;
    hsa_signal_t done_{};
    // Set by the runtime's threads.
    std::atomic<int> queue_status_{HSA_STATUS_SUCCESS};
    std::atomic<bool> memory_fault_{false}, hang_{false};
    std::atomic<std::uint64_t> fault_address_{0};
};

}  // namespace rpl::replay
