// Modifiers of sources: values as the operation behind them is to see them.
#pragma once

#include "sim/exec/valu/lanes.h"

namespace vrocm::sim::VROCM_SIMD_NS {

// How one source is changed. All steps default to none; they apply in the order of the members.
struct SourceChange {
    std::uint8_t sdwa_select = 6;  // 0..3 byte, 4 and 5 word, 6 dword
    bool sdwa_extend_sign = false;
    bool dpp = false;
    bool high_half = false;  // op_sel of 16-bit sources
    bool swizzle = false;    // packed pairs: low and high result take these halves
    bool low_from_high = false, high_from_high = true;
    bool widen = false;  // v_fma_mix: half to single precision, low_from_high chooses
    bool abs = false, neg = false;
    bool neg_high = false;       // of the high half of a pair; neg is then that of the low half
    std::uint8_t sign_bit = 31;  // where neg and abs act; 63: in the second register
    bool operator==(const SourceChange&) const = default;
    bool any() const { return sdwa_select != 6 || dpp || high_half || swizzle || widen || abs || neg || neg_high; }
};

// The lanes a DPP instruction reads from.
struct DppLanes {
    std::uint8_t from[kLanes];
    VReg index;                  // the same as dwords
    bool within_rows = false;    // every lane reads one of its own row of 16
    std::uint64_t in_range = 0;  // reads a lane that exists
    std::uint64_t enabled = 0;   // by row_mask and bank_mask
    // Lanes that read one that exists and is active.
    std::uint64_t valid_under(std::uint64_t exec) const;
};
// Made once for each control word and kept.
const DppLanes* dpp_lanes(const isa::Dpp& dpp);

void select_part(VReg& to, const VReg& from, unsigned select, bool extend_sign);
// `from` and `to` are different. Lanes that are not valid get 0.
void permute_lanes(VReg& to, const VReg& from, const DppLanes& lanes, std::uint64_t valid);
// Everything but SDWA and DPP; `reg` is one register, or two when sign_bit is 63 or `pair` is set.
void change_bits(VReg* reg, const SourceChange& change);

}  // namespace vrocm::sim::VROCM_SIMD_NS
