// Threads of the library's own: signals are for the application's threads.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>

namespace rpl::capture {

template <class F>
std::thread quiet_thread(F&& work) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread made(std::forward<F>(work));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_setname_np(made.native_handle(), "rocm-perf");
    return made;
}

}  // namespace rpl::capture
