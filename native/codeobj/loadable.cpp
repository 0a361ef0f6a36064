#include "codeobj/loadable.h"

#include <algorithm>
#include <cstring>

#include "abi/hsa/amd_hsa_elf.h"
#include "codeobj/target.h"

namespace vrocm::codeobj {

namespace {

constexpr std::uint64_t kMaxSpan = 4ull << 30;  // a code object larger than this is damaged
constexpr std::uint64_t kMostNames = 16;        // times the file: names may share their ends, and each is kept

}  // namespace

std::unique_ptr<Loadable> Loadable::read(Bytes file, std::string& why) {
    std::unique_ptr<Loadable> object(new Loadable(file));
    if (!object->check_header(why) || !object->read_segments(why)) return nullptr;
    object->symbols_ = object->elf_.dynamic_symbols();
    object->relocations_ = object->elf_.dynamic_relocations();
    if (!object->check_symbols(why)) return nullptr;
    return object;
}

const Loadable::Segment* Loadable::segment_of(std::uint64_t vaddr) const {
    for (const Segment& s : segments_)
        if (vaddr >= s.vaddr && vaddr - s.vaddr < s.memory_size) return &s;
    return nullptr;
}

bool Loadable::check_header(std::string& why) {
    Elf64_Ehdr header;
    if (!read_header(elf_.file(), header)) return why = "not an ELF file", false;
    if (header.e_machine != kMachine) return why = "not an ELF file for AMD GPUs", false;
    if (header.e_ident[EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA) return why = "not for the amdhsa system", false;
    if (header.e_ident[EI_ABIVERSION] < ELF::ELFABIVERSION_AMDGPU_HSA_V4)
        return why = "code object version 3 or earlier, of ROCm before 5", false;
    if (header.e_type != ET_DYN) return why = "not linked (a relocatable object)", false;
    if (!elf_.valid()) return why = "program headers lie outside the file", false;
    isa_ = std::string(kTriple) + target_of(header);
    return true;
}

bool Loadable::read_segments(std::string& why) {
    for (const Elf64_Phdr& p : elf_.segments()) {
        if (p.p_type != PT_LOAD || p.p_memsz == 0) continue;
        if (p.p_filesz > p.p_memsz || (p.p_filesz && elf_.contents(p).empty()))
            return why = "a segment lies outside the file", false;
        if (p.p_vaddr + p.p_memsz < p.p_vaddr) return why = "a segment wraps around", false;
        segments_.push_back({p.p_vaddr, p.p_offset, p.p_filesz, p.p_memsz, (p.p_flags & PF_W) != 0});
        first_ = std::min(first_, p.p_vaddr);
        last_ = std::max(last_, p.p_vaddr + p.p_memsz);
    }
    if (segments_.empty()) return why = "no segment to load", false;
    first_ &= ~0xfffull;
    if (last_ - first_ > kMaxSpan) return why = "segments too far apart", false;
    return true;
}

// Variables and kernel descriptors: what clients are told the name, the address and the size of.
bool Loadable::check_symbols(std::string& why) {
    std::uint64_t all_names = 0;
    for (const Elf::Symbol& s : symbols_) {
        all_names += s.name.size();
        if (all_names > kMostNames * elf_.file().size()) return why = "its names are longer than itself", false;
        if (s.section == SHN_UNDEF || s.type != STT_OBJECT) continue;
        const Segment* segment = segment_of(s.value);
        if (segment && !segment->holds(s.value, s.size)) return why = "a symbol reaches out of its segment", false;
    }
    return true;
}

}  // namespace vrocm::codeobj
