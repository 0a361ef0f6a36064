// Scalar memory: loads, stores and atomics of the whole wave, clocks, cache control.
#include <atomic>

#include "sim/exec/buffer/descriptor.h"
#include "sim/exec/memory/access.h"
#include "sim/exec/memory/atomic.h"
#include "sim/host_time.h"

namespace vrocm::sim {
namespace memory {
namespace {

// src[3].imm holds the immediate offset. Addresses are those of dwords: the low bits do not count.
std::uint64_t offset_of(const Wave& wave, const Op* op) {
    const std::uint64_t scalar = op->src[1].kind == Src::Kind::None ? 0 : read_scalar32(wave, op->src[1]);
    return scalar + op->src[3].imm;
}
std::uint64_t address_of(const Wave& wave, const Op* op) {
    return (wave.read_s64(op->src[0].reg) + offset_of(wave, op)) & ~std::uint64_t{3};
}

// `inside`: bytes that are touched, where the end of a buffer comes first.
void observe(Wave& wave, std::uint64_t address, unsigned bytes, std::uint64_t inside = ~std::uint64_t{0}) {
    wave.access->address[0] = address;
    wave.access->lanes = 1;
    wave.access->bytes = static_cast<std::uint8_t>(bytes);
    wave.access->inside = static_cast<std::uint8_t>(std::min<std::uint64_t>(bytes, inside));
}

template <unsigned dwords>
const Op* load(Wave& wave, const Op* op) {
    const std::uint64_t address = address_of(wave, op);
    if (wave.access) [[unlikely]]
        observe(wave, address, dwords * 4);
    const std::uint8_t* place = reach(wave, address, dwords * 4, false);
    if (!place) return violation(wave, op, address, dwords * 4, false, 0);
    std::memcpy(wave.s + op->dst, place, dwords * 4);
    return op + 1;
}

template <unsigned dwords>
const Op* store(Wave& wave, const Op* op) {
    const std::uint64_t address = address_of(wave, op);
    if (wave.access) [[unlikely]]
        observe(wave, address, dwords * 4);
    std::uint8_t* place = reach(wave, address, dwords * 4, true);
    if (!place) return violation(wave, op, address, dwords * 4, true, 0);
    std::memcpy(place, wave.s + op->src[2].reg, dwords * 4);
    return op + 1;
}

// Dwords past the end of the buffer read as zero and are not written.
template <unsigned dwords, bool write>
const Op* buffer(Wave& wave, const Op* op) {
    const BufferDescriptor descriptor(wave.s + op->src[0].reg);
    const std::uint64_t offset = offset_of(wave, op) & ~std::uint64_t{3};
    if (wave.access) [[unlikely]]
        observe(wave, descriptor.base + offset, dwords * 4,
                descriptor.scalar_bytes() < offset ? 0 : (descriptor.scalar_bytes() - offset) / 4 * 4);
    std::uint32_t value[dwords] = {};
    if constexpr (write) std::memcpy(value, wave.s + op->src[2].reg, sizeof value);
    for (unsigned i = 0; i < dwords; ++i) {
        if (offset + 4 * i + 4 > descriptor.scalar_bytes()) break;
        const std::uint64_t address = ((descriptor.base + offset) & ~std::uint64_t{3}) + 4 * i;
        std::uint8_t* place = reach(wave, address, 4, write);
        if (!place) return violation(wave, op, address, 4, write, 0);
        if constexpr (write)
            put(place, value[i]);
        else
            value[i] = get<std::uint32_t>(place);
    }
    if constexpr (!write) std::memcpy(wave.s + op->dst, value, sizeof value);
    return op + 1;
}

// The data register also takes the old value when it is wanted.
template <class Atomic, bool in_buffer>
const Op* atomic(Wave& wave, const Op* op) {
    using T = typename Atomic::Type;
    std::uint64_t address;
    bool inside = true;
    if constexpr (in_buffer) {
        const BufferDescriptor descriptor(wave.s + op->src[0].reg);
        const std::uint64_t offset = offset_of(wave, op);
        inside = offset + sizeof(T) <= descriptor.scalar_bytes();
        address = (descriptor.base + offset) & ~std::uint64_t{3};
    } else {
        address = address_of(wave, op);
    }
    if (wave.access) [[unlikely]]
        observe(wave, address, sizeof(T), inside ? sizeof(T) : 0);
    T data[2] = {};
    std::memcpy(data, wave.s + op->src[2].reg, has_two_operands<Atomic> ? sizeof data : sizeof(T));
    T old = 0;
    if (inside) {
        std::uint8_t* place = reach(wave, address, sizeof(T), true);
        if (!place) return violation(wave, op, address, sizeof(T), true, 0);
        if (address % sizeof(T))
            return raise(wave, op,
                         Fault{.kind = Fault::Kind::Misaligned, .address = address, .bytes = sizeof(T), .write = true});
        old = apply_on_host<Atomic>(place, data[0], data[1]);
    }
    if (op->inst->sc0) std::memcpy(wave.s + op->src[2].reg, &old, sizeof old);
    return op + 1;
}

std::uint64_t core_clocks(const Wave& wave) {
    constexpr std::uint64_t kNanosecondsPerTick = 10;
    if (wave.clock_of_host) return host_nanoseconds() / kNanosecondsPerTick * wave.clocks_per_tick;
    return wave.clock + wave.instructions * wave.cycles_per_instruction;
}
const Op* tell_time(Wave& wave, const Op* op, std::uint64_t time) {
    wave.write_s64(op->dst, time);
    if (!wave.clock_of_host) return op + 1;
    wave.next = op + 1;  // who waits for the host's time waits beside others
    return nullptr;
}
const Op* core_clock(Wave& wave, const Op* op) {
    return tell_time(wave, op, core_clocks(wave));
}
const Op* constant_clock(Wave& wave, const Op* op) {
    return tell_time(wave, op, core_clocks(wave) / wave.clocks_per_tick);
}

// Memory is the host's and always coherent; writing caches back only has to order what came before.
const Op* cache_control(Wave&, const Op* op) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return op + 1;
}

Handler lower_moves(const Op& op) {
    switch (op.inst->op) {
        case isa::Op::s_load_dword:
            return load<1>;
        case isa::Op::s_load_dwordx2:
            return load<2>;
        case isa::Op::s_load_dwordx4:
            return load<4>;
        case isa::Op::s_load_dwordx8:
            return load<8>;
        case isa::Op::s_load_dwordx16:
            return load<16>;
        case isa::Op::s_store_dword:
            return store<1>;
        case isa::Op::s_store_dwordx2:
            return store<2>;
        case isa::Op::s_store_dwordx4:
            return store<4>;
        case isa::Op::s_buffer_load_dword:
            return buffer<1, false>;
        case isa::Op::s_buffer_load_dwordx2:
            return buffer<2, false>;
        case isa::Op::s_buffer_load_dwordx4:
            return buffer<4, false>;
        case isa::Op::s_buffer_load_dwordx8:
            return buffer<8, false>;
        case isa::Op::s_buffer_load_dwordx16:
            return buffer<16, false>;
        case isa::Op::s_buffer_store_dword:
            return buffer<1, true>;
        case isa::Op::s_buffer_store_dwordx2:
            return buffer<2, true>;
        case isa::Op::s_buffer_store_dwordx4:
            return buffer<4, true>;
        default:
            return nullptr;
    }
}

Handler lower_others(const Op& op) {
    switch (op.inst->op) {
        case isa::Op::s_memtime:
            return core_clock;
        case isa::Op::s_memrealtime:
            return constant_clock;
        case isa::Op::s_dcache_inv:
        case isa::Op::s_dcache_wb:
        case isa::Op::s_dcache_inv_vol:
        case isa::Op::s_dcache_wb_vol:
        case isa::Op::s_dcache_discard:
        case isa::Op::s_dcache_discard_x2:
        case isa::Op::s_atc_probe:
        case isa::Op::s_atc_probe_buffer:
            return cache_control;
#define ATOMIC(suffix, ...)                \
    case isa::Op::s_##suffix:              \
        return atomic<__VA_ARGS__, false>; \
    case isa::Op::s_buffer_##suffix:       \
        return atomic<__VA_ARGS__, true>;
            VROCM_INTEGER_ATOMICS(ATOMIC)
#undef ATOMIC
        default:
            return nullptr;  // s_scratch_*: no compiler emits them
    }
}

// Register numbers come from the decoder, which keeps tuples inside the scalar file; this keeps the promise
// that no instruction writes past it.
bool fits(const Op& op) {
    for (const isa::Operand* operand : {&op.inst->dst, &op.inst->src[0], &op.inst->src[2]})
        if (operand->kind == isa::Operand::Kind::Sgpr && operand->reg + operand->dwords > 128) return false;
    return true;
}

}  // namespace
}  // namespace memory

Handler lower_smem(Op& op) {
    op.src[3].imm = static_cast<std::uint64_t>(std::int64_t{op.inst->offset});
    if (!memory::fits(op)) return nullptr;
    if (Handler handler = memory::lower_moves(op)) return handler;
    return memory::lower_others(op);
}

}  // namespace vrocm::sim
