// A thread that runs a stream's host operations in order, each after what it depends on.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hip/stream/completion.h"

namespace vrocm::hip {

// After a fault, work that takes success for granted is left out; a function that is told of the fault is called.
enum class HostWork : std::uint8_t { AfterSuccess, AfterAnything };

class HostWorker {
  public:
    HostWorker();
    ~HostWorker();  // runs what is queued, then ends the thread
    HostWorker(const HostWorker&) = delete;
    HostWorker& operator=(const HostWorker&) = delete;

    void submit(std::vector<CompletionPtr> after, std::function<void()> work, HostWork kind, CompletionPtr done);

  private:
    struct Job {
        std::vector<CompletionPtr> after;
        std::function<void()> work;
        HostWork kind{};
        CompletionPtr done;
        std::uint64_t submitted = 0;  // virtual time
    };
    // Outlives the object when a callback destroys its own stream: the thread still ends in it.
    struct State {
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<Job> jobs;
        bool stopping = false;
        bool busy = false;
        void* clock = nullptr;  // the thread's clock (abi/vrocm/clock.h)
    };
    static void run(State& state);
    std::shared_ptr<State> state_;
    std::thread thread_;
};

}  // namespace vrocm::hip
