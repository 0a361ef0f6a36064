// An instruction made ready to run: operands resolved, handler chosen. Decoded and lowered once.
#pragma once

#include <cstdint>

#include "isa/inst.h"
#include "sim/wave/wave.h"

namespace vrocm::sim {

struct Op;
struct VectorModifiers;  // sim/exec/valu/modifiers.h

// Runs one instruction and returns the next one; null ends the wave's turn (wave.state says why and
// wave.next where to resume). A handler that faults fills wave.fault, sets state Faulted, returns null.
using Handler = const Op* (*)(Wave&, const Op*);

// A source operand. Vgpr: v[reg]. Sgpr: s[reg] (two dwords when 64-bit). Const: splat[0] holds the
// low dword in every lane, splat[1] the high one; imm is the same value as a scalar.
struct Src {
    enum class Kind : std::uint8_t { None, Vgpr, Sgpr, Const, Special };
    Kind kind = Kind::None;
    std::uint16_t reg = 0;  // Vgpr: 0..511 (accumulation n = 256 + n)
    const VReg* splat = nullptr;
    std::uint64_t imm = 0;
};

struct Op {
    Handler fn = nullptr;
    std::uint16_t dst = 0;  // Vgpr 0..511 or Sgpr number, by the instruction
    std::uint16_t sdst = 0;
    isa::Arch arch = isa::Arch::gfx942;
    Src src[4];
    const Op* target = nullptr;                  // branch target, resolved by the code cache
    Handler base = nullptr;                      // the operation itself where fn does something around it
    const VectorModifiers* modifiers = nullptr;  // of a vector ALU instruction that has any
    const isa::Inst* inst = nullptr;             // for rare modifiers, messages, timing
    std::uint64_t pc = 0;
    std::uint32_t index = 0;  // one of its own in the process, for tables about instructions kept elsewhere
};

// Chooses the handler for op.inst and fills handler-specific fields. Operands are already resolved.
// Returns null when the instruction is not implemented. One function per room in exec/.
Handler lower_scalar(Op& op);  // SOP1 SOP2 SOPK SOPC SOPP (branches use op.target)
Handler lower_smem(Op& op);
Handler lower_valu(Op& op);  // VOP1 VOP2 VOPC VOP3 VOP3P with DPP, SDWA and all modifiers
Handler lower_mfma(Op& op);
Handler lower_lds(Op& op);     // DS
Handler lower_flat(Op& op);    // FLAT GLOBAL SCRATCH
Handler lower_buffer(Op& op);  // MUBUF MTBUF

// The instruction at a run-time address (s_setpc, s_swappc, s_call through a register, s_rfe). Decodes on first
// use. An address outside loaded code raises BadBranch and gives null: handlers return it as it is.
const Op* op_at(Wave& wave, std::uint64_t pc);

// How handlers end a wave's turn (they return null after setting wave.next to the instruction that follows):
// s_barrier sets state AtBarrier, s_endpgm Done; s_sleep and friends leave it Ready, which lets others run.

// Reads a scalar (wave-uniform) source: Sgpr, Const or Special.
std::uint32_t read_scalar32(const Wave& wave, const Src& src);
std::uint64_t read_scalar64(const Wave& wave, const Src& src);

inline const Op* raise(Wave& wave, const Op* op, Fault fault) {
    fault.pc = op->pc;
    wave.fault = std::move(fault);
    wave.state = WaveState::Faulted;
    wave.next = op;
    return nullptr;
}

// Aperture bases as the virtual GPU places them; flat addresses in these windows are LDS / scratch.
// Same values as real gfx9 Linux systems report (amdkfd: LDS at 1<<48.., scratch at 2<<48..).
inline constexpr std::uint64_t kSharedAperture = 0x0001'0000'0000'0000ull;
inline constexpr std::uint64_t kPrivateAperture = 0x0002'0000'0000'0000ull;
inline constexpr std::uint64_t kApertureSize = 0x1'0000'0000ull;

}  // namespace vrocm::sim
