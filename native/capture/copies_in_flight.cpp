#include "capture/copies_in_flight.h"

#include <algorithm>
#include <cstdio>

#include "capture/original.h"

namespace rpl::capture {

CopiesInFlight& copies_in_flight() {
    static auto* instance = new CopiesInFlight;
    return *instance;
}

// A copy lowers its signal by one (to below zero when it fails), so one whose signal is lower than it was has ended.
// Several copies that count down one signal end one after another: as many are in flight as the signal says.
void CopiesInFlight::drop_ended() {
    std::erase_if(copies_, [](const Copy& c) { return peek(c.completion) < std::min<std::int64_t>(c.value, 1); });
    for (std::size_t i = 0; i < copies_.size();) {
        const hsa_signal_t signal = copies_[i].completion;
        const auto same = [&](const Copy& c) { return c.completion.handle == signal.handle; };
        const auto count = std::count_if(copies_.begin(), copies_.end(), same);
        if (count > 1 && count > peek(signal))
            copies_.erase(std::find_if(copies_.begin(), copies_.end(), same));
        else
            ++i;
    }
    count_ = copies_.size();
}

void CopiesInFlight::submitting(hsa_signal_t completion, const Dependencies& after, const void* to,
                                std::uint64_t bytes) {
    if (!completion.handle || bytes == 0) return;  // nothing to copy: the runtime leaves the signal alone
    std::lock_guard lock(mutex_);
    drop_ended();
    copies_.push_back({completion, peek(completion), after, to, bytes});
    count_ = copies_.size();
}

void CopiesInFlight::refused(hsa_signal_t completion) {
    std::lock_guard lock(mutex_);
    const auto last = std::find_if(copies_.rbegin(), copies_.rend(),
                                   [&](const Copy& c) { return c.completion.handle == completion.handle; });
    if (last != copies_.rend()) copies_.erase(std::next(last).base());
    count_ = copies_.size();
}

void CopiesInFlight::forget(hsa_signal_t signal, bool as_dependency) {
    std::lock_guard lock(mutex_);
    std::erase_if(copies_, [&](const Copy& c) { return c.completion.handle == signal.handle; });
    for (Copy& copy : copies_)
        if (as_dependency && copy.after.names(signal)) copy.after = {};
    count_ = copies_.size();
}

CopiesInFlight::State CopiesInFlight::state() {
    std::lock_guard lock(mutex_);
    drop_ended();
    State now;
    for (const Copy& copy : copies_) {
        if (!copy.after.too_many && !copy.after.satisfied()) {
            ++now.held;
            continue;
        }
        ++now.running;
        char words[80];
        std::snprintf(words, sizeof words, "a copy of %llu bytes to %p", static_cast<unsigned long long>(copy.bytes),
                      copy.to);
        now.running_one = words;
    }
    return now;
}

}  // namespace rpl::capture
