// v_cmp and v_cmpx of floating-point values, and tests for classes of values.
#include "sim/exec/valu/compare.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Predicates by the first eight opcodes; the other eight are their negations. With a NaN source only
// "unordered" and the negated ones are true.
struct Less {
    template <class V>
    auto operator()(V a, V b) const {
        return a < b;
    }
};
struct Equal {
    template <class V>
    auto operator()(V a, V b) const {
        return a == b;
    }
};
struct LessEqual {
    template <class V>
    auto operator()(V a, V b) const {
        return a <= b;
    }
};
struct Greater {
    template <class V>
    auto operator()(V a, V b) const {
        return a > b;
    }
};
struct LessGreater {
    template <class V>
    auto operator()(V a, V b) const {
        return (a < b) | (a > b);
    }
};
struct GreaterEqual {
    template <class V>
    auto operator()(V a, V b) const {
        return a >= b;
    }
};
struct Ordered {
    template <class V>
    auto operator()(V a, V b) const {
        return (a == a) & (b == b);
    }
};
template <class F>
struct Not {
    template <class V>
    auto operator()(V a, V b) const {
        return ~F{}(a, b);
    }
};
// Half precision compares as single precision.
template <class F>
struct Widened {
    auto operator()(VU a, VU b) const { return F{}(halves_to_singles(a), halves_to_singles(b)); }
};
template <class F>
using Whole = F;

template <bool value, bool writes_exec>
const Op* constant(Wave& wave, const Op* op) {
    return write_mask<writes_exec>(wave, op, value ? kAllLanes : 0);
}

template <class V, class F, bool writes_exec, Precision precision>
const Op* compare(Wave& wave, const Op* op) {
    if (!default_mode(wave, precision)) [[unlikely]]
        return run_in_mode(wave, op, precision);
    if constexpr (sizeof(V{}[0]) == 8)
        return CompareWide<V, F, writes_exec>::run(wave, op);
    else
        return CompareBlocks<V, F, writes_exec>::run(wave, op);
}

template <class F, bool writes_exec>
const Op* compare_signs(Wave& wave, const Op* op) {
    if (!wave.mode.f32_default()) [[unlikely]]
        return run_in_mode(wave, op, Precision::Single);
    return CompareBlocks<VF, F, writes_exec>::run_signs(wave, op);
}

// |x| and -x in comparisons of single precision.
template <bool x>
void add_signs(Table& t, const isa::Op (&ops)[16]) {
    const Handler handlers[16] = {nullptr,
                                  compare_signs<Less, x>,
                                  compare_signs<Equal, x>,
                                  compare_signs<LessEqual, x>,
                                  compare_signs<Greater, x>,
                                  compare_signs<LessGreater, x>,
                                  compare_signs<GreaterEqual, x>,
                                  compare_signs<Ordered, x>,
                                  compare_signs<Not<Ordered>, x>,
                                  compare_signs<Not<GreaterEqual>, x>,
                                  compare_signs<Not<LessGreater>, x>,
                                  compare_signs<Not<Greater>, x>,
                                  compare_signs<Not<LessEqual>, x>,
                                  compare_signs<Not<Equal>, x>,
                                  compare_signs<Not<Less>, x>,
                                  nullptr};
    for (unsigned i = 0; i < 16; ++i) t[ops[i]].signs = handlers[i];
}

template <class V, bool x, template <class> class Adapt, Precision p>
void add_sixteen(Table& t, const isa::Op (&ops)[16]) {
    const Handler handlers[16] = {constant<false, x>,
                                  compare<V, Adapt<Less>, x, p>,
                                  compare<V, Adapt<Equal>, x, p>,
                                  compare<V, Adapt<LessEqual>, x, p>,
                                  compare<V, Adapt<Greater>, x, p>,
                                  compare<V, Adapt<LessGreater>, x, p>,
                                  compare<V, Adapt<GreaterEqual>, x, p>,
                                  compare<V, Adapt<Ordered>, x, p>,
                                  compare<V, Adapt<Not<Ordered>>, x, p>,
                                  compare<V, Adapt<Not<GreaterEqual>>, x, p>,
                                  compare<V, Adapt<Not<LessGreater>>, x, p>,
                                  compare<V, Adapt<Not<Greater>>, x, p>,
                                  compare<V, Adapt<Not<LessEqual>>, x, p>,
                                  compare<V, Adapt<Not<Equal>>, x, p>,
                                  compare<V, Adapt<Not<Less>>, x, p>,
                                  constant<true, x>};
    for (unsigned i = 0; i < 16; ++i) t.add_unclamped(ops[i], handlers[i]);
}

