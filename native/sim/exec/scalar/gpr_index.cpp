// Registers addressed through M0: s_movrel* on scalar registers, and the mode in which vector instructions add
// M0 to their register numbers (s_set_gpr_idx_*). Compilers turn that mode on around a move or two when an array
// in registers is indexed at run time, so it is interpreted here and costs other instructions nothing.
#include <bit>

#include "sim/exec/scalar/operand.h"

namespace vrocm::sim::scalar {
namespace {

using isa::sreg::m0;

constexpr std::uint32_t kIndexEnabled = 1u << 27;  // MODE.GPR_IDX_EN
constexpr unsigned kUsesShift = 12;                // M0[15:12]: which operands are indexed, M0[7:0]: the index
constexpr unsigned kSource0 = 1, kDestination = 8;
constexpr unsigned kVgprs = 256;
constexpr unsigned kScalars = 102;  // s0..s101: what s_movrel may reach

bool uses_vector_registers(const isa::Inst& inst) {
    switch (inst.format) {
        case isa::Format::VOP1:
        case isa::Format::VOP2:
        case isa::Format::VOPC:
        case isa::Format::VOP3:
        case isa::Format::VOP3P:
            return true;
        default:
            return false;
    }
}

// A register past the last one reads and writes v0 (CDNA3 ISA, "Out-of-Range behavior").
std::uint16_t indexed(std::uint16_t reg, unsigned index) {
    if (reg >= kVgprs) return reg;
    return reg + index < kVgprs ? static_cast<std::uint16_t>(reg + index) : 0;
}

// The instruction as index mode means it.
Op with_index(const Wave& wave, const Op& op) {
    Op moved = op;
    const unsigned uses = wave.s[m0] >> kUsesShift & 15, index = wave.s[m0] & 0xff;
    for (unsigned i = 0; i < 3; ++i)
        if (uses & kSource0 << i && moved.src[i].kind == Src::Kind::Vgpr)
            moved.src[i].reg = indexed(moved.src[i].reg, index);
    if (uses & kDestination && op.inst->dst.kind == isa::Operand::Kind::Vgpr) moved.dst = indexed(moved.dst, index);
    return moved;
}

// Runs until the mode ends. Only straight code and branches are expected between "on" and "off".
const Op* run_indexed(Wave& wave, const Op* op) {
    constexpr unsigned kLongest = 1u << 20;
    for (unsigned executed = 0; wave.mode.bits & kIndexEnabled; ++executed) {
        const Op* next;
        if (executed == kLongest) return raise(wave, op, Fault{.kind = Fault::Kind::Hang});
        if (op->inst && uses_vector_registers(*op->inst)) {
            const Op moved = with_index(wave, *op);
            next = moved.fn(wave, &moved) ? op + 1 : nullptr;
        } else {
            next = op->fn(wave, op);
        }
        ++wave.instructions;
        if (!next) {
            if (wave.state == WaveState::Faulted) {
                wave.next = op;
                return nullptr;
            }
            if (wave.state == WaveState::Done) return nullptr;
            return raise(
                wave, op,
                Fault{.kind = Fault::Kind::Unsupported, .text = "barrier or sleep while s_set_gpr_idx_on is in force"});
        }
        op = next;
    }
    return op;
}

const Op* index_on(Wave& wave, const Op* op) {
    const std::uint32_t index = read_scalar32(wave, op->src[0]) & 0xff;
    const std::uint32_t uses = static_cast<std::uint32_t>(op->inst->imm) & 15;
    wave.s[m0] = (wave.s[m0] & ~0xf0ffu) | index | uses << kUsesShift;
    const bool nested = wave.mode.bits & kIndexEnabled;
    wave.mode.bits |= kIndexEnabled;
    return nested ? op + 1 : run_indexed(wave, op + 1);
}

const Op* index_off(Wave& wave, const Op* op) {
    wave.mode.bits &= ~kIndexEnabled;
    return op + 1;
}

const Op* index_mode(Wave& wave, const Op* op) {
    const std::uint32_t uses = static_cast<std::uint32_t>(op->inst->imm) & 15;
    wave.s[m0] = (wave.s[m0] & ~0xf000u) | uses << kUsesShift;
    return op + 1;
}

const Op* index_index(Wave& wave, const Op* op) {
    wave.s[m0] = (wave.s[m0] & ~0xffu) | (read_scalar32(wave, op->src[0]) & 0xff);
    return op + 1;
}

const Op* out_of_range(Wave& wave, const Op* op) {
    return raise(wave, op, Fault{.kind = Fault::Kind::Unsupported, .text = "M0 indexes past the last scalar register"});
}

template <class T>
const Op* move_relative_source(Wave& wave, const Op* op) {
    const std::uint64_t reg = std::uint64_t{op->src[0].reg} + wave.s[m0];
    if (reg + sizeof(T) / 4 > kScalars) return out_of_range(wave, op);
    write_sgpr(wave, op->dst, read_sgpr<T>(wave, static_cast<unsigned>(reg)));
    return op + 1;
}

template <class T>
const Op* move_relative_destination(Wave& wave, const Op* op) {
    const std::uint64_t reg = std::uint64_t{op->dst} + wave.s[m0];
    if (reg + sizeof(T) / 4 > kScalars) return out_of_range(wave, op);
    write_sgpr(wave, static_cast<unsigned>(reg), read<Read::Any, T>(wave, op->src[0]));
    return op + 1;
}

}  // namespace

Handler lower_gpr_index(Op& op) {
    switch (op.inst->op) {
        case isa::Op::s_set_gpr_idx_on:
            return index_on;
        case isa::Op::s_set_gpr_idx_off:
            return index_off;
        case isa::Op::s_set_gpr_idx_mode:
            return index_mode;
        case isa::Op::s_set_gpr_idx_idx:
            return index_index;
        case isa::Op::s_movrels_b32:
            return move_relative_source<std::uint32_t>;
        case isa::Op::s_movrels_b64:
            return move_relative_source<std::uint64_t>;
        case isa::Op::s_movreld_b32:
            return move_relative_destination<std::uint32_t>;
        case isa::Op::s_movreld_b64:
            return move_relative_destination<std::uint64_t>;
        default:
            return nullptr;
    }
}

}  // namespace vrocm::sim::scalar
