// DS read-modify-write instructions. A workgroup runs on one host thread, so plain memory operations are atomic.
#include "sim/exec/memory/atomic.h"

#include "sim/exec/lds/address.h"

namespace vrocm::sim::memory {
namespace {

template <class Atomic, bool returns>
const Op* atomic(Wave& wave, const Op* op) {
    using T = typename Atomic::Type;
    const VReg& address = wave.v[op->src[0].reg];
    const std::uint32_t offset = lds_offset(op);
    if (wave.access) [[unlikely]]
        observe_lds(wave, &address, offset, sizeof(T));
    const VReg* first = wave.v + op->src[1].reg;
    const VReg* second = wave.v + op->src[2].reg;
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const std::uint32_t at = address.lane[lane] + offset;
        const T a = lane_value<T>(first, lane);
        const T b = has_two_operands<Atomic> ? lane_value<T>(second, lane) : T{0};
        const T old = in_lds(wave, at, sizeof(T)) ? apply_plainly<Atomic>(wave.lds + at, a, b) : T{0};
        if constexpr (returns) set_lane_value(wave.v + op->dst, lane, old);
    });
    return op + 1;
}

// FP32 atomics of LDS follow the denormal mode; they always round to nearest even.
template <bool returns>
const Op* add_f32(Wave& wave, const Op* op) {
    const unsigned denormals = wave.mode.denorm_f32();
    if (denormals == 3) return atomic<FloatAdd<float>, returns>(wave, op);
    const bool flush_in = (denormals & 1) == 0, flush_out = (denormals & 2) == 0;
    const VReg& address = wave.v[op->src[0].reg];
    const std::uint32_t offset = lds_offset(op);
    if (wave.access) [[unlikely]]
        observe_lds(wave, &address, offset, 4);
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const std::uint32_t at = address.lane[lane] + offset;
        std::uint32_t old = 0;
        if (in_lds(wave, at, 4)) {
            old = get<std::uint32_t>(wave.lds + at);
            std::uint32_t x = old, y = wave.v[op->src[1].reg].lane[lane];
            if (flush_in) x = without_denormals(x), y = without_denormals(y);
            const std::uint32_t sum = FloatAdd<float>::combine(x, y, 0);
            put(wave.lds + at, flush_out ? without_denormals(sum) : sum);
        }
        if constexpr (returns) wave.v[op->dst].lane[lane] = old;
    });
    return op + 1;
}

// Swaps two places per lane; offsets in units of the data, as ds_write2 has them.
template <class T, unsigned unit>
const Op* exchange_two(Wave& wave, const Op* op) {
    const std::uint32_t first = first_unit(op) * unit * sizeof(T);
    const std::uint32_t second = second_unit(op) * unit * sizeof(T);
    const VReg& address = wave.v[op->src[0].reg];
    if (wave.access) [[unlikely]]
        observe_lds(wave, &address, first, 2 * sizeof(T));
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const std::uint32_t at[2] = {address.lane[lane] + first, address.lane[lane] + second};
        const T data[2] = {lane_value<T>(wave.v + op->src[1].reg, lane), lane_value<T>(wave.v + op->src[2].reg, lane)};
        T old[2];
        for (unsigned i = 0; i < 2; ++i)
            old[i] = in_lds(wave, at[i], sizeof(T)) ? apply_plainly<Swap<T>>(wave.lds + at[i], data[i], 0) : T{0};
        for (unsigned i = 0; i < 2; ++i) set_lane_value(wave.v + op->dst + i * sizeof(T) / 4, lane, old[i]);
    });
    return op + 1;
}

