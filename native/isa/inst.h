// One decoded instruction: the contract between decoder, disassembler, executor and timing model.
//
// The decoder resolves encodings; nobody after it looks at bits. An instruction has one identity
// (Op, e.g. v_add_f32) however it was encoded (VOP2, VOP3, DPP, SDWA).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vrocm::isa {

enum class Arch : std::uint8_t { gfx90a, gfx942 };

// The family an instruction belongs to. VOP1/2/C keep that family even when encoded as VOP3.
enum class Format : std::uint8_t {
    SOP1,
    SOP2,
    SOPK,
    SOPC,
    SOPP,
    SMEM,
    VOP1,
    VOP2,
    VOPC,
    VOP3,
    VOP3P,
    MFMA,  // MFMA: VOP3P-MAI, v_accvgpr_* and v_smfmac_* included
    DS,
    FLAT,
    GLOBAL,
    SCRATCH,
    MUBUF,
    MTBUF,
};

// How it was written in memory; decides which modifier fields of Inst are meaningful.
enum class Encoding : std::uint8_t { Plain, E64 /* VOP3 form of VOP1/2/C */, Dpp, Sdwa };

// One enumerator per mnemonic, generated from instructions.def.
enum class Op : std::uint16_t {
#define INST(mnemonic, ...) mnemonic,
#include "isa/tables/instructions.def"
#undef INST
    Count_,
};

// What the bits of an operand mean; the width and the value of inline constants follow from it.
enum class Type : std::uint8_t {
    None,
    B16,
    B32,
    B64,
    B96,
    B128,
    B256,
    B512,
    B1024,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    U24,
    I24,
    F16,
    BF16,
    F32,
    F64,
    PkF16,
    PkBF16,
    PkI16,
    PkU16,
    PkF32,
    PkB32,
    I8x4,
    I4x8,
    Fp8x4,
    Bf8x4,
};
unsigned dwords(Type type);  // registers an operand of this type occupies (16-bit types: 1)

// Numbers of scalar registers outside s0..s101 (gfx9).
namespace sreg {
inline constexpr unsigned flat_scratch_lo = 102, flat_scratch_hi = 103, xnack_mask_lo = 104, xnack_mask_hi = 105,
                          vcc_lo = 106, vcc_hi = 107, ttmp0 = 108, m0 = 124, exec_lo = 126, exec_hi = 127;
}

struct Operand {
    enum class Kind : std::uint8_t {
        None,
        Sgpr,      // reg: 0..127, numbered as in sreg
        Vgpr,      // reg: 0..255
        Agpr,      // reg: 0..255 (accumulation file)
        Constant,  // inline constant; value holds the bits for the operand's type
        Literal,   // 32-bit literal; value holds the bits as the operand uses them
        Special,   // reg: one of the Special numbers below; value read from the wave
        Off,       // the word "off" in memory instructions
    };
    // Encodings of Special, as the ISA numbers them.
    enum : std::uint16_t {
        SharedBase = 235,
        SharedLimit = 236,
        PrivateBase = 237,
        PrivateLimit = 238,
        PopsExitingWaveId = 239,
        Vccz = 251,
        Execz = 252,
        Scc = 253,
        LdsDirect = 254,
    };
    Kind kind = Kind::None;
    Type type = Type::None;
    std::uint8_t dwords = 0;  // registers used
    std::uint16_t reg = 0;    // register number; for Constant the raw encoding (128..248)
    std::uint64_t value = 0;  // Constant and Literal only
    bool is_register() const { return kind == Kind::Sgpr || kind == Kind::Vgpr || kind == Kind::Agpr; }
};

// Data-parallel-primitive control (DPP encoding).
struct Dpp {
    std::uint16_t ctrl = 0;  // 9-bit dpp_ctrl
    std::uint8_t row_mask = 0xf, bank_mask = 0xf;
    bool bound_ctrl = false;
};

// Sub-dword addressing (SDWA encoding). Selects: 0..3 byte, 4 word0, 5 word1, 6 dword.
struct Sdwa {
    std::uint8_t dst_sel = 6, dst_unused = 0;  // unused: 0 pad, 1 sext, 2 preserve
    std::uint8_t src_sel[2] = {6, 6};
    bool src_sext[2] = {false, false};
};

