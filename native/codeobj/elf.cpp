#include "codeobj/elf.h"

#include <algorithm>
#include <cstring>

namespace vrocm::codeobj {

namespace {

template <typename T>
bool read(Bytes bytes, std::uint64_t offset, T& out) {
    if (offset > bytes.size() || sizeof(T) > bytes.size() - offset) return false;
    std::memcpy(&out, bytes.data() + offset, sizeof(T));
    return true;
}

// As many whole entries as there are.
template <typename T>
std::vector<T> entries_of(Bytes table) {
    std::vector<T> entries(table.size() / sizeof(T));
    if (!entries.empty()) std::memcpy(entries.data(), table.data(), entries.size() * sizeof(T));
    return entries;
}

Bytes note_in(Bytes notes, std::string_view owner, std::uint32_t type) {
    const auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
    Elf64_Nhdr header;
    for (std::uint64_t at = 0; read(notes, at, header);) {
        const std::uint64_t name = at + sizeof header, content = name + padded(header.n_namesz);
        if (content > notes.size() || header.n_descsz > notes.size() - content) break;
        if (header.n_type == type && string_at(notes.subspan(name, header.n_namesz), 0) == owner)
            return notes.subspan(content, header.n_descsz);
        at = content + padded(header.n_descsz);
    }
    return {};
}

}  // namespace

std::string_view string_at(Bytes bytes, std::uint64_t offset) {
    if (offset >= bytes.size()) return {};
    const char* text = reinterpret_cast<const char*>(bytes.data() + offset);
    const void* end = std::memchr(text, 0, bytes.size() - offset);
    if (!end) return {};
    return {text, static_cast<std::size_t>(static_cast<const char*>(end) - text)};
}

bool read_header(Bytes file, Elf64_Ehdr& header) {
    return read(file, 0, header) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
           header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB;
}

Elf::Elf(Bytes file) : file_(file) {
    if (!read_header(file, header_)) return;
    if (header_.e_phnum != 0 && header_.e_phentsize != sizeof(Elf64_Phdr)) return;
    segments_ = entries_of<Elf64_Phdr>(bytes(header_.e_phoff, std::uint64_t{header_.e_phnum} * sizeof(Elf64_Phdr)));
    valid_ = segments_.size() == header_.e_phnum;
    if (!valid_ || header_.e_shentsize != sizeof(Elf64_Shdr) || header_.e_shoff > file.size()) return;
    const std::uint64_t there = file.size() - header_.e_shoff;
    sections_ = entries_of<Elf64_Shdr>(
        bytes(header_.e_shoff, std::min<std::uint64_t>(there, header_.e_shnum * sizeof(Elf64_Shdr))));
}

Bytes Elf::bytes(std::uint64_t offset, std::uint64_t size) const {
    if (offset > file_.size() || size > file_.size() - offset) return {};
    return file_.subspan(offset, size);
}

Bytes Elf::contents(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || (section.sh_flags & SHF_COMPRESSED)) return {};
    return bytes(section.sh_offset, section.sh_size);
}

std::string_view Elf::name_of(const Elf64_Shdr& section) const {
    if (header_.e_shstrndx >= sections_.size()) return {};
    return string_at(contents(sections_[header_.e_shstrndx]), section.sh_name);
}

Bytes Elf::section(std::string_view name) const {
    for (const Elf64_Shdr& s : sections_)
        if (name_of(s) == name) return contents(s);
    return {};
}

Bytes Elf::loaded(std::uint64_t address, std::uint64_t size) const {
    for (const Elf64_Phdr& s : segments_) {
        if (s.p_type != PT_LOAD || address < s.p_vaddr) continue;
        const std::uint64_t within = address - s.p_vaddr;
        if (within < s.p_memsz && within <= s.p_filesz && size <= s.p_filesz - within) {
            const Bytes all = contents(s);
            return all.empty() ? all : all.subspan(within, size);
        }
    }
    return {};
}

const Elf64_Shdr* Elf::table(std::uint32_t type) const {
    for (const Elf64_Shdr& s : sections_)
        if (s.sh_type == type && s.sh_link < sections_.size()) return &s;
    return nullptr;
}

