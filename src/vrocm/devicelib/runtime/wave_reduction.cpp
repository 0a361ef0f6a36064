// Reductions and scans over the active lanes of a wave.
//
// The loop visits active lanes only and reads them into scalar registers, so it needs no neutral element
// for the others and costs a few scalar instructions a lane. The order is that of the lanes: floating-point
// sums are the same on every run.
#include "common/float_bits.h"

namespace {

INLINE u32 lane_value(u32 x, u32 lane) { return __builtin_amdgcn_readlane(x, lane); }
INLINE i32 lane_value(i32 x, u32 lane) { return (i32)__builtin_amdgcn_readlane((u32)x, lane); }
INLINE u64 lane_value(u64 x, u32 lane) {
    u32 low = __builtin_amdgcn_readlane((u32)x, lane), high = __builtin_amdgcn_readlane((u32)(x >> 32), lane);
    return (u64)high << 32 | low;
}
INLINE i64 lane_value(i64 x, u32 lane) { return (i64)lane_value((u64)x, lane); }
INLINE f32 lane_value(f32 x, u32 lane) { return from_bits(lane_value(bits_of(x), lane)); }
INLINE f64 lane_value(f64 x, u32 lane) { return from_bits(lane_value(bits_of(x), lane)); }

INLINE u64 active_lanes() { return __builtin_amdgcn_ballot_w64(true); }

template <typename T, typename Combine>
INLINE T reduce(T x, Combine combine) {
    u64 remaining = active_lanes();
    T sum = lane_value(x, __builtin_ctzl(remaining));
    remaining &= remaining - 1;
    for (; remaining != 0; remaining &= remaining - 1) {
        sum = combine(sum, lane_value(x, __builtin_ctzl(remaining)));
    }
    return sum;
}

// The exclusive scan gives `neutral` to the first active lane.
template <typename T, typename Combine>
INLINE T scan(T x, bool inclusive, T neutral, Combine combine) {
    u32 self = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    T sum = neutral, result = neutral;
    for (u64 remaining = active_lanes(); remaining != 0; remaining &= remaining - 1) {
        u32 lane = __builtin_ctzl(remaining);
        T next = combine(sum, lane_value(x, lane));
        if (lane == self) result = inclusive ? next : sum;
        sum = next;
    }
    return result;
}

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto bit_and = [](auto a, auto b) { return a & b; };
constexpr auto bit_or = [](auto a, auto b) { return a | b; };
constexpr auto bit_xor = [](auto a, auto b) { return a ^ b; };
constexpr auto smaller = [](auto a, auto b) { return b < a ? b : a; };
constexpr auto larger = [](auto a, auto b) { return a < b ? b : a; };
constexpr auto smaller_float = [](auto a, auto b) { return fmin(a, b); };
constexpr auto larger_float = [](auto a, auto b) { return fmax(a, b); };

}  // namespace

EXPORT i32 __ockl_wfany_i32(i32 x) { return __builtin_amdgcn_ballot_w64(x != 0) != 0; }
EXPORT i32 __ockl_wfall_i32(i32 x) { return __builtin_amdgcn_ballot_w64(x == 0) == 0; }
EXPORT i32 __ockl_wfsame_i32(i32 x) {
    u64 set = __builtin_amdgcn_ballot_w64(x != 0);
    return set == 0 || set == active_lanes();
}
EXPORT u64 __ockl_wfballot_u64(i32 x) { return __builtin_amdgcn_ballot_w64(x != 0); }
EXPORT u32 __ockl_wfbcast_u32(u32 x, u32 lane) { return lane_value(x, __builtin_amdgcn_readfirstlane(lane)); }
EXPORT u64 __ockl_wfbcast_u64(u64 x, u32 lane) { return lane_value(x, __builtin_amdgcn_readfirstlane(lane)); }

