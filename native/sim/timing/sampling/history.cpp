#include "sim/timing/sampling/history.h"

#include <algorithm>

namespace vrocm::sim::timing {

namespace {

// Simulations in a row that must agree before the next launch is taken to be alike: with the same arguments; with
// others, fewer when much was spent on simulation already.
constexpr unsigned kSameArguments = 2;
unsigned other_arguments(std::uint64_t spent) {
    constexpr std::uint64_t kMillion = 1'000'000;
    return spent < 30 * kMillion ? 32 : spent < 120 * kMillion ? 8 : spent < 300 * kMillion ? 2 : 1;
}
// With other arguments, every so many launches one is simulated all the same.
constexpr unsigned kLookAgain = 16;
constexpr std::uint64_t kPrecision = 50;  // they agree within one part in this many

}  // namespace

History::Shape History::shape_of(const Launch& l) {
    return {l.kernel, l.grid[0], l.grid[1], l.grid[2], l.workgroup[0], l.workgroup[1], l.workgroup[2], l.lds};
}

const History::Known* History::find(const Launch& launch, std::uint64_t spent) {
    const Shape shape = shape_of(launch);
    if (const auto it = exact_.find({shape, launch.arguments});
        it != exact_.end() && it->second.alike >= kSameArguments)
        return &it->second.last;
    const auto it = shapes_.find(shape);
    if (it == shapes_.end() || it->second.alike < other_arguments(spent) || ++it->second.reused % kLookAgain == 0)
        return nullptr;
    return &it->second.last;
}

void History::note(Entry& entry, const DispatchTime& time, std::uint64_t instructions) {
    const auto now = static_cast<unsigned __int128>(time.cycles) * std::max<std::uint64_t>(entry.last.instructions, 1);
    const auto before =
        static_cast<unsigned __int128>(entry.last.time.cycles) * std::max<std::uint64_t>(instructions, 1);
    const auto difference = now > before ? now - before : before - now;
    entry.alike = entry.alike != 0 && difference * kPrecision <= before ? entry.alike + 1 : 1;
    entry.last = {time, instructions};
}

void History::add(const Launch& launch, const DispatchTime& time, std::uint64_t instructions, bool once) {
    const Shape shape = shape_of(launch);
    Entry& exact = exact_[{shape, launch.arguments}];
    note(exact, time, instructions);
    if (once) exact.alike = kSameArguments;
    note(shapes_[shape], time, instructions);
}

DispatchTime History::scaled(const Known& known, std::uint64_t instructions, std::uint32_t clock_mhz) {
    DispatchTime time = known.time;
    time.sampled = true;
    if (known.instructions && instructions != known.instructions)
        time.cycles =
            static_cast<std::uint64_t>(static_cast<unsigned __int128>(time.cycles) * instructions / known.instructions);
    time.nanoseconds = std::max<std::uint64_t>(time.cycles * 1000 / clock_mhz, 1);
    return time;
}

}  // namespace vrocm::sim::timing
