#include "hsa/code/executable.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "abi/hsa/amd_hsa_elf.h"
#include "codeobj/target.h"
#include "hsa/runtime.h"
#include "hsa/tracing/objects.h"
#include "sim/code/kernel.h"
#include "trace/log.h"

namespace vrocm::hsa {

namespace {

std::string memory_uri(const void* data, std::size_t size) {
    char text[96];
    std::snprintf(text, sizeof text, "memory://%d#offset=0x%llx&size=%zu", getpid(),
                  static_cast<unsigned long long>(reinterpret_cast<std::uint64_t>(data)), size);
    return text;
}

// Characters outside this set are written as %XX.
bool plain_in_uri(unsigned char c) {
    return std::isalnum(c) || std::strchr("/_.~-", c) != nullptr;
}

std::string file_uri(int file, std::size_t offset, std::size_t size, bool whole) {
    char path[4096], link[64], text[96];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path);
    std::string uri = "file://";
    for (ssize_t i = 0; i < length; ++i) {
        const auto c = static_cast<unsigned char>(path[i]);
        std::snprintf(text, sizeof text, plain_in_uri(c) ? "%c" : "%%%02X", c);
        uri += text;
    }
    if (whole) return uri;
    std::snprintf(text, sizeof text, "#offset=%zu&size=%zu", offset, size);
    return uri + text;
}

template <typename T>
void patch(std::uint64_t address, std::uint64_t value) {
    const auto narrow = static_cast<T>(value);
    std::memcpy(reinterpret_cast<void*>(address), &narrow, sizeof narrow);
}

// Dynamic relocations of AMDGPU (LLVM AMDGPUUsage, "Relocation Records"); false for one that does not occur in
// linked code objects.
bool apply(std::uint64_t address, std::uint32_t type, std::uint64_t value) {
    switch (type) {
        case R_AMDGPU_NONE:
            return true;
        case R_AMDGPU_32_LOW:
        case R_AMDGPU_32:
            return patch<std::uint32_t>(address, value), true;
        case R_AMDGPU_32_HIGH:
            return patch<std::uint32_t>(address, value >> 32), true;
        case R_AMDGPU_64:
        case R_AMDGPU_RELATIVE64:
            return patch<std::uint64_t>(address, value), true;
        case R_AMDGPU_REL32:
        case R_AMDGPU_REL32_LOW:
            return patch<std::uint32_t>(address, value - address), true;
        case R_AMDGPU_REL32_HIGH:
            return patch<std::uint32_t>(address, (value - address) >> 32), true;
        case R_AMDGPU_REL64:
            return patch<std::uint64_t>(address, value - address), true;
        default:
            return false;
    }
}

}  // namespace

Executables::~Executables() {
    for (auto& [handle, executable] : executables_)
        for (const LoadedCodeObject& object : executable->objects) unload(object);
}

// ---- readers -----------------------------------------------------------------------------------------------------

