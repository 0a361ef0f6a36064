#include "hip/stream/host_worker.h"

#include "abi/vrocm/clock.h"
#include "hip/device/fault.h"

namespace vrocm::hip {

HostWorker::HostWorker() : state_(std::make_shared<State>()) {
    state_->clock = vrocm_clock_service_create();
    thread_ = std::thread([state = state_] { run(*state); });
}

HostWorker::~HostWorker() {
    {
        std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->changed.notify_all();
    // A callback may destroy its own stream: then the thread ends by itself.
    if (thread_.get_id() == std::this_thread::get_id())
        thread_.detach();
    else
        thread_.join();
}

void HostWorker::submit(std::vector<CompletionPtr> after, std::function<void()> work, HostWork kind,
                        CompletionPtr done) {
    {
        std::lock_guard lock(state_->mutex);
        state_->jobs.push_back({std::move(after), std::move(work), kind, std::move(done), vrocm_clock_now()});
        if (!state_->busy) vrocm_clock_service_begin(state_->clock, state_->jobs.back().submitted);
        state_->busy = true;
    }
    state_->changed.notify_one();
}

void HostWorker::run(State& state) {
    vrocm_clock_service_bind(state.clock);
    while (true) {
        Job job;
        {
            std::unique_lock lock(state.mutex);
            if (state.jobs.empty()) {
                state.busy = false;
                vrocm_clock_service_idle(state.clock);
            }
            state.changed.wait(lock, [&state] { return state.stopping || !state.jobs.empty(); });
            if (state.jobs.empty()) break;
            job = std::move(state.jobs.front());
            state.jobs.pop_front();
        }
        vrocm_clock_not_before(job.submitted);
        for (const CompletionPtr& completion : job.after) completion->wait();
        vrocm_clock_handler_wake_up();
        job.done->host_start = now_ticks();
        if (sticky_error() == hipSuccess || job.kind == HostWork::AfterAnything) job.work();
        job.done->finish();
    }
    vrocm_clock_service_destroy(state.clock);
}

}  // namespace vrocm::hip
