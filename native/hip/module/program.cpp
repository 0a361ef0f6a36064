#include "hip/module/program.h"

#include <algorithm>
#include <cstring>

#include "hip/device/device.h"
#include "hip/error.h"
#include "hip/module/fat_binary.h"
#include "hip/thread_state.h"

namespace vrocm::hip {

Module& EmbeddedCode::on(Device& device) {
    std::lock_guard lock(mutex_);
    std::unique_ptr<Module>& module = modules_[device.id()];
    if (!module) {
        module = std::make_unique<Module>(device, image_, kUnknownSize);
        for (const ManagedVariable& variable : managed)
            if (Module::Global global = module->global(variable.name); global.size >= sizeof(void*))
                std::memcpy(global.address, variable.host_pointer, sizeof(void*));
    }
    return *module;
}

Program& Program::get() {
    static Program* instance = new Program;  // used by static constructors and destructors of the program
    return *instance;
}

EmbeddedCode* Program::add_code(const void* wrapper) {
    auto made = std::make_unique<EmbeddedCode>(unwrap_fat_binary(wrapper));
    std::lock_guard lock(mutex_);
    EmbeddedCode* raw = made.get();
    codes_.emplace(raw, std::move(made));
    return raw;
}

void Program::remove_code(EmbeddedCode* code) {
    std::lock_guard lock(mutex_);
    std::erase_if(functions_, [&](const auto& entry) { return entry.second.code == code; });
    std::erase_if(variables_, [&](const auto& entry) { return entry.second.code == code; });
    codes_.erase(code);
}

void Program::add_function(EmbeddedCode* code, const void* stub, const char* name) {
    std::lock_guard lock(mutex_);
    functions_[stub] = Symbol{code, name, 0, nullptr, {}};
}

void Program::add_variable(EmbeddedCode* code, const void* shadow, const char* name, std::size_t size) {
    std::lock_guard lock(mutex_);
    variables_[shadow] = Symbol{code, name, size, nullptr, {}};
}

void Program::add_managed_variable(const void* shadow, void* memory, std::size_t size) {
    std::lock_guard lock(mutex_);
    // The compiler turns the variable's name into *shadow, so programs pass either address.
    variables_[shadow] = variables_[memory] = Symbol{nullptr, {}, size, memory, {}};
}

Function* Program::function(const void* stub, Device& device) {
    std::lock_guard lock(mutex_);
    auto found = functions_.find(stub);
    if (found == functions_.end()) return nullptr;
    Function*& function = found->second.functions[device.id()];
    if (!function) function = found->second.code->on(device).function(found->second.name);
    require(function != nullptr, hipErrorInvalidDeviceFunction);
    return function;
}

const char* Program::function_name(const void* stub) {
    std::lock_guard lock(mutex_);
    auto found = functions_.find(stub);
    return found == functions_.end() ? nullptr : found->second.name.c_str();
}

Module::Global Program::variable(const void* shadow, Device& device) {
    std::lock_guard lock(mutex_);
    auto found = variables_.find(shadow);
    if (found == variables_.end()) return {};
    if (found->second.managed) return {found->second.managed, found->second.size};
    Module::Global global = found->second.code->on(device).global(found->second.name);
    // Both say the same, where the code object is not damaged.
    if (found->second.size) global.size = std::min(global.size, found->second.size);
    return global;
}

Function& resolve_kernel(const void* kernel, Device& device) {
    if (Function* function = Program::get().function(kernel, device)) return *function;
    auto handle = reinterpret_cast<hipFunction_t>(const_cast<void*>(kernel));
    if (Function* function = to_function(handle)) return *function;
    fail(hipErrorInvalidDeviceFunction);
}

std::uint8_t* symbol_place(const void* symbol, std::size_t size, std::size_t offset) {
    require(symbol != nullptr, hipErrorInvalidSymbol);
    const Module::Global global = Program::get().variable(symbol, current_device());
    require(global.address != nullptr, hipErrorInvalidSymbol);
    require(offset <= global.size && size <= global.size - offset);
    return static_cast<std::uint8_t*>(global.address) + offset;
}

}  // namespace vrocm::hip
