// Two waves that touch the same bytes of global memory in one dispatch, at least one of them writing, with nothing that
// orders them. Waves of one workgroup are ordered by barriers and by atomic operations on the same place; waves of
// different workgroups when the first workgroup did an atomic operation after its access and the second one before its
// own (where: does not matter). Accesses that bypass caches, as those of volatile and atomic variables do, count as
// atomic.
#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>

#include "sim/checkers/checker.h"
#include "sim/checkers/group_states.h"
#include "sim/checkers/wave_clocks.h"
#include "sim/wave/fault_report.h"

namespace vrocm::sim::checkers {

namespace {

using observe::Access;
using observe::Kind;

constexpr std::uint64_t kPage = 4096;
constexpr std::size_t kMostPages = 16384;  // 64 MiB of memory, 1 GiB of what is known about it

struct Touch {
    const Op* op = nullptr;     // null: never
    std::uint32_t group = 0;    // in dispatch order
    std::uint32_t time = 0;     // of the wave, see WaveClocks
    std::uint32_t atomics = 0;  // of the whole dispatch, before this
    std::uint8_t wave = 0, lane = 0;
    std::uint8_t bytes = 0;  // which of the dword
};

struct Dword {
    Touch write, atomic, read;
    std::uint32_t value = 0;  // after the last write
};
using Page = std::array<Dword, kPage / 4>;

struct GroupClocks {
    WaveClocks clocks;
    void begin(const Workgroup&) { clocks.begin(); }
};

class GlobalRaceChecker final : public Checker {
  public:
    explicit GlobalRaceChecker(FindingTable& findings) : findings_(findings) {}

    void access(const Access& access) override {
        if (access.space != observe::Space::Global || !access.completed) return;
        const isa::Inst& inst = *access.op.inst;
        const bool atomic = access.kind == Kind::Atomic || (!access.scalar && (inst.sc0 || inst.sc1));
        WaveClocks& clocks = states_.of(*access.wave.group).clocks;
        const unsigned wave = access.wave.index_in_group;
        if (atomic) {
            last_atomic_[access.wave.group->index] = ++atomics_;
            lanes_where(access, [&](std::uint64_t at) {
                clocks.synchronise(wave, at);
                return false;
            });
        }
        for (std::uint64_t left = access.lanes; left; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const std::uint64_t begin = access.address[lane], end = begin + access.bytes;
            bool raced = false;
            for (std::uint64_t at = begin; at < end;) {
                const std::uint64_t dword = at & ~3ull, stop = std::min(end, dword + 4);
                const auto bytes = static_cast<std::uint8_t>(((1u << (stop - at)) - 1) << (at - dword));
                if (Dword* place = find(dword))
                    raced |= touch(*place, access, atomic, clocks, lane, dword, bytes, raced);
                at = stop;
            }
        }
        if (atomic) clocks.step(wave);
    }
    void barrier(const Workgroup& group) override { states_.of(group).clocks.barrier(group.wave_count); }
    void group_ended(const Workgroup& group) override { states_.end(group); }

  private:
    // Null: more memory is touched than is watched.
    Dword* find(std::uint64_t address) {
        const std::uint64_t number = address / kPage;
        if (number != recent_number_) {
            auto it = pages_.find(number);
            if (it == pages_.end()) {
                if (pages_.size() == kMostPages) {
                    if (!full_)
                        findings_.note("race-global: only the first 64 MiB that a dispatch touches are watched");
                    full_ = true;
                    return nullptr;
                }
                it = pages_.emplace(number, std::make_unique<Page>()).first;
            }
            recent_ = it->second.get();
            recent_number_ = number;
        }
        return &(*recent_)[address % kPage / 4];
    }

    bool ordered(const Touch& earlier, const Access& access, const WaveClocks& clocks) const {
        const Workgroup& group = *access.wave.group;
        if (earlier.group == static_cast<std::uint32_t>(group.index))
            return clocks.knows(access.wave.index_in_group, earlier.wave, earlier.time);
        return last_atomic(earlier.group) > earlier.atomics && last_atomic(group.index) > earlier.atomics;
    }
    std::uint32_t last_atomic(std::uint64_t group) const {
        const auto it = last_atomic_.find(group);
        return it == last_atomic_.end() ? 0 : it->second;
    }

