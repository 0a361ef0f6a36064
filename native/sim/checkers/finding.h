// A defect that a checker found, and the table in which equal ones are counted instead of repeated.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sim/checkers/options.h"
#include "sim/memory/address_space.h"
#include "sim/observe/observer.h"

namespace vrocm::sim::checkers {

// A work-item at an instruction.
struct Place {
    std::uint64_t pc = 0;
    std::uint64_t group = 0;  // in dispatch order
    std::array<std::uint32_t, 3> workgroup{}, thread{};
    unsigned wave = 0;
    std::uint64_t lanes = 0;  // of the wave that did it at once
};
Place place_of(const Wave& wave, std::uint64_t pc, std::uint64_t lanes);

struct Finding {
    Class of = Class::OutOfBounds;
    Place place;
    observe::Space space = observe::Space::Global;
    observe::Kind kind = observe::Kind::Read;
    unsigned bytes = 0;
    std::uint64_t address = 0;             // as in observe::Access
    std::optional<Allocation> allocation;  // the one it belongs to, or the nearest
    bool freed = false;                    // the allocation was freed before
    std::optional<Place> other;            // the second party of a race
    observe::Kind other_kind = observe::Kind::Read;
    std::string explanation;
};

// One for each instruction and class, with how often it happened; that of the lowest workgroup is kept, so that the
// table does not depend on how workgroups were shared out between host threads.
class FindingTable {
  public:
    struct Entry {
        Finding finding;
        std::uint64_t count = 0;
    };
    using Key = std::pair<std::uint64_t, Class>;  // pc, class

    // Counts `count` more. `make` is called when the finding is new or of a lower workgroup.
    template <typename Make>
    void add(Class of, std::uint64_t pc, std::uint64_t group, std::uint64_t count, Make&& make) {
        const auto [it, fresh] = entries_.try_emplace(Key{pc, of});
        it->second.count += count;
        if (fresh || group < it->second.finding.place.group) it->second.finding = make();
    }
    void add(const FindingTable& other);
    // What was not looked at.
    void note(const std::string& text) { notes_.insert(text); }
    const std::map<Key, Entry>& entries() const { return entries_; }
    const std::set<std::string>& notes() const { return notes_; }

  private:
    std::map<Key, Entry> entries_;
    std::set<std::string> notes_;
};

// The finding of some lanes of an access; `fill` adds what only the checker knows.
template <typename Fill>
void add_lanes(FindingTable& findings, Class of, const observe::Access& access, std::uint64_t lanes, Fill&& fill) {
    const std::uint64_t count = access.scalar ? 1 : static_cast<std::uint64_t>(std::popcount(lanes));
    findings.add(of, access.op.pc, access.wave.group->index, count, [&] {
        Finding finding;
        finding.of = of;
        finding.place = place_of(access.wave, access.op.pc, access.scalar ? access.wave.exec() : lanes);
        finding.space = access.space;
        finding.kind = access.kind;
        finding.bytes = access.bytes;
        finding.address = access.address[std::countr_zero(lanes)];
        fill(finding);
        return finding;
    });
}

// The lanes of an access for which a question about their address is true.
template <typename Question>
std::uint64_t lanes_where(const observe::Access& access, Question&& question) {
    std::uint64_t found = 0;
    for (std::uint64_t left = access.lanes; left; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        if (question(access.address[lane])) found |= std::uint64_t{1} << lane;
    }
    return found;
}

}  // namespace vrocm::sim::checkers
