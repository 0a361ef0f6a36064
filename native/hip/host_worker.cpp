#include "hip/host_worker.h"

#include "abi/vrocm/clock.h"

namespace vrocm::hip {

HostWorker::HostWorker() : clock_(vrocm_clock_service_create()), thread_([this] { run(); }) {}

HostWorker::~HostWorker() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    // A callback may destroy its own stream: then the thread ends by itself.
    if (thread_.get_id() == std::this_thread::get_id())
        thread_.detach();
    else
        thread_.join();
}

void HostWorker::submit(std::vector<CompletionPtr> after, std::function<void()> work, CompletionPtr done) {
    {
        std::lock_guard lock(mutex_);
        jobs_.push_back({std::move(after), std::move(work), std::move(done), vrocm_clock_now()});
        if (!busy_) vrocm_clock_service_begin(clock_, jobs_.back().submitted);
        busy_ = true;
    }
    changed_.notify_one();
}

void HostWorker::run() {
    void* const clock = clock_;  // a callback may destroy the object
    vrocm_clock_service_bind(clock);
    while (true) {
        Job job;
        {
            std::unique_lock lock(mutex_);
            if (jobs_.empty()) {
                busy_ = false;
                vrocm_clock_service_idle(clock);
            }
            changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
            if (jobs_.empty()) break;
            job = std::move(jobs_.front());
            jobs_.pop_front();
        }
        bool reached = true;
        vrocm_clock_not_before(job.submitted);
        for (const CompletionPtr& completion : job.after) reached &= completion->wait();
        vrocm_clock_handler_wake_up();
        job.done->host_start = now_ticks();
        if (reached) job.work();  // after a fault nothing that depends on the kernel runs
        job.done->finish();
    }
    vrocm_clock_service_destroy(clock);
}

}  // namespace vrocm::hip
