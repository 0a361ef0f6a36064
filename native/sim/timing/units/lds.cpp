#include "sim/timing/units/lds.h"

#include <algorithm>
#include <bit>

namespace vrocm::sim::timing {

namespace {
constexpr unsigned kBanks = 32;
}

// As many lanes at a time as the banks can serve when none meet. A group of lanes takes as many clocks as the
// fullest bank has different dwords; lanes that read the same dword share it.
Lds::Clocks Lds::clocks(const MemoryAccess& access, unsigned bytes, std::uint64_t offset) const {
    const unsigned dwords = std::max(bytes / 4, 1u), at_once = std::max(kBanks / dwords, 1u);
    Clocks result{0, 0};
    for (unsigned first = 0; first < kLanes; first += at_once) {
        const std::uint64_t mask = at_once >= 64 ? ~0ull : ((1ull << at_once) - 1) << first;
        std::uint64_t left = access.lanes & mask;
        if (!left) continue;
        std::uint64_t seen[kBanks][4];
        std::uint8_t count[kBanks] = {};
        unsigned most = 1;
        for (; left; left &= left - 1) {
            const std::uint64_t dword = (access.address[std::countr_zero(left)] + offset) / 4;
            for (unsigned d = 0; d < dwords; ++d) {
                const unsigned bank = (dword + d) % kBanks;
                const unsigned known = std::min<unsigned>(count[bank], 4);
                bool same = false;
                for (unsigned i = 0; i < known; ++i) same |= seen[bank][i] == dword + d;
                if (same) continue;
                if (count[bank] < 4) seen[bank][count[bank]] = dword + d;
                most = std::max<unsigned>(most, ++count[bank]);
            }
        }
        const unsigned conflict = (most - 1) * (dwords == 1 ? p_.lds_conflict : p_.lds_conflict_wide) / kOne;
        result.all += 1 + conflict;
        result.conflicts += conflict;
    }
    return result;
}

Lds::Timing Lds::access(Cycle issue, const MemoryAccess& access, unsigned places, std::uint64_t second, bool atomic,
                        Counts& counts) {
    Clocks c = clocks(access, access.bytes / places, 0);
    if (places == 2) {
        const Clocks other = clocks(access, access.bytes / places, second);
        c.all += other.all;
        c.conflicts += other.conflicts;
    }
    counts.lds_active += c.all;
    counts.lds_conflict += c.conflicts;
    const Cycle start = pipe_.take(issue, std::max(c.all, 1u) * kOne);
    if (atomic) ++counts.lds_atomic_return;
    return {start + c.all, start + c.all + p_.lds_latency};
}

}  // namespace vrocm::sim::timing
