#include "hsa/queue/command_processor.h"

#include <pthread.h>

#include <algorithm>

#include "hsa/agent/agent.h"
#include "hsa/time/clock.h"

namespace vrocm::hsa {

namespace {

// Instructions of a kernel before the other queues are served: few when they have work, since a kernel may wait
// for one of theirs; many when not, since every turn has a cost.
constexpr std::uint64_t kTurnShared = 500'000, kTurnAlone = 4'000'000;
// How long to sleep (ns) when no queue gets on.
constexpr std::uint64_t kSleepIdle = 20'000'000;  // a client may write a doorbell past the runtime
constexpr std::uint64_t kSleepBlocked = kLongestPoll;
constexpr std::uint64_t kSleepWaiting = 100'000;
constexpr std::uint64_t kSleepHeld = 50'000;
constexpr std::uint64_t kLongestHold = 500'000'000;

// What is simulated first leaves its traces in the caches for the next: the order must not depend on how fast the host
// is, so it is that of submission.
void sort_by_submission(std::vector<std::shared_ptr<HardwareQueue>>& queues) {
    if (queues.size() < 2) return;
    std::vector<std::pair<std::uint64_t, std::shared_ptr<HardwareQueue>>> numbered;
    for (auto& queue : queues) numbered.emplace_back(queue->next_submission(), std::move(queue));
    std::stable_sort(numbered.begin(), numbered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < queues.size(); ++i) queues[i] = std::move(numbered[i].second);
}

}  // namespace

void CommandProcessor::add(std::shared_ptr<HardwareQueue> queue) {
    {
        std::lock_guard lock(mutex_);
        queues_.push_back(std::move(queue));
        if (!thread_.joinable() && !stopping_) {
            add_watch_target(wake_);
            thread_ = std::thread([this] {
                clock::is_device_thread();
                run();
            });
            pthread_setname_np(thread_.native_handle(), "vrocm-gpu");
        }
    }
    reorder();
    kick();
}

void CommandProcessor::remove(HardwareQueue& queue) {
    std::lock_guard lock(mutex_);
    std::erase_if(queues_, [&queue](const auto& q) { return q.get() == &queue; });
}

void CommandProcessor::reorder() {
    std::lock_guard lock(mutex_);
    std::stable_sort(queues_.begin(), queues_.end(),
                     [](const auto& a, const auto& b) { return a->priority.load() > b->priority.load(); });
}

void CommandProcessor::stop() {
    stopping_ = true;
    wake_.wake();
    if (!thread_.joinable()) return;
    thread_.join();
    remove_watch_target(wake_);
}

bool CommandProcessor::serve_all(std::uint64_t& sleep) {
    std::vector<std::shared_ptr<HardwareQueue>> queues;
    {
        std::lock_guard lock(mutex_);
        queues = queues_;
    }
    return clock::is_virtual() && queues.size() > 1 ? serve_in_order(queues, sleep) : serve_in_turn(queues, sleep);
}

// The packet that was submitted first is carried out before any other begins. One that does not get on, because it
// waits for a signal or its kernel seems to wait for another, is overtaken when nobody else can change that.
bool CommandProcessor::serve_in_order(std::vector<std::shared_ptr<HardwareQueue>>& queues, std::uint64_t& sleep) {
    std::erase_if(queues, [](const auto& queue) { return !queue->has_work(); });
    sort_by_submission(queues);
    bool progress = false, first = true;
    sleep = kSleepIdle;
    for (const auto& queue : queues) {
        if (stopping_) return false;
        if (!first && !leave_to_overtake(*queue)) {
            sleep = kSleepHeld;
            return progress;
        }
        const bool stalled = queue->may_wait_for_another();
        switch (queue->process(stalled || !first ? kTurnShared : kTurnAlone)) {
            case HardwareQueue::Outcome::Progress:
                overtaking_since_ = 0;
                if (!queue->may_wait_for_another()) return true;
                progress = true;
                break;
            case HardwareQueue::Outcome::Waiting:
                sleep = std::min(sleep, kSleepWaiting);
                break;
            case HardwareQueue::Outcome::Blocked:
                sleep = std::min(sleep, kSleepBlocked);
                break;
            case HardwareQueue::Outcome::Idle:
                continue;
        }
        first = false;
    }
    return progress;
}

// A host that keeps calling and never asks for anything that this GPU does must not hold it up for ever.
bool CommandProcessor::leave_to_overtake(HardwareQueue& queue) {
    if (queue.may_overtake()) return true;
    const std::uint64_t now = clock::host_nanoseconds();
    if (overtaking_since_ == 0) overtaking_since_ = now;
    return now - overtaking_since_ > kLongestHold;
}

bool CommandProcessor::serve_in_turn(std::vector<std::shared_ptr<HardwareQueue>>& queues, std::uint64_t& sleep) {
    const auto busy = std::count_if(queues.begin(), queues.end(), [](const auto& q) { return q->has_work(); });
    bool progress = false;
    sleep = kSleepIdle;
    for (const auto& queue : queues) {
        if (stopping_) return false;
        switch (queue->process(busy > 1 ? kTurnShared : kTurnAlone)) {
            case HardwareQueue::Outcome::Progress:
                progress = true;
                break;
            case HardwareQueue::Outcome::Waiting:
                sleep = std::min(sleep, kSleepWaiting);
                break;
            case HardwareQueue::Outcome::Blocked:
                sleep = std::min(sleep, kSleepBlocked);
                break;
            case HardwareQueue::Outcome::Idle:
                break;
        }
    }
    return progress;
}

void CommandProcessor::pause() {
    pausing_ = true;
    serving_.lock();
}

void CommandProcessor::resume() {
    serving_.unlock();
    pausing_ = false;
}

void CommandProcessor::run() {
    while (!stopping_) {
        Notifier::Ticket ticket(wake_);
        std::uint64_t sleep;
        bool progress;
        while (pausing_) std::this_thread::yield();  // else it would take the lock again before anybody else gets it
        {
            std::lock_guard lock(serving_);
            progress = serve_all(sleep);
        }
        if (!progress && !stopping_) ticket.wait(sleep);
    }
}

}  // namespace vrocm::hsa
