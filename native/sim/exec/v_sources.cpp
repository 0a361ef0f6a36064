#include "sim/exec/v_sources.h"

#include "sim/exec/v_handlers.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

constexpr unsigned kRow = 16;

// The lane that `lane` reads under a dpp_ctrl, or -1 when there is none (CDNA3 ISA, DPP_CTRL).
int dpp_source(unsigned ctrl, int lane) {
    const int row = lane & ~15, in_row = lane & 15, amount = static_cast<int>(ctrl & 15);
    const auto within_row = [&](int i) { return i >= 0 && i < int{kRow} ? row + i : -1; };
    if (ctrl < 0x100) return (lane & ~3) | static_cast<int>(ctrl >> (2 * (lane & 3)) & 3);
    switch (ctrl >> 4) {
        case 0x10:
            return within_row(in_row + amount);  // row_shl
        case 0x11:
            return within_row(in_row - amount);  // row_shr
        case 0x12:
            return row + ((in_row - amount) & 15);  // row_ror
        case 0x15:
            return row + amount;  // row_newbcast
        default:
            break;
    }
    switch (ctrl) {
        case 0x130:
            return lane + 1 < int{kLanes} ? lane + 1 : -1;  // wave_shl
        case 0x134:
            return (lane + 1) & 63;  // wave_rol
        case 0x138:
            return lane - 1;  // wave_shr
        case 0x13c:
            return (lane - 1) & 63;  // wave_ror
        case 0x140:
            return row + 15 - in_row;  // row_mirror
        case 0x141:
            return (lane & ~7) + 7 - (lane & 7);  // row_half_mirror
        case 0x142:
            return lane >= 16 ? row - 1 : -1;  // row_bcast:15
        case 0x143:
            return lane >= 32 ? 31 : -1;  // row_bcast:31
        default:
            return -1;
    }
}

}  // namespace

DppLanes dpp_lanes(const isa::Dpp& dpp, std::uint64_t exec) {
    DppLanes lanes;
    for (unsigned i = 0; i < kLanes; ++i) {
        const int from = dpp_source(dpp.ctrl, static_cast<int>(i));
        const bool valid = from >= 0 && (exec >> from & 1);
        const bool enabled = (dpp.row_mask >> (i / kRow) & 1) && (dpp.bank_mask >> (i % kRow / 4) & 1);
        lanes.from[i] = static_cast<std::uint8_t>(valid ? from : 0);
        lanes.valid |= std::uint64_t{valid} << i;
        lanes.enabled |= std::uint64_t{enabled} << i;
    }
    return lanes;
}

void select_part(VReg& reg, unsigned select, bool extend_sign) {
    const unsigned width = select < 4 ? 8 : 16, shift = select < 4 ? select * 8 : (select - 4) * 16;
    for (std::uint32_t& lane : reg.lane) {
        const std::uint32_t top = lane << (32 - width - shift);
        lane = extend_sign ? static_cast<std::uint32_t>(static_cast<std::int32_t>(top) >> (32 - width))
                           : top >> (32 - width);
    }
}

void permute_lanes(VReg& reg, const DppLanes& lanes) {
    const VReg old = reg;
    for (unsigned i = 0; i < kLanes; ++i) reg.lane[i] = lanes.valid >> i & 1 ? old.lane[lanes.from[i]] : 0;
}

void change_bits(VReg* reg, const SourceChange& c) {
    if (c.high_half)
        for (std::uint32_t& lane : reg->lane) lane >>= 16;
    if (c.swizzle) {
        const unsigned low = c.low_from_high ? 16 : 0, high = c.high_from_high ? 16 : 0;
        for (std::uint32_t& lane : reg->lane) lane = (lane >> low & 0xffff) | lane >> high << 16;
    }
    if (c.widen)
        for (std::uint32_t& lane : reg->lane) lane = bits(half_to_float(c.low_from_high ? lane >> 16 : lane));
    VReg& signs = reg[c.sign_bit / 32];
    const std::uint32_t bit = 1u << c.sign_bit % 32;
    const std::uint32_t keep = c.abs ? ~bit : ~0u, flip = (c.neg ? bit : 0) | (c.neg_high ? 0x80000000u : 0);
    if (c.abs || flip)
        for (std::uint32_t& lane : signs.lane) lane = (lane & keep) ^ flip;
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
