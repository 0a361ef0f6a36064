#include "hip/module/module.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "codeobj/target.h"
#include "hip/device/device.h"
#include "hip/error.h"
#include "hip/launch/printf_buffer.h"
#include "hip/memory/allocation.h"
#include "hip/module/fat_binary.h"

namespace vrocm::hip {

namespace {

struct LiveHandles {
    std::mutex mutex;
    std::unordered_set<const Function*> functions;
    std::unordered_map<const Module*, std::unique_ptr<Module>> modules;
};
LiveHandles& live_handles() {
    static LiveHandles* instance = new LiveHandles;
    return *instance;
}

template <class T>
T symbol_info(hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute) {
    T value{};
    require_hsa(hsa_executable_symbol_get_info(symbol, attribute, &value));
    return value;
}

}  // namespace

Device& Function::device() const {
    return module->device();
}

Module::Module(Device& device, const void* image, std::size_t size) : device_(device) {
    code_ = read_module_code(select_code_object(image, size, device.target()));
    require(codeobj::runs_on(code_->target, device.target()), hipErrorNoBinaryForGpu);
    load();
    register_printf_formats(code_->metadata.printf_formats);
}

void Module::load() {
    require_hsa(hsa_code_object_reader_create_from_memory(code_->elf.data(), code_->elf.size(), &reader_));
    hsa_status_t status =
        hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable_);
    if (status == HSA_STATUS_SUCCESS)
        status = hsa_executable_load_agent_code_object(executable_, device_.agent(), reader_, nullptr, nullptr);
    if (status == HSA_STATUS_SUCCESS) status = hsa_executable_freeze(executable_, nullptr);
    if (status == HSA_STATUS_SUCCESS) return;
    if (executable_.handle) hsa_executable_destroy(executable_);
    hsa_code_object_reader_destroy(reader_);
    require_hsa(status);
}

Module::~Module() {
    {
        std::lock_guard lock(live_handles().mutex);
        for (auto& [name, function] : functions_) live_handles().functions.erase(function.get());
    }
    for (auto& [name, global] : globals_) remove_allocation(global.address);
    hsa_executable_destroy(executable_);
    hsa_code_object_reader_destroy(reader_);
}

Function* Module::function(std::string_view name) {
    std::lock_guard lock(mutex_);
    const std::string key(name);
    if (auto found = functions_.find(key); found != functions_.end()) return found->second.get();
    for (const KernelMetadata& kernel : code_->metadata.kernels) {
        if (kernel.name != name) continue;
        hsa_executable_symbol_t symbol;
        const hsa_agent_t agent = device_.agent();
        if (hsa_executable_get_symbol_by_name(executable_, kernel.symbol.c_str(), &agent, &symbol) !=
            HSA_STATUS_SUCCESS)
            return nullptr;
        auto made = std::make_unique<Function>();
        made->module = this;
        made->metadata = &kernel;
        made->kernel_object = symbol_info<std::uint64_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
        made->private_size = symbol_info<std::uint32_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE);
        const std::size_t shared = device_.properties().sharedMemPerBlock;
        made->max_dynamic_shared =
            static_cast<std::uint32_t>(shared - std::min<std::size_t>(shared, kernel.group_size));
        Function* result = made.get();
        {
            std::lock_guard live_lock(live_handles().mutex);
            live_handles().functions.insert(result);
        }
        functions_.emplace(key, std::move(made));
        return result;
    }
    return nullptr;
}

Module::Global Module::global(const std::string& name) {
    std::lock_guard lock(mutex_);
    if (auto found = globals_.find(name); found != globals_.end()) return found->second;
    hsa_executable_symbol_t symbol;
    const hsa_agent_t agent = device_.agent();
    if (hsa_executable_get_symbol_by_name(executable_, name.c_str(), &agent, &symbol) != HSA_STATUS_SUCCESS) return {};
    if (symbol_info<hsa_symbol_kind_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE) != HSA_SYMBOL_KIND_VARIABLE) return {};
    Global made;
    made.address =
        reinterpret_cast<void*>(symbol_info<std::uint64_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS));
    made.size = symbol_info<std::uint32_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE);
    globals_.emplace(name, made);
    HipAllocation entry;  // copies and fills check the variable's bounds like any memory
    entry.kind = HipAllocation::Kind::Variable;
    entry.base = static_cast<std::uint8_t*>(made.address);
    entry.size = made.size;
    entry.device = device_.id();
    if (made.size) add_allocation(entry);
    return made;
}

Function* to_function(hipFunction_t handle) {
    auto* function = reinterpret_cast<Function*>(handle);
    std::lock_guard lock(live_handles().mutex);
    return live_handles().functions.count(function) ? function : nullptr;
}

Module* to_module(hipModule_t handle) {
    auto* module = reinterpret_cast<Module*>(handle);
    std::lock_guard lock(live_handles().mutex);
    require(live_handles().modules.count(module) != 0, hipErrorInvalidResourceHandle);
    return module;
}

hipModule_t publish_module(std::unique_ptr<Module> module) {
    Module* raw = module.get();
    std::lock_guard lock(live_handles().mutex);
    live_handles().modules.emplace(raw, std::move(module));
    return reinterpret_cast<hipModule_t>(raw);
}

void unload_module(hipModule_t handle) {
    std::unique_ptr<Module> ended;
    {
        std::lock_guard lock(live_handles().mutex);
        auto found = live_handles().modules.find(reinterpret_cast<Module*>(handle));
        require(found != live_handles().modules.end(), hipErrorInvalidResourceHandle);
        ended = std::move(found->second);
        live_handles().modules.erase(found);
    }
    ended->device().synchronize();  // its kernels may still run
}

}  // namespace vrocm::hip