EXPORT i32 __ockl_wfred_add_i32(i32 x) { return reduce(x, add); }
EXPORT i32 __ockl_wfred_min_i32(i32 x) { return reduce(x, smaller); }
EXPORT i32 __ockl_wfred_max_i32(i32 x) { return reduce(x, larger); }
EXPORT i32 __ockl_wfred_and_i32(i32 x) { return reduce(x, bit_and); }
EXPORT i32 __ockl_wfred_or_i32(i32 x) { return reduce(x, bit_or); }
EXPORT i32 __ockl_wfred_xor_i32(i32 x) { return reduce(x, bit_xor); }
EXPORT i32 __ockl_wfscan_add_i32(i32 x, bool inclusive) { return scan<i32>(x, inclusive, i32(0), add); }
EXPORT i32 __ockl_wfscan_min_i32(i32 x, bool inclusive) { return scan<i32>(x, inclusive, 0x7fffffff, smaller); }
EXPORT i32 __ockl_wfscan_max_i32(i32 x, bool inclusive) { return scan<i32>(x, inclusive, (i32)0x80000000, larger); }
EXPORT i32 __ockl_wfscan_and_i32(i32 x, bool inclusive) { return scan<i32>(x, inclusive, i32(~i32(0)), bit_and); }
EXPORT i32 __ockl_wfscan_or_i32(i32 x, bool inclusive) { return scan<i32>(x, inclusive, i32(0), bit_or); }
EXPORT i32 __ockl_wfscan_xor_i32(i32 x, bool inclusive) { return scan<i32>(x, inclusive, i32(0), bit_xor); }

EXPORT u32 __ockl_wfred_add_u32(u32 x) { return reduce(x, add); }
EXPORT u32 __ockl_wfred_min_u32(u32 x) { return reduce(x, smaller); }
EXPORT u32 __ockl_wfred_max_u32(u32 x) { return reduce(x, larger); }
EXPORT u32 __ockl_wfred_and_u32(u32 x) { return reduce(x, bit_and); }
EXPORT u32 __ockl_wfred_or_u32(u32 x) { return reduce(x, bit_or); }
EXPORT u32 __ockl_wfred_xor_u32(u32 x) { return reduce(x, bit_xor); }
EXPORT u32 __ockl_wfscan_add_u32(u32 x, bool inclusive) { return scan<u32>(x, inclusive, u32(0), add); }
EXPORT u32 __ockl_wfscan_min_u32(u32 x, bool inclusive) { return scan<u32>(x, inclusive, ~0u, smaller); }
EXPORT u32 __ockl_wfscan_max_u32(u32 x, bool inclusive) { return scan<u32>(x, inclusive, 0u, larger); }
EXPORT u32 __ockl_wfscan_and_u32(u32 x, bool inclusive) { return scan<u32>(x, inclusive, u32(~u32(0)), bit_and); }
EXPORT u32 __ockl_wfscan_or_u32(u32 x, bool inclusive) { return scan<u32>(x, inclusive, u32(0), bit_or); }
EXPORT u32 __ockl_wfscan_xor_u32(u32 x, bool inclusive) { return scan<u32>(x, inclusive, u32(0), bit_xor); }

EXPORT i64 __ockl_wfred_add_i64(i64 x) { return reduce(x, add); }
EXPORT i64 __ockl_wfred_min_i64(i64 x) { return reduce(x, smaller); }
EXPORT i64 __ockl_wfred_max_i64(i64 x) { return reduce(x, larger); }
EXPORT i64 __ockl_wfred_and_i64(i64 x) { return reduce(x, bit_and); }
EXPORT i64 __ockl_wfred_or_i64(i64 x) { return reduce(x, bit_or); }
EXPORT i64 __ockl_wfred_xor_i64(i64 x) { return reduce(x, bit_xor); }
EXPORT i64 __ockl_wfscan_add_i64(i64 x, bool inclusive) { return scan<i64>(x, inclusive, i64(0), add); }
EXPORT i64 __ockl_wfscan_min_i64(i64 x, bool inclusive) { return scan<i64>(x, inclusive, (i64)(~0ul >> 1), smaller); }
EXPORT i64 __ockl_wfscan_max_i64(i64 x, bool inclusive) { return scan<i64>(x, inclusive, (i64)(1ul << 63), larger); }
EXPORT i64 __ockl_wfscan_and_i64(i64 x, bool inclusive) { return scan<i64>(x, inclusive, i64(~i64(0)), bit_and); }
EXPORT i64 __ockl_wfscan_or_i64(i64 x, bool inclusive) { return scan<i64>(x, inclusive, i64(0), bit_or); }
EXPORT i64 __ockl_wfscan_xor_i64(i64 x, bool inclusive) { return scan<i64>(x, inclusive, i64(0), bit_xor); }

