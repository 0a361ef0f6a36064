// The loop of a thread that does what may be done, and otherwise sleeps until it is woken. While it waits for signals
// it also looks by itself: their values may be written without anybody being told.
#pragma once

#include <cstdint>

#include "hsa/signal/notifier.h"
#include "hsa/signal/signal.h"

namespace vrocm::hsa {

enum class Waiting : std::uint8_t { ForSignals, ForWork, NoMore };

// `run_one`: false when nothing may be done now. `waiting`: what for, then.
template <typename RunOne, typename WhatFor>
void poll_loop(Notifier& wake, RunOne&& run_one, WhatFor&& waiting) {
    constexpr std::uint64_t kIdle = 1'000'000'000;  // ns
    Poll poll;
    for (;;) {
        Notifier::Ticket ticket(wake);
        if (run_one()) {
            poll.begin_anew();
            continue;
        }
        const Waiting state = waiting();
        if (state == Waiting::NoMore) return;
        ticket.wait(state == Waiting::ForSignals ? poll.next() : kIdle);
    }
}

}  // namespace vrocm::hsa
