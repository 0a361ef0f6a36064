#include "replay/device/dispatcher.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "replay/failure.h"

namespace rpl::replay {

using Clock = std::chrono::steady_clock;

Dispatcher::Dispatcher(const HsaLibrary& hsa, const ReplayDevice& device)
    : hsa_(hsa), device_(device), frequency_(hsa.timestamp_frequency()) {
    hsa.check(hsa.hsa_amd_register_system_event_handler(on_event, this), "asking to be told of faults");
    std::uint32_t size = 0;
    hsa.check(hsa.hsa_agent_get_info(device.agent, HSA_AGENT_INFO_QUEUE_MIN_SIZE, &size), "asking for queue sizes");
    hsa.check(hsa.hsa_queue_create(device.agent, std::max(size, 64u), HSA_QUEUE_TYPE_MULTI, on_queue_error, this,
                                   UINT32_MAX, UINT32_MAX, &queue_),
              "making a queue");
    hsa.check(hsa.hsa_amd_profiling_set_profiler_enabled(queue_, 1), "turning on timestamps");
    hsa.check(hsa.hsa_signal_create(0, 0, nullptr, &done_), "making a signal");
}

Dispatcher::~Dispatcher() {
    hsa_.hsa_queue_destroy(queue_);
    hsa_.hsa_signal_destroy(done_);
}

void Dispatcher::on_queue_error(hsa_status_t status, hsa_queue_t*, void* self) {
    static_cast<Dispatcher*>(self)->queue_status_ = status;
}

hsa_status_t Dispatcher::on_event(const hsa_amd_event_t* event, void* self) {
    auto& dispatcher = *static_cast<Dispatcher*>(self);
    if (event->event_type == HSA_AMD_GPU_MEMORY_FAULT_EVENT) {
        dispatcher.fault_address_ = event->memory_fault.virtual_address;
        dispatcher.memory_fault_ = true;
        return HSA_STATUS_SUCCESS;  // taken care of: the runtime would end the process
    }
    if (event->event_type == HSA_AMD_GPU_HW_EXCEPTION_EVENT) {
        dispatcher.hang_ = true;
        return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR;
}

void Dispatcher::submit(const Capture& capture, const PreparedDispatch& launch) {
    hsa_.hsa_signal_store_screlease(done_, 1);
    const std::uint64_t index = hsa_.hsa_queue_add_write_index_screlease(queue_, 1);
    while (index - hsa_.hsa_queue_load_read_index_scacquire(queue_) >= queue_->size) std::this_thread::yield();
    auto* packet = static_cast<hsa_kernel_dispatch_packet_t*>(queue_->base_address) + index % queue_->size;
    hsa_kernel_dispatch_packet_t content{};
    content.setup = static_cast<std::uint16_t>(capture.dimensions << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS);
    content.workgroup_size_x = static_cast<std::uint16_t>(capture.workgroup[0]);
    content.workgroup_size_y = static_cast<std::uint16_t>(capture.workgroup[1]);
    content.workgroup_size_z = static_cast<std::uint16_t>(capture.workgroup[2]);
    content.grid_size_x = capture.grid[0];
    content.grid_size_y = capture.grid[1];
    content.grid_size_z = capture.grid[2];
    content.private_segment_size = launch.private_size;
    content.group_segment_size = launch.group_size;
    content.kernel_object = launch.kernel_object;
    content.kernarg_address = reinterpret_cast<void*>(launch.kernarg_address);
    content.completion_signal = done_;
    // The kernel sees what was restored, and the host sees what it wrote.
    const unsigned header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                            1u << HSA_PACKET_HEADER_BARRIER |
                            HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                            HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
    // The header makes the packet valid, so it comes last, and in one word with what follows it.
    std::memcpy(reinterpret_cast<char*>(packet) + 4, reinterpret_cast<const char*>(&content) + 4, sizeof content - 4);
    __atomic_store_n(reinterpret_cast<std::uint32_t*>(packet), header | std::uint32_t{content.setup} << 16,
                     __ATOMIC_RELEASE);
    hsa_.hsa_signal_store_screlease(queue_->doorbell_signal, static_cast<hsa_signal_value_t>(index));
}

void Dispatcher::report_fault(const Capture& capture) const {
    std::string what = "kernel " + capture.kernel + " ";
    if (memory_fault_)
        what += "touched memory that it may not touch, in the page at " + hexadecimal(fault_address_);
    else if (hang_)
        what += "hangs: the GPU had to be reset";
    else
        what += "was stopped: " + hsa_.describe(static_cast<hsa_status_t>(queue_status_.load()));
    throw Failure{ExitCode::KernelFault, "fault", what,
                  "a variant that faults reads or writes outside its buffers; if the captured kernel itself does, it "
                  "needs memory that was left out: see rocm-perf replay inspect"};
}

void Dispatcher::wait(const Capture& capture, std::chrono::duration<double> timeout) {
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeout);
    const std::uint64_t turn = frequency_ / 50;  // 20 ms, then look for faults and at the clock
    for (;;) {
        const auto value =
            hsa_.hsa_signal_wait_scacquire(done_, HSA_SIGNAL_CONDITION_LT, 1, turn, HSA_WAIT_STATE_BLOCKED);
        if (memory_fault_ || hang_ || queue_status_ != HSA_STATUS_SUCCESS || value < 0) {
            // The event with the address may come just after the error of the queue.
            for (int i = 0; i < 20 && !memory_fault_ && !hang_; ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            report_fault(capture);
        }
        if (value < 1) return;
        if (Clock::now() >= until)
            throw Failure{ExitCode::TimedOut, "timeout",
                          "kernel " + capture.kernel + " was not done after " +
                              std::to_string(static_cast<long>(timeout.count())) + " s",
                          "if it does end, give it more time with --timeout; a kernel that waits for another kernel "
                          "or for the host never ends when it is replayed alone"};
    }
}

double Dispatcher::run(const Capture& capture, const PreparedDispatch& launch, std::chrono::duration<double> timeout) {
    submit(capture, launch);
    wait(capture, timeout);
    hsa_amd_profiling_dispatch_time_t time{};
    hsa_.check(hsa_.hsa_amd_profiling_get_dispatch_time(device_.agent, done_, &time), "reading the kernel's time");
    return static_cast<double>(time.end - time.start) * 1e6 / static_cast<double>(frequency_);
}

}  // namespace rpl::replay
