// Which GPUs code is for: a processor and settings of its features, "gfx942:sramecc+:xnack-".
#pragma once

#include <elf.h>

#include <string>
#include <string_view>

namespace vrocm::codeobj {

// The triple that HSA writes before a target. Compilers write others into the metadata of their code objects
// ("amdgcn--amdhsa-amdgiz-gfx942"), which is why nobody here asks that.
inline constexpr std::string_view kTriple = "amdgcn-amd-amdhsa--";

inline constexpr unsigned kMachine = 224;  // EM_AMDGPU, which not every <elf.h> has

// By e_flags, as the loader does. A feature that the code leaves open is not in it; a processor that is not known
// appears by number.
std::string target_of(const Elf64_Ehdr& header);

// Whether code for one target runs on a GPU of another: the same processor, and no feature that is demanded in the
// opposite setting. Either may have the triple before it.
bool runs_on(std::string_view code, std::string_view device);

}  // namespace vrocm::codeobj
