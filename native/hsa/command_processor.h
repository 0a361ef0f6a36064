// The thread of a GPU that serves its queues in turn.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hsa/hardware_queue.h"

namespace vrocm::hsa {

class CommandProcessor {
  public:
    explicit CommandProcessor(Agent& agent) : agent_(agent) {}
    ~CommandProcessor() { stop(); }
    CommandProcessor(const CommandProcessor&) = delete;
    CommandProcessor& operator=(const CommandProcessor&) = delete;

    void add(std::shared_ptr<HardwareQueue> queue);
    void remove(HardwareQueue& queue);
    void kick() { wake_.wake(); }
    // Puts queues of higher priority first.
    void reorder();
    void stop();

  private:
    void run();
    bool serve_all(std::uint64_t& sleep);

    Agent& agent_;
    std::mutex mutex_;
    std::vector<std::shared_ptr<HardwareQueue>> queues_;
    Notifier wake_;
    std::thread thread_;
    std::atomic<bool> stopping_{false};
};

}  // namespace vrocm::hsa
