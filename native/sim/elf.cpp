#include "sim/elf.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace vrocm::sim {

namespace {

template <typename T>
bool read(std::span<const std::uint8_t> bytes, std::uint64_t offset, T& out) {
    if (bytes.size() < sizeof(T) || offset > bytes.size() - sizeof(T)) return false;
    std::memcpy(&out, bytes.data() + offset, sizeof(T));
    return true;
}

}  // namespace

std::string_view string_at(std::span<const std::uint8_t> bytes, std::uint64_t offset) {
    if (offset >= bytes.size()) return {};
    const char* text = reinterpret_cast<const char*>(bytes.data() + offset);
    const void* end = std::memchr(text, 0, bytes.size() - offset);
    if (!end) return {};
    return {text, static_cast<std::size_t>(static_cast<const char*>(end) - text)};
}

Elf::Elf(std::span<const std::uint8_t> file) : file_(file) {
    Elf64_Ehdr header;
    if (!read(file_, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return;
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) return;
    if (header.e_phnum != 0 && header.e_phentsize != sizeof(Elf64_Phdr)) return;
    valid_ = true;
    program_headers_ = header.e_phoff;
    program_header_count_ = header.e_phnum;
    if (header.e_shentsize == sizeof(Elf64_Shdr)) read_sections(header.e_shoff, header.e_shnum, header.e_shstrndx);
}

void Elf::read_sections(std::uint64_t offset, unsigned count, unsigned names) {
    std::vector<Elf64_Shdr> headers;
    for (unsigned i = 0; i < count; ++i) {
        Elf64_Shdr h;
        if (!read(file_, offset + i * sizeof(h), h)) break;
        headers.push_back(h);
        sections_.push_back({{}, h.sh_type, h.sh_link, h.sh_flags, h.sh_offset, h.sh_size, h.sh_addr});
    }
    if (names >= sections_.size()) return;
    const auto strings = contents(sections_[names]);
    for (std::size_t i = 0; i < headers.size(); ++i) sections_[i].name = string_at(strings, headers[i].sh_name);
}

std::span<const std::uint8_t> Elf::bytes(std::uint64_t offset, std::uint64_t size) const {
    if (offset > file_.size() || size > file_.size() - offset) return {};
    return file_.subspan(offset, size);
}

std::span<const std::uint8_t> Elf::contents(const Section& section) const {
    if (section.type == SHT_NOBITS || (section.flags & SHF_COMPRESSED)) return {};
    return bytes(section.offset, section.size);
}

std::span<const std::uint8_t> Elf::section(std::string_view name) const {
    for (const Section& s : sections_)
        if (s.name == name) return contents(s);
    return {};
}

std::vector<Elf::Segment> Elf::executable_segments() const {
    std::vector<Segment> segments;
    for (unsigned i = 0; i < program_header_count_; ++i) {
        Elf64_Phdr h;
        if (!read(file_, program_headers_ + i * sizeof(h), h)) break;
        if (h.p_type == PT_LOAD && (h.p_flags & PF_X)) segments.push_back({h.p_vaddr, h.p_memsz});
    }
    return segments;
}

bool Elf::has_all_symbols() const {
    return std::any_of(sections_.begin(), sections_.end(), [](const Section& s) { return s.type == SHT_SYMTAB; });
}

std::vector<Elf::LoadedSection> Elf::loaded_sections() const {
    std::vector<LoadedSection> loaded;
    for (const Section& s : sections_)
        if ((s.flags & SHF_ALLOC) && s.size) loaded.push_back({s.name, s.vaddr, s.size});
    return loaded;
}

std::vector<Elf::Symbol> Elf::symbols() const {
    std::vector<Symbol> symbols;
    for (const std::uint32_t wanted : {SHT_SYMTAB, SHT_DYNSYM}) {
        for (const Section& s : sections_) {
            if (s.type != wanted || s.link >= sections_.size()) continue;
            const auto entries = contents(s);
            const auto names = contents(sections_[s.link]);
            for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= entries.size(); at += sizeof(Elf64_Sym)) {
                Elf64_Sym symbol;
                read(entries, at, symbol);
                const std::string_view name = string_at(names, symbol.st_name);
                if (!name.empty() && symbol.st_shndx != SHN_UNDEF)
                    symbols.push_back({name, symbol.st_value, symbol.st_size,
                                       static_cast<std::uint8_t>(ELF64_ST_TYPE(symbol.st_info))});
            }
        }
        if (!symbols.empty()) break;
    }
    return symbols;
}

std::string demangle(std::string_view name) {
    const std::string text(name);
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && plain ? plain.get() : text;
}

}  // namespace vrocm::sim