struct Inst {
    Op op = Op::Count_;
    Format format = Format::SOPP;
    Encoding encoding = Encoding::Plain;
    std::uint8_t size = 0;  // bytes, literal included

    // Destinations. vdst: vector destination or scalar destination of a scalar instruction.
    // sdst: the second, scalar destination (v_add_co_u32, v_div_scale_*, VOPC result, ...).
    // Implicit VCC is made explicit here (v_cmp e32 writes sdst = vcc).
    Operand dst, sdst;
    // Sources in assembler order. v_cndmask/v_addc e32 have vcc as src[2]; v_fmac/v_mac/v_dot*c have
    // no src[2] (the destination is read); v_fmaak/v_fmamk/v_madak/v_madmk have the literal in its
    // place (fmaak: src[2], fmamk: src[1]); MFMA: A, B, C.
    // Memory: DS  src[0]=addr, src[1]=data0, src[2]=data1.
    //         FLAT/GLOBAL/SCRATCH src[0]=vaddr (or Off), src[1]=data, src[2]=saddr (or Off).
    //         MUBUF/MTBUF dst=vdata for loads, src[0]=vaddr, src[1]=data, src[2]=srsrc, src[3]=soffset.
    //         Atomics have a dst only if they return the old value. Loads to LDS have none.
    //         SMEM src[0]=sbase, src[1]=soffset register if any, src[2]=sdata of stores and atomics.
    // v_div_fmas_* have vcc as src[3]. v_fma_mix*: a source read as half has type F16, else F32.
    // SOPK: comparisons, s_setreg and s_cbranch_i_fork have their register as src[0]; s_addk, s_mulk
    // and s_cmovk read their dst.
    std::array<Operand, 4> src{};

    // VOP3 / VOP3P / DPP / SDWA modifiers; bit i belongs to src[i].
    std::uint8_t neg = 0, abs = 0;           // VOP3P: neg is neg_lo
    std::uint8_t neg_hi = 0;                 // VOP3P
    std::uint8_t op_sel = 0, op_sel_hi = 0;  // VOP3 op_sel bit 3 selects the destination half
    std::uint8_t omod = 0;                   // 0 none, 1 *2, 2 *4, 3 /2
    bool clamp = false;
    Dpp dpp;
    Sdwa sdwa;

    // MFMA
    std::uint8_t cbsz = 0, abid = 0, blgp = 0;

    // Immediate: SOPK/SOPP simm16 (sign as the instruction defines), SMEM offset,
    // memory instruction byte offset (signed for FLAT family), DS offset0 | offset1<<8 in offset/offset1.
    std::int32_t imm = 0;
    std::int32_t offset = 0;
    std::uint8_t offset1 = 0;
    bool gds = false;
    bool sc0 = false, sc1 = false, nt = false;  // gfx942; on gfx90a sc0=glc, nt=slc, sc1=scc
    bool lds = false;                           // load to LDS
    bool offen = false, idxen = false;
    std::uint8_t dfmt = 0, nfmt = 0;  // MTBUF
    std::uint32_t literal = 0;        // the literal as encoded, if has_literal
    bool has_literal = false;
};

// Static facts about an Op that do not depend on operands; a row of instructions.def.
struct InstInfo {
    std::string_view mnemonic;
    Format format;
    std::uint64_t flags;  // see flags.h
};
const InstInfo& info(Op op);

// Decodes one instruction from at most `size` bytes (size is a multiple of 4 or is rounded down).
// Returns false for anything that is not an instruction of this architecture; never reads past size.
bool decode(Arch arch, const std::uint8_t* bytes, std::size_t size, Inst& out);

// The text the LLVM assembler of the pinned toolchain accepts and prints back: mnemonic with its
// _e32/_e64/_dpp/_sdwa suffix, operands and modifiers. Branch targets are printed as the LLVM
// disassembler does: the 16 bits of the word offset as an unsigned number.
std::string disassemble(Arch arch, const Inst& inst);

}  // namespace vrocm::isa
