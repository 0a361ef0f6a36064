// Entry of the decoder: recognises the format by the leading bits and hands over to it.
#include <cstring>

#include "isa/decoder.h"

namespace vrocm::isa {
namespace {

using FormatDecoder = bool (*)(const Code&, Inst&);

// Formats by the top bits of the first dword (CDNA3 ISA, "instruction formats").
FormatDecoder format_of(std::uint32_t word) {
    if (word >> 31 == 0) {
        switch (word >> 25) {
            case 0x3f:
                return decode_vop1;
            case 0x3e:
                return decode_vopc;
            default:
                return decode_vop2;
        }
    }
    if (word >> 30 == 0b10) {
        switch (word >> 23) {
            case 0b101111101:
                return decode_sop1;
            case 0b101111110:
                return decode_sopc;
            case 0b101111111:
                return decode_sopp;
        }
        return word >> 28 == 0b1011 ? decode_sopk : decode_sop2;
    }
    if (word >> 23 == 0b110100111) {
        return decode_vop3p;
    }
    switch (word >> 26) {
        case 0b110000:
            return decode_smem;
        case 0b110100:
            return decode_vop3;
        case 0b110110:
            return decode_ds;
        case 0b110111:
            return decode_flat;
        case 0b111000:
            return decode_mubuf;
        case 0b111010:
            return decode_mtbuf;
    }
    return nullptr;
}

bool is_short(FormatDecoder format) {
    return format == decode_vop1 || format == decode_vop2 || format == decode_vopc || format == decode_sop1 ||
           format == decode_sop2 || format == decode_sopk || format == decode_sopc || format == decode_sopp;
}

}  // namespace

bool decode(Arch arch, const std::uint8_t* bytes, std::size_t size, Inst& out) {
    Code code{.arch = arch};
    code.dwords = size >= 12 ? 3 : static_cast<unsigned>(size / 4);
    if (code.dwords == 0) return false;
    std::uint32_t words[3] = {};
    std::memcpy(words, bytes, code.dwords * 4);
    code.word = words[0] | std::uint64_t{words[1]} << 32;
    code.third = words[2];

    FormatDecoder format = format_of(words[0]);
    if (!format || (!is_short(format) && code.dwords < 2)) return false;
    out = Inst{};
    out.size = is_short(format) ? 4 : 8;
    return format(code, out);
}

}  // namespace vrocm::isa
