// The one capture that a process makes: which dispatch it is, where it stands, and how the threads meet.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "capture/bookkeeping/code_objects.h"
#include "capture/bookkeeping/queues.h"
#include "capture/packets/packets.h"
#include "capture/settings.h"

namespace rpl::capture {

// The signals between the packets of the captured dispatch and the thread that captures.
struct Signals {
    hsa_signal_t ready{0};    // 1 until everything before the dispatch has ended
    hsa_signal_t go{0};       // 1 until the kernel may start
    hsa_signal_t kernel{0};   // the kernel's own completion
    hsa_signal_t written{0};  // 1 until what it wrote is visible everywhere
    hsa_signal_t done{0};     // 1 until the application may learn of it
    hsa_signal_t resume{0};   // 1 until the other queues go on
};

struct Target {
    InterceptedQueue* queue = nullptr;
    Packet packet;  // as the application wrote it
    const Kernel* kernel = nullptr;
    std::uint64_t dispatch_index = 0;
};

enum class Phase : std::uint8_t {
    Inert,      // nothing to do: no settings that make sense, or a child process
    Watching,   // for the dispatch
    Capturing,  // it has come
    Over,
};

class CaptureSession {
  public:
    void start(Settings settings);
    const Settings& settings() const { return settings_; }
    Phase phase() const { return phase_.load(std::memory_order_acquire); }
    bool wants_more() const { return phase() == Phase::Watching; }

    // Before the first queue: makes the signals and the thread. False when that is not possible.
    bool prepare();
    // Packets that the application submitted, on their way to the hardware. Allocates nothing.
    void pass(InterceptedQueue& queue, std::span<const Packet> packets, hsa_amd_queue_intercept_packet_writer writer);

    // What the application is told when it asks for the time of the captured dispatch by its signal.
    bool recorded_time(hsa_signal_t signal, hsa_amd_profiling_dispatch_time_t& time);
    void signal_gone(hsa_signal_t signal);

    // At the end of the process or of the runtime: a capture that is going on is waited for; the report is written.
    void finish();
    void become_inert() { phase_ = Phase::Inert; }

    // ---- for the thread that captures
    const Signals& signals() const { return signals_; }
    const Target& target() const { return target_; }
    void hold_back(bool yes) { hold_back_ = yes; }
    // The application's thread that submitted the dispatch goes on; the capture continues without it.
    void release_submitter();
    void record_time(const hsa_amd_profiling_dispatch_time_t& time);
    std::string folder;  // where the capture is, when it was made
    std::string reason;  // why it was not

  private:
    struct Found {
        std::size_t index;
        bool found = false;
    };
    Found look_for_target(InterceptedQueue& queue, std::span<const Packet> packets);
    void count(std::span<const Packet> packets);
    void submit_target(InterceptedQueue& queue, hsa_amd_queue_intercept_packet_writer writer);
    void wait_for_capture();
    void run();
    void write_report();

    Settings settings_;
    std::atomic<Phase> phase_{Phase::Inert};
    std::atomic<bool> hold_back_{false};
    std::atomic<std::uint64_t> dispatches_{0}, matching_{0};
    Signals signals_;
    Target target_;
    std::atomic<std::uint64_t> recorded_signal_{0};
    hsa_amd_profiling_dispatch_time_t time_{};
    std::atomic<bool> has_time_{false};

    std::mutex mutex_;
    std::condition_variable changed_;
    bool prepared_ = false, has_thread_ = false;
    bool requested_ = false, submitter_released_ = false;
};

CaptureSession& session();

// Makes the capture of the session's target. Throws CaptureError or snapshot::FileError; whatever happens, the
// application's queues go on afterwards.
void make_capture();

}  // namespace rpl::capture
