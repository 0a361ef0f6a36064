// A thread that runs a stream's host operations in order, each after what it depends on.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "hip/completion.h"

namespace vrocm::hip {

class HostWorker {
  public:
    HostWorker();
    ~HostWorker();  // runs what is queued, then ends the thread
    HostWorker(const HostWorker&) = delete;
    HostWorker& operator=(const HostWorker&) = delete;

    void submit(std::vector<CompletionPtr> after, std::function<void()> work, CompletionPtr done);

  private:
    struct Job {
        std::vector<CompletionPtr> after;
        std::function<void()> work;
        CompletionPtr done;
        std::uint64_t submitted = 0;  // virtual time
    };
    void run();
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    bool stopping_ = false;
    bool busy_ = false;
    void* clock_;  // the thread's clock (abi/vrocm/clock.h)
    std::thread thread_;
};

}  // namespace vrocm::hip
