// s_getreg and s_setreg: hardware registers of the wave.
#include "sim/exec/scalar/operand.h"

namespace vrocm::sim::scalar {
namespace {

// Numbers of hardware registers (CDNA3 ISA, "Hardware Internal Registers"; LLVM's names).
enum HwReg : unsigned {
    kMode = 1,
    kStatus = 2,
    kTrapStatus = 3,
    kHwId = 4,
    kGprAlloc = 5,
    kLdsAlloc = 6,
    kIbStatus = 7,
    kShMemBases = 15,
    kTbaLo = 16,
    kTbaHi = 17,
    kTmaLo = 18,
    kTmaHi = 19,
    kXccId = 20,
    kPerfSnapshotData = 21,
    kPerfSnapshotData1 = 22,
    kPerfSnapshotPcLo = 23,
    kPerfSnapshotPcHi = 24,
};

// The simm16 of the instruction: [5:0] register, [10:6] first bit, [15:11] bits - 1.
struct Field {
    unsigned id, offset, bits;
    explicit Field(const Op& op)
        : id(op.inst->imm & 63), offset(op.inst->imm >> 6 & 31), bits((op.inst->imm >> 11 & 31) + 1) {}
    std::uint32_t mask() const { return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1); }
};

std::uint32_t status(const Wave& wave) {
    const std::uint32_t in_group = wave.group != nullptr;
    constexpr unsigned kExecz = 9, kVccz = 10, kInGroup = 11, kValid = 16;
    return static_cast<std::uint32_t>(wave.scc) | std::uint32_t{wave.exec() == 0} << kExecz |
           std::uint32_t{wave.vcc() == 0} << kVccz | in_group << kInGroup | 1u << kValid;
}

std::uint32_t value_of(const Wave& wave, unsigned id) {
    switch (id) {
        case kMode:
            return wave.mode.bits;
        case kStatus:
            return status(wave);
        case kHwId:
            return wave.hw_id;
        // LDS_SIZE in [20:12], granules of 128 dwords.
        case kLdsAlloc:
            return (wave.lds_size + 511) / 512 << 12;
        // Bits [63:48] of the aperture bases: shared in the high half, private in the low one.
        case kShMemBases:
            return static_cast<std::uint32_t>(kSharedAperture >> 48 << 16 | kPrivateAperture >> 48);
        case kXccId:
            return wave.xcc_id;
        default:
            return 0;  // no exceptions pending, no counters outstanding, no trap handler, nothing sampled
    }
}

const Op* get_register(Wave& wave, const Op* op) {
    const Field field(*op);
    wave.s[op->dst] = value_of(wave, field.id) >> field.offset & field.mask();
    return op + 1;
}

// Only MODE changes what a wave computes. Writes to the sticky bits of TRAPSTS and STATUS are dropped: the
// simulator raises no arithmetic exceptions that they could hold.
const Op* set_register(Wave& wave, const Op* op) {
    const Field field(*op);
    if (field.id != kMode) return op + 1;
    const std::uint32_t mask = field.mask() << field.offset;
    const std::uint32_t bits = (wave.mode.bits & ~mask) | (read_scalar32(wave, op->src[0]) << field.offset & mask);
    constexpr std::uint32_t kIndexMode = 1u << 27, kVskip = 1u << 28;
    if (bits & (kVskip | kIndexMode) & ~wave.mode.bits)
        return raise(wave, op,
                     Fault{.kind = Fault::Kind::Unsupported, .text = "s_setreg turns on VSKIP or GPR_IDX_EN in MODE"});
    wave.mode.bits = bits;
    return op + 1;
}

bool known(unsigned id) {
    return (id >= kMode && id <= kIbStatus) || (id >= kShMemBases && id <= kPerfSnapshotPcHi);
}

}  // namespace

Handler lower_hwreg(Op& op) {
    if (op.inst->format != isa::Format::SOPK || !known(Field(op).id)) return nullptr;
    switch (op.inst->op) {
        case isa::Op::s_getreg_b32:
            return get_register;
        case isa::Op::s_setreg_b32:
        case isa::Op::s_setreg_imm32_b32:
            return set_register;
        default:
            return nullptr;
    }
}

}  // namespace vrocm::sim::scalar