hsa_status_t Executables::make_reader(const void* memory, std::size_t size, hsa_code_object_reader_t* reader) {
    auto made = std::make_unique<CodeReader>();
    made->data = static_cast<const std::uint8_t*>(memory);
    made->size = size;
    made->uri = memory_uri(memory, size);
    std::lock_guard lock(mutex_);
    reader->handle = reinterpret_cast<std::uint64_t>(made.get());
    readers_[reader->handle] = std::move(made);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t Executables::make_reader(int file, std::size_t offset, std::size_t size, bool whole,
                                      hsa_code_object_reader_t* reader) {
    struct stat info{};
    if (fstat(file, &info) != 0) return HSA_STATUS_ERROR_INVALID_FILE;
    const auto length = static_cast<std::size_t>(info.st_size);
    if (whole) size = length;
    if (length == 0 || size == 0 || offset > length || size > length - offset)
        return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    auto made = std::make_unique<CodeReader>();
    made->storage = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE;
    made->file = file;
    made->uri = file_uri(file, offset, size, whole);
    made->contents.resize(size);
    for (std::size_t done = 0; done < size;) {
        const ssize_t n = pread(file, made->contents.data() + done, size - done, static_cast<off_t>(offset + done));
        if (n <= 0) return HSA_STATUS_ERROR_INVALID_FILE;
        done += static_cast<std::size_t>(n);
    }
    made->data = made->contents.data();
    made->size = size;
    std::lock_guard lock(mutex_);
    reader->handle = reinterpret_cast<std::uint64_t>(made.get());
    readers_[reader->handle] = std::move(made);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t Executables::destroy_reader(hsa_code_object_reader_t reader) {
    std::lock_guard lock(mutex_);
    return readers_.erase(reader.handle) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
}

CodeReader* Executables::find(hsa_code_object_reader_t handle) const {
    const auto it = readers_.find(handle.handle);
    return it == readers_.end() ? nullptr : it->second.get();
}

// ---- executables -------------------------------------------------------------------------------------------------

Executable* Executables::find(hsa_executable_t handle) const {
    const auto it = executables_.find(handle.handle);
    return it == executables_.end() ? nullptr : it->second.get();
}

hsa_status_t Executables::create(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding, bool frozen,
                                 hsa_executable_t* executable) {
    auto made = std::make_unique<Executable>();
    made->profile = profile;
    made->rounding = rounding;
    made->frozen = frozen;
    std::lock_guard lock(mutex_);
    *executable = made->handle();
    executables_[executable->handle] = std::move(made);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t Executables::destroy(hsa_executable_t executable) {
    std::lock_guard lock(mutex_);
    const auto it = executables_.find(executable.handle);
    if (it == executables_.end()) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    for (const LoadedCodeObject& object : it->second->objects) {
        by_base_.erase(object.base);
        unload(object);
    }
    for (const ExecutableSymbol& symbol : it->second->symbols) symbols_.erase(symbol.handle().handle);
    executables_.erase(it);
    return HSA_STATUS_SUCCESS;
}

void Executables::unload(const LoadedCodeObject& object) {
    object.agent->machine().unload(static_cast<std::uint64_t>(object.delta));
    Runtime::get()->memory.free(reinterpret_cast<void*>(object.base), true);
}

hsa_status_t Executables::load(hsa_executable_t executable, Agent& agent, hsa_code_object_reader_t reader,
                               hsa_loaded_code_object_t* loaded) {
    std::lock_guard lock(mutex_);
    Executable* e = find(executable);
    if (!e) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (e->frozen) return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    CodeReader* r = find(reader);
    if (!r) return HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
    std::string why;
    const auto code = codeobj::Loadable::read({r->data, r->size}, why);
    if (!code) {
        std::fprintf(stderr, "vrocm: code object %s refused: %s\n", r->uri.c_str(), why.c_str());
        return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    }
    if (!codeobj::runs_on(code->isa(), agent.isa_names()[0])) {
        std::fprintf(stderr, "vrocm: code object %s is for %s, the agent is %s\n", r->uri.c_str(), code->isa().c_str(),
                     agent.isa_names()[0].c_str());
        return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
    }
    LoadedCodeObject* object = nullptr;
    const hsa_status_t status = place(*e, agent, *r, *code, &object);
    if (status == HSA_STATUS_SUCCESS && loaded) *loaded = object->handle();
    return status;
}

hsa_status_t Executables::place(Executable& executable, Agent& agent, const CodeReader& reader,
                                const codeobj::Loadable& code, LoadedCodeObject** loaded) {
    Memory& memory = Runtime::get()->memory;
    void* at = memory.allocate_internal(*agent.pool(kCoarseGrained), code.memory_size(), "code");
    if (!at) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    LoadedCodeObject object;
    object.executable = &executable;
    object.agent = &agent;
    object.source.storage = reader.storage;
    object.source.file = reader.file;
    object.source.uri = reader.uri;
    if (reader.storage == HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY) object.source.data = reader.data;
    object.source.size = reader.size;
    object.base = reinterpret_cast<std::uint64_t>(at);
    object.size = code.memory_size();
    object.delta = static_cast<std::int64_t>(object.base - code.first_vaddr());
    copy_segments(object, reader, code);
    if (!relocate(object, code, executable)) {
        memory.free(at, true);
        return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    }
    auto image = std::make_shared<sim::LoadedCode>();
    image->arch = agent.model().arch;
    image->load_base = static_cast<std::uint64_t>(object.delta);
    image->load_size = code.first_vaddr() + object.size;
    image->elf.assign(reader.data, reader.data + reader.size);
    agent.machine().load(std::move(image));
    executable.objects.push_back(std::move(object));
    *loaded = &executable.objects.back();
    by_base_[(*loaded)->base] = *loaded;
    add_symbols(executable, **loaded, code);
    return HSA_STATUS_SUCCESS;
}

void Executables::copy_segments(const LoadedCodeObject& object, const CodeReader& reader,
                                const codeobj::Loadable& code) {
    for (const codeobj::Loadable::Segment& segment : code.segments())
        std::memcpy(reinterpret_cast<void*>(segment.vaddr + static_cast<std::uint64_t>(object.delta)),
                    reader.data + segment.file_offset, segment.file_size);
}

bool Executables::relocate(LoadedCodeObject& object, const codeobj::Loadable& code, const Executable& executable) {
    const auto delta = static_cast<std::uint64_t>(object.delta);
    for (const Elf64_Rela& r : code.relocations()) {
        const codeobj::Loadable::Segment* segment = code.segment_of(r.r_offset);
        if (!segment || !segment->holds(r.r_offset, 8)) return false;
        const std::uint64_t address = r.r_offset + delta;
        const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(r.r_info));
        const std::uint64_t index = ELF64_R_SYM(r.r_info);
        std::uint64_t value = static_cast<std::uint64_t>(r.r_addend);
        if (type == R_AMDGPU_RELATIVE64) {
            value += delta;
        } else if (index) {
            if (index >= code.symbols().size()) return false;
            const codeobj::Elf::Symbol& symbol = code.symbols()[index];
            const std::string name(symbol.name);
            const auto defined = executable.defined.find({object.agent, name});
            const auto program = executable.defined.find({nullptr, name});
            if (symbol.section != SHN_UNDEF) {
                value += symbol.value + delta;
            } else if (defined != executable.defined.end()) {
                value += defined->second;
            } else if (program != executable.defined.end()) {
                value += program->second;
            } else {
                object.unresolved.push_back({address, type, r.r_addend, name});
                continue;
            }
        }
        if (!apply(address, type, value)) {
            std::fprintf(stderr, "vrocm: code object %s refused: relocation type %u\n", object.source.uri.c_str(),
                         type);
            return false;
        }
    }
    return true;
}

void Executables::add_symbols(Executable& executable, const LoadedCodeObject& object, const codeobj::Loadable& code) {
    const std::uint64_t traced = trace::active() ? trace_code_object(object) : 0;
    for (const codeobj::Elf::Symbol& s : code.symbols()) {
        if (s.section == SHN_UNDEF || s.name.empty() || s.type != STT_OBJECT) continue;
        const codeobj::Loadable::Segment* segment = code.segment_of(s.value);
        if (!segment) continue;
        ExecutableSymbol symbol;
        symbol.name = s.name;
        symbol.agent = object.agent;
        symbol.address = s.value + static_cast<std::uint64_t>(object.delta);
        symbol.size = static_cast<std::uint32_t>(s.size);
        symbol.global = s.binding != STB_LOCAL;
        symbol.constant = !segment->writable;
        symbol.alignment = static_cast<std::uint32_t>(std::min<std::uint64_t>(s.value & -s.value, kPage));
        if (s.name.ends_with(".kd") && s.size == sim::kDescriptorBytes) {
            symbol.kind = HSA_SYMBOL_KIND_KERNEL;
            const auto kernel = sim::KernelDescriptor::parse(reinterpret_cast<const std::uint8_t*>(symbol.address));
            symbol.group_size = kernel.group_segment_fixed_size;
            symbol.private_size = kernel.private_segment_fixed_size;
            symbol.kernarg_size = kernel.kernarg_size;
            symbol.dynamic_stack = kernel.dynamic_stack();
        }
        if (traced && symbol.kind == HSA_SYMBOL_KIND_KERNEL) trace_kernel(symbol, traced);
        executable.symbols.push_back(std::move(symbol));
        symbols_.insert(executable.symbols.back().handle().handle);
    }
}

hsa_status_t Executables::freeze(hsa_executable_t executable) {
    std::lock_guard lock(mutex_);
    Executable* e = find(executable);
    if (!e) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (e->frozen) return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    for (LoadedCodeObject& object : e->objects) {
        for (const auto& u : object.unresolved) {
            auto it = e->defined.find({object.agent, u.symbol});
            if (it == e->defined.end()) it = e->defined.find({nullptr, u.symbol});
            if (it == e->defined.end()) {
                std::fprintf(stderr, "vrocm: variable %s is used by %s and not defined\n", u.symbol.c_str(),
                             object.source.uri.c_str());
                return HSA_STATUS_ERROR_VARIABLE_UNDEFINED;
            }
            apply(u.address, u.type, it->second + static_cast<std::uint64_t>(u.addend));
        }
        object.unresolved.clear();
    }
    e->frozen = true;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t Executables::define(hsa_executable_t executable, Agent* agent, const char* name, void* address) {
    std::lock_guard lock(mutex_);
    Executable* e = find(executable);
    if (!e) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (e->frozen) return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    const auto where = reinterpret_cast<std::uint64_t>(address);
    if (!e->defined.try_emplace({agent, name}, where).second) return HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED;
    ExecutableSymbol symbol;
    symbol.name = name;
    symbol.agent = agent;
    symbol.address = where;
    e->symbols.push_back(std::move(symbol));
    symbols_.insert(e->symbols.back().handle().handle);
    return HSA_STATUS_SUCCESS;
}

// ---- looking things up ---------------------------------------------------------------------------------------------

hsa_status_t Executables::with(hsa_executable_t executable, const std::function<hsa_status_t(Executable&)>& f) {
    std::lock_guard lock(mutex_);
    Executable* e = find(executable);
    return e ? f(*e) : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
}

hsa_status_t Executables::with(hsa_executable_symbol_t symbol,
                               const std::function<hsa_status_t(ExecutableSymbol&)>& f) {
    std::lock_guard lock(mutex_);
    if (!symbols_.contains(symbol.handle)) return HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL;
    return f(*reinterpret_cast<ExecutableSymbol*>(symbol.handle));
}

hsa_status_t Executables::with(hsa_loaded_code_object_t object,
                               const std::function<hsa_status_t(LoadedCodeObject&)>& f) {
    std::lock_guard lock(mutex_);
    for (auto& [base, o] : by_base_)
        if (o->handle().handle == object.handle) return f(*o);
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

std::vector<hsa_executable_t> Executables::all() const {
    std::lock_guard lock(mutex_);
    std::vector<hsa_executable_t> handles;
    for (const auto& [handle, executable] : executables_) handles.push_back({handle});
    return handles;
}

std::vector<LoadedCodeObject*> Executables::loaded_objects() const {
    std::lock_guard lock(mutex_);
    std::vector<LoadedCodeObject*> objects;
    for (const auto& [base, object] : by_base_) objects.push_back(object);
    return objects;
}

LoadedCodeObject* Executables::object_at(std::uint64_t address) const {
    std::lock_guard lock(mutex_);
    const auto it = by_base_.upper_bound(address);
    if (it == by_base_.begin()) return nullptr;
    LoadedCodeObject* object = std::prev(it)->second;
    return address - object->base < object->size ? object : nullptr;
}

bool Executables::is_kernel(const Agent& agent, std::uint64_t address) const {
    const LoadedCodeObject* object = object_at(address);
    return object && object->agent == &agent && address % sim::kDescriptorBytes == 0 &&
           object->size - (address - object->base) >= sim::kDescriptorBytes;
}

}  // namespace vrocm::hsa
