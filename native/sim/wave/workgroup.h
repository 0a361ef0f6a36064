// The waves of one workgroup with their storage, and how they take turns on a host thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/wave/wave.h"

namespace vrocm::sim {

namespace counters {
class Tally;
}
namespace observe {
class Watchers;
}
class TouchedLines;

// Anonymous memory that costs nothing until touched.
class Pages {
  public:
    Pages() = default;
    explicit Pages(std::size_t bytes);
    ~Pages();
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    Pages(Pages&& other) noexcept;
    Pages& operator=(Pages&& other) noexcept;
    std::uint8_t* data() const { return data_; }
    std::size_t size() const { return size_; }
    // Makes the first bytes zero, by writing or, when there are many, by giving the memory back.
    void clear(std::size_t bytes);

  private:
    std::uint8_t* data_ = nullptr;
    std::size_t size_ = 0;
};

struct Workgroup {
    explicit Workgroup(unsigned wave_capacity);

    std::uint64_t index = 0;  // in dispatch order, x fastest
    std::uint32_t id[3] = {};
    std::uint32_t size[3] = {};  // work-items; smaller than asked at the edge of a grid
    std::uint32_t grid[3] = {};  // workgroups of the dispatch
    // Clocks since the waves left the same place, the start or a barrier. Where there is neither LDS nor a barrier,
    // they have nothing to tell each other.
    std::uint64_t parted = 0;
    static constexpr std::uint64_t kApart = 1ull << 40;
    unsigned wave_count = 0;
    std::unique_ptr<Wave[]> waves;
    unsigned wave_capacity = 0;
    Pages registers, lds, scratch;

    VReg* wave_registers(unsigned wave) const;
};

// How a turn of a workgroup ended.
enum class Turn : std::uint8_t {
    Finished,
    Waiting,  // every wave that can run says it waits for somebody else
    Expired,  // the instructions allowed are used up
    Faulted,  // the first wave with state Faulted says why
};

// Runs the waves of a group round-robin for about `budget` instructions; adds those executed to `executed`.
// Waves switch at barriers, s_sleep, their end, and after a quantum. Waves that have ended do not hold up a
// barrier, as in hardware.
// `tally`: where each instruction is counted, when somebody wants that. `watchers`: who is told of each, likewise.
Turn run_workgroup(Workgroup& group, std::uint64_t budget, std::uint64_t& executed, counters::Tally* tally = nullptr,
                   observe::Watchers* watchers = nullptr);

// Lets every wave go on by up to `each` instructions; one that waits at a barrier goes on when all have come so far.
// Adds the instructions of all to `executed`; `furthest`: those of the wave that ran most; `lines`: what they touch.
Turn advance_workgroup(Workgroup& group, std::uint64_t each, std::uint64_t& executed, std::uint64_t& furthest,
                       counters::Tally* tally = nullptr, TouchedLines* lines = nullptr);

// Clocks that instructions take, by the numbers of their operations.
struct OpTimes {
    struct Time {
        float mean = 1, deviation = 0;
    };
    std::vector<Time> known;
    Time other;
    // What it is for one wave this time: evenly spread around the mean, and the same in every run.
    double of(std::uint32_t index, const Wave& wave) const;
};
// The same with a clock for each wave in `clocks`: they go on until theirs have come to `until`, and from a barrier
// together.
Turn advance_workgroup_until(Workgroup& group, double until, std::vector<double>& clocks, const OpTimes& times,
                             std::uint64_t& executed, std::uint64_t& furthest, counters::Tally* tally = nullptr,
                             TouchedLines* lines = nullptr);

// Workgroup storage kept for the next group or dispatch that has use for it: its memory is still in the caches.
class WorkgroupCache {
  public:
    static WorkgroupCache& process();
    std::unique_ptr<Workgroup> take(unsigned waves);
    void give(std::unique_ptr<Workgroup> group);

  private:
    static constexpr std::size_t kKept = 64, kKeptScratch = 4 << 20;  // groups; bytes of each
    std::mutex mutex_;
    std::vector<std::unique_ptr<Workgroup>> free_;
};

}  // namespace vrocm::sim
