// MUBUF atomics. A lane that is outside the buffer changes nothing and gets zero.
#include "sim/exec/memory/atomic.h"

#include "isa/traits.h"
#include "sim/exec/buffer/access.h"

namespace vrocm::sim::memory {
namespace {

template <class Atomic, bool returns>
const Op* atomic(Wave& wave, const Op* op) {
    using T = typename Atomic::Type;
    const BufferAddress where(wave, op);
    if (wave.access) [[unlikely]]
        observe_buffer(wave, where, sizeof(T), true);
    const VReg* data = wave.v + op->src[1].reg;
    Looks<Atomic, returns> looks(wave);
    for (std::uint64_t left = wave.exec(); left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const std::uint64_t index = where.index(lane), offset = where.offset(lane);
        T old = 0;
        if (where.inside(index, offset, sizeof(T))) {
            const std::uint64_t address = where.address(index, offset);
            std::uint8_t* place = buffer_reach(wave, address, sizeof(T), true);
            if (!place) return violation(wave, op, address, sizeof(T), true, lane);
            if (address % sizeof(T))
                return raise(wave, op,
                             Fault{.kind = Fault::Kind::Misaligned,
                                   .address = address,
                                   .bytes = sizeof(T),
                                   .write = true,
                                   .lane = static_cast<std::uint8_t>(lane)});
            const T a = lane_value<T>(data, lane);
            const T b = has_two_operands<Atomic> ? lane_value<T>(data + sizeof(T) / 4, lane) : T{0};
            old = apply_on_host<Atomic>(place, a, b);
            looks.note(old, a, b);
        }
        if constexpr (returns) set_lane_value(wave.v + op->dst, lane, old);
    }
    return op + 1;
}

template <class Atomic>
Handler choose(const Op& op) {
    return op.inst->sc0 ? atomic<Atomic, true> : atomic<Atomic, false>;
}

}  // namespace

Handler lower_buffer_atomic(const Op& op) {
    if (op.inst->op == isa::Op::buffer_atomic_add_f32 && isa::traits(op.arch).flushes_adds_in_memory)
        return choose<FlushingFloatAdd>(op);
    switch (op.inst->op) {
#define ATOMIC(suffix, ...)        \
    case isa::Op::buffer_##suffix: \
        return choose<__VA_ARGS__>(op);
        VROCM_INTEGER_ATOMICS(ATOMIC)
        VROCM_FLOAT_ATOMICS(ATOMIC)
#undef ATOMIC
        default:
            return nullptr;
    }
}

}  // namespace vrocm::sim::memory
