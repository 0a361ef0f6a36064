#include "sim/wave/workgroup.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "sim/code/op.h"
#include "sim/counters/tally.h"
#include "sim/gpu_model.h"
#include "sim/memory/touched_lines.h"
#include "sim/observe/observer.h"

namespace vrocm::sim {

namespace {

// Arch and accumulation registers, and three pages more so that the same register of different waves does not
// fall into the same cache sets.
constexpr std::size_t kWaveRegisterBytes = 512 * sizeof(VReg) + 3 * 4096;
// Above this, returning pages to the system is cheaper than writing zeros to all of them.
constexpr std::size_t kClearByWriting = 512 * 1024;
// How far a wave runs ahead of the slowest of its neighbours, in clocks: on hardware waves that left a barrier together
// issue in turn, and only what each waits for parts them, the more the longer they run. Programs that leave out a
// barrier where the distance between a write and a read is a few instructions (rocSOLVER's POTRF) work there, and have
// to work here.
constexpr std::uint64_t kLeastLead = 64, kMostLead = 65536, kPartedByOneIn = 8;
std::uint64_t lead_after(std::uint64_t clocks_together) {
    return std::clamp(clocks_together / kPartedByOneIn, kLeastLead, kMostLead);
}
// Rounds in a row in which waves looked for something and nobody did anything else before the group is set aside.
constexpr unsigned kIdleRounds = 4;
// Instructions without another look after which a wave is taken to work again.
constexpr std::uint64_t kLongestPollingLoop = 16384;
// Barriers after a look at other workgroups that are taken to be part of the loop it is in.
constexpr std::uint8_t kBarriersOfPollingLoop = 4;

}  // namespace

Pages::Pages(std::size_t bytes) : size_(bytes) {
    if (bytes == 0) return;
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<std::uint8_t*>(p);
}

Pages::~Pages() {
    if (data_) munmap(data_, size_);
}

Pages::Pages(Pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

void Pages::clear(std::size_t bytes) {
    bytes = std::min(bytes, size_);
    if (bytes <= kClearByWriting)
        std::memset(data_, 0, bytes);
    else
        madvise(data_, size_, MADV_DONTNEED);
}

Workgroup::Workgroup(unsigned capacity)
    : waves(std::make_unique<Wave[]>(capacity)),
      wave_capacity(capacity),
      registers(capacity * kWaveRegisterBytes),
      lds(largest_lds_bytes()) {}

VReg* Workgroup::wave_registers(unsigned wave) const {
    return reinterpret_cast<VReg*>(registers.data() + wave * kWaveRegisterBytes);
}

namespace {

enum class Stop : std::uint8_t { Slice, Waits, Barrier, Ended, Faulted };

Stop stopped(Wave& wave, const Op* next) {
    if (next) {
        wave.next = next;
        return Stop::Slice;
    }
    switch (wave.state) {
        case WaveState::Ready:
            return Stop::Waits;
        case WaveState::AtBarrier:
            return Stop::Barrier;
        case WaveState::Done:
            return Stop::Ended;
        case WaveState::Faulted:
            break;
    }
    return Stop::Faulted;
}

// Not inlined: its loop wants the registers for itself.
[[gnu::noinline]] Stop run_wave(Wave& wave, std::uint64_t slice) {
    const std::uint64_t limit = wave.instructions + slice;
    const Op* op = wave.next;
    do {
        ++wave.instructions;
        op = op->fn(wave, op);
    } while (op && wave.instructions < limit);
    return stopped(wave, op);
}

// Where runs of decoded code are joined: the instruction that the join leads to, which it would run by itself.
const Op* instruction_at(const Op* op) {
    return op->inst || !op->target ? op : op->target;
}

// The same with a count of every instruction, and a note of the lines it touches if they are wanted.
[[gnu::noinline]] Stop run_wave_counted(Wave& wave, std::uint64_t slice, counters::Tally& tally, TouchedLines* lines) {
    const std::uint64_t limit = wave.instructions + slice;
    std::uint64_t window = counters::Tally::resumed_window(wave);
    MemoryAccess access;
    wave.access = &access;
    const Op* op = wave.next;
    do {
        ++wave.instructions;
        const Op* ran = instruction_at(op);
        const std::uint64_t exec = wave.exec();
        access.lanes = 0;
        op = ran->fn(wave, ran);
        if (!ran->inst) continue;  // control has left the code
        tally.add(ran, exec, access, window);
        if (lines && TouchedLines::concerns(*ran->inst)) lines->add(ran, access);
    } while (op && wave.instructions < limit);
    wave.access = nullptr;
    return stopped(wave, op);
}

// The same with a note of the lines of memory that are touched.
[[gnu::noinline]] Stop run_wave_touching(Wave& wave, std::uint64_t slice, TouchedLines& lines) {
    const std::uint64_t limit = wave.instructions + slice;
    MemoryAccess access;
    const Op* op = wave.next;
    do {
        const Op* ran = instruction_at(op);
        ++wave.instructions;
        if (ran->inst && TouchedLines::concerns(*ran->inst)) {
            access.lanes = 0;
            wave.access = &access;
            op = ran->fn(wave, ran);
            wave.access = nullptr;
            lines.add(ran, access);
        } else {
            op = ran->fn(wave, ran);
        }
    } while (op && wave.instructions < limit);
    return stopped(wave, op);
}

// The same while somebody watches what it touches; it may be counted as well.
[[gnu::noinline]] Stop run_wave_watched(Wave& wave, std::uint64_t slice, counters::Tally* tally,
                                        observe::Watchers& watchers) {
    const std::uint64_t limit = wave.instructions + slice;
    std::uint64_t window = counters::Tally::resumed_window(wave);
    MemoryAccess access;
    wave.access = &access;
    const bool every = watchers.want_instructions();
    const Op* op = wave.next;
    do {
        ++wave.instructions;
        const Op* ran = instruction_at(op);
        const std::uint64_t exec = wave.exec();
        access.lanes = 0;
        if (every && ran->inst) watchers.instruction(wave, *ran);
        op = ran->fn(wave, ran);
        if (!ran->inst) continue;
        if (tally) tally->add(ran, exec, access, window);
        if (access.lanes) watchers.memory(wave, *ran, access);
    } while (op && wave.instructions < limit);
    wave.access = nullptr;
    return stopped(wave, op);
}

// Instructions that each wave runs in the next round, where only their number is known and not their times.
std::uint64_t next_slice(Workgroup& group) {
    const std::uint64_t lead = lead_after(group.parted);
    group.parted += lead;
    return lead / Wave::kFunctionalCycles;
}

// Tells workgroups that work from those in which all only look at what others do.
class Idleness {
  public:
    void note(Wave& wave, Stop stop) {
        if (stop == Stop::Slice && wave.polling == 0) [[likely]]
            worked_ = true;
        else
            look_closer(wave, stop);
    }
    // True when nobody has done anything but look for a while.
    bool after_round() {
        if (worked_)
            rounds_ = 0;
        else if (looked_)
            ++rounds_;
        worked_ = looked_ = false;
        return rounds_ == kIdleRounds;
    }

  private:
    // One that only polled did not do what others can wait for, also when the polling loop leads through barriers.
    void look_closer(Wave& wave, Stop stop) {
        if (stop == Stop::Waits) {
            looked_ = true;
            wave.looked_at = wave.instructions;
        }
        const bool left_loop = stop == Stop::Slice && wave.instructions - wave.looked_at >= kLongestPollingLoop;
        if (std::exchange(wave.wrote, false) || left_loop || stop == Stop::Ended)
            wave.polling = 0;
        else if (stop == Stop::Waits)
            wave.polling = kBarriersOfPollingLoop;
        else if (stop == Stop::Barrier && wave.polling > 0)
            looked_ |= --wave.polling > 0;
        worked_ |= wave.polling == 0;
    }

    bool worked_ = false, looked_ = false;  // in this round
    unsigned rounds_ = 0;                   // in which waves looked, and none worked
};

// Lets the waves go on when every one that has not ended has arrived. True when some were released.
bool release_barrier(Workgroup& group, observe::Watchers* watchers) {
    bool any = false;
    for (unsigned i = 0; i < group.wave_count; ++i) {
        if (group.waves[i].state == WaveState::Ready) return false;
        any |= group.waves[i].state == WaveState::AtBarrier;
    }
    if (any && watchers) watchers->barrier(group);
    if (any) group.parted = 0;
    for (unsigned i = 0; any && i < group.wave_count; ++i)
        if (group.waves[i].state == WaveState::AtBarrier) group.waves[i].state = WaveState::Ready;
    return any;
}

}  // namespace

Turn run_workgroup(Workgroup& group, std::uint64_t budget, std::uint64_t& executed, counters::Tally* tally,
                   observe::Watchers* watchers) {
    std::uint64_t used = 0;
    Idleness idleness;
    Turn turn = Turn::Expired;
    while (used < budget) {
        bool ready = false;
        const std::uint64_t slice = next_slice(group);
        for (unsigned i = 0; i < group.wave_count; ++i) {
            Wave& wave = group.waves[i];
            if (wave.state != WaveState::Ready) continue;
            ready = true;
            const std::uint64_t before = wave.instructions;
            const Stop stop = watchers ? run_wave_watched(wave, slice, tally, *watchers)
                              : tally  ? run_wave_counted(wave, slice, *tally, nullptr)
                                       : run_wave(wave, slice);
            used += wave.instructions - before;
            if (stop == Stop::Faulted) {
                executed += used;
                return Turn::Faulted;
            }
            idleness.note(wave, stop);
        }
        if (!release_barrier(group, watchers) && !ready) {
            turn = Turn::Finished;
            break;
        }
        if (idleness.after_round()) {
            turn = Turn::Waiting;
            break;
        }
    }
    executed += used;
    return turn;
}

namespace {

Stop run_for(Wave& wave, std::uint64_t instructions, counters::Tally* tally, TouchedLines* lines) {
    return tally   ? run_wave_counted(wave, instructions, *tally, lines)
           : lines ? run_wave_touching(wave, instructions, *lines)
                   : run_wave(wave, instructions);
}

// What the waves of a workgroup have run since it was made.
class Advance {
  public:
    explicit Advance(const Workgroup& group) : group_(group), begin_(group.wave_count) {
        for (unsigned i = 0; i < group.wave_count; ++i) begin_[i] = group.waves[i].instructions;
    }
    std::uint64_t done(unsigned wave) const { return group_.waves[wave].instructions - begin_[wave]; }
    Turn end(bool faulted, std::uint64_t& executed, std::uint64_t& furthest) const {
        bool ended = true;
        furthest = 0;
        for (unsigned i = 0; i < group_.wave_count; ++i) {
            executed += done(i);
            furthest = std::max(furthest, done(i));
            ended &= group_.waves[i].state == WaveState::Done;
        }
        return faulted ? Turn::Faulted : ended ? Turn::Finished : Turn::Expired;
    }

  private:
    const Workgroup& group_;
    std::vector<std::uint64_t> begin_;
};

}  // namespace

Turn advance_workgroup(Workgroup& group, std::uint64_t each, std::uint64_t& executed, std::uint64_t& furthest,
                       counters::Tally* tally, TouchedLines* lines) {
    const Advance advance(group);
    Idleness idleness;
    bool runs = true, faulted = false;
    while (runs && !faulted) {
        runs = false;
        const std::uint64_t slice = next_slice(group);
        for (unsigned i = 0; i < group.wave_count && !faulted; ++i) {
            Wave& wave = group.waves[i];
            if (wave.state != WaveState::Ready || advance.done(i) >= each) continue;
            const Stop stop = run_for(wave, std::min(slice, each - advance.done(i)), tally, lines);
            faulted = stop == Stop::Faulted;
            idleness.note(wave, stop);
            runs = true;
        }
        runs |= release_barrier(group, nullptr);
        if (idleness.after_round()) break;
    }
    return advance.end(faulted, executed, furthest);
}

double OpTimes::of(std::uint32_t index, const Wave& wave) const {
    const Time& time = index < known.size() ? known[index] : other;
    if (time.deviation < 1) return static_cast<double>(time.mean);
    // Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014): the mixing of SplitMix64.
    std::uint64_t x = wave.wave_id * 0x9e3779b97f4a7c15ull + wave.instructions;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    x ^= x >> 31;
    constexpr double kSpread = 3.4641016151377544;  // of an even distribution, in its standard deviation
    const double even = static_cast<double>(x >> 11) * 0x1p-53 - 0.5;
    return std::max(static_cast<double>(time.mean) + kSpread * even * static_cast<double>(time.deviation), 1.0);
}

Turn advance_workgroup_until(Workgroup& group, double until, std::vector<double>& clocks, const OpTimes& times,
                             std::uint64_t& executed, std::uint64_t& furthest, counters::Tally* tally,
                             TouchedLines* lines) {
    const Advance advance(group);
    clocks.resize(group.wave_count);
    bool runs = true, faulted = false;
    while (runs && !faulted) {
        double slowest = until;
        for (unsigned i = 0; i < group.wave_count; ++i)
            if (group.waves[i].state == WaveState::Ready) slowest = std::min(slowest, clocks[i]);
        const std::uint64_t lead = lead_after(group.parted);
        group.parted += lead;
        const double end = std::min(slowest + static_cast<double>(lead), until);
        double last = 0;  // that came to the barrier
        for (unsigned i = 0; i < group.wave_count && !faulted; ++i) {
            Wave& wave = group.waves[i];
            while (wave.state == WaveState::Ready && clocks[i] < end && !faulted) {
                clocks[i] += times.of(instruction_at(wave.next)->index, wave);
                faulted = run_for(wave, 1, tally, lines) == Stop::Faulted;
            }
            if (wave.state == WaveState::AtBarrier) last = std::max(last, clocks[i]);
        }
        const bool released = !faulted && release_barrier(group, nullptr);
        for (unsigned i = 0; released && i < group.wave_count; ++i)
            if (group.waves[i].state == WaveState::Ready) clocks[i] = last;
        runs = released || slowest < until;
    }
    return advance.end(faulted, executed, furthest);
}

WorkgroupCache& WorkgroupCache::process() {
    static WorkgroupCache* cache = new WorkgroupCache;
    return *cache;
}

std::unique_ptr<Workgroup> WorkgroupCache::take(unsigned waves) {
    {
        std::lock_guard lock(mutex_);
        for (auto it = free_.rbegin(); it != free_.rend(); ++it)
            if ((*it)->wave_capacity >= waves) {
                auto group = std::move(*it);
                free_.erase(std::next(it).base());
                return group;
            }
    }
    return std::make_unique<Workgroup>(waves);
}

void WorkgroupCache::give(std::unique_ptr<Workgroup> group) {
    if (group->scratch.size() > kKeptScratch) group->scratch = Pages();
    std::lock_guard lock(mutex_);
    if (free_.size() < kKept) free_.push_back(std::move(group));
}

}  // namespace vrocm::sim
