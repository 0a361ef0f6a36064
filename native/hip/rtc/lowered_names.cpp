#include "hip/rtc/lowered_names.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace vrocm::rtc {

namespace {

constexpr std::string_view kProbe = "__vrocm_lowered_name_";
constexpr unsigned kRelocationRelative64 = 13;  // R_AMDGPU_RELATIVE64, LLVM AMDGPUUsage "Relocation Records"
constexpr unsigned kRelocationAbs64 = 3;        // R_AMDGPU_ABS64

struct Symbol {
    std::string_view name;
    std::uint64_t value;
    unsigned type;
};

// Distrustful access to the parts of an ELF file.
class File {
  public:
    explicit File(std::string_view bytes) : bytes_(bytes) {}

    template <class T>
    std::optional<T> at(std::uint64_t offset) const {
        if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) return std::nullopt;
        T value;
        std::memcpy(&value, bytes_.data() + offset, sizeof value);
        return value;
    }
    std::string_view text(std::uint64_t offset) const {
        if (offset >= bytes_.size()) return {};
        const std::string_view rest = bytes_.substr(offset);
        return rest.substr(0, rest.find('\0'));
    }
    std::vector<Elf64_Shdr> sections() const {
        std::vector<Elf64_Shdr> found;
        const auto header = at<Elf64_Ehdr>(0);
        for (unsigned i = 0; header && i < header->e_shnum; ++i)
            if (auto section = at<Elf64_Shdr>(header->e_shoff + std::uint64_t{i} * header->e_shentsize))
                found.push_back(*section);
        return found;
    }
    // The content of memory at a virtual address, from the loadable segments.
    std::optional<std::uint64_t> memory64(std::uint64_t address) const {
        const auto header = at<Elf64_Ehdr>(0);
        for (unsigned i = 0; header && i < header->e_phnum; ++i) {
            const auto segment = at<Elf64_Phdr>(header->e_phoff + std::uint64_t{i} * header->e_phentsize);
            if (!segment || segment->p_type != PT_LOAD) continue;
            const std::uint64_t within = address - segment->p_vaddr;
            if (address >= segment->p_vaddr && within + 8 <= segment->p_filesz)
                return at<std::uint64_t>(segment->p_offset + within);
        }
        return std::nullopt;
    }

  private:
    std::string_view bytes_;
};

std::vector<Symbol> read_symbols(const File& file, const std::vector<Elf64_Shdr>& sections, const Elf64_Shdr& table) {
    std::vector<Symbol> found;
    if (table.sh_link >= sections.size()) return found;
    const std::uint64_t names = sections[table.sh_link].sh_offset;
    for (std::uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= table.sh_size; offset += sizeof(Elf64_Sym))
        if (auto symbol = file.at<Elf64_Sym>(table.sh_offset + offset))
            found.push_back({file.text(names + symbol->st_name), symbol->st_value,
                             static_cast<unsigned>(ELF64_ST_TYPE(symbol->st_info))});
    return found;
}

std::string_view symbol_at(const std::vector<Symbol>& symbols, std::uint64_t address) {
    for (const Symbol& symbol : symbols)
        if (symbol.value == address && (symbol.type == STT_FUNC || symbol.type == STT_OBJECT)) return symbol.name;
    return {};
}

}  // namespace

std::string name_probes(const std::vector<std::string>& expressions) {
    std::string made;
    for (std::size_t i = 0; i < expressions.size(); ++i)
        made += "\nextern \"C\" __attribute__((device, used)) const void* const volatile " + std::string(kProbe) +
                std::to_string(i) + " = (const void*)(" + expressions[i] + ");";
    return made + "\n";
}

std::map<std::size_t, std::string> read_lowered_names(const std::string& elf) {
    const File file(elf);
    const std::vector<Elf64_Shdr> sections = file.sections();
    std::vector<Symbol> symbols;
    for (const Elf64_Shdr& section : sections)
        if (section.sh_type == SHT_DYNSYM) symbols = read_symbols(file, sections, section);

    std::map<std::uint64_t, std::size_t> probes;  // address of the probe variable -> index
    for (const Symbol& symbol : symbols)
        if (symbol.name.starts_with(kProbe))
            probes[symbol.value] = std::stoul(std::string(symbol.name.substr(kProbe.size())));

    std::map<std::size_t, std::string> lowered;
    auto note = [&](std::size_t index, std::string_view name) {
        if (!name.empty() && !name.starts_with(kProbe)) lowered[index] = name;
    };
    for (const Elf64_Shdr& section : sections) {
        if (section.sh_type != SHT_RELA) continue;
        for (std::uint64_t offset = 0; offset + sizeof(Elf64_Rela) <= section.sh_size; offset += sizeof(Elf64_Rela)) {
            const auto relocation = file.at<Elf64_Rela>(section.sh_offset + offset);
            if (!relocation) continue;
            const auto probe = probes.find(relocation->r_offset);
            if (probe == probes.end()) continue;
            const auto type = ELF64_R_TYPE(relocation->r_info);
            const auto index = ELF64_R_SYM(relocation->r_info);
            if (type == kRelocationRelative64)
                note(probe->second, symbol_at(symbols, static_cast<std::uint64_t>(relocation->r_addend)));
            else if (type == kRelocationAbs64 && index < symbols.size())
                note(probe->second, symbols[index].name);
        }
    }
    // Without a relocation the address stands in the variable itself.
    for (const auto& [address, index] : probes)
        if (!lowered.count(index))
            if (auto value = file.memory64(address); value && *value) note(index, symbol_at(symbols, *value));
    return lowered;
}

}  // namespace vrocm::rtc
