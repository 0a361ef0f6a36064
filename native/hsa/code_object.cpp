#include "hsa/code_object.h"

#include <elf.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "abi/hsa/amd_hsa_elf.h"

namespace vrocm::hsa {

namespace {

constexpr std::uint64_t kMaxSpan = 4ull << 30;  // a code object larger than this is damaged

std::string isa_of(std::uint32_t flags) {
    std::string name = "amdgcn-amd-amdhsa--";
    switch (flags & ELF::EF_AMDGPU_MACH) {
        case ELF::EF_AMDGPU_MACH_AMDGCN_GFX942:
            name += "gfx942";
            break;
        case ELF::EF_AMDGPU_MACH_AMDGCN_GFX90A:
            name += "gfx90a";
            break;
        case ELF::EF_AMDGPU_MACH_AMDGCN_GFX9_4_GENERIC:
            name += "gfx9-4-generic";
            break;
        default: {
            char text[40];
            std::snprintf(text, sizeof text, "processor-0x%x", flags & ELF::EF_AMDGPU_MACH);
            name += text;
        }
    }
    const unsigned sramecc = flags & ELF::EF_AMDGPU_FEATURE_SRAMECC_V4, xnack = flags & ELF::EF_AMDGPU_FEATURE_XNACK_V4;
    if (sramecc == ELF::EF_AMDGPU_FEATURE_SRAMECC_ON_V4) name += ":sramecc+";
    if (sramecc == ELF::EF_AMDGPU_FEATURE_SRAMECC_OFF_V4) name += ":sramecc-";
    if (xnack == ELF::EF_AMDGPU_FEATURE_XNACK_ON_V4) name += ":xnack+";
    if (xnack == ELF::EF_AMDGPU_FEATURE_XNACK_OFF_V4) name += ":xnack-";
    return name;
}

template <typename T>
T read_as(std::span<const std::uint8_t> bytes, std::size_t index = 0) {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}

std::string string_at(std::span<const std::uint8_t> strings, std::uint64_t offset) {
    if (offset >= strings.size()) return {};
    const auto* text = reinterpret_cast<const char*>(strings.data()) + offset;
    return std::string(text, strnlen(text, strings.size() - offset));
}

}  // namespace

std::unique_ptr<CodeObject> CodeObject::read(std::span<const std::uint8_t> file, std::string& why) {
    std::unique_ptr<CodeObject> object(new CodeObject(file));
    if (!object->parse(why)) return nullptr;
    return object;
}

std::span<const std::uint8_t> CodeObject::bytes(std::uint64_t offset, std::uint64_t size) const {
    if (offset > file_.size() || size > file_.size() - offset) return {};
    return file_.subspan(offset, size);
}

template <typename T>
bool CodeObject::get(std::uint64_t offset, T& value) const {
    const auto from = bytes(offset, sizeof value);
    if (from.empty()) return false;
    std::memcpy(&value, from.data(), sizeof value);
    return true;
}

const CodeObject::Segment* CodeObject::segment_of(std::uint64_t vaddr) const {
    for (const Segment& s : segments_)
        if (vaddr >= s.vaddr && vaddr - s.vaddr < s.memory_size) return &s;
    return nullptr;
}

std::span<const std::uint8_t> CodeObject::at_vaddr(std::uint64_t vaddr, std::uint64_t size) const {
    const Segment* s = segment_of(vaddr);
    if (!s || vaddr - s->vaddr > s->file_size || size > s->file_size - (vaddr - s->vaddr)) return {};
    return bytes(s->file_offset + (vaddr - s->vaddr), size);
}

bool CodeObject::parse(std::string& why) {
    if (!read_header(why) || !read_segments(why)) return false;
    read_dynamic();
    read_symbols();
    read_notes();
    return true;
}

bool CodeObject::read_header(std::string& why) {
    Elf64_Ehdr header;
    if (!get(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return why = "not an ELF file", false;
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != ELF::EM_AMDGPU)
        return why = "not an ELF file for AMD GPUs", false;
    if (header.e_ident[EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA) return why = "not for the amdhsa system", false;
    if (header.e_ident[EI_ABIVERSION] < ELF::ELFABIVERSION_AMDGPU_HSA_V4)
        return why = "code object version 3 or earlier, of ROCm before 5", false;
    if (header.e_type != ET_DYN) return why = "not linked (a relocatable object)", false;
    program_headers_ = header.e_phoff;
    program_header_count_ = header.e_phnum;
    section_headers_ = header.e_shoff;
    section_header_count_ = header.e_shnum;
    isa_ = isa_of(header.e_flags);
    return true;
}

bool CodeObject::read_segments(std::string& why) {
    for (unsigned i = 0; i < program_header_count_; ++i) {
        Elf64_Phdr p;
        if (!get(program_headers_ + i * sizeof p, p)) return why = "program headers lie outside the file", false;
        if (p.p_type != PT_LOAD || p.p_memsz == 0) continue;
        if (p.p_filesz > p.p_memsz || (p.p_filesz && bytes(p.p_offset, p.p_filesz).empty()))
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

void CodeObject::read_dynamic() {
    for (unsigned i = 0; i < program_header_count_; ++i) {
        Elf64_Phdr p;
        if (!get(program_headers_ + i * sizeof p, p) || p.p_type != PT_DYNAMIC) continue;
        std::uint64_t tables[2] = {}, sizes[2] = {};  // DT_RELA, DT_JMPREL
        const auto entries = bytes(p.p_offset, p.p_filesz);
        for (std::size_t e = 0; e < entries.size() / sizeof(Elf64_Dyn); ++e) {
            const auto d = read_as<Elf64_Dyn>(entries, e);
            if (d.d_tag == DT_NULL) break;
            if (d.d_tag == DT_RELA) tables[0] = d.d_un.d_ptr;
            if (d.d_tag == DT_RELASZ) sizes[0] = d.d_un.d_val;
            if (d.d_tag == DT_JMPREL) tables[1] = d.d_un.d_ptr;
            if (d.d_tag == DT_PLTRELSZ) sizes[1] = d.d_un.d_val;
        }
        for (int t = 0; t < 2; ++t) {
            const auto table = tables[t] ? at_vaddr(tables[t], sizes[t]) : std::span<const std::uint8_t>();
            for (std::size_t r = 0; r < table.size() / sizeof(Elf64_Rela); ++r) {
                const auto rela = read_as<Elf64_Rela>(table, r);
                relocations_.push_back({rela.r_offset, static_cast<std::uint32_t>(ELF64_R_TYPE(rela.r_info)),
                                        static_cast<std::uint32_t>(ELF64_R_SYM(rela.r_info)), rela.r_addend});
            }
        }
    }
}

void CodeObject::read_symbols() {
    for (unsigned i = 0; i < section_header_count_; ++i) {
        Elf64_Shdr section, strings;
        if (!get(section_headers_ + i * sizeof section, section) || section.sh_type != SHT_DYNSYM) continue;
        if (!get(section_headers_ + section.sh_link * sizeof strings, strings)) continue;
        return read_symbol_table(bytes(section.sh_offset, section.sh_size), bytes(strings.sh_offset, strings.sh_size));
    }
    // Section headers may have been stripped; the dynamic section then tells, with the hash table for the count.
    for (unsigned i = 0; i < program_header_count_; ++i) {
        Elf64_Phdr p;
        if (!get(program_headers_ + i * sizeof p, p) || p.p_type != PT_DYNAMIC) continue;
        std::uint64_t table = 0, strings = 0, strings_size = 0, hash = 0;
        const auto entries = bytes(p.p_offset, p.p_filesz);
        for (std::size_t e = 0; e < entries.size() / sizeof(Elf64_Dyn); ++e) {
            const auto d = read_as<Elf64_Dyn>(entries, e);
            if (d.d_tag == DT_SYMTAB) table = d.d_un.d_ptr;
            if (d.d_tag == DT_STRTAB) strings = d.d_un.d_ptr;
            if (d.d_tag == DT_STRSZ) strings_size = d.d_un.d_val;
            if (d.d_tag == DT_HASH) hash = d.d_un.d_ptr;
        }
        const auto counts = at_vaddr(hash, 8);
        if (!hash || counts.empty()) continue;
        const std::uint64_t count = read_as<std::uint32_t>(counts, 1);
        read_symbol_table(at_vaddr(table, count * sizeof(Elf64_Sym)), at_vaddr(strings, strings_size));
    }
}

void CodeObject::read_symbol_table(std::span<const std::uint8_t> table, std::span<const std::uint8_t> strings) {
    for (std::size_t i = 0; i < table.size() / sizeof(Elf64_Sym); ++i) {
        const auto s = read_as<Elf64_Sym>(table, i);
        symbols_.push_back({string_at(strings, s.st_name), s.st_value, s.st_size, ELF64_ST_TYPE(s.st_info),
                            s.st_shndx != SHN_UNDEF, ELF64_ST_BIND(s.st_info) != STB_LOCAL});
    }
}

void CodeObject::read_notes() {
    for (unsigned i = 0; i < program_header_count_; ++i) {
        Elf64_Phdr p;
        if (!get(program_headers_ + i * sizeof p, p) || p.p_type != PT_NOTE) continue;
        auto notes = bytes(p.p_offset, p.p_filesz);
        while (notes.size() >= sizeof(Elf64_Nhdr)) {
            const auto n = read_as<Elf64_Nhdr>(notes);
            const std::uint64_t name = sizeof n, text = name + ((std::uint64_t{n.n_namesz} + 3) & ~3ull);
            const std::uint64_t end = text + ((std::uint64_t{n.n_descsz} + 3) & ~3ull);
            if (text + n.n_descsz > notes.size()) break;
            if (n.n_type == NT_AMDGPU_METADATA && string_at(notes.subspan(name, n.n_namesz), 0) == "AMDGPU")
                kernels_ = read_kernel_metadata(notes.subspan(text, n.n_descsz));
            notes = notes.subspan(std::min<std::uint64_t>(end, notes.size()));
        }
    }
}

const KernelMetadata* CodeObject::kernel(const std::string& symbol) const {
    for (const KernelMetadata& k : kernels_)
        if (k.symbol == symbol) return &k;
    return nullptr;
}

}  // namespace vrocm::hsa
