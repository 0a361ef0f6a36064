#include "hip/module/module_code.h"

#include <stdexcept>
#include <utility>

#include "codeobj/elf.h"
#include "codeobj/target.h"
#include "hip/error.h"

namespace vrocm::hip {

namespace {

// Of every processor there is: AMDGPUUsage, ".max_flat_workgroup_size" and ".wavefront_size".
constexpr std::uint32_t kLargestWorkgroup = 1024;

void check(const KernelMetadata& kernel) {
    require(kernel.wavefront_size == 32 || kernel.wavefront_size == 64, hipErrorInvalidImage);
    require(kernel.max_flat_workgroup_size >= 1 && kernel.max_flat_workgroup_size <= kLargestWorkgroup,
            hipErrorInvalidImage);
    for (const KernelArgument& argument : kernel.arguments) {
        if (argument.kind == KernelArgument::Kind::UnknownHidden)
            refuse(argument.value_kind.c_str(), "unknown hidden kernel argument");
        require(argument.lies_in(kernel.kernarg_size), hipErrorInvalidImage);
    }
}

}  // namespace

std::shared_ptr<const ModuleCode> read_module_code(std::vector<std::uint8_t> bytes) {
    auto made = std::make_shared<ModuleCode>();
    made->elf = std::move(bytes);
    const codeobj::Elf elf(made->elf);
    require(elf.valid() && elf.header().e_machine == codeobj::kMachine, hipErrorInvalidImage);
    made->target = codeobj::target_of(elf.header());
    try {
        // No kernels where there are no metadata: a code object may hold variables only.
        made->metadata = codeobj::read_metadata(elf).value_or(codeobj::Metadata());
    } catch (const std::runtime_error&) {
        fail(hipErrorInvalidImage);
    }
    for (const KernelMetadata& kernel : made->metadata.kernels) check(kernel);
    return made;
}

}  // namespace vrocm::hip
