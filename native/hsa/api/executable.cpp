// Code object readers, executables, symbols.
#include <cstring>
#include <new>

#include "hsa/api/functions.h"
#include "hsa/api/info_answer.h"

namespace vrocm::hsa::api {

namespace {

// Sizes in files may be lies.
template <typename F>
hsa_status_t within_memory(F&& f) {
    try {
        return f();
    } catch (const std::bad_alloc&) {
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
}

}  // namespace

hsa_status_t hsa_code_object_reader_create_from_memory(const void* code_object, size_t size,
                                                       hsa_code_object_reader_t* code_object_reader) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(code_object && size && code_object_reader, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->executables.make_reader(code_object, size, code_object_reader);
}

hsa_status_t hsa_code_object_reader_create_from_file(hsa_file_t file, hsa_code_object_reader_t* code_object_reader) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(code_object_reader, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return within_memory([&] { return runtime->executables.make_reader(file, 0, 0, true, code_object_reader); });
}

hsa_status_t hsa_code_object_reader_destroy(hsa_code_object_reader_t code_object_reader) {
    VROCM_OPEN(runtime);
    return runtime->executables.destroy_reader(code_object_reader);
}

// ---- executables ---------------------------------------------------------------------------------------------------

hsa_status_t hsa_executable_create_alt(hsa_profile_t profile,
                                       hsa_default_float_rounding_mode_t default_float_rounding_mode, const char*,
                                       hsa_executable_t* executable) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(executable && (profile == HSA_PROFILE_BASE || profile == HSA_PROFILE_FULL),
                HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(default_float_rounding_mode <= HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->executables.create(profile, default_float_rounding_mode, false, executable);
}

hsa_status_t hsa_executable_create(hsa_profile_t profile, hsa_executable_state_t executable_state, const char*,
                                   hsa_executable_t* executable) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(executable && (profile == HSA_PROFILE_BASE || profile == HSA_PROFILE_FULL),
                HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(executable_state <= HSA_EXECUTABLE_STATE_FROZEN, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->executables.create(profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
                                       executable_state == HSA_EXECUTABLE_STATE_FROZEN, executable);
}

hsa_status_t hsa_executable_destroy(hsa_executable_t executable) {
    VROCM_OPEN(runtime);
    return runtime->executables.destroy(executable);
}

hsa_status_t hsa_executable_load_agent_code_object(hsa_executable_t executable, hsa_agent_t agent,
                                                   hsa_code_object_reader_t code_object_reader, const char*,
                                                   hsa_loaded_code_object_t* loaded_code_object) {
    VROCM_OPEN(runtime);
    Agent* a = runtime->agent(agent);
    VROCM_CHECK(a && a->is_gpu(), HSA_STATUS_ERROR_INVALID_AGENT);
    return within_memory(
        [&] { return runtime->executables.load(executable, *a, code_object_reader, loaded_code_object); });
}

hsa_status_t hsa_executable_load_program_code_object(hsa_executable_t, hsa_code_object_reader_t, const char*,
                                                     hsa_loaded_code_object_t*) {
    VROCM_OPEN(runtime);
    return refuse("hsa_executable_load_program_code_object");
}

hsa_status_t hsa_executable_freeze(hsa_executable_t executable, const char*) {
    VROCM_OPEN(runtime);
    return runtime->executables.freeze(executable);
}

hsa_status_t hsa_executable_get_info(hsa_executable_t executable, hsa_executable_info_t attribute, void* value) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(value, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->executables.with(executable, [=](Executable& e) {
        switch (attribute) {
            case HSA_EXECUTABLE_INFO_PROFILE:
                return give(value, e.profile);
            case HSA_EXECUTABLE_INFO_STATE:
                return give(value, e.frozen ? HSA_EXECUTABLE_STATE_FROZEN : HSA_EXECUTABLE_STATE_UNFROZEN);
            case HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
                return give(value, e.rounding);
        }
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    });
}

hsa_status_t hsa_executable_global_variable_define(hsa_executable_t executable, const char* variable_name,
                                                   void* address) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(variable_name, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->executables.define(executable, nullptr, variable_name, address);
}

hsa_status_t hsa_executable_agent_global_variable_define(hsa_executable_t executable, hsa_agent_t agent,
                                                         const char* variable_name, void* address) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(variable_name, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    Agent* a = runtime->agent(agent);
    VROCM_CHECK(a, HSA_STATUS_ERROR_INVALID_AGENT);
    return runtime->executables.define(executable, a, variable_name, address);
}

hsa_status_t hsa_executable_readonly_variable_define(hsa_executable_t executable, hsa_agent_t agent,
                                                     const char* variable_name, void* address) {
    return api::hsa_executable_agent_global_variable_define(executable, agent, variable_name, address);
}

hsa_status_t hsa_executable_validate_alt(hsa_executable_t executable, const char*, uint32_t* result) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(result, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->executables.with(executable, [result](Executable& e) {
        *result = 0;
        for (const LoadedCodeObject& object : e.objects) *result |= object.unresolved.empty() ? 0 : 1;
        return HSA_STATUS_SUCCESS;
    });
}

hsa_status_t hsa_executable_validate(hsa_executable_t executable, uint32_t* result) {
    return api::hsa_executable_validate_alt(executable, nullptr, result);
}

// ---- symbols -------------------------------------------------------------------------------------------------------

hsa_status_t hsa_executable_get_symbol_by_name(hsa_executable_t executable, const char* symbol_name,
                                               const hsa_agent_t* agent, hsa_executable_symbol_t* symbol) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(symbol_name && symbol, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    Agent* a = agent ? runtime->agent(*agent) : nullptr;
    VROCM_CHECK(!agent || a, HSA_STATUS_ERROR_INVALID_AGENT);
    return runtime->executables.with(executable, [&](Executable& e) {
        for (const ExecutableSymbol& s : e.symbols)
            if (s.agent == a && s.name == symbol_name) {
                *symbol = s.handle();
                return HSA_STATUS_SUCCESS;
            }
        return HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
    });
}

hsa_status_t hsa_executable_get_symbol(hsa_executable_t executable, const char* module_name, const char* symbol_name,
                                       hsa_agent_t agent, int32_t, hsa_executable_symbol_t* symbol) {
    VROCM_CHECK(!module_name || !*module_name, HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    return api::hsa_executable_get_symbol_by_name(executable, symbol_name, agent.handle ? &agent : nullptr, symbol);
}

namespace {

hsa_status_t kernel_info(const ExecutableSymbol& s, hsa_executable_symbol_info_t attribute, void* value) {
    if (s.kind != HSA_SYMBOL_KIND_KERNEL) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch (attribute) {
        case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
            return give(value, s.address);
        case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
            return give(value, s.kernarg_size);
        case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
            return give(value, kKernargAlignment);
        case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
            return give(value, s.group_size);
        case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
            return give(value, s.private_size);
        case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK:
            return give(value, s.dynamic_stack);
        case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION:
            return give(value, 0u);
        default:
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
}

hsa_status_t symbol_info(const ExecutableSymbol& s, hsa_executable_symbol_info_t attribute, void* value) {
    switch (attribute) {
        case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
            return give(value, s.kind);
        case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
            return give(value, static_cast<std::uint32_t>(s.name.size()));
        case HSA_EXECUTABLE_SYMBOL_INFO_NAME:
            std::memcpy(value, s.name.data(), s.name.size());
            return HSA_STATUS_SUCCESS;
        case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH:
            return give(value, 0u);
        case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME:
            return HSA_STATUS_SUCCESS;
        case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
            return give(value, s.agent ? s.agent->handle() : hsa_agent_t{0});
        case HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
            return give(value, s.global ? HSA_SYMBOL_LINKAGE_PROGRAM : HSA_SYMBOL_LINKAGE_MODULE);
        case HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION:
            return give(value, s.definition);
        case HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_OBJECT:
        case HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_CALL_CONVENTION:
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
        default:
            break;
    }
    if (s.kind != HSA_SYMBOL_KIND_VARIABLE) return kernel_info(s, attribute, value);
    switch (attribute) {
        case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS:
            return give(value, s.address);
        case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION:
            return give(value, s.agent ? HSA_VARIABLE_ALLOCATION_AGENT : HSA_VARIABLE_ALLOCATION_PROGRAM);
        case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT:
            return give(value, s.constant ? HSA_VARIABLE_SEGMENT_READONLY : HSA_VARIABLE_SEGMENT_GLOBAL);
        case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT:
            return give(value, s.alignment);
        case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE:
            return give(value, s.size);
        case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST:
            return give(value, s.constant);
        default:
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
}

// The symbols of an executable that a test selects; callbacks run without the lock.
template <typename F>
hsa_status_t selected_symbols(Runtime& runtime, hsa_executable_t executable, F&& select,
                              std::vector<hsa_executable_symbol_t>& symbols) {
    return runtime.executables.with(executable, [&](Executable& e) {
        for (const ExecutableSymbol& s : e.symbols)
            if (select(s)) symbols.push_back(s.handle());
        return HSA_STATUS_SUCCESS;
    });
}

}  // namespace

hsa_status_t hsa_executable_symbol_get_info(hsa_executable_symbol_t executable_symbol,
                                            hsa_executable_symbol_info_t attribute, void* value) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(value, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->executables.with(executable_symbol,
                                     [=](ExecutableSymbol& s) { return symbol_info(s, attribute, value); });
}

hsa_status_t hsa_executable_iterate_symbols(hsa_executable_t executable,
                                            hsa_status_t (*callback)(hsa_executable_t exec,
                                                                     hsa_executable_symbol_t symbol, void* data),
                                            void* data) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    std::vector<hsa_executable_symbol_t> symbols;
    auto status = selected_symbols(*runtime, executable, [](const ExecutableSymbol&) { return true; }, symbols);
    for (std::size_t i = 0; status == HSA_STATUS_SUCCESS && i < symbols.size(); ++i)
        status = callback(executable, symbols[i], data);
    return status;
}

hsa_status_t hsa_executable_iterate_agent_symbols(hsa_executable_t executable, hsa_agent_t agent,
                                                  hsa_status_t (*callback)(hsa_executable_t exec, hsa_agent_t agent,
                                                                           hsa_executable_symbol_t symbol, void* data),
                                                  void* data) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const Agent* a = runtime->agent(agent);
    VROCM_CHECK(a, HSA_STATUS_ERROR_INVALID_AGENT);
    std::vector<hsa_executable_symbol_t> symbols;
    auto status =
        selected_symbols(*runtime, executable, [a](const ExecutableSymbol& s) { return s.agent == a; }, symbols);
    for (std::size_t i = 0; status == HSA_STATUS_SUCCESS && i < symbols.size(); ++i)
        status = callback(executable, agent, symbols[i], data);
    return status;
}

hsa_status_t hsa_executable_iterate_program_symbols(
    hsa_executable_t executable,
    hsa_status_t (*callback)(hsa_executable_t exec, hsa_executable_symbol_t symbol, void* data), void* data) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    std::vector<hsa_executable_symbol_t> symbols;
    auto status = selected_symbols(*runtime, executable, [](const ExecutableSymbol& s) { return !s.agent; }, symbols);
    for (std::size_t i = 0; status == HSA_STATUS_SUCCESS && i < symbols.size(); ++i)
        status = callback(executable, symbols[i], data);
    return status;
}

// ---- code objects of HSA 1.0: a reader under another name ----------------------------------------------------------

hsa_status_t hsa_code_object_deserialize(void* serialized_code_object, size_t serialized_code_object_size, const char*,
                                         hsa_code_object_t* code_object) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(serialized_code_object && serialized_code_object_size && code_object,
                HSA_STATUS_ERROR_INVALID_ARGUMENT);
    hsa_code_object_reader_t reader;
    const auto status = runtime->executables.make_reader(serialized_code_object, serialized_code_object_size, &reader);
    code_object->handle = reader.handle;
    return status;
}

hsa_status_t hsa_code_object_destroy(hsa_code_object_t code_object) {
    VROCM_OPEN(runtime);
    const auto status = runtime->executables.destroy_reader({code_object.handle});
    return status == HSA_STATUS_SUCCESS ? status : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

hsa_status_t hsa_executable_load_code_object(hsa_executable_t executable, hsa_agent_t agent,
                                             hsa_code_object_t code_object, const char* options) {
    return api::hsa_executable_load_agent_code_object(executable, agent, {code_object.handle}, options, nullptr);
}

}  // namespace vrocm::hsa::api
