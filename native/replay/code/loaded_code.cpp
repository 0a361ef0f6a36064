#include "replay/code/loaded_code.h"

#include "replay/failure.h"

namespace rpl::replay {

namespace {

[[noreturn]] void not_loadable(const std::string& path, const std::string& why) {
    throw Failure{ExitCode::BadInput, "code object", path + " cannot be loaded: " + why,
                  "give a code object that is built for the GPU of the capture (hipcc --genco --offload-arch=…)"};
}

}  // namespace

ReplayedCode::ReplayedCode(const HsaLibrary& hsa, const ReplayDevice& device, std::span<const std::uint8_t> bytes,
                           const std::string& path)
    : hsa_(hsa), device_(device), path_(path) {
    hsa.check(hsa.hsa_code_object_reader_create_from_memory(bytes.data(), bytes.size(), &reader_),
              "reading the code object");
    hsa.check(
        hsa.hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable_),
        "making an executable");
    hsa_loaded_code_object_t object{};
    hsa_status_t status =
        hsa.hsa_executable_load_agent_code_object(executable_, device.agent, reader_, nullptr, &object);
    if (status != HSA_STATUS_SUCCESS) not_loadable(path, hsa.describe(status));
    status = hsa.hsa_executable_freeze(executable_, nullptr);
    if (status != HSA_STATUS_SUCCESS) not_loadable(path, hsa.describe(status));
    const auto ask = hsa.loader.hsa_ven_amd_loader_loaded_code_object_get_info;
    hsa.check(ask(object, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE, &range_.base),
              "asking where the code is");
    hsa.check(ask(object, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE, &range_.size),
              "asking how large the code is");
}

ReplayedCode::~ReplayedCode() {
    hsa_.hsa_executable_destroy(executable_);
    hsa_.hsa_code_object_reader_destroy(reader_);
}

KernelSymbol ReplayedCode::kernel(const std::string& name) const {
    hsa_executable_symbol_t symbol{};
    const hsa_status_t status =
        hsa_.hsa_executable_get_symbol_by_name(executable_, (name + ".kd").c_str(), &device_.agent, &symbol);
    if (status != HSA_STATUS_SUCCESS) not_loadable(path_, "kernel " + name + " is not in it");
    KernelSymbol kernel;
    const auto ask = [&](hsa_executable_symbol_info_t attribute, void* value) {
        hsa_.check(hsa_.hsa_executable_symbol_get_info(symbol, attribute, value), "asking for properties of " + name);
    };
    ask(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel.object);
    ask(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &kernel.group_size);
    ask(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &kernel.private_size);
    ask(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &kernel.kernarg_size);
    ask(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK, &kernel.dynamic_stack);
    return kernel;
}

std::vector<Variable> ReplayedCode::variables() const {
    struct Collection {
        const HsaLibrary& hsa;
        std::vector<Variable> variables;
    } collection{hsa_, {}};
    const auto collect = [](hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t symbol, void* data) {
        auto& into = *static_cast<Collection*>(data);
        const auto ask = [&](hsa_executable_symbol_info_t attribute, void* value) {
            return into.hsa.hsa_executable_symbol_get_info(symbol, attribute, value) == HSA_STATUS_SUCCESS;
        };
        hsa_symbol_kind_t kind{};
        std::uint32_t length = 0, size = 0;
        Variable variable;
        if (!ask(HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind) || kind != HSA_SYMBOL_KIND_VARIABLE) return HSA_STATUS_SUCCESS;
        if (!ask(HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &length)) return HSA_STATUS_SUCCESS;
        variable.name.resize(length);
        if (ask(HSA_EXECUTABLE_SYMBOL_INFO_NAME, variable.name.data()) &&
            ask(HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &variable.address) &&
            ask(HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &size)) {
            variable.size = size;
            into.variables.push_back(std::move(variable));
        }
        return HSA_STATUS_SUCCESS;
    };
    hsa_.check(hsa_.hsa_executable_iterate_agent_symbols(executable_, device_.agent, collect, &collection),
               "listing variables of the code object");
    return std::move(collection.variables);
}

// ---- steering ----

namespace {

constexpr int kMostProbes = 128;

// Where the runtime would put code of that size; 0 when nowhere. Without the flag small memory is cut from blocks,
// which code is not.
std::uint64_t probe(const HsaLibrary& hsa, const ReplayDevice& device, std::uint64_t size) {
    void* at = nullptr;
    if (hsa.hsa_amd_memory_pool_allocate(device.coarse, size, HSA_AMD_MEMORY_POOL_EXECUTABLE_FLAG, &at) !=
        HSA_STATUS_SUCCESS)
        return 0;
    hsa.hsa_amd_memory_pool_free(at);
    return reinterpret_cast<std::uint64_t>(at);
}

// Blocks the place where an allocation landed, and as much between there and the target as is free in one piece.
bool block_towards(AddressPlacement& space, std::uint64_t landed, AddressRange target) {
    const std::uint64_t size = page_up(target.size);
    const bool below = landed < target.base;
    const std::uint64_t target_end = target.base + size;
    std::uint64_t gap = below ? target.base - landed : landed + size - target_end;
    if (!below && landed < target_end) gap = size;  // overlaps the target from above
    for (; gap >= size; gap = gap / 2 / snapshot::kPage * snapshot::kPage)
        if (space.block(below ? AddressRange{landed, gap} : AddressRange{landed + size - gap, gap})) return true;
    // Less than one allocation lies between.
    return below && gap && space.block({landed, target.base - landed});
}

}  // namespace

bool lead_code_to(const HsaLibrary& hsa, const ReplayDevice& device, AddressPlacement& space, AddressRange target) {
    for (int i = 0; i < kMostProbes; ++i) {
        const std::uint64_t landed = probe(hsa, device, target.size);
        if (landed == target.base) return true;
        if (!landed || !block_towards(space, landed, target)) return false;
    }
    return false;
}

}  // namespace rpl::replay
