#include "sim/dispatch/threads.h"

#include <signal.h>
#include <xmmintrin.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

namespace vrocm::sim {

unsigned host_threads() {
    if (const char* text = std::getenv("VROCM_THREADS")) {
        const long n = std::strtol(text, nullptr, 10);
        if (n > 0) return static_cast<unsigned>(std::min(n, 256l));
    }
    static const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 1u, 16u);
    return cores;
}

namespace {

class DefaultFloatState {
  public:
    DefaultFloatState() : saved_(_mm_getcsr()) { _mm_setcsr(0x1f80); }  // all exceptions masked, no FTZ, no DAZ
    ~DefaultFloatState() { _mm_setcsr(saved_); }
    DefaultFloatState(const DefaultFloatState&) = delete;
    DefaultFloatState& operator=(const DefaultFloatState&) = delete;

  private:
    unsigned saved_;
};

struct Job {
    unsigned parts;
    const std::function<void(unsigned)>& body;
    unsigned next = 0;  // guarded by the pool's mutex, as is running
    unsigned running = 0;
    std::condition_variable finished;
};

class Pool {
  public:
    static Pool& process() {
        static Pool* pool = new Pool;  // helpers may outlive static destructors
        return *pool;
    }

    void run(Job& job) {
        std::unique_lock lock(mutex_);
        while (helpers_ + 1 < host_threads()) start_helper();
        jobs_.push_back(&job);
        work_.notify_all();
        while (job.next < job.parts) run_next(job, lock);
        jobs_.remove(&job);
        job.finished.wait(lock, [&job] { return job.running == 0; });
    }

  private:
    void start_helper() {
        // The program's signals are for its own threads.
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        std::thread([this] { help(); }).detach();
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        ++helpers_;
    }

    void run_next(Job& job, std::unique_lock<std::mutex>& lock) {
        const unsigned part = job.next++;
        ++job.running;
        lock.unlock();
        {
            DefaultFloatState state;
            job.body(part);
        }
        lock.lock();
        if (--job.running == 0 && job.next == job.parts) job.finished.notify_one();
    }

    void help() {
        std::unique_lock lock(mutex_);
        for (;;) {
            Job* job = nullptr;
            work_.wait(lock, [&] {
                for (Job* j : jobs_)
                    if (j->next < j->parts) job = j;
                return job != nullptr;
            });
            run_next(*job, lock);
        }
    }

    std::mutex mutex_;
    std::condition_variable work_;
    std::list<Job*> jobs_;
    unsigned helpers_ = 0;
};

}  // namespace

void run_parts(unsigned parts, const std::function<void(unsigned)>& body) {
    if (parts == 1) {
        DefaultFloatState state;
        body(0);
        return;
    }
    Job job{.parts = parts, .body = body};
    Pool::process().run(job);
}

}  // namespace vrocm::sim
