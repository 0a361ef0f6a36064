// What the simulator reads from a loaded code object: executable ranges, symbols, debug sections.
// Every offset in the file is distrusted; a damaged file yields less, never a bad read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vrocm::sim {

class Elf {
  public:
    explicit Elf(std::span<const std::uint8_t> file);
    bool valid() const { return valid_; }

    struct Segment {
        std::uint64_t vaddr = 0, size = 0;
    };
    std::vector<Segment> executable_segments() const;

    struct Symbol {
        std::string_view name;
        std::uint64_t value = 0, size = 0;
        std::uint8_t type = 0;  // STT_*
    };
    std::vector<Symbol> symbols() const;  // .symtab, else .dynsym
    bool has_all_symbols() const;         // .symtab is there: also those that are not exported

    // Sections that are in memory when the code object is loaded.
    struct LoadedSection {
        std::string_view name;
        std::uint64_t vaddr = 0, size = 0;
    };
    std::vector<LoadedSection> loaded_sections() const;

    // Contents of a section by name; empty when absent, compressed or damaged.
    std::span<const std::uint8_t> section(std::string_view name) const;

  private:
    struct Section {
        std::string_view name;
        std::uint32_t type = 0, link = 0;
        std::uint64_t flags = 0, offset = 0, size = 0, vaddr = 0;
    };
    std::span<const std::uint8_t> bytes(std::uint64_t offset, std::uint64_t size) const;
    std::span<const std::uint8_t> contents(const Section& section) const;
    void read_sections(std::uint64_t offset, unsigned count, unsigned names);

    std::span<const std::uint8_t> file_;
    bool valid_ = false;
    std::uint64_t program_headers_ = 0;
    unsigned program_header_count_ = 0;
    std::vector<Section> sections_;
};

// The NUL-terminated string at an offset; empty when it is not inside.
std::string_view string_at(std::span<const std::uint8_t> bytes, std::uint64_t offset);

// "vectorAdd(float*, int)" for a mangled name; the name itself when it is not one.
std::string demangle(std::string_view name);

}  // namespace vrocm::sim