// Bit of the mask that a value's class has: signalling NaN, quiet NaN, -infinity, -normal, -denormal, -0, +0,
// +denormal, +normal, +infinity.
template <class F>
bool has_class(typename F::Bits x, u32 mask) {
    const bool negative = (x & F::sign) != 0;
    unsigned bit;
    if (F::is_nan(x))
        bit = x & F::quiet ? 1 : 0;
    else if (F::is_infinite(x))
        bit = negative ? 2 : 9;
    else if (F::is_zero(x))
        bit = negative ? 5 : 6;
    else if (F::exponent(x) == 0)
        bit = negative ? 4 : 7;
    else
        bit = negative ? 3 : 8;
    return mask >> bit & 1;
}

// The same for blocks of single precision. The classes of positive values follow each other by magnitude from bit 6
// on; those of negative values mirror them. A comparison that holds is -1.
struct SingleClass {
    VI operator()(VU x, VU mask) const {
        constexpr std::int32_t infinity = Single::infinity, quiet = Single::quiet, least_normal = 2 * quiet;
        const VI magnitude = (VI)(x & ~Single::sign);
        const VI positive = 6 - (magnitude > 0) - (magnitude >= least_normal) - (magnitude >= infinity);
        const VI number = (VI)x < 0 ? 11 - positive : positive;
        const VI bit = magnitude > infinity ? (magnitude & quiet) / quiet : number;
        return -(VI)(mask >> (VU)bit & 1u);
    }
};

template <bool writes_exec, class F>
constexpr Handler class_test(F) {
    return CompareLanes<F, writes_exec>::run;
}

void add_classes(Table& t) {
    using isa::Op;
    const auto half = [](u32 x, u32 mask) { return has_class<Half>(static_cast<std::uint16_t>(x), mask); };
    const auto wide = [](u64 x, u32 mask) { return has_class<Double>(x, mask); };
    t.add_unclamped(Op::v_cmp_class_f16, class_test<false>(half));
    t.add_unclamped(Op::v_cmp_class_f32, CompareBlocks<VU, SingleClass, false>::run);
    t.add_unclamped(Op::v_cmp_class_f64, class_test<false>(wide));
    t.add_unclamped(Op::v_cmpx_class_f16, class_test<true>(half));
    t.add_unclamped(Op::v_cmpx_class_f32, CompareBlocks<VU, SingleClass, true>::run);
    t.add_unclamped(Op::v_cmpx_class_f64, class_test<true>(wide));
}

#define SIXTEEN(prefix, type)                                                                  \
    {isa::Op::prefix##_f_##type,   isa::Op::prefix##_lt_##type,  isa::Op::prefix##_eq_##type,  \
     isa::Op::prefix##_le_##type,  isa::Op::prefix##_gt_##type,  isa::Op::prefix##_lg_##type,  \
     isa::Op::prefix##_ge_##type,  isa::Op::prefix##_o_##type,   isa::Op::prefix##_u_##type,   \
     isa::Op::prefix##_nge_##type, isa::Op::prefix##_nlg_##type, isa::Op::prefix##_ngt_##type, \
     isa::Op::prefix##_nle_##type, isa::Op::prefix##_neq_##type, isa::Op::prefix##_nlt_##type, \
     isa::Op::prefix##_tru_##type}

}  // namespace

void add_compare_float(Table& t) {
    add_sixteen<VU, false, Widened, Precision::DoubleHalf>(t, SIXTEEN(v_cmp, f16));
    add_sixteen<VF, false, Whole, Precision::Single>(t, SIXTEEN(v_cmp, f32));
    add_sixteen<VD, false, Whole, Precision::DoubleHalf>(t, SIXTEEN(v_cmp, f64));
    add_sixteen<VU, true, Widened, Precision::DoubleHalf>(t, SIXTEEN(v_cmpx, f16));
    add_sixteen<VF, true, Whole, Precision::Single>(t, SIXTEEN(v_cmpx, f32));
    add_sixteen<VD, true, Whole, Precision::DoubleHalf>(t, SIXTEEN(v_cmpx, f64));
    add_signs<false>(t, SIXTEEN(v_cmp, f32));
    add_signs<true>(t, SIXTEEN(v_cmpx, f32));
    add_classes(t);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
