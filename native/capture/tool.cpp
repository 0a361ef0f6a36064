// The entry points of the tools library: the runtime calls OnLoad while it starts and OnUnload when it ends.
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <cstdio>

#include "capture/bookkeeping/code_objects.h"
#include "capture/bookkeeping/copies_in_flight.h"
#include "capture/bookkeeping/queues.h"
#include "capture/bookkeeping/ranges.h"
#include "capture/calls/gate.h"
#include "capture/calls/original.h"
#include "capture/calls/unknown_calls.h"
#include "capture/calls/wrappers.h"
#include "capture/session.h"

namespace rpl::capture {

namespace {

std::atomic<bool> finished{false};

void finish_once() {
    if (!finished.exchange(true)) session().finish();
}

// A child process has none of our threads and must not write the parent's capture.
void in_child() {
    finished = true;
    session().become_inert();
    gate().forget();
}

// Programs that never shut the runtime down.
__attribute__((destructor)) void at_exit() {
    finish_once();
}

}  // namespace

}  // namespace rpl::capture

extern "C" __attribute__((visibility("default"))) bool OnLoad(HsaApiTable* table, std::uint64_t, std::uint64_t,
                                                              const char* const*) {
    using namespace rpl::capture;
    // A runtime that is started a second time has other agents, queues and signals than those that are booked.
    static std::atomic<bool> loaded{false};
    if (loaded.exchange(true)) return true;
    std::string reason;
    if (!original().save(*table, reason)) {
        std::fprintf(stderr, "rocm-perf capture: %s\n", reason.c_str());
        return false;
    }
    session().start(Settings::from_environment());
    pthread_atfork(nullptr, nullptr, in_child);
    if (session().phase() == Phase::Inert) return true;
    // Made now: the first packets must not wait for an allocation.
    bookkeeping();
    code_objects();
    copies_in_flight();
    gate();
    queues();
    install_memory(*table);
    install_virtual_memory(*table);
    install_copies(*table);
    install_code(*table);
    install_queues(*table);
    install_signals(*table);
    install_unknown(*table);
    return true;
}

extern "C" __attribute__((visibility("default"))) void OnUnload() {
    rpl::capture::finish_once();
}
