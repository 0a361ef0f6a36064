// The instruction table in memory, and how the decoder and the disassembler look rows up.
#pragma once

#include <array>
#include <cstdint>

#include "isa/flags.h"
#include "isa/inst.h"

namespace vrocm::isa {

// A row of instructions.def with everything the encodings need.
struct Row {
    InstInfo info;
    std::int16_t opcode[2];     // by Arch; -1 where absent
    std::array<Type, 5> types;  // dst, src[0..3]
    Type dst() const { return types[0]; }
    Type src(unsigned i) const { return types[i + 1]; }
    unsigned sources() const {
        unsigned n = 0;
        while (n < 4 && src(n) != Type::None) ++n;
        return n;
    }
};
const Row& row(Op op);

// The instruction with this opcode in a format, Op::Count_ if there is none. GLOBAL and SCRATCH have
// their own opcode space; MFMA shares that of VOP3P and is found under VOP3P.
Op find(Arch arch, Format format, unsigned opcode);

// The name as this architecture's assembler spells it, without encoding suffix.
std::string_view mnemonic(Arch arch, Op op);

}  // namespace vrocm::isa
