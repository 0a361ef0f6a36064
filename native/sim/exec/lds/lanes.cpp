// DS instructions without an address per lane: exchanges between lanes through the LDS crossbar, and the
// counters of ds_append and ds_consume.
#include <algorithm>
#include <bit>

#include "sim/exec/lds/address.h"

namespace vrocm::sim::memory {
namespace {

// Every active lane gets the value of the lane that source(lane) names; inactive sources count as zero.
template <class Source>
inline void pull(Wave& wave, VReg& to, const VReg& from, Source source) {
    const std::uint64_t lanes = wave.exec();
    const VReg& mask = wave.exec_lanes();
    VReg visible, pulled;
    for (unsigned i = 0; i < kLanes; ++i) visible.lane[i] = from.lane[i] & mask.lane[i];
    for (unsigned i = 0; i < kLanes; ++i) pulled.lane[i] = visible.lane[source(i)];
    if (lanes == kAllLanes)
        to = pulled;
    else
        blend(to, pulled, mask);
}

const Op* backward_permute(Wave& wave, const Op* op) {
    const VReg& address = wave.v[op->src[0].reg];
    const std::uint32_t offset = lds_offset(op);
    pull(wave, wave.v[op->dst], wave.v[op->src[1].reg],
         [&](unsigned lane) { return (address.lane[lane] + offset) >> 2 & 63; });
    return op + 1;
}

// Lanes push in order: where several push to one lane, the highest wins; lanes nobody pushes to get zero.
const Op* forward_permute(Wave& wave, const Op* op) {
    const VReg& address = wave.v[op->src[0].reg];
    const VReg& from = wave.v[op->src[1].reg];
    const std::uint32_t offset = lds_offset(op);
    VReg pushed = {};
    for_each_lane(wave.exec(),
                  [&](unsigned lane) { pushed.lane[(address.lane[lane] + offset) >> 2 & 63] = from.lane[lane]; });
    blend(wave.v[op->dst], pushed, wave.exec_lanes());
    return op + 1;
}

// The patterns of ds_swizzle_b32 (CDNA3 ISA, DS_SWIZZLE_B32), coded in the 16-bit offset. Lanes stay in their half
// of the wave.
constexpr unsigned kFft = 0xe000, kRotate = 0xc000, kQuad = 0x8000;

unsigned fft_source(unsigned pattern, unsigned lane) {
    unsigned reversed = 0;
    for (unsigned bit = 0; bit < 5; ++bit) reversed |= (lane >> bit & 1) << (4 - bit);
    const unsigned mask = pattern & 31;
    return (lane & 32) | reversed >> std::popcount(mask) | (lane & mask);
}
unsigned rotate_source(unsigned pattern, unsigned lane) {
    const unsigned mask = pattern & 31, amount = pattern >> 5 & 31;
    const unsigned rotated = pattern >> 10 & 1 ? lane - amount : lane + amount;
    return (lane & 32) | (lane & mask) | (rotated & ~mask & 31);
}

const Op* swizzle(Wave& wave, const Op* op) {
    const unsigned pattern = lds_offset(op);
    VReg& to = wave.v[op->dst];
    const VReg& from = wave.v[op->src[0].reg];
    if (pattern >= kFft) {
        pull(wave, to, from, [&](unsigned lane) { return fft_source(pattern, lane); });
    } else if (pattern >= kRotate) {
        pull(wave, to, from, [&](unsigned lane) { return rotate_source(pattern, lane); });
    } else if (pattern >= kQuad) {
        pull(wave, to, from, [&](unsigned lane) { return (lane & ~3u) | (pattern >> (2 * (lane & 3)) & 3); });
    } else {
        const unsigned keep = pattern & 31, set = pattern >> 5 & 31, flip = pattern >> 10 & 31;
        pull(wave, to, from, [&](unsigned lane) { return (lane & 32) | (((lane & keep) | set) ^ flip); });
    }
    return op + 1;
}

// A counter at M0[15:0] + offset changes by the number of active lanes; all of them get its old value.
template <bool append>
const Op* count_lanes(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    const std::uint64_t at = (wave.s[isa::sreg::m0] & 0xffff) + lds_offset(op);
    if (wave.access) [[unlikely]] {
        std::uint64_t places[kLanes];
        std::fill_n(places, kLanes, at);
        record(wave, places, lanes, 4);
    }
    std::uint32_t old = 0;
    if (lanes != 0 && in_lds(wave, at, 4)) {
        const std::uint32_t count = static_cast<std::uint32_t>(std::popcount(lanes));
        old = get<std::uint32_t>(wave.lds + at);
        put(wave.lds + at, append ? old + count : old - count);
    }
    VReg result;
    std::fill_n(result.lane, kLanes, old);
    blend(wave.v[op->dst], result, wave.exec_lanes());
    return op + 1;
}

const Op* skip(Wave&, const Op* op) {
    return op + 1;
}

}  // namespace

Handler lower_lds_lanes(const Op& op) {
    switch (op.inst->op) {
        case isa::Op::ds_bpermute_b32:
            return backward_permute;
        case isa::Op::ds_permute_b32:
            return forward_permute;
        case isa::Op::ds_swizzle_b32:
            return swizzle;
        case isa::Op::ds_append:
            return count_lanes<true>;
        case isa::Op::ds_consume:
            return count_lanes<false>;
        case isa::Op::ds_nop:
            return skip;
        default:
            return nullptr;
    }
}

}  // namespace vrocm::sim::memory
