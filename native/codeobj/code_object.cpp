#include "codeobj/code_object.h"

#include <stdexcept>
#include <utility>

#include "codeobj/target.h"

namespace vrocm::codeobj {

std::optional<CodeObject> read_code_object(Bytes bytes, std::string& reason) {
    Elf64_Ehdr header;
    if (!read_header(bytes, header)) {
        reason = "it is not a 64-bit ELF file";
        return {};
    }
    if (header.e_machine != kMachine) {
        reason = "it is an ELF file for another machine (" + std::to_string(header.e_machine) + ")";
        return {};
    }
    const Elf elf(bytes);
    if (!elf.valid()) {
        reason = "it is cut off: its program headers lie outside";
        return {};
    }
    CodeObject object;
    object.target = std::string(kTriple) + target_of(header);
    for (const Elf64_Phdr& segment : elf.segments()) {
        if (segment.p_type != PT_LOAD) continue;
        if (segment.p_filesz && elf.contents(segment).empty()) {
            reason = "it is cut off: segment " + std::to_string(&segment - elf.segments().data()) + " lies outside";
            return {};
        }
        object.segments.push_back(segment);
    }
    try {
        auto metadata = read_metadata(elf);
        if (!metadata) {
            reason = "it has no metadata note";
            return {};
        }
        object.kernels = std::move(metadata->kernels);
    } catch (const std::runtime_error& error) {
        reason = std::string("its metadata cannot be read: ") + error.what();
        return {};
    }
    return object;
}

}  // namespace vrocm::codeobj
