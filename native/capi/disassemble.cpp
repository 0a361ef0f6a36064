// Decoder and disassembler for C callers.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "capi/vrocm_sim.h"
#include "isa/table.h"

namespace {

using namespace vrocm;

std::optional<isa::Arch> arch_named(const char* name) {
    if (std::string_view{name} == "gfx942") return isa::Arch::gfx942;
    if (std::string_view{name} == "gfx90a") return isa::Arch::gfx90a;
    return std::nullopt;
}

std::string_view format_name(isa::Format format) {
    static constexpr std::string_view names[] = {"SOP1", "SOP2", "SOPK",   "SOPC",    "SOPP",  "SMEM",
                                                 "VOP1", "VOP2", "VOPC",   "VOP3",    "VOP3P", "MFMA",
                                                 "DS",   "FLAT", "GLOBAL", "SCRATCH", "MUBUF", "MTBUF"};
    return names[static_cast<unsigned>(format)];
}

std::string instruction_list(isa::Arch arch) {
    std::string text;
    for (unsigned i = 0; i < static_cast<unsigned>(isa::Op::Count_); ++i) {
        auto op = static_cast<isa::Op>(i);
        if (isa::row(op).opcode[static_cast<unsigned>(arch)] < 0) continue;
        text += isa::mnemonic(arch, op);
        text += ' ';
        text += format_name(isa::info(op).format);
        text += ' ' + std::to_string(isa::info(op).flags) + '\n';
    }
    return text;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int vrocm_disassemble(const char* arch, const uint8_t* bytes,
                                                                        size_t size, char* text, size_t text_size) {
    auto target = arch_named(arch);
    isa::Inst inst;
    if (!target || !isa::decode(*target, bytes, size, inst)) return 0;
    if (text_size > 0) {
        std::string printed = isa::disassemble(*target, inst);
        size_t length = std::min(printed.size(), text_size - 1);
        std::memcpy(text, printed.data(), length);
        text[length] = '\0';
    }
    return inst.size;
}

extern "C" __attribute__((visibility("default"))) const char* vrocm_instruction_list(const char* arch) {
    auto target = arch_named(arch);
    if (!target) return "";
    static const std::string lists[2] = {instruction_list(isa::Arch::gfx90a), instruction_list(isa::Arch::gfx942)};
    return lists[static_cast<unsigned>(*target)].c_str();
}
