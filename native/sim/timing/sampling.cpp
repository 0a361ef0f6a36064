#include "sim/timing/sampling.h"

#include <algorithm>

namespace vrocm::sim::timing {

namespace {

constexpr std::uint64_t kMillion = 1'000'000;
// Dispatches that are small enough to be simulated as a whole.
constexpr std::uint64_t kWhole = 6 * kMillion;
// A long dispatch that does not become steady is simulated for a share of it, within bounds.
constexpr std::uint64_t kShare = 16, kLeast = 4 * kMillion;
constexpr std::uint64_t kStep = kMillion / 16;

// How much is done for a dispatch, by what was spent on earlier ones: a program that launches many different kernels
// is to end, too.
constexpr Thoroughness kThoroughness[] = {
    {30 * kMillion, 6, 2 * kMillion, 15 * kMillion},
    {120 * kMillion, 4, kMillion, kWhole},
    {300 * kMillion, 4, kMillion / 2, kMillion},
    {~std::uint64_t{0}, 3, kMillion / 4, kMillion / 4},
};

const Thoroughness& thoroughness(std::uint64_t spent) {
    const Thoroughness* t = kThoroughness;
    while (spent >= t->spent) ++t;
    return *t;
}

// Two rates (instructions over clocks) differ by at most one part in `precision`.
bool close(const Progress& a, const Progress& b, const Progress& c, std::uint64_t precision) {
    const auto first = static_cast<unsigned __int128>(b.instructions - a.instructions) * (c.now - b.now);
    const auto second = static_cast<unsigned __int128>(c.instructions - b.instructions) * (b.now - a.now);
    const auto difference = first > second ? first - second : second - first;
    return difference * precision <= first;
}

}  // namespace

Sampling::Sampling(std::uint64_t resident, std::uint64_t groups, std::uint64_t spent)
    : generation_(resident ? resident : 1), groups_(groups), how_(thoroughness(spent)) {}

std::uint64_t Sampling::budget(std::uint64_t expected) const {
    if (expected <= kWhole) return std::min(kWhole, how_.most);
    return std::min(std::max(expected / kShare, kLeast), how_.most);
}

bool Sampling::wants_expectation(const Progress& progress) const {
    return progress.instructions >= how_.always;
}

bool Sampling::enough(const Progress& progress, std::uint64_t expected) {
    if (steps_.empty() || progress.instructions >= steps_.back().instructions + kStep) steps_.push_back(progress);
    if (progress.groups_ended >= began_.groups_ended + (generations_.size() + 1) * generation_) {
        generations_.push_back(progress);
        const std::size_t n = generations_.size();
        constexpr std::size_t kPatience = 12;
        // The first generation starts all at once, and queues fill while the next ones run: the later ones count.
        const std::size_t apart = how_.generations / 3;
        if (n >= how_.generations &&
            close(generations_[n - 1 - 2 * apart], generations_[n - 1 - apart], generations_[n - 1], 50))
            return true;
        if (n >= kPatience && progress.instructions - began_.instructions >= how_.always) return true;
    }
    if (progress.instructions < how_.always) return false;
    // The last groups are about to end anyway.
    if (progress.groups_ended + generation_ >= groups_ && expected && expected <= 2 * progress.instructions)
        return false;
    return progress.instructions - began_.instructions >= budget(expected);
}

void Sampling::next_regime(const Progress& at, std::uint64_t until) {
    earlier_.push_back({rate(at), until});
    began_ = at;
    generations_.clear();
    steps_.clear();
}

// The rate of the last three generations; without generations, that of the second half. Where workgroups end one
// after another, their ends are counted: the last of them ends when all have, not when its instructions are issued.
Sampling::Rate Sampling::rate(const Progress& at) const {
    if (by_ends()) {
        const Progress& from = generations_[generations_.size() - std::min<std::size_t>(generations_.size(), 4)];
        return {std::max<std::uint64_t>(at.completed - from.completed, 1), at.now > from.now ? at.now - from.now : 1};
    }
    Progress from = began_;
    const std::uint64_t half = began_.instructions + (at.instructions - began_.instructions) / 2;
    for (const Progress& step : steps_)
        if (step.instructions <= half) from = step;
    return {std::max<std::uint64_t>(at.instructions - from.instructions, 1), at.now > from.now ? at.now - from.now : 1};
}

bool Sampling::by_ends() const {
    return generations_.size() >= how_.generations - 1;
}

Cycle Sampling::rest(const Progress& at, std::uint64_t total) const {
    Cycle sum = 0;
    std::uint64_t done = by_ends() ? at.completed : at.instructions;
    const auto add = [&](const Rate& rate, std::uint64_t until) {
        until = std::min(until, total);
        if (until <= done) return;
        sum += static_cast<Cycle>(static_cast<unsigned __int128>(until - done) * rate.clocks / rate.instructions);
        done = until;
    };
    for (const Regime& regime : earlier_) add(regime.rate, regime.until);
    add(rate(at), total);
    return sum;
}

}  // namespace vrocm::sim::timing
