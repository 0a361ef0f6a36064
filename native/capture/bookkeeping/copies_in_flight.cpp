#include "capture/bookkeeping/copies_in_flight.h"

#include <algorithm>
#include <cstdio>

#include "capture/calls/original.h"

namespace rpl::capture {

CopiesInFlight& copies_in_flight() {
    static auto* instance = new CopiesInFlight;
    return *instance;
}

// A copy lowers its signal by one (to below zero when it fails), so one whose signal has come to zero has ended.
// Several copies that count down one signal end one after another: as many are in flight as the signal says.
void CopiesInFlight::drop_ended(hsa_signal_t signal, Copies& copies) {
    const hsa_signal_value_t now = peek(signal);
    std::erase_if(copies, [&](const Copy& c) { return now < std::min<std::int64_t>(c.value, 1); });
    const auto most = static_cast<std::size_t>(std::max<std::int64_t>(now, 1));
    if (copies.size() > most) copies.erase(copies.begin(), copies.end() - static_cast<std::ptrdiff_t>(most));
}

void CopiesInFlight::look(hsa_signal_t signal) {
    std::lock_guard lock(mutex_);
    const auto found = by_signal_.find(signal.handle);
    if (found == by_signal_.end()) return;
    drop_ended(signal, found->second);
    if (found->second.empty()) by_signal_.erase(found);
    count_ = by_signal_.size();
}

void CopiesInFlight::submitting(hsa_signal_t completion, const Dependencies& after, const void* to,
                                std::uint64_t bytes) {
    if (!completion.handle || bytes == 0) return;  // nothing to copy: the runtime leaves the signal alone
    std::lock_guard lock(mutex_);
    Copies& copies = by_signal_[completion.handle];
    drop_ended(completion, copies);
    copies.push_back({peek(completion), after, to, bytes});
    count_ = by_signal_.size();
}

void CopiesInFlight::refused(hsa_signal_t completion) {
    std::lock_guard lock(mutex_);
    const auto found = by_signal_.find(completion.handle);
    if (found == by_signal_.end()) return;
    found->second.pop_back();
    if (found->second.empty()) by_signal_.erase(found);
    count_ = by_signal_.size();
}

void CopiesInFlight::forget(hsa_signal_t signal, bool as_dependency) {
    std::lock_guard lock(mutex_);
    by_signal_.erase(signal.handle);
    if (as_dependency)
        for (auto& [handle, copies] : by_signal_)
            for (Copy& copy : copies)
                if (copy.after.names(signal)) copy.after = {};
    count_ = by_signal_.size();
}

CopiesInFlight::State CopiesInFlight::state() {
    std::lock_guard lock(mutex_);
    State now;
    for (auto& [handle, copies] : by_signal_) {
        drop_ended({handle}, copies);
        for (const Copy& copy : copies) {
            if (!copy.after.too_many && !copy.after.satisfied()) {
                ++now.held;
                continue;
            }
            ++now.running;
            char words[80];
            std::snprintf(words, sizeof words, "a copy of %llu bytes to %p",
                          static_cast<unsigned long long>(copy.bytes), copy.to);
            now.running_one = words;
        }
    }
    std::erase_if(by_signal_, [](const auto& entry) { return entry.second.empty(); });
    count_ = by_signal_.size();
    return now;
}

}  // namespace rpl::capture
