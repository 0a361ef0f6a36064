#include "sim/counters/access_counts.h"

#include <algorithm>
#include <array>
#include <bit>

#include "isa/flags.h"

namespace vrocm::sim::counters {

namespace {

namespace flag = isa::flag;
using isa::Format;

constexpr unsigned kBanks = 32;
constexpr unsigned kWriteBytes = 64;  // of a write request to the L2

template <typename F>
void for_each_lane(std::uint64_t lanes, F&& f) {
    for (; lanes; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

// Where the second of two places lies that one lane touches (ds_read2_b32 and its kin), in bytes from the first.
std::int64_t second_place(const isa::Inst& inst, unsigned bytes_each) {
    const bool far = isa::info(inst.op).mnemonic.find("st64") != std::string_view::npos;
    const int apart = inst.offset1 - (inst.offset & 0xff);
    return std::int64_t{apart} * bytes_each * (far ? 64 : 1);
}

// Dwords of one bank that a group of lanes wants, and lanes that want the same one.
struct Meeting {
    unsigned dwords = 0, lanes = 0;
};

// As many lanes at a time as the banks can serve when none meet; the most that meet in one bank.
Meeting most_in_a_bank(const MemoryAccess& access, std::uint64_t lanes, unsigned dwords, std::int64_t offset) {
    std::array<std::array<std::uint64_t, kBanks>, kBanks> seen;
    std::array<std::uint8_t, kBanks> count{};
    std::array<std::array<std::uint8_t, kBanks>, kBanks> users;
    Meeting most{1, 1};
    for_each_lane(lanes, [&](unsigned lane) {
        const std::uint64_t first = (access.address[lane] + static_cast<std::uint64_t>(offset)) / 4;
        for (unsigned d = 0; d < dwords; ++d) {
            const std::uint64_t dword = first + d;
            const unsigned bank = dword % kBanks;
            unsigned i = 0;
            while (i < count[bank] && seen[bank][i] != dword) ++i;
            if (i == count[bank] && i < kBanks) {
                seen[bank][i] = dword;
                users[bank][i] = 0;
                ++count[bank];
            }
            if (i < kBanks) most.lanes = std::max<unsigned>(most.lanes, ++users[bank][i]);
            most.dwords = std::max<unsigned>(most.dwords, count[bank]);
        }
    });
    return most;
}

// Distinct blocks of `size` bytes that lanes touch.
unsigned blocks_touched(const MemoryAccess& access, unsigned size) {
    std::array<std::uint64_t, 2 * kLanes> blocks;
    unsigned count = 0;
    for_each_lane(access.lanes, [&](unsigned lane) {
        const std::uint64_t first = access.address[lane] / size;
        const std::uint64_t last = (access.address[lane] + std::max<unsigned>(access.bytes, 1) - 1) / size;
        for (std::uint64_t block = first; block <= last && count < blocks.size(); ++block)
            if (count == 0 || blocks[count - 1] != block) blocks[count++] = block;
    });
    std::sort(blocks.begin(), blocks.begin() + count);
    return static_cast<unsigned>(std::unique(blocks.begin(), blocks.begin() + count) - blocks.begin());
}

// One access for four neighbouring lanes whose addresses are equal or follow each other; otherwise one for each run of
// such lanes.
unsigned accesses_of(const MemoryAccess& access) {
    unsigned accesses = 0;
    for (unsigned first = 0; first < kLanes; first += 4) {
        const std::uint64_t lanes = access.lanes >> first & 15;
        if (!lanes) continue;
        ++accesses;
        unsigned last = first + static_cast<unsigned>(std::countr_zero(lanes));
        for (unsigned lane = last + 1; lane < first + 4; ++lane) {
            if (!(access.lanes >> lane & 1)) continue;
            const std::uint64_t step = access.address[lane] - access.address[last];
            if (step != 0 && step != std::uint64_t{access.bytes} * (lane - last)) ++accesses;
            last = lane;
        }
    }
    return accesses;
}

// Scratch has no address of its own: dword d of lane l lies at d * 64 + l.
MemoryAccess placed_scratch(const MemoryAccess& access) {
    MemoryAccess placed = access;
    for_each_lane(access.lanes, [&](unsigned lane) {
        const std::uint64_t offset = access.address[lane] & (kApertureSize - 1);
        placed.address[lane] = offset / 4 * 256 + lane * 4 + offset % 4;
    });
    return placed;
}

}  // namespace

void AccessCounts::add(const Op* op, const MemoryAccess& access, unsigned l1_line) {
    if (!access.lanes) return;
    const std::uint64_t first = access.address[std::countr_zero(access.lanes)];
    const Format format = op->inst->format;
    if (format == Format::DS || first - kSharedAperture < kApertureSize) return add_lds(op, access);
    if (format == Format::SCRATCH || first - kPrivateAperture < kApertureSize)
        return add_vector_memory(op, placed_scratch(access), l1_line);
    if (format != Format::SMEM) add_vector_memory(op, access, l1_line);
}

void AccessCounts::add_lds(const Op* op, const MemoryAccess& access) {
    const isa::Inst& inst = *op->inst;
    const std::uint64_t flags = isa::info(inst.op).flags;
    const unsigned places = flags & flag::TwoOffsets ? 2 : 1, bytes = std::max(access.bytes / places, 1u);
    const unsigned dwords = std::max(bytes / 4, 1u), at_once = kBanks / std::min(dwords, kBanks);
    for (unsigned place = 0; place < places; ++place)
        for (unsigned from = 0; from < kLanes; from += at_once) {
            const std::uint64_t lanes = access.lanes & ((1ull << at_once) - 1) << from;
            if (!lanes) continue;
            const Meeting most = most_in_a_bank(access, lanes, dwords, place ? second_place(inst, bytes) : 0);
            lds_active += most.dwords;
            lds_conflict += most.dwords - 1;
            if (flags & flag::Atomic) {
                lds_active += most.lanes - 1;
                lds_address_conflict += most.lanes - 1;
            }
        }
}

void AccessCounts::add_vector_memory(const Op* op, const MemoryAccess& access, unsigned l1_line) {
    const std::uint64_t flags = isa::info(op->inst->op).flags;
    l1_accesses += accesses_of(access);
    if (flags & flag::Atomic)
        (op->inst->sc0 ? l1_atomic_return_requests : l1_atomic_requests) += blocks_touched(access, l1_line);
    else if (flags & flag::Store)
        l1_write_requests += blocks_touched(access, kWriteBytes);
}

void AccessCounts::add(const AccessCounts& other) {
#define ACCESS(name) name += other.name;
#include "sim/counters/access_fields.def"
#undef ACCESS
}

}  // namespace vrocm::sim::counters
