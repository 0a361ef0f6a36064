#include "capture/bookkeeping/code_objects.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "capture/bookkeeping/agents.h"
#include "capture/calls/original.h"
#include "codeobj/demangle.h"

namespace rpl::capture {

namespace {

constexpr std::string_view kDescriptorSuffix = ".kd";

std::vector<std::uint8_t> read_file(int file) {
    struct stat about{};
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return {};
    std::vector<std::uint8_t> contents(static_cast<std::size_t>(about.st_size));
    for (std::size_t done = 0; done < contents.size();) {
        const ssize_t n = pread(file, contents.data() + done, contents.size() - done, static_cast<off_t>(done));
        if (n <= 0) return {};
        done += static_cast<std::size_t>(n);
    }
    return contents;
}

template <class T>
T ask(hsa_loaded_code_object_t loaded, hsa_ven_amd_loader_loaded_code_object_info_t attribute) {
    T value{};
    const auto get = original().loader()->hsa_ven_amd_loader_loaded_code_object_get_info;
    return get(loaded, attribute, &value) == HSA_STATUS_SUCCESS ? value : T{};
}

// The bytes of a code object that came to the runtime by a way not seen here.
std::vector<std::uint8_t> bytes_from_loader(hsa_loaded_code_object_t loaded) {
    using Storage = hsa_ven_amd_loader_code_object_storage_type_t;
    const auto storage = static_cast<Storage>(
        ask<std::uint32_t>(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE));
    if (storage == HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE)
        return read_file(ask<int>(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE));
    if (storage != HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY) return {};
    const auto base =
        ask<std::uint64_t>(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE);
    const auto size =
        ask<std::uint64_t>(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE);
    const auto* at = reinterpret_cast<const std::uint8_t*>(base);
    return base ? std::vector<std::uint8_t>(at, at + size) : std::vector<std::uint8_t>();
}

std::string uri_of(hsa_loaded_code_object_t loaded) {
    const auto length = ask<std::uint32_t>(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH);
    std::string uri(length, '\0');
    const auto get = original().loader()->hsa_ven_amd_loader_loaded_code_object_get_info;
    if (!length || get(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI, uri.data()) != HSA_STATUS_SUCCESS)
        return {};
    return uri;
}

std::vector<hsa_loaded_code_object_t> loaded_in(hsa_executable_t executable) {
    std::vector<hsa_loaded_code_object_t> list;
    const auto add = [](hsa_executable_t, hsa_loaded_code_object_t loaded, void* data) {
        static_cast<std::vector<hsa_loaded_code_object_t>*>(data)->push_back(loaded);
        return HSA_STATUS_SUCCESS;
    };
    original().loader()->hsa_ven_amd_loader_executable_iterate_loaded_code_objects(executable, add, &list);
    return list;
}

struct Symbol {
    std::string name;  // without .kd
    std::uint64_t object = 0;
};

std::vector<Symbol> kernels_in(hsa_executable_t executable, hsa_agent_t agent) {
    std::vector<Symbol> list;
    const auto add = [](hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t symbol, void* data) {
        const auto get = original().core.hsa_executable_symbol_get_info_fn;
        hsa_symbol_kind_t kind{};
        get(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind);
        if (kind != HSA_SYMBOL_KIND_KERNEL) return HSA_STATUS_SUCCESS;
        Symbol found;
        std::uint32_t length = 0;
        get(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &length);
        found.name.resize(length);
        get(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, found.name.data());
        if (found.name.ends_with(kDescriptorSuffix)) found.name.resize(length - kDescriptorSuffix.size());
        get(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &found.object);
        static_cast<std::vector<Symbol>*>(data)->push_back(std::move(found));
        return HSA_STATUS_SUCCESS;
    };
    original().core.hsa_executable_iterate_agent_symbols_fn(executable, agent, add, &list);
    return list;
}

}  // namespace

CodeObjects& code_objects() {
    static auto* instance = new CodeObjects;
    return *instance;
}

void CodeObjects::reader_made(hsa_code_object_reader_t reader, const void* memory, std::size_t size) {
    std::lock_guard lock(mutex_);
    readers_[reader.handle] = {static_cast<const std::uint8_t*>(memory), size, {}};
}

void CodeObjects::reader_made(hsa_code_object_reader_t reader, int file) {
    Source source;
    source.contents = read_file(file);
    std::lock_guard lock(mutex_);
    readers_[reader.handle] = std::move(source);
}

void CodeObjects::reader_gone(hsa_code_object_reader_t reader) {
    std::lock_guard lock(mutex_);
    readers_.erase(reader.handle);
}

void CodeObjects::loaded(hsa_loaded_code_object_t loaded, hsa_code_object_reader_t reader) {
    std::lock_guard lock(mutex_);
    const auto found = readers_.find(reader.handle);
    if (found == readers_.end()) return;
    const Source& source = found->second;
    given_[loaded.handle] =
        source.memory ? std::vector<std::uint8_t>(source.memory, source.memory + source.size) : source.contents;
}

std::shared_ptr<ObservedCode> CodeObjects::describe(hsa_executable_t executable, hsa_loaded_code_object_t loaded) {
    auto code = std::make_shared<ObservedCode>();
    code->executable = executable;
    code->agent = ask<hsa_agent_t>(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT);
    code->base = ask<std::uint64_t>(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE);
    code->size = ask<std::uint64_t>(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE);
    code->delta = ask<std::int64_t>(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA);
    code->uri = uri_of(loaded);
    if (const auto given = given_.extract(loaded.handle))
        code->bytes = std::move(given.mapped());
    else
        code->bytes = bytes_from_loader(loaded);
    std::string reason;
    if (auto object = vrocm::codeobj::read_code_object(code->bytes, reason)) code->object = std::move(*object);
    return code;
}

void CodeObjects::frozen(hsa_executable_t executable, const Settings& settings) {
    if (!original().loader()) return;
    const auto list = loaded_in(executable);
    std::lock_guard lock(mutex_);
    for (const hsa_loaded_code_object_t loaded : list) {
        const std::shared_ptr<ObservedCode> code = describe(executable, loaded);
        bool wanted = false;
        for (Symbol& symbol : kernels_in(executable, code->agent)) {
            if (!code->contains(symbol.object)) continue;
            Kernel kernel;
            kernel.demangled = vrocm::codeobj::demangle(symbol.name);
            kernel.name = std::move(symbol.name);
            kernel.object = symbol.object;
            kernel.wanted = settings.matches(kernel.name, kernel.demangled);
            kernel.code = code;
            for (const vrocm::codeobj::KernelMetadata& metadata : code->object.kernels)
                if (metadata.symbol == kernel.name + std::string(kDescriptorSuffix)) kernel.metadata = &metadata;
            wanted |= kernel.wanted;
            kernels_.insert_or_assign(kernel.object, std::move(kernel));
        }
        if (!wanted) code->bytes = {};
        loaded_.push_back(code);
    }
}

void CodeObjects::destroyed(hsa_executable_t executable) {
    std::lock_guard lock(mutex_);
    for (const auto& [object, kernel] : kernels_)
        if (kernel.seen && kernel.code->executable.handle == executable.handle) seen_before_.insert(kernel.demangled);
    std::erase_if(kernels_, [&](const auto& k) { return k.second.code->executable.handle == executable.handle; });
    std::erase_if(loaded_, [&](const auto& code) { return code->executable.handle == executable.handle; });
}

Kernel* CodeObjects::find(std::uint64_t kernel_object) {
    const auto found = kernels_.find(kernel_object);
    return found == kernels_.end() ? nullptr : &found->second;
}

std::vector<std::shared_ptr<const ObservedCode>> CodeObjects::all() const {
    std::lock_guard lock(mutex_);
    return loaded_;
}

std::vector<std::string> CodeObjects::names_seen() const {
    std::lock_guard lock(mutex_);
    std::set<std::string> names = seen_before_;
    for (const auto& [object, kernel] : kernels_)
        if (kernel.seen) names.insert(kernel.demangled);
    return {names.begin(), names.end()};
}

}  // namespace rpl::capture
