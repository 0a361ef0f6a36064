#include "sim/exec/valu/sources.h"

#include <map>
#include <mutex>

#include "sim/exec/valu/handlers.h"

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

// Sixteen lanes, each from the one of the sixteen that the low four bits of its index name.
void permute_row(std::uint32_t* to, const std::uint32_t* from, const std::uint32_t* index) {
    const auto vector = [](const std::uint32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); };
    const __m256i low = vector(from), high = vector(from + 8);
    for (unsigned half = 0; half < 16; half += 8) {
        const __m256i i = vector(index + half);
        const __m256i a = _mm256_permutevar8x32_epi32(low, i), b = _mm256_permutevar8x32_epi32(high, i);
        // Bit 3 of the index, moved to the sign, chooses between the two.
        const __m256 choice = _mm256_castsi256_ps(_mm256_slli_epi32(i, 28));
        const __m256 r = _mm256_blendv_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), choice);
        _mm256_storeu_ps(reinterpret_cast<float*>(to + half), r);
    }
}

DppLanes make_lanes(const isa::Dpp& dpp) {
    DppLanes lanes;
    bool within = true;
    for (unsigned i = 0; i < kLanes; ++i) {
        const int from = dpp_source(dpp.ctrl, static_cast<int>(i));
        const bool enabled = (dpp.row_mask >> (i / kRow) & 1) && (dpp.bank_mask >> (i % kRow / 4) & 1);
        lanes.from[i] = static_cast<std::uint8_t>(from >= 0 ? from : 0);
        lanes.index.lane[i] = lanes.from[i];
        within = within && (from < 0 || unsigned(from) / kRow == i / kRow);
        lanes.in_range |= std::uint64_t{from >= 0} << i;
        lanes.enabled |= std::uint64_t{enabled} << i;
    }
    lanes.within_rows = within;
    return lanes;
}

}  // namespace

std::uint64_t DppLanes::valid_under(std::uint64_t exec) const {
    if (exec == kAllLanes) return in_range;
    std::uint64_t active = 0;
    for (unsigned i = 0; i < kLanes; ++i) active |= (exec >> from[i] & 1) << i;
    return in_range & active;
}

const DppLanes* dpp_lanes(const isa::Dpp& dpp) {
    static std::mutex mutex;
    static std::map<unsigned, DppLanes> known;  // entries stay where they are
    const unsigned key = dpp.ctrl | dpp.row_mask << 16 | dpp.bank_mask << 20;
    const std::lock_guard lock(mutex);
    const auto [at, added] = known.try_emplace(key);
    if (added) at->second = make_lanes(dpp);
    return &at->second;
}

void select_part(VReg& to, const VReg& from, unsigned select, bool extend_sign) {
    const unsigned width = select < 4 ? 8 : 16, shift = select < 4 ? select * 8 : (select - 4) * 16;
    const unsigned up = 32 - width - shift, down = 32 - width;
    for (unsigned k = 0; k < kBlocks; ++k) {
        const VU top = load<VU>(from, k) << up;
        store(to, k, extend_sign ? (VU)((VI)top >> down) : top >> down);
    }
}

void permute_lanes(VReg& to, const VReg& from, const DppLanes& lanes, std::uint64_t valid) {
    if (lanes.within_rows) {
        for (unsigned row = 0; row < kLanes; row += kRow)
            permute_row(to.lane + row, from.lane + row, lanes.index.lane + row);
    } else {
        for (unsigned i = 0; i < kLanes; ++i) to.lane[i] = from.lane[lanes.from[i]];
    }
    if (valid == kAllLanes) return;
    VReg mask;
    lanes_of(valid, mask);
    for (unsigned k = 0; k < kBlocks; ++k) store(to, k, load<VU>(to, k) & load<VU>(mask, k));
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