EXPORT u64 __ockl_wfred_add_u64(u64 x) { return reduce(x, add); }
EXPORT u64 __ockl_wfred_min_u64(u64 x) { return reduce(x, smaller); }
EXPORT u64 __ockl_wfred_max_u64(u64 x) { return reduce(x, larger); }
EXPORT u64 __ockl_wfred_and_u64(u64 x) { return reduce(x, bit_and); }
EXPORT u64 __ockl_wfred_or_u64(u64 x) { return reduce(x, bit_or); }
EXPORT u64 __ockl_wfred_xor_u64(u64 x) { return reduce(x, bit_xor); }
EXPORT u64 __ockl_wfscan_add_u64(u64 x, bool inclusive) { return scan<u64>(x, inclusive, u64(0), add); }
EXPORT u64 __ockl_wfscan_min_u64(u64 x, bool inclusive) { return scan<u64>(x, inclusive, ~0ul, smaller); }
EXPORT u64 __ockl_wfscan_max_u64(u64 x, bool inclusive) { return scan<u64>(x, inclusive, 0ul, larger); }
EXPORT u64 __ockl_wfscan_and_u64(u64 x, bool inclusive) { return scan<u64>(x, inclusive, u64(~u64(0)), bit_and); }
EXPORT u64 __ockl_wfscan_or_u64(u64 x, bool inclusive) { return scan<u64>(x, inclusive, u64(0), bit_or); }
EXPORT u64 __ockl_wfscan_xor_u64(u64 x, bool inclusive) { return scan<u64>(x, inclusive, u64(0), bit_xor); }

EXPORT f32 __ockl_wfred_add_f32(f32 x) { return reduce(x, add); }
EXPORT f32 __ockl_wfred_min_f32(f32 x) { return reduce(x, smaller_float); }
EXPORT f32 __ockl_wfred_max_f32(f32 x) { return reduce(x, larger_float); }
EXPORT f32 __ockl_wfscan_add_f32(f32 x, bool inclusive) { return scan<f32>(x, inclusive, f32(0), add); }
EXPORT f32 __ockl_wfscan_min_f32(f32 x, bool inclusive) {
    return scan<f32>(x, inclusive, infinity<f32>(), smaller_float);
}
EXPORT f32 __ockl_wfscan_max_f32(f32 x, bool inclusive) {
    return scan<f32>(x, inclusive, -infinity<f32>(), larger_float);
}

EXPORT f64 __ockl_wfred_add_f64(f64 x) { return reduce(x, add); }
EXPORT f64 __ockl_wfred_min_f64(f64 x) { return reduce(x, smaller_float); }
EXPORT f64 __ockl_wfred_max_f64(f64 x) { return reduce(x, larger_float); }
EXPORT f64 __ockl_wfscan_add_f64(f64 x, bool inclusive) { return scan<f64>(x, inclusive, f64(0), add); }
EXPORT f64 __ockl_wfscan_min_f64(f64 x, bool inclusive) {
    return scan<f64>(x, inclusive, infinity<f64>(), smaller_float);
}
EXPORT f64 __ockl_wfscan_max_f64(f64 x, bool inclusive) {
    return scan<f64>(x, inclusive, -infinity<f64>(), larger_float);
}
