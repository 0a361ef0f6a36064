#include "capture/bookkeeping/queues.h"

#include "capture/calls/original.h"

namespace rpl::capture {

std::string InterceptedQueue::words() const {
    return "queue " + std::to_string(number);
}

InterceptedQueues& queues() {
    static auto* instance = new InterceptedQueues;
    return *instance;
}

InterceptedQueue& InterceptedQueues::add(hsa_agent_t agent, QueueCallback callback, void* data) {
    auto made = std::make_unique<InterceptedQueue>();
    made->agent = agent;
    made->callback = callback;
    made->callback_data = data;
    made->alive = false;
    made->drained = make_signal(1);
    made->unfinished = make_signal(0);
    for (HoldMark& mark : made->marks) mark.reached = make_signal(0);
    std::lock_guard lock(mutex_);
    made->number = static_cast<unsigned>(queues_.size());
    queues_.push_back(std::move(made));
    return *queues_.back();
}

void InterceptedQueues::made(InterceptedQueue& queue, hsa_queue_t* handle) {
    std::lock_guard lock(mutex_);
    queue.handle = handle;
    queue.single_producer = handle->type == HSA_QUEUE_TYPE_SINGLE;
    queue.alive = true;
}

InterceptedQueue* InterceptedQueues::find(const hsa_queue_t* handle) {
    std::lock_guard lock(mutex_);
    for (const auto& queue : queues_)
        if (queue->alive && queue->handle == handle) return queue.get();
    return nullptr;
}

void InterceptedQueues::gone(InterceptedQueue& queue) {
    std::lock_guard lock(mutex_);
    const auto destroy = [](hsa_signal_t& signal) {
        if (signal.handle) original().core.hsa_signal_destroy_fn(signal);
        signal = {0};
    };
    destroy(queue.drained);
    destroy(queue.unfinished);
    for (HoldMark& mark : queue.marks) {
        destroy(mark.reached);
        mark.used = false;
    }
}

std::vector<InterceptedQueue*> InterceptedQueues::alive() {
    std::lock_guard lock(mutex_);
    std::vector<InterceptedQueue*> list;
    for (const auto& queue : queues_)
        if (queue->alive) list.push_back(queue.get());
    return list;
}

hsa_signal_t InterceptedQueues::mark_hold(InterceptedQueue& queue, const Dependencies& after) {
    std::lock_guard lock(mutex_);
    HoldMark& mark = queue.marks[queue.next_mark % queue.marks.size()];
    if (!mark.reached.handle || (mark.used && peek(mark.reached) != 0)) return {0};
    ++queue.next_mark;
    mark.used = true;
    mark.after = after;
    original().core.hsa_signal_store_relaxed_fn(mark.reached, 1);
    return mark.reached;
}

bool InterceptedQueues::is_held(InterceptedQueue& queue) {
    std::lock_guard lock(mutex_);
    for (const HoldMark& mark : queue.marks)
        if (mark.used && peek(mark.reached) == 0 && !mark.after.satisfied()) return true;
    return false;
}

void InterceptedQueues::signal_gone(hsa_signal_t signal) {
    std::lock_guard lock(mutex_);
    for (const auto& queue : queues_)
        for (HoldMark& mark : queue->marks)
            if (mark.used && mark.after.names(signal)) mark.after = {};
}

}  // namespace rpl::capture
