// v_cmp and v_cmpx of integers.
#include "sim/exec/valu/compare.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

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
struct NotEqual {
    template <class V>
    auto operator()(V a, V b) const {
        return a != b;
    }
};
struct GreaterEqual {
    template <class V>
    auto operator()(V a, V b) const {
        return a >= b;
    }
};

// 16-bit values compare as 32-bit ones whose low half was moved up.
template <class F>
struct Low16 {
    template <class V>
    auto operator()(V a, V b) const {
        return F{}(a << 16, b << 16);
    }
};

template <bool value, bool writes_exec>
const Op* constant(Wave& wave, const Op* op) {
    return write_mask<writes_exec>(wave, op, value ? kAllLanes : 0);
}

template <class V, class F, bool writes_exec>
constexpr Handler compare() {
    if constexpr (sizeof(V{}[0]) == 8)
        return CompareWide<V, F, writes_exec>::run;
    else
        return CompareBlocks<V, F, writes_exec>::run;
}

// F, LT, EQ, LE, GT, NE, GE, T: the order of the opcodes.
template <class V, bool writes_exec, template <class> class Adapt>
void add_eight(Table& t, const isa::Op (&ops)[8]) {
    const Handler handlers[8] = {constant<false, writes_exec>,
                                 compare<V, Adapt<Less>, writes_exec>(),
                                 compare<V, Adapt<Equal>, writes_exec>(),
                                 compare<V, Adapt<LessEqual>, writes_exec>(),
                                 compare<V, Adapt<Greater>, writes_exec>(),
                                 compare<V, Adapt<NotEqual>, writes_exec>(),
                                 compare<V, Adapt<GreaterEqual>, writes_exec>(),
                                 constant<true, writes_exec>};
    for (unsigned i = 0; i < 8; ++i) t.add_unclamped(ops[i], handlers[i]);
}

template <class F>
using Whole = F;

#define EIGHT(prefix, type)                                                                    \
    {                                                                                          \
        isa::Op::prefix##_f_##type,  isa::Op::prefix##_lt_##type, isa::Op::prefix##_eq_##type, \
        isa::Op::prefix##_le_##type, isa::Op::prefix##_gt_##type, isa::Op::prefix##_ne_##type, \
        isa::Op::prefix##_ge_##type, isa::Op::prefix##_t_##type}

}  // namespace

void add_compare_integer(Table& t) {
    add_eight<VI, false, Low16>(t, EIGHT(v_cmp, i16));
    add_eight<VU, false, Low16>(t, EIGHT(v_cmp, u16));
    add_eight<VI, false, Whole>(t, EIGHT(v_cmp, i32));
    add_eight<VU, false, Whole>(t, EIGHT(v_cmp, u32));
    add_eight<VI64, false, Whole>(t, EIGHT(v_cmp, i64));
    add_eight<VU64, false, Whole>(t, EIGHT(v_cmp, u64));
    add_eight<VI, true, Low16>(t, EIGHT(v_cmpx, i16));
    add_eight<VU, true, Low16>(t, EIGHT(v_cmpx, u16));
    add_eight<VI, true, Whole>(t, EIGHT(v_cmpx, i32));
    add_eight<VU, true, Whole>(t, EIGHT(v_cmpx, u32));
    add_eight<VI64, true, Whole>(t, EIGHT(v_cmpx, i64));
    add_eight<VU64, true, Whole>(t, EIGHT(v_cmpx, u64));
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
