// The thread of a GPU that serves its queues in turn.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hsa/queue/hardware_queue.h"

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
    // Between the two its thread, and those that run workgroups for it, do nothing: a child process must not find
    // locks taken by threads it does not have.
    void pause();
    void resume();

  private:
    void run();
    // Serves every queue once, or in virtual time in the order of submission. True when one got on; else how long to
    // sleep.
    bool serve_all(std::uint64_t& sleep);
    bool serve_in_turn(std::vector<std::shared_ptr<HardwareQueue>>& queues, std::uint64_t& sleep);
    bool leave_to_overtake(HardwareQueue& queue);
    bool serve_in_order(std::vector<std::shared_ptr<HardwareQueue>>& queues, std::uint64_t& sleep);

    Agent& agent_;
    std::mutex serving_;
    std::atomic<bool> pausing_{false};
    std::mutex mutex_;
    std::vector<std::shared_ptr<HardwareQueue>> queues_;
    Notifier wake_;
    std::thread thread_;
    std::atomic<bool> stopping_{false};
    std::uint64_t overtaking_since_ = 0;  // host time since which a queue has waited for leave to overtake another
};

}  // namespace vrocm::hsa
