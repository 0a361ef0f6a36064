#include "hip/host_worker.h"

namespace vrocm::hip {

HostWorker::HostWorker() : thread_([this] { run(); }) {}

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
        jobs_.push_back({std::move(after), std::move(work), std::move(done)});
    }
    changed_.notify_one();
}

void HostWorker::run() {
    while (true) {
        Job job;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
            if (jobs_.empty()) return;
            job = std::move(jobs_.front());
            jobs_.pop_front();
        }
        bool reached = true;
        for (const CompletionPtr& completion : job.after) reached &= completion->wait();
        job.done->host_start = now_ticks();
        if (reached) job.work();  // after a fault nothing that depends on the kernel runs
        job.done->finish();
    }
}

}  // namespace vrocm::hip
