// Where a DS instruction looks: the lane's register plus the offset, wrapping at 32 bits.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/code/op.h"
#include "sim/exec/lds/access.h"

namespace vrocm::sim::memory {

// Lowering leaves the offsets where handlers find them without looking at the instruction: the 16-bit one of most
// instructions and the two 8-bit ones, in units of the data, of those with two places per lane.
inline void place_offsets(Op& op) {
    op.src[3].imm = static_cast<std::uint32_t>(op.inst->offset) & 0xffff;
    op.src[3].reg = op.inst->offset1;
}
inline std::uint32_t lds_offset(const Op* op) {
    return static_cast<std::uint32_t>(op->src[3].imm);
}
inline std::uint32_t first_unit(const Op* op) {
    return static_cast<std::uint32_t>(op->src[3].imm) & 0xff;
}
inline std::uint32_t second_unit(const Op* op) {
    return op->src[3].reg;
}

// Byte offsets of all lanes; inactive lanes get 0.
struct LdsOffsets {
    alignas(64) std::uint32_t lane[kLanes];
    std::uint32_t highest;

    LdsOffsets(Wave& wave, const VReg& address, std::uint32_t offset) {
        const VReg& mask = wave.exec_lanes();
        std::uint32_t most = 0;
        for (unsigned i = 0; i < kLanes; ++i) {
            lane[i] = (address.lane[i] + offset) & mask.lane[i];
            most = std::max(most, lane[i]);
        }
        highest = most;
    }
    bool all_inside(const Wave& wave, unsigned bytes) const { return in_lds(wave, highest, bytes); }
};

[[gnu::noinline]] inline void observe_lds(Wave& wave, const VReg* address, std::uint32_t offset, unsigned bytes) {
    std::uint64_t at[kLanes];
    for (unsigned i = 0; i < kLanes; ++i) at[i] = (address ? address->lane[i] : 4 * i) + offset;
    record(wave, at, wave.exec(), bytes);
}

// Pieces of lower_lds, one per file; each gives null for instructions that are not its own.
Handler lower_lds_move(const Op& op);  // reads and writes
Handler lower_lds_atomic(const Op& op);
Handler lower_lds_lanes(const Op& op);  // exchanges between lanes, append and consume: no address per lane

}  // namespace vrocm::sim::memory
