#include "sim/timing/sampling.h"

#include <algorithm>

namespace vrocm::sim::timing {

namespace {

constexpr std::uint64_t kMillion = 1'000'000;
// Instructions that are simulated before anything is guessed, and dispatches that are small enough to be simulated
// as a whole.
constexpr std::uint64_t kAlways = 2 * kMillion, kWhole = 6 * kMillion;
// A long dispatch that does not become steady is simulated for a share of it, within bounds.
constexpr std::uint64_t kShare = 16, kLeast = 4 * kMillion, kMost = 40 * kMillion;
constexpr std::uint64_t kStep = kMillion / 4;

// Two rates (instructions over clocks) differ by at most one part in `precision`.
bool close(const Progress& a, const Progress& b, const Progress& c, std::uint64_t precision) {
    const auto first = static_cast<unsigned __int128>(b.instructions - a.instructions) * (c.now - b.now);
    const auto second = static_cast<unsigned __int128>(c.instructions - b.instructions) * (b.now - a.now);
    const auto difference = first > second ? first - second : second - first;
    return difference * precision <= first;
}

}  // namespace

std::uint64_t Sampling::budget(std::uint64_t expected) const {
    if (expected <= kWhole) return kWhole;
    return std::clamp(expected / kShare, kLeast, kMost);
}

bool Sampling::wants_expectation(const Progress& progress) const {
    return progress.instructions >= kAlways;
}

bool Sampling::enough(const Progress& progress, std::uint64_t expected) {
    if (steps_.empty() || progress.instructions >= steps_.back().instructions + kStep) steps_.push_back(progress);
    if (progress.groups_ended >= (generations_.size() + 1) * generation_) {
        generations_.push_back(progress);
        const std::size_t n = generations_.size();
        constexpr std::size_t kPatience = 8;
        // The first generation starts all at once on cold caches; the others count.
        if (n >= 4 && close(generations_[n - 3], generations_[n - 2], generations_[n - 1], 50)) return true;
        if (n >= kPatience && progress.instructions >= kAlways) return true;
    }
    if (progress.instructions < kAlways) return false;
    // The last groups are about to end anyway.
    if (progress.groups_ended + generation_ >= groups_ && expected && expected <= 2 * progress.instructions)
        return false;
    return progress.instructions >= budget(expected);
}

Cycle Sampling::rest(const Progress& at, std::uint64_t left) const {
    if (left == 0) return 0;
    // The rate since the second generation; without generations, that of the second half.
    Progress from;
    if (generations_.size() >= 3) {
        from = generations_[generations_.size() - 3];
    } else {
        for (const Progress& step : steps_)
            if (step.instructions <= at.instructions / 2) from = step;
    }
    const std::uint64_t instructions = std::max<std::uint64_t>(at.instructions - from.instructions, 1);
    const std::uint64_t clocks = at.now > from.now ? at.now - from.now : 1;
    return static_cast<Cycle>(static_cast<unsigned __int128>(left) * clocks / instructions);
}

}  // namespace vrocm::sim::timing
