// A code object file (ELF for AMDGPU, code object version 4 and later) as it is loaded: checked, so that all segments
// and what refers to them lie where they say.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codeobj/elf.h"

namespace vrocm::codeobj {

class Loadable {
  public:
    struct Segment {
        std::uint64_t vaddr, file_offset, file_size, memory_size;
        bool writable;
        // Whether this many bytes lie in it from an address within it on.
        bool holds(std::uint64_t from, std::uint64_t size) const { return size <= memory_size - (from - vaddr); }
    };

    // Null when the bytes are not a code object that can be loaded; `why` says in words. They have to outlive it.
    static std::unique_ptr<Loadable> read(Bytes file, std::string& why);

    const Elf& elf() const { return elf_; }
    // "amdgcn-amd-amdhsa--gfx942:xnack-"; a processor that is not known appears by number.
    const std::string& isa() const { return isa_; }
    const std::vector<Segment>& segments() const { return segments_; }
    const std::vector<Elf::Symbol>& symbols() const { return symbols_; }  // as relocations count them
    const std::vector<Elf64_Rela>& relocations() const { return relocations_; }
    std::uint64_t first_vaddr() const { return first_; }
    std::uint64_t memory_size() const { return last_ - first_; }
    // The segment that an address lies in, or null.
    const Segment* segment_of(std::uint64_t vaddr) const;

  private:
    explicit Loadable(Bytes file) : elf_(file) {}
    bool check_header(std::string& why);
    bool read_segments(std::string& why);
    bool check_symbols(std::string& why);

    Elf elf_;
    std::string isa_;
    std::vector<Segment> segments_;
    std::vector<Elf::Symbol> symbols_;
    std::vector<Elf64_Rela> relocations_;
    std::uint64_t first_ = ~0ull, last_ = 0;
};

}  // namespace vrocm::codeobj