    // True when it is a race; `known`: an earlier dword of the same lane was one already.
    bool touch(Dword& place, const Access& access, bool atomic, const WaveClocks& clocks, unsigned lane,
               std::uint64_t address, std::uint8_t bytes, bool known) {
        const auto* memory = thread_ranges().reach(AddressSpace::process(), address, 1, false);
        const std::uint32_t value = memory ? *reinterpret_cast<const volatile std::uint32_t*>(memory) : 0;
        const bool writes = access.kind != Kind::Read;
        const Touch* other = nullptr;
        Kind other_kind = Kind::Read;
        const auto look = [&](const Touch& touch, Kind kind) {
            if (other || !touch.op || !(touch.bytes & bytes) || ordered(touch, access, clocks)) return;
            other = &touch;
            other_kind = kind;
        };
        // Writing what is there already harms nobody.
        if (atomic || access.kind != Kind::Write || place.value != value) look(place.write, Kind::Write);
        if (!atomic) look(place.atomic, Kind::Atomic);
        if (writes) look(place.read, Kind::Read);
        if (other && !known) report(access, lane, *other, other_kind);
        const bool raced = other != nullptr;
        const Touch mine{
            &access.op, static_cast<std::uint32_t>(access.wave.group->index),  clocks.now(access.wave.index_in_group),
            atomics_,   static_cast<std::uint8_t>(access.wave.index_in_group), static_cast<std::uint8_t>(lane),
            bytes};
        if (atomic) {
            if (writes) place.atomic = mine;  // a look at a flag is no change
        } else if (writes) {
            place.write = mine;
            place.value = value;
        } else {
            place.read = mine;
        }
        return raced;
    }

    void report(const Access& access, unsigned lane, const Touch& other, Kind other_kind) {
        add_lanes(findings_, Class::RaceGlobal, access, std::uint64_t{1} << lane, [&](Finding& finding) {
            Place place = finding.place;
            if (other.group == static_cast<std::uint32_t>(access.wave.group->index))
                place = place_of(access.wave.group->waves[other.wave], other.op->pc, std::uint64_t{1} << other.lane);
            else
                place = elsewhere(access, other);
            finding.other = place;
            finding.other_kind = other_kind;
            finding.allocation = AddressSpace::process().find(finding.address);
            finding.explanation =
                "two waves touch the same bytes of global memory, and no barrier or atomic operation "
                "says which of them comes first";
        });
    }

    // A work-item of another workgroup, which may have ended.
    static Place elsewhere(const Access& access, const Touch& other) {
        const Workgroup& group = *access.wave.group;
        Place place;
        place.pc = other.op->pc;
        place.group = other.group;
        place.wave = other.wave;
        place.lanes = std::uint64_t{1} << other.lane;
        // Workgroup ids count up x first; how many there are in a row follows from this one's index and ids.
        place.workgroup = ids_of(other.group, group);
        const std::uint32_t flat = other.wave * kLanes + other.lane;
        const std::uint32_t x = std::max(group.size[0], 1u), y = std::max(group.size[1], 1u);
        place.thread = {flat % x, flat / x % y, flat / x / y};
        return place;
    }
    static std::array<std::uint32_t, 3> ids_of(std::uint32_t index, const Workgroup& known) {
        return {index % known.grid[0], index / known.grid[0] % known.grid[1], index / known.grid[0] / known.grid[1]};
    }

    FindingTable& findings_;
    GroupStates<GroupClocks> states_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
    Page* recent_ = nullptr;
    std::uint64_t recent_number_ = ~0ull;
    bool full_ = false;
    std::uint32_t atomics_ = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> last_atomic_;  // by workgroup
};

}  // namespace

std::unique_ptr<Checker> check_global_races(FindingTable& findings) {
    return std::make_unique<GlobalRaceChecker>(findings);
}

}  // namespace vrocm::sim::checkers