std::vector<Elf::Symbol> Elf::symbols_in(Bytes table, Bytes strings) const {
    std::vector<Symbol> symbols;
    for (const Elf64_Sym& s : entries_of<Elf64_Sym>(table))
        symbols.push_back({string_at(strings, s.st_name), s.st_value, s.st_size, s.st_shndx,
                           static_cast<std::uint8_t>(ELF64_ST_TYPE(s.st_info)),
                           static_cast<std::uint8_t>(ELF64_ST_BIND(s.st_info))});
    return symbols;
}

std::vector<Elf::Symbol> Elf::symbols_of(const Elf64_Shdr& table) const {
    return symbols_in(contents(table), contents(sections_[table.sh_link]));
}

std::vector<Elf::Symbol> Elf::dynamic_symbols() const {
    if (const Elf64_Shdr* section = table(SHT_DYNSYM)) return symbols_of(*section);
    // Section headers may have been stripped; the dynamic section then tells, with the hash table for the count.
    const Dynamic d = dynamic();
    const std::vector<std::uint32_t> counts = entries_of<std::uint32_t>(d.hash ? loaded(d.hash, 8) : Bytes());
    if (counts.size() != 2) return {};
    return symbols_in(loaded(d.symbols, std::uint64_t{counts[1]} * sizeof(Elf64_Sym)),
                      loaded(d.strings, d.strings_size));
}

std::vector<Elf::Symbol> Elf::symbols() const {
    const Elf64_Shdr* all = table(SHT_SYMTAB);
    std::vector<Symbol> found = all ? symbols_of(*all) : std::vector<Symbol>();
    const auto is_nameless = [](const Symbol& s) { return s.name.empty() || s.section == SHN_UNDEF; };
    std::erase_if(found, is_nameless);
    if (!found.empty()) return found;
    found = dynamic_symbols();
    std::erase_if(found, is_nameless);
    return found;
}

bool Elf::has_all_symbols() const {
    return std::any_of(sections_.begin(), sections_.end(), [](const Elf64_Shdr& s) { return s.sh_type == SHT_SYMTAB; });
}

Elf::Dynamic Elf::dynamic() const {
    Dynamic found;
    for (const Elf64_Phdr& segment : segments_) {
        if (segment.p_type != PT_DYNAMIC) continue;
        for (const Elf64_Dyn& entry : entries_of<Elf64_Dyn>(contents(segment))) {
            const std::uint64_t value = entry.d_un.d_val;
            if (entry.d_tag == DT_NULL) break;
            if (entry.d_tag == DT_SYMTAB) found.symbols = value;
            if (entry.d_tag == DT_STRTAB) found.strings = value;
            if (entry.d_tag == DT_STRSZ) found.strings_size = value;
            if (entry.d_tag == DT_HASH) found.hash = value;
            if (entry.d_tag == DT_RELA) found.relocations[0] = value;
            if (entry.d_tag == DT_RELASZ) found.relocation_sizes[0] = value;
            if (entry.d_tag == DT_JMPREL) found.relocations[1] = value;
            if (entry.d_tag == DT_PLTRELSZ) found.relocation_sizes[1] = value;
        }
        break;
    }
    return found;
}

std::vector<Elf64_Rela> Elf::dynamic_relocations() const {
    const Dynamic d = dynamic();
    std::vector<Elf64_Rela> all;
    for (int i = 0; i < 2; ++i) {
        if (!d.relocations[i]) continue;
        const auto more = entries_of<Elf64_Rela>(loaded(d.relocations[i], d.relocation_sizes[i]));
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

Bytes Elf::note(std::string_view owner, std::uint32_t type) const {
    for (const Elf64_Phdr& segment : segments_)
        if (segment.p_type == PT_NOTE)
            if (const Bytes found = note_in(contents(segment), owner, type); !found.empty()) return found;
    for (const Elf64_Shdr& section : sections_)
        if (section.sh_type == SHT_NOTE)
            if (const Bytes found = note_in(contents(section), owner, type); !found.empty()) return found;
    return {};
}

}  // namespace vrocm::codeobj
