// A code object file (ELF for AMDGPU, code object version 3 and later), read and checked. Every offset in the file
// is distrusted.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hsa/metadata.h"

namespace vrocm::hsa {

class CodeObject {
  public:
    struct Segment {
        std::uint64_t vaddr, file_offset, file_size, memory_size;
        bool writable;
    };
    struct Symbol {
        std::string name;
        std::uint64_t value, size;
        unsigned type;  // STT_*
        bool defined, global;
    };
    struct Relocation {
        std::uint64_t vaddr;
        std::uint32_t type, symbol;
        std::int64_t addend;
    };

    // Null when the bytes are not a code object that can be loaded; `why` says in words.
    static std::unique_ptr<CodeObject> read(std::span<const std::uint8_t> file, std::string& why);

    // "amdgcn-amd-amdhsa--gfx942:xnack-"; a processor that is not known appears by number.
    const std::string& isa() const { return isa_; }
    const std::vector<Segment>& segments() const { return segments_; }
    const std::vector<Symbol>& symbols() const { return symbols_; }
    const std::vector<Relocation>& relocations() const { return relocations_; }
    const std::vector<KernelMetadata>& kernels() const { return kernels_; }
    const KernelMetadata* kernel(const std::string& symbol) const;
    std::uint64_t first_vaddr() const { return first_; }
    std::uint64_t memory_size() const { return last_ - first_; }
    const Segment* segment_of(std::uint64_t vaddr) const;

  private:
    explicit CodeObject(std::span<const std::uint8_t> file) : file_(file) {}
    bool parse(std::string& why);
    bool read_header(std::string& why);
    bool read_segments(std::string& why);
    void read_dynamic();
    void read_symbols();
    void read_symbol_table(std::span<const std::uint8_t> table, std::span<const std::uint8_t> strings);
    void read_notes();
    std::span<const std::uint8_t> bytes(std::uint64_t offset, std::uint64_t size) const;
    std::span<const std::uint8_t> at_vaddr(std::uint64_t vaddr, std::uint64_t size) const;
    template <typename T>
    bool get(std::uint64_t offset, T& value) const;

    std::span<const std::uint8_t> file_;
    std::uint64_t program_headers_ = 0, section_headers_ = 0;
    unsigned program_header_count_ = 0, section_header_count_ = 0;
    std::string isa_;
    std::vector<Segment> segments_;
    std::vector<Symbol> symbols_;
    std::vector<Relocation> relocations_;
    std::vector<KernelMetadata> kernels_;
    std::uint64_t first_ = ~0ull, last_ = 0;
};

}  // namespace vrocm::hsa
