// Code objects as text for C callers: functions, and instructions with their source lines.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "capi/vrocm_sim.h"
#include "codeobj/elf.h"
#include "codeobj/target.h"
#include "isa/inst.h"
#include "sim/code/source_lines.h"

namespace {

using namespace vrocm;
using codeobj::Elf;

std::optional<isa::Arch> arch_of(const codeobj::Elf& elf) {
    const std::string target = codeobj::target_of(elf.header());
    if (codeobj::runs_on(target, "gfx90a")) return isa::Arch::gfx90a;
    if (codeobj::runs_on(target, "gfx942")) return isa::Arch::gfx942;
    return std::nullopt;
}

std::size_t give(const std::string& made, char* text, std::size_t text_size) {
    if (text && text_size != 0) {
        const std::size_t size = std::min(made.size(), text_size - 1);
        std::memcpy(text, made.data(), size);
        text[size] = '\0';
    }
    return made.size() + 1;
}

std::string listing(codeobj::Bytes code, isa::Arch arch, std::uint64_t begin,
                    const std::vector<sim::SourceRange>& lines) {
    std::string made;
    auto line = lines.begin();
    for (std::uint64_t offset = 0; offset < code.size();) {
        const std::uint64_t address = begin + offset;
        isa::Inst inst;
        std::string text;
        std::uint64_t size = std::min<std::uint64_t>(4, code.size() - offset);
        if (isa::decode(arch, code.data() + offset, code.size() - offset, inst)) {
            size = inst.size;
            text = isa::disassemble(arch, inst);
        } else {
            std::uint32_t word = 0;
            std::memcpy(&word, code.data() + offset, size);
            char hex[24];
            std::snprintf(hex, sizeof hex, ".long 0x%08" PRIx32, word);
            text = hex;
        }
        while (line != lines.end() && line->end <= address) ++line;
        const bool known = line != lines.end() && line->begin <= address;
        made += std::to_string(address) + '\t' + std::to_string(size) + '\t' + text + '\t';
        made += (known ? line->place : std::string()) + '\n';
        offset += size;
    }
    return made;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) size_t vrocm_code_functions(const uint8_t* elf, size_t elf_size,
                                                                              char* text, size_t text_size) {
    const Elf file({elf, elf_size});
    if (!file.valid()) return 0;
    std::vector<Elf::Symbol> functions;
    for (const Elf::Symbol& symbol : file.symbols())
        if (symbol.type == STT_FUNC && symbol.size != 0 && !symbol.name.empty()) functions.push_back(symbol);
    std::stable_sort(functions.begin(), functions.end(),
                     [](const Elf::Symbol& a, const Elf::Symbol& b) { return a.value < b.value; });
    std::string made;
    for (const Elf::Symbol& f : functions)
        made.append(std::to_string(f.value) + ' ' + std::to_string(f.size) + ' ').append(f.name) += '\n';
    return give(made, text, text_size);
}

extern "C" __attribute__((visibility("default"))) size_t vrocm_code_listing(const uint8_t* elf, size_t elf_size,
                                                                            uint64_t begin, uint64_t end, char* text,
                                                                            size_t text_size) {
    const Elf parsed({elf, elf_size});
    const auto arch = parsed.valid() ? arch_of(parsed) : std::nullopt;
    if (!arch) return 0;
    const codeobj::Bytes code = end < begin ? codeobj::Bytes() : parsed.loaded(begin, end - begin);
    return give(listing(code, *arch, begin, sim::source_ranges(parsed)), text, text_size);
}
