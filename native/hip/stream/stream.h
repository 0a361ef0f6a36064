// A stream: operations in order. Kernels are packets of an HSA queue; copies and fills are HSA copies; everything
// else runs on a host thread of the stream. Order between the three is kept by completion signals.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "abi/vrocm/clock.h"
#include "hip/hip_abi.h"
#include "hip/launch/launch.h"
#include "hip/launch/printf_buffer.h"
#include "hip/memory/copy.h"
#include "hip/stream/completion.h"
#include "hip/stream/host_worker.h"

namespace vrocm::hip {

class Device;
struct DeviceQueue;
struct StreamCapture;
struct Node;

class Stream {
  public:
    enum class Kind : std::uint8_t { Null, PerThread, Created };

    Stream(Device& device, Kind kind, unsigned flags, int priority);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    Device& device() const { return device_; }
    std::uint64_t id() const { return id_; }
    Kind kind() const { return kind_; }
    unsigned flags() const { return flags_; }
    int priority() const { return priority_; }
    hipStream_t handle() { return reinterpret_cast<hipStream_t>(this); }

    // Asynchronous operations.
    void launch(const KernelLaunch& launch);
    CompletionPtr copy(const Copy& copy);  // null when it was done at once
    void fill(const Fill& fill);
    // A packet that does nothing but end after everything before it: what an event stands for.
    CompletionPtr marker();
    // Work of the runtime itself, and short: done at once when nothing is pending.
    void run_short(std::function<void()> work);
    // Work that may take long, on a thread of the stream.
    void run_on_host(std::function<void()> work, HostWork kind = HostWork::AfterSuccess);
    void wait_for(const std::vector<CompletionPtr>& completions);

    // Everything submitted so far: what an event records, what a waiter waits for.
    std::vector<CompletionPtr> pending();
    void append_pending(std::vector<CompletionPtr>& into);  // own operations only; under device().submission()

    bool idle();
    void synchronize();
    // Under device().submission().
    void flush_printf(bool even_while_running = false);

    // Stream capture (capture.h); guarded by the graph lock.
    std::shared_ptr<StreamCapture> capture;
    std::vector<Node*> capture_tail;

    std::vector<std::uint32_t> cu_mask;
    hipSynchronizationPolicy sync_policy = hipSyncPolicyAuto;

  private:
    bool blocking() const { return kind_ != Kind::Null && !(flags_ & hipStreamNonBlocking); }
    // All of the following under device().submission().
    // What everything submitted so far ends with: of each queue the last one alone, for a queue works in order.
    std::vector<CompletionPtr> dependencies();
    void append_default_stream_order(std::vector<CompletionPtr>& into);
    CompletionPtr begin(Completion::Kind kind);
    void ended_by(CompletionPtr completion, std::vector<CompletionPtr> deps);
    std::vector<CompletionPtr> make_way(std::unique_lock<std::mutex>& lock, std::size_t bytes, std::size_t alignment);
    bool enqueue_barriers(std::vector<CompletionPtr>& waited_for);
    std::uint64_t enqueue_barrier(const hsa_signal_t* signals, std::size_t count, hsa_signal_t completion);
    void* next_packet(std::uint64_t& index);
    std::size_t free_packets();
    void publish(void* packet, std::uint64_t index, std::uint16_t header, std::uint16_t setup);
    DeviceQueue& queue();
    std::uint64_t launch_number() const;
    void blit(vrocm_blit_work work);
    void copy_box(const Copy& copy);
    void submit_host(std::vector<CompletionPtr> deps, std::function<void()> work, HostWork kind);

    Device& device_;
    const std::uint64_t id_;
    const Kind kind_;
    const unsigned flags_;
    const int priority_;
    DeviceQueue* queue_ = nullptr;
    std::unique_ptr<PrintfBuffer> printf_;
    std::unique_ptr<HostWorker> worker_;
    std::uint64_t serial_ = 0;
    CompletionPtr last_;
    // Operations under way and what they wait for: those signals must not be used again before.
    struct UnderWay {
        CompletionPtr operation;
        std::vector<CompletionPtr> waits_for;
    };
    std::deque<UnderWay> under_way_;
    std::vector<CompletionPtr> waits_;                         // hipStreamWaitEvent, for the next operation
    std::unordered_map<std::uint64_t, std::uint64_t> waited_;  // stream -> serial the queue already waited for
};

// What the program passed: null, legacy, per-thread, or a stream it made.
// Throws hipErrorInvalidHandle for anything else.
Stream& to_stream(hipStream_t handle);
// The same with null meaning the per-thread stream (the _spt functions).
Stream& to_stream_per_thread(hipStream_t handle);
hipStream_t create_stream(Device& device, unsigned flags, int priority);
void destroy_stream(hipStream_t handle);

}  // namespace vrocm::hip
