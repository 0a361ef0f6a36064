// Inside of the decoder: the bits being decoded and the helpers shared by the formats.
//
// Decoding is strict: a field that an instruction does not use must hold the value that assemblers
// put there, and operands must be of a kind that the instruction can read. So whatever decodes has
// one text, and that text assembles to the same bytes.
#pragma once

#include <cstdint>

#include "isa/inst.h"
#include "isa/table.h"

namespace vrocm::isa {

// Bits hi..lo of a word.
inline constexpr std::uint32_t bits(std::uint64_t word, unsigned hi, unsigned lo) {
    return static_cast<std::uint32_t>(word >> lo & ((std::uint64_t{1} << (hi - lo + 1)) - 1));
}
inline constexpr bool bit(std::uint64_t word, unsigned n) {
    return word >> n & 1;
}
inline constexpr std::int32_t sign_extend(std::uint32_t value, unsigned width) {
    return static_cast<std::int32_t>(value << (32 - width)) >> (32 - width);
}

// The first dwords of the code, as far as they exist.
struct Code {
    Arch arch;
    std::uint64_t word = 0;  // first and second dword
    std::uint32_t third = 0;
    unsigned dwords = 0;  // how many of them are there
    std::uint32_t low() const { return static_cast<std::uint32_t>(word); }
    std::uint32_t high() const { return static_cast<std::uint32_t>(word >> 32); }
};

// Numbers in the 9-bit source field that are not registers (ISA, "operand codes").
namespace enc {
inline constexpr unsigned int_zero = 128, int_last_positive = 192, int_last = 208, float_first = 240, float_last = 248,
                          sdwa = 249, dpp = 250, literal = 255, vgpr = 256;
}

// What a source field may refer to.
struct Allow {
    bool vgpr = true, sgpr = true, constant = true, special = true, literal = false;
};
inline constexpr Allow kAnySource{};
inline constexpr Allow kSourceOrLiteral{.literal = true};
inline constexpr Allow kScalarSource{.vgpr = false, .literal = true};
inline constexpr Allow kVgprOnly{.sgpr = false, .constant = false, .special = false};
inline constexpr Allow kSgprOnly{.vgpr = false, .constant = false, .special = false};

// Operands by their encoding; false if the encoding is not one of those allowed.
bool vgpr_operand(unsigned number, Type type, bool accumulation, Operand& out);
bool sgpr_operand(unsigned number, Type type, Operand& out);
bool source_operand(unsigned encoding, Type type, Allow allow, Operand& out);

// The bits of an inline constant (encodings 128..208, 240..248) for an operand of this type.
std::uint64_t inline_constant(unsigned encoding, Type type);

// Reads the literal that follows an instruction of `size` bytes into every operand of kind Literal.
bool take_literal(const Code& code, unsigned size, Inst& inst);

// False when a VALU instruction reads more than one scalar value (gfx9 has one constant bus port).
bool constant_bus_ok(const Inst& inst, bool implicit_vcc);

Operand vcc_operand();
bool is_float(Type type);

bool decode_sop1(const Code& code, Inst& inst);
bool decode_sop2(const Code& code, Inst& inst);
bool decode_sopk(const Code& code, Inst& inst);
bool decode_sopc(const Code& code, Inst& inst);
bool decode_sopp(const Code& code, Inst& inst);
bool decode_smem(const Code& code, Inst& inst);
bool decode_vop1(const Code& code, Inst& inst);
bool decode_vop2(const Code& code, Inst& inst);
bool decode_vopc(const Code& code, Inst& inst);
bool decode_vop3(const Code& code, Inst& inst);
bool decode_vop3p(const Code& code, Inst& inst);
bool decode_mfma(const Code& code, Inst& inst);
bool decode_ds(const Code& code, Inst& inst);
bool decode_flat(const Code& code, Inst& inst);
bool decode_mubuf(const Code& code, Inst& inst);
bool decode_mtbuf(const Code& code, Inst& inst);

// Sets op and format of inst; false if the format has no such opcode.
inline bool begin(const Code& code, Inst& inst, Format format, unsigned opcode) {
    inst.op = find(code.arch, format, opcode);
    if (inst.op == Op::Count_) return false;
    inst.format = row(inst.op).info.format;
    return true;
}

}  // namespace vrocm::isa
