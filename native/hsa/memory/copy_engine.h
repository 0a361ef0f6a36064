// Asynchronous copies: run at once when the signals they depend on are zero, else by a thread when they are.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "hsa/signal/signal.h"
#include "hsa/time/costs.h"
#include "hsa/time/virtual_time.h"
#include "trace/device.h"

namespace vrocm::hsa {

// What a copy moves; null pointers for work that moves nothing.
struct CopyTraffic {
    hsa_agent_t to_agent{}, from_agent{};
    void* to = nullptr;
    const void* from = nullptr;
    std::uint64_t bytes = 0;
    bool fill = false;  // nothing is read
};

class CopyEngine {
  public:
    ~CopyEngine() { stop(); }
    // `work` returns false when it could not be done; the completion signal is then set negative.
    void submit(std::function<bool()> work, const CopyTraffic& traffic, const hsa_signal_t* dependencies,
                std::size_t count, Signal* completion);
    void stop();
    void profile(bool enable) { profiling_ = enable; }

  private:
    struct Job {
        std::function<bool()> work;
        std::vector<Signal*> dependencies;
        Signal* completion;
        bool profiled;
        CopyTraffic traffic;
        trace::Origin origin;
        std::uint64_t submitted = 0;
        VirtualTime::CopyTicket ticket = 0;
    };
    void start();
    void run();
    bool run_one();
    static void carry_out(const Job& job);
    static void finish(const Job& job, bool done, std::uint64_t began);
    static void finish_virtually(const Job& job, bool done);

    std::mutex mutex_;
    std::list<Job> jobs_;
    Notifier wake_;
    std::thread thread_;
    bool stopping_ = false;
    std::atomic<bool> profiling_{false};
};

// A copy or fill that the calling thread waits for: what it takes in virtual time.
void charge_for(const CopyTraffic& traffic);

// Mappings of virtual memory have a side of their own for GPUs; the host sees at their addresses what it was given
// access to, and faults where it was given none.
enum class Mover : std::uint8_t { Host, Gpu };
// False when a range is not mapped.
bool copy_bytes(void* to, const void* from, std::size_t size, Mover mover);
// Of the host: ROCr up to 7.0 takes mapped memory for the host's here and in hsa_memory_copy.
bool fill_words(void* to, std::uint32_t value, std::size_t count);
bool copy_rect(const hsa_pitched_ptr_t& to, hsa_dim3_t to_offset, const hsa_pitched_ptr_t& from, hsa_dim3_t from_offset,
               hsa_dim3_t range);

}  // namespace vrocm::hsa
