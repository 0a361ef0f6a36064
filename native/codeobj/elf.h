// ELF files of 64 bits, little-endian, as all native parts read them: code objects, and what debug information they
// carry. Every offset in a file is distrusted: nothing outside it is ever read, and what leads there is not there.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace vrocm::codeobj {

using Bytes = std::span<const std::uint8_t>;

// The NUL-terminated string at an offset; empty when it does not end inside.
std::string_view string_at(Bytes bytes, std::uint64_t offset);

// The header at the beginning of an ELF file; false when it is none that is read here.
bool read_header(Bytes file, Elf64_Ehdr& header);

class Elf {
  public:
    explicit Elf(Bytes file);

    // Whether there is a header, and all the program headers that it speaks of.
    bool valid() const { return valid_; }
    const Elf64_Ehdr& header() const { return header_; }
    Bytes file() const { return file_; }

    const std::vector<Elf64_Phdr>& segments() const { return segments_; }
    // As many as there are; none where their size is not the usual one.
    const std::vector<Elf64_Shdr>& sections() const { return sections_; }

    // Contents; empty when they are absent, compressed or not inside the file.
    Bytes contents(const Elf64_Phdr& segment) const { return bytes(segment.p_offset, segment.p_filesz); }
    Bytes contents(const Elf64_Shdr& section) const;
    Bytes section(std::string_view name) const;
    std::string_view name_of(const Elf64_Shdr& section) const;
    Bytes bytes(std::uint64_t offset, std::uint64_t size) const;
    // What the loadable segments have at an address, if all of it comes from the file.
    Bytes loaded(std::uint64_t address, std::uint64_t size) const;

    struct Symbol {
        std::string_view name;
        std::uint64_t value = 0, size = 0;
        std::uint16_t section = 0;  // SHN_UNDEF: defined elsewhere
        std::uint8_t type = 0;      // STT_*
        std::uint8_t binding = 0;   // STB_*
    };
    // All entries of .dynsym, in their order, which relocations count in; also where there are no section headers.
    std::vector<Symbol> dynamic_symbols() const;
    // Those with a name that are defined, of .symtab, else of .dynsym.
    std::vector<Symbol> symbols() const;
    bool has_all_symbols() const;  // .symtab is there: also those that are not exported

    // What the dynamic section wants done when the file is loaded.
    std::vector<Elf64_Rela> dynamic_relocations() const;

    // The content of the first note of an owner ("AMDGPU") and type: among the segments, else the sections.
    Bytes note(std::string_view owner, std::uint32_t type) const;

  private:
    struct Dynamic {
        std::uint64_t symbols = 0, strings = 0, strings_size = 0, hash = 0;
        std::uint64_t relocations[2] = {}, relocation_sizes[2] = {};  // DT_RELA, DT_JMPREL
    };
    Dynamic dynamic() const;
    const Elf64_Shdr* table(std::uint32_t type) const;
    std::vector<Symbol> symbols_in(Bytes table, Bytes strings) const;
    std::vector<Symbol> symbols_of(const Elf64_Shdr& table) const;

    Bytes file_;
    bool valid_ = false;
    Elf64_Ehdr header_{};
    std::vector<Elf64_Phdr> segments_;
    std::vector<Elf64_Shdr> sections_;
};

}  // namespace vrocm::codeobj
