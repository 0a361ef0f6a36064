// Code objects as text for C callers: functions, and instructions with their source lines.
#include <elf.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capi/vrocm_sim.h"
#include "isa/inst.h"
#include "sim/elf.h"
#include "sim/lines.h"

namespace {

using namespace vrocm;
using sim::Elf;

using Bytes = std::span<const std::uint8_t>;

std::optional<Elf64_Ehdr> header_of(Bytes file) {
    Elf64_Ehdr header;
    if (file.size() < sizeof header || std::memcmp(file.data(), ELFMAG, SELFMAG) != 0) return std::nullopt;
    std::memcpy(&header, file.data(), sizeof header);
    return header;
}

std::optional<isa::Arch> arch_of(const Elf64_Ehdr& header) {
    // AMDGPUUsage, EF_AMDGPU_MACH.
    switch (header.e_flags & 0xff) {
        case 0x3f:
            return isa::Arch::gfx90a;
        case 0x4c:
            return isa::Arch::gfx942;
        default:
            return std::nullopt;
    }
}

// The bytes of the file that are loaded at [begin, end); empty when they are not there.
Bytes loaded_at(Bytes file, const Elf64_Ehdr& header, std::uint64_t begin, std::uint64_t end) {
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment;
        const std::uint64_t at = header.e_phoff + std::uint64_t{i} * sizeof segment;
        if (at > file.size() || file.size() - at < sizeof segment) break;
        std::memcpy(&segment, file.data() + at, sizeof segment);
        if (segment.p_type != PT_LOAD || begin < segment.p_vaddr || end < begin ||
            end - segment.p_vaddr > segment.p_filesz)
            continue;
        const std::uint64_t offset = segment.p_offset + (begin - segment.p_vaddr);
        if (offset <= file.size() && end - begin <= file.size() - offset) return file.subspan(offset, end - begin);
    }
    return {};
}

std::size_t give(const std::string& made, char* text, std::size_t text_size) {
    if (text && text_size != 0) {
        const std::size_t size = std::min(made.size(), text_size - 1);
        std::memcpy(text, made.data(), size);
        text[size] = '\0';
    }
    return made.size() + 1;
}

std::string listing(Bytes code, isa::Arch arch, std::uint64_t begin, const std::vector<sim::SourceRange>& lines) {
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
    const Bytes file{elf, elf_size};
    const auto header = header_of(file);
    const auto arch = header ? arch_of(*header) : std::nullopt;
    const Elf parsed(file);
    if (!arch || !parsed.valid()) return 0;
    return give(listing(loaded_at(file, *header, begin, end), *arch, begin, sim::source_ranges(parsed)), text,
                text_size);
}
