#include "capture/session.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "capture/calls/original.h"
#include "capture/documents/report.h"
#include "capture/threads.h"
#include "snapshot/region_file.h"

namespace rpl::capture {

CaptureSession& session() {
    static auto* instance = new CaptureSession;
    return *instance;
}

void CaptureSession::start(Settings settings) {
    settings_ = std::move(settings);
    if (settings_.problem.empty()) {
        phase_ = Phase::Watching;
        return;
    }
    reason = settings_.problem;
    std::fprintf(stderr, "rocm-perf capture: %s\n", reason.c_str());
}

bool CaptureSession::prepare() {
    if (phase() == Phase::Inert) return false;
    std::lock_guard lock(mutex_);
    if (prepared_) return true;
    for (hsa_signal_t* signal :
         {&signals_.ready, &signals_.go, &signals_.kernel, &signals_.written, &signals_.done, &signals_.resume})
        if (!signal->handle) *signal = make_signal(1);
    if (!signals_.resume.handle) return false;
    quiet_thread([this] { run(); }).detach();
    return prepared_ = true;
}

// The thread that captures.
void CaptureSession::run() {
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return requested_; });
    }
    try {
        make_capture();
        folder = settings_.folder;
    } catch (const CaptureError& error) {
        reason = error.what();
    } catch (const snapshot::FileError& error) {
        reason = error.message;
    } catch (const std::exception& error) {  // out of memory
        reason = std::string("the capture was given up: ") + error.what();
    }
    if (folder.empty()) {
        std::fprintf(stderr, "rocm-perf capture: %s\n", reason.c_str());
        recorded_signal_ = 0;
    }
    write_report();
    if (settings_.stop && !folder.empty()) {
        // Another thread may hold a stream's lock for ever; what it would have written is lost then.
        std::thread([] { std::fflush(nullptr), _exit(0); }).detach();
        std::this_thread::sleep_for(std::chrono::seconds(2));
        _exit(0);
    }
    std::lock_guard lock(mutex_);
    phase_ = Phase::Over;
    changed_.notify_all();
}

void CaptureSession::release_submitter() {
    std::lock_guard lock(mutex_);
    submitter_released_ = true;
    changed_.notify_all();
}

void CaptureSession::record_time(const hsa_amd_profiling_dispatch_time_t& time) {
    time_ = time;
    has_time_ = true;
}

bool CaptureSession::recorded_time(hsa_signal_t signal, hsa_amd_profiling_dispatch_time_t& time) {
    if (signal.handle == 0 || recorded_signal_ != signal.handle || !has_time_) return false;
    time = time_;
    return true;
}

void CaptureSession::signal_gone(hsa_signal_t signal) {
    std::uint64_t expected = signal.handle;
    if (signal.handle) recorded_signal_.compare_exchange_strong(expected, 0);
}

void CaptureSession::finish() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(settings_.timeout_seconds),
                      [this] { return phase() != Phase::Capturing; });
    lock.unlock();
    write_report();
}

void CaptureSession::write_report() {
    if (settings_.report.empty()) return;
    Report made;
    made.folder = folder;
    made.reason = reason;
    made.matching_dispatches = matching_;
    made.dispatches = dispatches_;
    made.kernels = code_objects().names_seen();
    made.write(settings_.report);
}

}  // namespace rpl::capture
