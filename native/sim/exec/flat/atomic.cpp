// FLAT and GLOBAL atomics. Lanes are applied in order.
#include "sim/exec/memory/atomic.h"

#include "isa/traits.h"
#include "sim/exec/flat/address.h"
#include "sim/exec/flat/private.h"
#include "sim/exec/lds/access.h"

namespace vrocm::sim::memory {
namespace {

const Op* misaligned(Wave& wave, const Op* op, std::uint64_t address, unsigned bytes, unsigned lane) {
    return raise(wave, op,
                 Fault{.kind = Fault::Kind::Misaligned,
                       .address = address,
                       .bytes = bytes,
                       .write = true,
                       .lane = static_cast<std::uint8_t>(lane)});
}

// A flat address in the windows of LDS and scratch; false when it lies outside what the window holds.
template <class Atomic, class T = typename Atomic::Type>
bool apply_in_window(Wave& wave, Window window, std::uint64_t address, unsigned lane, T a, T b, T& old) {
    if (window == Window::Shared) {
        const std::uint64_t offset = address - kSharedAperture;
        old = in_lds(wave, offset, sizeof(T)) ? apply_plainly<Atomic>(wave.lds + offset, a, b) : 0;
        return true;
    }
    const std::uint64_t offset = address - kPrivateAperture;
    if (!in_scratch(wave, offset, sizeof(T))) return false;
    std::uint8_t bytes[sizeof(T)];
    for (unsigned i = 0; i < sizeof(T); ++i) bytes[i] = *scratch_byte(wave, offset + i, lane);
    old = apply_plainly<Atomic>(bytes, a, b);
    for (unsigned i = 0; i < sizeof(T); ++i) *scratch_byte(wave, offset + i, lane) = bytes[i];
    return true;
}

// Fills the addresses; what takes them to their places when one look allows them all. lanes must not be empty.
[[gnu::noinline]] std::optional<std::uint64_t> list_addresses(Wave& wave, const Op* op, std::uint64_t lanes,
                                                              unsigned bytes, std::uint64_t* address) {
    op->src[2].kind == Src::Kind::Sgpr ? ScalarBase::list(wave, op, address) : VectorAddress::list(wave, op, address);
    if (wave.access) [[unlikely]]
        record(wave, address, lanes, bytes);
    return shift_of(wave, extent(address, lanes), bytes, true);
}

template <class Atomic, bool returns>
const Op* atomic(Wave& wave, const Op* op) {
    using T = typename Atomic::Type;
    const std::uint64_t lanes = wave.exec();
    if (lanes == 0) {
        if (wave.access) wave.access->lanes = 0;
        return op + 1;
    }
    std::uint64_t address[kLanes];
    Looks<Atomic, returns> looks(wave);
    const std::optional<std::uint64_t> shift = list_addresses(wave, op, lanes, sizeof(T), address);
    const bool flat = op->inst->format == isa::Format::FLAT;
    const VReg* data = wave.v + op->src[1].reg;
    for (std::uint64_t left = lanes; left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const std::uint64_t at = address[lane];
        const T a = lane_value<T>(data, lane);
        const T b = has_two_operands<Atomic> ? lane_value<T>(data + sizeof(T) / 4, lane) : T{0};
        const Window window = flat ? window_of(at) : Window::Global;
        T old;
        if (window != Window::Global) {
            if (!apply_in_window<Atomic>(wave, window, at, lane, a, b, old))
                return violation(wave, op, at, sizeof(T), true, lane);
        } else {
            std::uint8_t* place = shift ? host(at + *shift) : reach(wave, at, sizeof(T), true);
            if (!place) return violation(wave, op, at, sizeof(T), true, lane);
            if (at % sizeof(T)) return misaligned(wave, op, at, sizeof(T), lane);
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

Handler lower_flat_atomic(const Op& op) {
    if (op.inst->op == isa::Op::global_atomic_add_f32 && isa::traits(op.arch).flushes_adds_in_memory)
        return choose<FlushingFloatAdd>(op);
    switch (op.inst->op) {
#define ATOMIC(suffix, ...)        \
    case isa::Op::flat_##suffix:   \
    case isa::Op::global_##suffix: \
        return choose<__VA_ARGS__>(op);
        VROCM_INTEGER_ATOMICS(ATOMIC)
        VROCM_FLOAT_ATOMICS(ATOMIC)
        ATOMIC(atomic_pk_add_bf16, PackedAdd<AddBrainHalf>)
#undef ATOMIC
        default:
            return nullptr;
    }
}

}  // namespace vrocm::sim::memory