Handler lower_integer(const Op& op) {
    using u32 = std::uint32_t;
    using u64 = std::uint64_t;
    switch (op.inst->op) {
#define ATOMIC(name, type, ...)            \
    case isa::Op::ds_##name##_##type:      \
        return atomic<__VA_ARGS__, false>; \
    case isa::Op::ds_##name##_rtn_##type:  \
        return atomic<__VA_ARGS__, true>;
        ATOMIC(add, u32, Add<u32>)
        ATOMIC(sub, u32, Subtract<u32>)
        ATOMIC(rsub, u32, ReverseSubtract<u32>)
        ATOMIC(inc, u32, Increment<u32>)
        ATOMIC(dec, u32, Decrement<u32>)
        ATOMIC(min, i32, Minimum<std::int32_t>)
        ATOMIC(max, i32, Maximum<std::int32_t>)
        ATOMIC(min, u32, Minimum<u32>)
        ATOMIC(max, u32, Maximum<u32>)
        ATOMIC(and, b32, And<u32>)
        ATOMIC(or, b32, Or<u32>)
        ATOMIC(xor, b32, Xor<u32>)
        ATOMIC(mskor, b32, MaskedOr<u32>)
        ATOMIC(cmpst, b32, LdsCompareSwap<u32>)
        ATOMIC(add, u64, Add<u64>)
        ATOMIC(sub, u64, Subtract<u64>)
        ATOMIC(rsub, u64, ReverseSubtract<u64>)
        ATOMIC(inc, u64, Increment<u64>)
        ATOMIC(dec, u64, Decrement<u64>)
        ATOMIC(min, i64, Minimum<std::int64_t>)
        ATOMIC(max, i64, Maximum<std::int64_t>)
        ATOMIC(min, u64, Minimum<u64>)
        ATOMIC(max, u64, Maximum<u64>)
        ATOMIC(and, b64, And<u64>)
        ATOMIC(or, b64, Or<u64>)
        ATOMIC(xor, b64, Xor<u64>)
        ATOMIC(mskor, b64, MaskedOr<u64>)
        ATOMIC(cmpst, b64, LdsCompareSwap<u64>)
        case isa::Op::ds_wrxchg_rtn_b32:
            return atomic<Swap<u32>, true>;
        case isa::Op::ds_wrxchg_rtn_b64:
            return atomic<Swap<u64>, true>;
        case isa::Op::ds_wrxchg2_rtn_b32:
            return exchange_two<u32, 1>;
        case isa::Op::ds_wrxchg2st64_rtn_b32:
            return exchange_two<u32, 64>;
        case isa::Op::ds_wrxchg2_rtn_b64:
            return exchange_two<u64, 1>;
        case isa::Op::ds_wrxchg2st64_rtn_b64:
            return exchange_two<u64, 64>;
        case isa::Op::ds_wrap_rtn_b32:
            return atomic<Wrap, true>;
        case isa::Op::ds_condxchg32_rtn_b64:
            return atomic<ConditionalExchange, true>;
        default:
            return nullptr;
    }
}

Handler lower_float(const Op& op) {
    switch (op.inst->op) {
        case isa::Op::ds_add_f32:
            return add_f32<false>;
        case isa::Op::ds_add_rtn_f32:
            return add_f32<true>;
            ATOMIC(add, f64, FloatAdd<double>)
            ATOMIC(min, f32, FloatExtreme<float, false>)
            ATOMIC(max, f32, FloatExtreme<float, true>)
            ATOMIC(min, f64, FloatExtreme<double, false>)
            ATOMIC(max, f64, FloatExtreme<double, true>)
            ATOMIC(cmpst, f32, FloatLdsCompareSwap<float>)
            ATOMIC(cmpst, f64, FloatLdsCompareSwap<double>)
            ATOMIC(pk_add, f16, PackedAdd<AddHalf>)
            ATOMIC(pk_add, bf16, PackedAdd<AddBrainHalf>)
#undef ATOMIC
        default:
            return nullptr;
    }
}

}  // namespace

Handler lower_lds_atomic(const Op& op) {
    if (Handler handler = lower_integer(op)) return handler;
    return lower_float(op);
}

}  // namespace vrocm::sim::memory
