// Minimum, maximum and median of floating-point values: signed zeros are ordered, NaNs follow MODE.IEEE
// (CDNA3 ISA, V_MIN_F32, V_MAX_F32, V_MED3_F32).
#pragma once

#include "sim/exec/valu/float/float.h"
#include "sim/exec/valu/vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

// Blocks without NaNs. Equal values differ at most in the sign of zero: combining their bits decides that.
inline VF minimum(VF a, VF b) {
    const VF less = select(a < b, a, b);
    return select(a == b, (VF)((VI)a | (VI)b), less);
}
inline VF maximum(VF a, VF b) {
    const VF greater = select(a > b, a, b);
    return select(a == b, (VF)((VI)a & (VI)b), greater);
}
inline VD minimum(VD a, VD b) {
    const VD less = select(a < b, a, b);
    return select(a == b, (VD)((VI64)a | (VI64)b), less);
}
inline VD maximum(VD a, VD b) {
    const VD greater = select(a > b, a, b);
    return select(a == b, (VD)((VI64)a & (VI64)b), greater);
}
inline VF median(VF a, VF b, VF c) {
    const VF largest = maximum(maximum(a, b), c);
    return select(largest == a, maximum(b, c), select(largest == b, maximum(a, c), maximum(a, b)));
}

// Single values of any kind, as bits.
struct MinMaxMode {
    bool ieee;
    bool flush_in, flush_out;  // denormals
};

template <class F>
class MinMax {
  public:
    using B = typename F::Bits;
    explicit MinMax(MinMaxMode mode) : mode_(mode) {}

    B min(B a, B b) const { return flush_result(order(flush_source(a), flush_source(b), false)); }
    B max(B a, B b) const { return flush_result(order(flush_source(a), flush_source(b), true)); }
    B min3(B a, B b, B c) const { return min(min(a, b), c); }
    B max3(B a, B b, B c) const { return max(max(a, b), c); }
    B med3(B a, B b, B c) const {
        if (F::is_nan(a) || F::is_nan(b) || F::is_nan(c)) return min3(a, b, c);
        const B largest = max3(a, b, c);
        if (same_value(largest, flush_source(a))) return max(b, c);
        return same_value(largest, flush_source(b)) ? max(a, c) : max(a, b);
    }

  private:
    B order(B a, B b, bool greater) const {
        if (mode_.ieee && F::is_signaling(a)) return a | F::quiet;
        if (mode_.ieee && F::is_signaling(b)) return b | F::quiet;
        if (F::is_nan(a)) return b;
        if (F::is_nan(b)) return a;
        return (rank(a) < rank(b)) == greater ? b : a;
    }
    // Grows with the value; -0 is below +0.
    static std::int64_t rank(B x) {
        const std::int64_t magnitude = static_cast<std::int64_t>(B(x & B(~F::sign)));
        return x & F::sign ? -magnitude - 1 : magnitude;
    }
    static bool same_value(B a, B b) { return a == b || (F::is_zero(a) && F::is_zero(b)); }
    B flush_source(B x) const { return mode_.flush_in && F::is_denormal(x) ? B(x & F::sign) : x; }
    B flush_result(B x) const { return mode_.flush_out && F::is_denormal(x) ? B(x & F::sign) : x; }

    MinMaxMode mode_;
};

inline MinMaxMode min_max_mode(const Wave& wave, unsigned denorm) {
    return {wave.mode.ieee(), !(denorm & 1), !(denorm & 2)};
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
